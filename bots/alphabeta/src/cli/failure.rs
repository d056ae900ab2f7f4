//! How a command ends that did not do all it was to do.

use std::io;

/// Why a command ends early, and the exit code that says so.
#[derive(Debug)]
pub struct Failure {
    /// 0: the reader stopped; 1: done, not passed; 2: usage or input; 4: the program or the machine.
    pub code: u8,
    /// The message for the user; empty: none.
    pub message: String,
}

impl Failure {
    /// The input cannot be used.
    pub fn input(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 2,
            message: error.to_string(),
        }
    }

    /// The program or the machine failed.
    pub fn own(error: impl std::fmt::Display) -> Failure {
        Failure {
            code: 4,
            message: error.to_string(),
        }
    }

    /// The work was done, and did not come out as it should have.
    pub fn not_passed(message: String) -> Failure {
        Failure { code: 1, message }
    }
}

/// Output that cannot be written. A reader that stops early, such as `head`, is not a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure {
                code: 0,
                message: String::new(),
            },
            _ => Failure::own(error),
        }
    }
}
