//! How a process ended.

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this status.
    Status(i32),
    /// The system ended it, for the reason with this number of the system's own.
    BySystem(i32),
}
