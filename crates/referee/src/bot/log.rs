//! The messages of a game, and the end of a bot's standard error, for the author of a bot that lost. Both are bounded.

const TAIL: usize = 64 * 1024;
const LOG: usize = 1024 * 1024;

#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        // Cuts rarely, so that a flood of output costs one copy per 64 KiB and not one per read.
        if self.bytes.len() > 2 * TAIL {
            self.bytes.drain(..self.bytes.len() - TAIL);
        }
    }

    pub fn text(&self) -> String {
        let from = self.bytes.len().saturating_sub(TAIL);
        String::from_utf8_lossy(&self.bytes[from..]).into_owned()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// The last 1 MiB of the exact lines of a game. Lines from the arena begin with `> `, those from the bot with `< `.
#[derive(Debug, Default)]
pub struct Log {
    bytes: Vec<u8>,
    /// Whether the bot's last line has not ended yet.
    open: bool,
}

impl Log {
    pub fn sent(&mut self, lines: &[u8]) {
        self.end_line();
        // A question has about a thousand bytes, so a fast search for newlines matters.
        let mut begin = 0;
        for newline in memchr::memchr_iter(b'\n', lines) {
            self.bytes.extend_from_slice(b"> ");
            self.bytes.extend_from_slice(&lines[begin..=newline]);
            begin = newline + 1;
        }
        debug_assert_eq!(begin, lines.len(), "lines end with a newline");
    }

    pub fn received(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !self.open {
                self.bytes.extend_from_slice(b"< ");
            }
            self.bytes.extend_from_slice(piece);
            self.open = !piece.ends_with(b"\n");
        }
        if self.bytes.len() > 2 * LOG {
            self.bytes.drain(..self.bytes.len() - LOG);
        }
    }

    pub fn bytes(&self) -> &[u8] {
        if self.bytes.len() <= LOG {
            return &self.bytes;
        }
        let last = &self.bytes[self.bytes.len() - LOG..];
        let line = last
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        &last[line..]
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.open = false;
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.open) {
            self.bytes.push(b'\n');
        }
    }
}
