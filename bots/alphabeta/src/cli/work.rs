//! Who solves which position: each thread one of its own while there are open ones; then those that have
//! none help where the fewest do.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use crate::othello::endgame::Team;

/// The positions to be solved, by their numbers.
pub struct Work(Mutex<State>);

struct State {
    open: VecDeque<usize>,
    at_work: Vec<AtWork>,
}

/// A position that is being solved.
struct AtWork {
    number: usize,
    team: Arc<Team>,
    helpers: usize,
}

/// What a thread is to do next.
pub enum Job {
    /// Solve the position with this number, with a team that others may come to help.
    Solve(usize, Arc<Team>),
    /// Help another.
    Help(Arc<Team>),
}

impl Work {
    /// Positions that nobody is at.
    pub fn new(open: impl IntoIterator<Item = usize>) -> Work {
        Work(Mutex::new(State {
            open: open.into_iter().collect(),
            at_work: Vec::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nothing panics in here")
    }

    /// What to do next; a position of one's own is solved by `team` and ends with [`Work::done`].
    /// `None`: nothing is left.
    pub fn next(&self, team: impl FnOnce() -> Arc<Team>) -> Option<Job> {
        let mut state = self.state();
        if let Some(number) = state.open.pop_front() {
            let team = team();
            state.at_work.push(AtWork {
                number,
                team: Arc::clone(&team),
                helpers: 0,
            });
            return Some(Job::Solve(number, team));
        }
        // Whose thread panicked is not done with it, but nobody can help it any more.
        state.at_work.retain(|one| !one.team.is_over());
        let weakest = state.at_work.iter_mut().min_by_key(|one| one.helpers)?;
        weakest.helpers += 1;
        Some(Job::Help(Arc::clone(&weakest.team)))
    }

    /// A position is solved.
    pub fn done(&self, number: usize) {
        self.state().at_work.retain(|one| one.number != number);
    }

    /// No other position is to be begun.
    pub fn stop(&self) {
        self.state().open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::endgame::ExactSolver;

    #[test]
    fn who_has_no_position_helps_where_the_fewest_do() {
        let solver = ExactSolver::new(1);
        let work = Work::new([3, 7]);
        let mut teams = Vec::new();
        for number in [3, 7] {
            match work.next(|| solver.team()) {
                Some(Job::Solve(next, team)) if next == number => teams.push(team),
                _ => panic!("{number} is open"),
            }
        }
        let helped = |work: &Work| match work.next(|| unreachable!("nothing is open")) {
            Some(Job::Help(team)) => teams.iter().position(|one| Arc::ptr_eq(one, &team)),
            _ => None,
        };
        let of_three = [(); 3].map(|()| helped(&work));
        assert_eq!(of_three, [Some(0), Some(1), Some(0)]);
        work.done(3);
        assert_eq!([helped(&work), helped(&work)], [Some(1), Some(1)]);
        work.done(7);
        assert_eq!(helped(&work), None);
    }
}
