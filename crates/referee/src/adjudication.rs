//! Adjudication: ends a game early if its result is almost certain. All rules are off by default.

use std::fmt;

use games::{Board, Rules, Side};

use crate::record::{Ground, Ply};

#[derive(Clone, Copy, Debug, Default)]
pub struct Adjudication {
    pub resign: Option<Agreement>,
    pub balance: Option<Balance>,
    /// The number of plies, including the opening and passes, after which the game is drawn.
    pub draw_after: Option<usize>,
    /// The solver whose result under perfect play ends the game, and the empty squares from which it is asked.
    pub solve: Option<SolveFrom>,
}

/// The rule that ends a game if both bots report for a while that the same side wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The minimum absolute score, in the bots' own units.
    pub score: f64,
    /// The number of last plies, without passes, that must have this score.
    pub plies: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The largest absolute score that is even, in the bots' own units.
    pub score: f64,
    /// The number of last plies, without passes, that must have such a score.
    pub plies: usize,
    /// The minimum number of plies, including the opening and passes.
    pub from: usize,
}

/// Returns the final score under perfect play, for the side to move: positive if it wins. Only the sign is used.
pub type Solver = fn(&Board) -> i32;

#[derive(Clone, Copy)]
pub struct SolveFrom {
    pub empties: u32,
    pub solver: Solver,
}

impl fmt::Debug for SolveFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SolveFrom({} empties)", self.empties)
    }
}

impl Adjudication {
    /// Returns the winner (`None`: a draw) and the ground of the decision, or `None` if the game continues. `plies` are
    /// the plies after the opening, which had `opening` plies. They led to `board`, where the side to move has a move.
    pub fn judge(
        &self,
        board: &Board,
        opening: usize,
        plies: &[Ply],
    ) -> Option<(Option<Side>, Ground)> {
        if board.opening().is_some() {
            return None;
        }
        let to_move = board.side_to_move();
        if let Some(winner) = self.resign.and_then(|both| both.winner(to_move, plies)) {
            return Some((Some(winner), Ground::Scores));
        }
        let length = opening + plies.len();
        if self
            .balance
            .is_some_and(|balance| balance.is_drawn(length, plies))
        {
            return Some((None, Ground::Scores));
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
        let too_long = self.draw_after.is_some_and(|most| length >= most);
        too_long.then_some((None, Ground::Length))
    }
}

impl Balance {
    /// Returns whether both bots have reported an even score for long enough, in a game of `length` plies.
    fn is_drawn(self, length: usize, plies: &[Ply]) -> bool {
        let asked = plies.iter().rev().filter(|ply| ply.effort.is_some());
        let asked: Vec<&Ply> = asked.take(self.plies).collect();
        let is_even = |ply: &&Ply| {
            ply.thought
                .score
                .is_some_and(|score| score.abs() <= self.score)
        };
        length >= self.from && asked.len() == self.plies && asked.iter().all(is_even)
    }
}

impl Agreement {
    fn winner(self, to_move: Side, plies: &[Ply]) -> Option<Side> {
        let asked = plies.iter().enumerate().rev();
        let asked = asked.filter(|(_, ply)| ply.effort.is_some());
        let mut agreed = [false; 2];
        let mut winner = None;
        let mut number = 0;
        for (index, ply) in asked.take(self.plies) {
            let mover = match (plies.len() - index) % 2 {
                0 => to_move,
                _ => !to_move,
            };
            let ahead = match ply.thought.score? {
                score if score >= self.score => mover,
                score if score <= -self.score => !mover,
                _ => return None,
            };
            if winner.is_some_and(|winner| winner != ahead) {
                return None;
            }
            winner = Some(ahead);
            agreed[mover.index()] = true;
            number += 1;
        }
        winner.filter(|_| number == self.plies && agreed == [true; 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Effort, Thought};
    use cases::cases;
    use games::{Game, Move};

    /// Returns plies in which the movers reported these scores; `-` is a pass, and `?` a move without a score.
    fn plies(scores: &str) -> Vec<Ply> {
        let ply = |score: &str| Ply {
            played: Move::Pass,
            effort: (score != "-").then(Effort::default),
            thought: Thought {
                score: score.parse().ok(),
                ..Thought::default()
            },
        };
        scores.split_whitespace().map(ply).collect()
    }

    #[test]
    fn both_must_report_the_same_for_long_enough() {
        let agreement = Agreement {
            score: 20.0,
            plies: 4,
        };
        for [scores, winner, _] in cases::<[String; 3]>("agreements") {
            let winner = Side::BOTH.into_iter().find(|side| side.word() == winner);
            let plies = plies(&scores);
            let to_move = Side::BOTH[plies.len() % 2];
            assert_eq!(agreement.winner(to_move, &plies), winner, "{scores}");
            // If the other side moved first, the other side wins.
            let other = winner.map(|side| !side);
            assert_eq!(agreement.winner(!to_move, &plies), other, "{scores}");
        }
    }

    #[test]
    fn a_balance_is_a_draw_once_it_lasts() {
        let balance = Balance {
            score: 2.0,
            plies: 4,
            from: 6,
        };
        let board = Game::OTHELLO.start();
        for (scores, opening, drawn) in cases::<(String, usize, bool)>("balances") {
            let adjudication = Adjudication {
                balance: Some(balance),
                ..Adjudication::default()
            };
            let judged = adjudication.judge(&board, opening, &plies(&scores));
            assert_eq!(judged, drawn.then_some((None, Ground::Scores)), "{scores}");
        }
    }

    #[test]
    fn a_game_is_drawn_when_it_is_too_long() {
        let adjudication = Adjudication {
            draw_after: Some(6),
            ..Adjudication::default()
        };
        let board = Game::OTHELLO.start();
        assert_eq!(adjudication.judge(&board, 2, &plies("- - -")), None);
        let drawn = adjudication.judge(&board, 2, &plies("- - - -"));
        assert_eq!(drawn, Some((None, Ground::Length)));
    }

    #[test]
    fn the_solvers_score_counts_for_the_side_to_move() {
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
            let solved = with(60).judge(&board, 0, &[]);
            assert_eq!(solved, Some((winner, Ground::Solved)));
        }
    }

    #[test]
    fn nothing_is_on_by_default() {
        let plies = plies(&"64 -64 ".repeat(100));
        let board = Game::OTHELLO.start();
        assert_eq!(Adjudication::default().judge(&board, 0, &plies), None);
    }
}
