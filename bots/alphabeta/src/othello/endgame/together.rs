//! Solving in a team: what a thread does where others may be at work.

use games::othello::{Kernel, Position};

use super::candidates::{Candidate, Candidates};
use super::solver::{Solver, key};
use super::team::{Answer, Member, Question, Step};
use crate::search::{Move, Window};

/// Fewest empty squares at which threads share the moves of a position: thousands of them a second. Two
/// threads took as much time with 13 and 17.
pub(super) const SHARED: u32 = 15;

impl<K: Kernel> Solver<K> {
    /// As [`Solver::exact`], with all of the team, if there is one.
    pub(super) fn ask(&mut self, position: Position, empties: u32, window: Window) -> i32 {
        let Some(Member { team, .. }) = &self.member else {
            return self.exact(position, empties, window);
        };
        let team = team.clone();
        let question = team.ask(position, window, self.selectivity);
        self.answer(&question);
        let answer = team.take_answer();
        self.stopped = answer.is_none();
        answer.map_or(0, |Answer { score, line }| {
            self.set_line(empties, line);
            score
        })
    }

    /// Searches a question of the team, until it is answered by anyone.
    pub(super) fn answer(&mut self, question: &Question) {
        let &Question {
            position, window, ..
        } = question;
        let empties = position.empties().count_ones();
        self.stopped = false;
        self.selectivity = question.selectivity;
        if let Some(member) = &mut self.member {
            member.begin(question);
        }
        let score = self.exact(position, empties, window);
        let line = self.take_line(empties);
        if let Some(member) = &self.member
            && !self.stopped
        {
            member.team.answer(question, Answer { score, line });
        }
    }

    /// The next move to search: what another thread is at comes last, and so does what was `put_off`
    /// for that. The first move is for all, since it may be the only one that is needed.
    #[inline]
    pub(super) fn next_candidate(
        &self,
        candidates: &mut Candidates,
        put_off: &mut Vec<Candidate>,
        position: Position,
        empties: u32,
    ) -> Option<Candidate> {
        let Some(member) = self.member.as_ref().filter(|_| empties >= SHARED) else {
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

    /// Tells the team that the position after a move is searched, where there are so many empty squares
    /// before it; for [`Solver::finish`].
    #[inline]
    pub(super) fn begin(&self, next: Position, empties: u32) -> Option<u64> {
        let member = self.member.as_ref().filter(|_| empties >= SHARED)?;
        let key = key(next);
        member.team.begin(key);
        Some(key)
    }

    /// Tells the team that it no longer is.
    #[inline]
    pub(super) fn finish(&self, begun: Option<u64>) {
        if let (Some(member), Some(key)) = (&self.member, begun) {
            member.team.finish(key);
        }
    }

    /// The best of the moves in a zero window at `alpha`, and its score, as `fastest_first` finds them.
    #[inline(never)]
    pub(super) fn best_together(
        &mut self,
        candidates: &mut Candidates,
        position: Position,
        empties: u32,
        alpha: i32,
    ) -> (i32, Move) {
        let step = Step {
            key: key(position),
            draft: self.draft(empties),
            window: Window::zero(alpha),
        };
        if let Some(member) = &mut self.member {
            member.enter(step);
        }
        let mut best = (-128, Move::NONE);
        let mut put_off = Vec::new();
        while let Some(candidate) = self.next_candidate(candidates, &mut put_off, position, empties)
        {
            let next = candidate.play(position);
            let begun = self.begin(next, empties);
            let score = -self.zero_window(next, empties - 1, -alpha - 1);
            self.finish(begun);
            if self.stopped {
                let settled = self.member.as_mut().and_then(Member::settled_here);
                if let Some(score) = settled {
                    self.stopped = false;
                    best = (score, Move::NONE);
                }
                break;
            }
            if score > best.0 {
                best = (score, Move(u16::from(candidate.square)));
                if score > alpha {
                    break;
                }
            }
            if candidate.is_remembered() {
                self.order_by_search(candidates, position, empties);
            }
        }
        if let Some(member) = &mut self.member {
            member.leave();
        }
        best
    }
}
