//! How many processes can run at the same time.

use crate::system;

/// What one [`Process`](crate::Process) keeps open: three pipes, its life, its run delay; and in a box two
/// pipes to its keeper.
const OPEN_A_PROCESS: usize = 7;
/// What is open beside processes while work goes on: a record with its log, tables that are written,
/// and the other ends of the pipes of a process that is being started, in a few threads at once.
const OPEN_BESIDE: usize = 16;

/// How many processes this program can have side by side without running out of what the system lets
/// it have open, at least two; `None`: as many as there may be.
///
/// The first call asks the system for as much as it gives at all. Processes that are started later
/// get the limit there was before.
pub fn room_for_processes() -> Option<usize> {
    Some(room(system::most_open()?, system::open_now()))
}

fn room(limit: usize, open: usize) -> usize {
    (limit.saturating_sub(open + OPEN_BESIDE) / OPEN_A_PROCESS).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_takes_room() {
        // 1024 is what most systems let a program have open.
        assert_eq!(room(1024, 8), 142);
        assert_eq!(room(47, 10), 3);
        assert_eq!(room(3, 10), 2, "one game is tried whatever the limit");
    }
}
