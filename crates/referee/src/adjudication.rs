//! Adjudication: ends a game early if its result is almost certain and the tournament asks for it.
//! All rules are off by default; the result names the rule that ended the game.

use std::fmt;

use games::{Board, Rules, Side};

use crate::record::{Ground, Ply};

/// When a referee ends a game before its rules do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Adjudication {
    /// When both bots' scores agree on the winner.
    pub resign: Option<Agreement>,
    /// A game with this many plies, with those of the opening and passes, is drawn.
    pub draw_after: Option<usize>,
    /// A solver plays the last squares.
    pub solve: Option<SolveFrom>,
}

/// Both bots report for a while that the same side wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The minimum score, in the bots' own units.
    pub score: f64,
    /// The number of the last plies, without passes, that must have this score.
    pub plies: usize,
}

/// The final score under perfect play, for the side to move: positive wins. Only its sign is looked
/// at.
pub type Solver = fn(&Board) -> i32;

/// Solving the end of a game.
#[derive(Clone, Copy)]
pub struct SolveFrom {
    /// The maximum number of empty squares.
    pub empties: u32,
    /// The solver for this game.
    pub solver: Solver,
}

impl fmt::Debug for SolveFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SolveFrom({} empties)", self.empties)
    }
}

impl Adjudication {
    /// The winner (`None`: a draw) and the ground, if the game is to end here. `plies` are those
    /// after the opening, of which there were `opening`; `board` is where they led, with a move to
    /// be made.
    pub fn judge(
        &self,
        board: &Board,
        opening: usize,
        plies: &[Ply],
    ) -> Option<(Option<Side>, Ground)> {
        if let Some(winner) = self.resign.and_then(|both| both.winner(opening, plies)) {
            return Some((Some(winner), Ground::Scores));
        }
        if let Some(solve) = self.solve
            && u32::from(board.empties()) <= solve.empties
        {
            let side = board.side_to_move();
            let winner = match (solve.solver)(board) {
                0 => None,
                score if score > 0 => Some(side),
                _ => Some(!side),
            };
            return Some((winner, Ground::Solved));
        }
        let length = opening + plies.len();
        let too_long = self.draw_after.is_some_and(|most| length >= most);
        too_long.then_some((None, Ground::Length))
    }
}

impl Agreement {
    /// The side of which both bots have said for long enough that it is winning.
    fn winner(self, opening: usize, plies: &[Ply]) -> Option<Side> {
        let asked = plies.iter().enumerate().rev();
        let asked = asked.filter(|(_, ply)| ply.effort.is_some());
        let mut said = [false; 2];
        let mut winner = None;
        let mut number = 0;
        for (index, ply) in asked.take(self.plies) {
            // Sides take turns strictly, passes included.
            let mover = Side::BOTH[(opening + index) % 2];
            let ahead = match ply.thought.score? {
                score if score >= self.score => mover,
                score if score <= -self.score => !mover,
                _ => return None,
            };
            if winner.is_some_and(|winner| winner != ahead) {
                return None;
            }
            winner = Some(ahead);
            said[mover.index()] = true;
            number += 1;
        }
        winner.filter(|_| number == self.plies && said == [true; 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Effort, Thought};
    use games::{Game, Move};

    /// Plies in which the movers said these scores; a `None` is a pass.
    fn plies(scores: &[Option<f64>]) -> Vec<Ply> {
        let ply = |score: &Option<f64>| Ply {
            played: Move::Pass,
            effort: score.map(|_| Effort::default()),
            thought: Thought {
                score: *score,
                ..Thought::default()
            },
        };
        scores.iter().map(ply).collect()
    }

    #[test]
    fn both_must_say_the_same_for_long_enough() {
        let agreement = Agreement {
            score: 20.0,
            plies: 4,
        };
        let black = Some(Side::Black);
        for (scores, winner) in [
            (
                &[Some(20.0), Some(-20.0), Some(30.0), Some(-30.0)][..],
                black,
            ),
            (
                &[Some(-20.0), Some(20.0), Some(-30.0), Some(30.0)],
                Some(Side::White),
            ),
            (&[Some(20.0), Some(-20.0), Some(30.0)], None),
            // White is not convinced.
            (&[Some(20.0), Some(-19.0), Some(30.0), Some(-30.0)], None),
            (&[Some(20.0), Some(20.0), Some(30.0), Some(30.0)], None),
            // What was said before does not matter.
            (
                &[
                    Some(-64.0),
                    Some(64.0),
                    Some(20.0),
                    Some(-20.0),
                    Some(20.0),
                    Some(-20.0),
                ],
                black,
            ),
            // Black moves on, white has to pass, and never says anything.
            (
                &[
                    Some(20.0),
                    None,
                    Some(20.0),
                    None,
                    Some(20.0),
                    None,
                    Some(20.0),
                    None,
                ],
                None,
            ),
            (
                &[Some(20.0), Some(-20.0), Some(20.0), None, Some(20.0)],
                black,
            ),
        ] {
            assert_eq!(agreement.winner(0, &plies(scores)), winner, "{scores:?}");
            assert_eq!(
                agreement.winner(3, &plies(scores)),
                winner.map(|side| !side),
                "the opening's length says who moves: {scores:?}"
            );
        }
    }

    #[test]
    fn who_says_nothing_does_not_resign() {
        let agreement = Agreement {
            score: 1.0,
            plies: 2,
        };
        let mut plies = plies(&[Some(9.0), Some(-9.0)]);
        assert_eq!(agreement.winner(0, &plies), Some(Side::Black));
        plies[1].thought = Thought::default();
        assert_eq!(agreement.winner(0, &plies), None);
    }

    #[test]
    fn a_game_is_drawn_when_it_is_too_long() {
        let adjudication = Adjudication {
            draw_after: Some(6),
            ..Adjudication::default()
        };
        let board = Game::OTHELLO.start();
        assert_eq!(adjudication.judge(&board, 2, &plies(&[None; 3])), None);
        assert_eq!(
            adjudication.judge(&board, 2, &plies(&[None; 4])),
            Some((None, Ground::Length))
        );
    }

    #[test]
    fn a_solved_ending_is_the_solvers_word_for_the_side_to_move() {
        for (score, winner) in [(2, Some(Side::Black)), (0, None), (-64, Some(Side::White))] {
            let solver: Solver = match score {
                2 => |_| 2,
                0 => |_| 0,
                _ => |_| -64,
            };
            let with = |empties| Adjudication {
                solve: Some(SolveFrom { empties, solver }),
                ..Adjudication::default()
            };
            let board = Game::OTHELLO.start();
            assert_eq!(with(59).judge(&board, 0, &[]), None);
            assert_eq!(
                with(60).judge(&board, 0, &[]),
                Some((winner, Ground::Solved))
            );
        }
    }

    #[test]
    fn nothing_is_on_by_default() {
        let plies = plies(&[Some(64.0), Some(-64.0)].repeat(100));
        assert_eq!(
            Adjudication::default().judge(&Game::OTHELLO.start(), 0, &plies),
            None
        );
    }
}
