//! The format of data files: magic and version, content, and a 64-bit little-endian checksum of all bytes before it.

pub struct FileKind {
    pub magic: &'static [u8; 5],
    pub name: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFile {
    #[error("not {0}")]
    Magic(&'static str),
    #[error("damaged: the checksum is {found:016x} instead of {expected:016x}; get the file again")]
    Checksum { found: u64, expected: u64 },
}

impl FileKind {
    pub fn seal(&self, content: &[u8]) -> Vec<u8> {
        let mut bytes = [self.magic, content].concat();
        let checksum = fnv1a(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], BadFile> {
        let content = self.content(bytes)?;
        let (all, checksum) = bytes.split_at(self.magic.len() + content.len());
        let expected = checksum.try_into().map_or(0, u64::from_le_bytes);
        let found = fnv1a(all);
        if expected != found {
            return Err(BadFile::Checksum { found, expected });
        }
        Ok(content)
    }

    /// Returns the content of a built-in file. Does not verify the checksum, which would take a millisecond per MB.
    pub fn content<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], BadFile> {
        let content = bytes.strip_prefix(self.magic);
        let parts = content.and_then(<[u8]>::split_last_chunk::<8>);
        parts.map_or(Err(BadFile::Magic(self.name)), |(content, _)| Ok(content))
    }
}

/// Returns the FNV-1a hash, 64 bits (G. Fowler, L. C. Noll and K.-P. Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published test vectors: <http://www.isthe.com/chongo/tech/comp/fnv/>.
    #[test]
    fn the_checksum_is_fnv_1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
