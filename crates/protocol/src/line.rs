//! Cuts bytes into lines, with a limit.

/// The longest line of the protocol without its newline: 64 KiB.
pub const MAX_LINE: usize = 64 * 1024;

/// The error for a line longer than [`MAX_LINE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error("a line of more than {MAX_LINE} bytes")]
pub struct LineTooLong;

/// A buffer that cuts input into lines. Removes a byte-order mark, carriage returns, outer spaces, and blank lines.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    /// The number of bytes already returned as lines.
    taken: usize,
    /// The number of bytes already searched for a newline.
    searched: usize,
    past_start: bool,
}

impl LineBuffer {
    /// Creates an empty buffer.
    pub fn new() -> LineBuffer {
        LineBuffer::default()
    }

    /// Adds input.
    pub fn extend(&mut self, bytes: &[u8]) {
        if self.taken > 0 {
            self.bytes.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next complete line that is not blank, trimmed; `None` if there is none yet.
    pub fn next_line(&mut self) -> Option<Result<&[u8], LineTooLong>> {
        loop {
            let Some(offset) = self.bytes[self.searched..]
                .iter()
                .position(|&byte| byte == b'\n')
            else {
                self.searched = self.bytes.len();
                let too_long = self.searched - self.taken > MAX_LINE;
                return too_long.then_some(Err(LineTooLong));
            };
            let (start, end) = (self.taken, self.searched + offset);
            if end - start > MAX_LINE {
                return Some(Err(LineTooLong));
            }
            self.taken = end + 1;
            self.searched = self.taken;
            let first = !std::mem::replace(&mut self.past_start, true);
            let (start, end) = trimmed(&self.bytes, start, end, first);
            if start < end {
                return Some(Ok(&self.bytes[start..end]));
            }
        }
    }

    /// Returns the input since the last line.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// Returns true if only white space has arrived since the last line.
    pub fn is_blank(&self) -> bool {
        self.rest().iter().all(u8::is_ascii_whitespace)
    }

    /// Drops all input.
    pub fn clear(&mut self) {
        *self = LineBuffer {
            past_start: self.past_start,
            ..LineBuffer::default()
        };
    }
}

fn trimmed(bytes: &[u8], start: usize, end: usize, first: bool) -> (usize, usize) {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let line = &bytes[start..end];
    let line = if first {
        line.strip_prefix(MARK).unwrap_or(line)
    } else {
        line
    };
    let start = end - line.len();
    let before = line.len() - line.trim_ascii_start().len();
    (start + before, start + before + line.trim_ascii().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(pieces: &[&[u8]]) -> Vec<Result<Vec<u8>, LineTooLong>> {
        let mut buffer = LineBuffer::new();
        let mut lines = Vec::new();
        for piece in pieces {
            buffer.extend(piece);
            while let Some(line) = buffer.next_line() {
                let failed = line.is_err();
                lines.push(line.map(<[u8]>::to_vec));
                if failed {
                    return lines;
                }
            }
        }
        lines
    }

    #[test]
    fn habits_of_other_systems_are_tolerated() {
        let read = lines(&[b"\xef\xbb\xbf{}\r\n", b"\r\n  [1] \n\n", b"x"]);
        assert_eq!(read, [Ok(b"{}".to_vec()), Ok(b"[1]".to_vec())]);
    }

    #[test]
    fn a_line_of_64_kib_passes_and_one_byte_more_does_not() {
        let longest = vec![b'x'; MAX_LINE];
        assert_eq!(lines(&[&longest, b"\n"]), [Ok(longest.clone())]);
        assert_eq!(lines(&[&longest, b"y"]), [Err(LineTooLong)]);
        assert_eq!(lines(&[&longest, b"y\n"]), [Err(LineTooLong)]);
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_how_the_bytes_arrive(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            cuts in proptest::collection::vec(0..200usize, 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.sort_unstable();
            cuts.push(bytes.len());
            let mut from = 0;
            let pieces: Vec<&[u8]> = cuts
                .into_iter()
                .map(|cut| &bytes[std::mem::replace(&mut from, cut)..cut])
                .collect();
            prop_assert_eq!(lines(&pieces), lines(&[&bytes]));
        }
    }
}
