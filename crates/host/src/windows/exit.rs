//! How a process ended, by its status.
//!
//! What the system ends has a status that says why, an `NTSTATUS` with the two highest bits set. The
//! common ones are told by the numbers that all other systems have for the same, so that a record
//! means the same wherever it is read.

use crate::Exit;

/// The status of what we kill. The bit 29 says that it is no number of the system's.
pub const KILLED: u32 = 0xE000_0009;

/// Reasons of the system, and the signals of Unix for the same.
const KNOWN: [(u32, i32); 10] = [
    (KILLED, 9),
    // Ctrl-C.
    (0xC000_013A, 2),
    // An illegal instruction, a privileged one.
    (0xC000_001D, 4),
    (0xC000_0096, 4),
    // What `abort` and a failed check of the stack end with.
    (0xC000_0409, 6),
    // A division of integers by zero, and its overflow.
    (0xC000_0094, 8),
    (0xC000_0095, 8),
    // Memory that may not be accessed, the end of the stack, a spoilt heap.
    (0xC000_0005, 11),
    (0xC000_00FD, 11),
    (0xC000_0374, 11),
];

/// The lowest status that the system gives for an error.
const ERROR: u32 = 0xC000_0000;

pub fn of_status(status: u32) -> Exit {
    match KNOWN.iter().find(|(known, _)| *known == status) {
        Some(&(_, signal)) => Exit::BySystem(signal),
        // Programs return -1 or the like, too.
        None if (ERROR..0xD000_0000).contains(&status) => Exit::BySystem(status as i32),
        None => Exit::Status(status as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_told_apart_from_statuses() {
        for (status, exit) in [
            (0, Exit::Status(0)),
            (3, Exit::Status(3)),
            (u32::MAX, Exit::Status(-1)),
            // STATUS_ACCESS_VIOLATION, STATUS_INTEGER_DIVIDE_BY_ZERO, STATUS_DLL_NOT_FOUND in ntstatus.h.
            (0xC000_0005, Exit::BySystem(11)),
            (0xC000_0094, Exit::BySystem(8)),
            (0xC000_0135, Exit::BySystem(0xC000_0135_u32 as i32)),
        ] {
            assert_eq!(of_status(status), exit, "{status:#x}");
        }
    }
}
