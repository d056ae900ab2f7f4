//! Parallel search: several threads solve one position by simplified ABDADA (T. Kerrigan, "Simplified ABDADA").
//!
//! The thread that owns the position asks questions; a question is one window. Other threads may join at any time and
//! search the open question from the root. All threads share the transposition table. A thread marks the positions that
//! it searches, so that the others try other moves first. The first thread to finish gives the answer.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use games::othello::Position;

use super::move_ordering::{Candidate, Candidates};
use super::solver_tables::key;
use crate::othello::evaluation::Weights;
use crate::search::{Depth, Move, TranspositionTable, Window};

/// The number of slots for marks: a few for each thread and ply. A collision only costs time.
const PLACES: usize = 1 << 12;

pub struct Team {
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) weights: Arc<Weights>,
    state: Mutex<TeamState>,
    changed: Condvar,
    /// The number of the open question. It changes as soon as the question is answered.
    open: AtomicU64,
    searched: Box<[AtomicU64]>,
}

#[derive(Default)]
struct TeamState {
    question: Option<RootQuestion>,
    answer: Option<RootAnswer>,
    helpers: usize,
    nodes: u64,
    is_over: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct RootQuestion {
    number: u64,
    pub position: Position,
    pub window: Window,
    pub selectivity: u8,
}

pub(crate) struct RootAnswer {
    pub score: i32,
    /// The principal variation, if the score is within the window.
    pub line: Vec<Move>,
}

impl Team {
    pub(crate) fn new(table: Arc<TranspositionTable>, weights: Arc<Weights>) -> Team {
        Team {
            table,
            weights,
            state: Mutex::default(),
            changed: Condvar::new(),
            open: AtomicU64::new(0),
            searched: (0..PLACES).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn state(&self) -> MutexGuard<'_, TeamState> {
        self.state.lock().expect("a search does not panic")
    }

    fn wait_while(&self, is_so: impl Fn(&TeamState) -> bool) -> MutexGuard<'_, TeamState> {
        let waiting = self.changed.wait_while(self.state(), |state| is_so(state));
        waiting.expect("a search does not panic")
    }

    /// Asks all threads for the score of `position` within `window`, and searches it on this thread, too. Returns the
    /// first answer; `None` if this thread stopped before there was one.
    pub(super) fn ask(
        &self,
        position: Position,
        window: Window,
        selectivity: u8,
        search: impl FnOnce(&RootQuestion) -> Option<RootAnswer>,
    ) -> Option<RootAnswer> {
        let question = self.open_question(position, window, selectivity);
        self.answer(&question, search);
        self.take_answer()
    }

    /// Searches `question` and gives the answer, unless the search stopped or another thread has answered.
    pub(crate) fn answer(
        &self,
        question: &RootQuestion,
        search: impl FnOnce(&RootQuestion) -> Option<RootAnswer>,
    ) {
        let Some(answer) = search(question) else {
            return;
        };
        let mut state = self.state();
        if self.open.load(Relaxed) == question.number {
            state.answer = Some(answer);
            self.close(&mut state);
        }
    }

    fn open_question(&self, position: Position, window: Window, selectivity: u8) -> RootQuestion {
        let mut state = self.state();
        let question = RootQuestion {
            number: self.open.fetch_add(1, Relaxed) + 1,
            position,
            window,
            selectivity,
        };
        state.question = Some(question);
        state.answer = None;
        self.changed.notify_all();
        question
    }

    fn close(&self, state: &mut TeamState) {
        state.question = None;
        self.open.fetch_add(1, Relaxed);
    }

    fn take_answer(&self) -> Option<RootAnswer> {
        let mut state = self.state();
        if state.question.is_some() {
            self.close(&mut state);
        }
        state.answer.take()
    }

    pub(crate) fn join(&self) -> Helper<'_> {
        self.state().helpers += 1;
        Helper {
            team: self,
            nodes: 0,
        }
    }

    /// Blocks until a question is open and returns it; `None` once the team has ended.
    pub(crate) fn next_question(&self) -> Option<RootQuestion> {
        let is_idle = |state: &TeamState| state.question.is_none() && !state.is_over;
        self.wait_while(is_idle).question
    }

    fn dismiss(&self) {
        let mut state = self.state();
        state.is_over = true;
        self.close(&mut state);
        self.changed.notify_all();
    }

    pub fn is_over(&self) -> bool {
        self.state().is_over
    }

    /// Ends the team, waits until all helpers have left, and returns the number of their nodes.
    pub(crate) fn end(&self) -> u64 {
        self.dismiss();
        self.wait_while(|state| state.helpers > 0).nodes
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        // Uses the high bits of the key, because the transposition table uses the low bits.
        &self.searched[(key >> 32) as usize % PLACES]
    }

