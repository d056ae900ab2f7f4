//! The results of a wait, a read and a write.

/// What a wait found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each thing that was waited for"
)]
pub struct News {
    /// Its output can be read, or has ended.
    pub output: bool,
    /// The same of its errors.
    pub errors: bool,
    /// It has ended; call [`Process::end`](crate::Process::end).
    pub ended: bool,
    /// Its input takes more.
    pub writable: bool,
}

/// The result of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<T> {
    /// Bytes, and what was made of them.
    Bytes(T),
    /// Nothing yet; or the pipe has been closed.
    Nothing,
    /// The other end closed the pipe, and all that it wrote has been read. Said once.
    End,
}

/// The result of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The number of bytes written.
    Bytes(usize),
    /// The pipe takes none at the moment.
    Full,
    /// The reader has closed the pipe: the input is closed now.
    Closed,
}