    fn is_searched(&self, key: u64) -> bool {
        self.place(key).load(Relaxed) == key
    }

    pub(super) fn begin(&self, key: u64) {
        self.place(key).store(key, Relaxed);
    }

    pub(super) fn finish(&self, key: u64) {
        // This may also remove the mark of another thread that searches the same position, which only costs time.
        let _ = self.place(key).compare_exchange(key, 0, Relaxed, Relaxed);
    }
}

/// A guard for the owner of the position. Dropping it dismisses the helpers, even in a panic.
pub(crate) struct DismissGuard<'a>(pub &'a Team);

impl Drop for DismissGuard<'_> {
    fn drop(&mut self) {
        self.0.dismiss();
    }
}

/// A thread that has joined a team. When the helper is dropped, even in a panic, the thread leaves the team.
pub(crate) struct Helper<'a> {
    team: &'a Team,
    pub nodes: u64,
}

impl Drop for Helper<'_> {
    fn drop(&mut self) {
        let mut state = self.team.state();
        state.helpers -= 1;
        state.nodes += self.nodes;
        self.team.changed.notify_all();
    }
}

pub(crate) struct Member {
    pub team: Arc<Team>,
    number: u64,
    path: Vec<PathNode>,
    /// The index in `path` of a node whose score another thread found, and that score.
    settled: Option<(usize, i32)>,
}

pub(super) struct PathNode {
    pub key: u64,
    pub draft: Depth,
    pub window: Window,
}

impl Member {
    pub fn new(team: Arc<Team>) -> Member {
        Member {
            team,
            number: 0,
            path: Vec::new(),
            settled: None,
        }
    }

    pub fn begin(&mut self, question: &RootQuestion) {
        self.number = question.number;
        self.path.clear();
        self.settled = None;
    }

    /// Returns whether this thread should stop: another thread has answered the question or scored a node of `path`.
    pub fn is_needless(&mut self, table: &TranspositionTable) -> bool {
        if self.team.open.load(Relaxed) != self.number {
            return true;
        }
        let known = |step: &PathNode| table.probe(step.key)?.cutoff(step.draft, step.window);
        let mut steps = self.path.iter().enumerate();
        self.settled = steps.find_map(|(place, step)| Some((place, known(step)?)));
        self.settled.is_some()
    }

    pub(super) fn enter(&mut self, step: PathNode) {
        self.path.push(step);
    }

    pub fn settled_here(&mut self) -> Option<i32> {
        let (_, score) = self
            .settled
            .take_if(|(place, _)| *place + 1 == self.path.len())?;
        Some(score)
    }

    pub fn leave(&mut self) {
        self.path.pop();
    }
}

/// The fewest empty squares at which threads share moves. With two threads, neither 13 nor 17 was faster.
pub(super) const SHARED: u32 = 15;

/// Returns the next move to search. Moves that another thread is searching come last: `put_off` collects them. All
/// threads search the first move, because it may be the only one that is needed. Without a `member`, the order is that of
/// `candidates`.
#[inline]
pub(super) fn next_candidate(
    member: Option<&Member>,
    candidates: &mut Candidates,
    put_off: &mut Vec<Candidate>,
    position: Position,
) -> Option<Candidate> {
    let Some(member) = member else {
        return candidates.next();
    };
    let is_searched =
        |candidate: &Candidate| member.team.is_searched(key(candidate.play(position)));
    while let Some(candidate) = candidates.next() {
        if candidates.is_first() || !is_searched(&candidate) {
            return Some(candidate);
        }
        put_off.push(candidate);
    }
    let free = put_off.iter().position(|candidate| !is_searched(candidate));
    (!put_off.is_empty()).then(|| put_off.remove(free.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::thread;

    use crate::othello::{ExactSolver, ffo, prob_cut};

    use super::*;

    /// Unwinds a panic while `held` is on the stack, and catches the panic.
    fn panic_with<T>(held: T) {
        let panicking = move || {
            let _held = held;
            resume_unwind(Box::new(()));
        };
        assert!(catch_unwind(AssertUnwindSafe(panicking)).is_err());
    }

    #[test]
    fn no_thread_waits_for_one_that_panics() {
        let table = Arc::new(TranspositionTable::new(1));
        let team = Arc::new(Team::new(table, Weights::trained()));
        let hard = ffo::positions(58, 58).remove(0).board.position();
        thread::scope(|scope| {
            scope.spawn(|| ExactSolver::help(&team));
            let mut helper = team.join();
            helper.nodes = 7;
            scope.spawn(|| panic_with(helper));
            let owner = DismissGuard(&team);
            team.open_question(hard, Window::new(-65, 65), prob_cut::EXACT);
            panic_with(owner);
        });
        assert!(team.is_over());
        assert!(team.end() >= 7);
    }
}
