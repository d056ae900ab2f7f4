//! A slow proof of a forced win, by the rules of `games` alone: the attacker follows a solver, and
//! at every turn of the defender every legal answer is tried, the solver being asked again after
//! each.
//!
//! Nothing of the solver is believed but its next move: the moves are legal because the rules took
//! them, and the win is there because the rules say so.

use std::collections::HashSet;

use alphabeta::gomoku::{Cell, SearchBoard};
use games::{Move, Rules, Side, Square};

type Stones = games::gomoku::GomokuBoard;

/// A solver: the line by which the side to move wins within so many plies, or an empty one.
pub type Solver<'a> = &'a mut dyn FnMut(&mut SearchBoard, u32) -> Vec<Cell>;

/// What a proof took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Answers of the defender that were tried.
    pub answers: usize,
    /// Positions in which the solver was asked.
    pub asked: usize,
}

/// Proves that the side to move in `stones` wins within `plies` plies if it follows `solver`; or
/// the moves after which it does not, and why.
pub fn prove(stones: &Stones, plies: u32, solver: Solver<'_>) -> Result<Counts, String> {
    let mut proof = Proof {
        attacker: stones.side_to_move(),
        solver,
        proven: HashSet::new(),
        path: Vec::new(),
        counts: Counts::default(),
    };
    proof.attack(stones, &mut SearchBoard::from_rules(stones), plies)?;
    Ok(proof.counts)
}

struct Proof<'a> {
    attacker: Side,
    solver: Solver<'a>,
    /// Positions with the attacker to move that were proven with so many plies or fewer left.
    proven: HashSet<(Stones, u32)>,
    path: Vec<Square>,
    counts: Counts,
}

impl Proof<'_> {
    fn attack(
        &mut self,
        stones: &Stones,
        board: &mut SearchBoard,
        plies: u32,
    ) -> Result<(), String> {
        if self.proven.contains(&(stones.clone(), plies)) {
            return Ok(());
        }
        self.counts.asked += 1;
        let line = (self.solver)(board, plies);
        let Some(&cell) = line.first() else {
            return Err(self.fails(stones, &format!("no win within {plies} plies is known")));
        };
        let then = self.after(stones, cell.square())?;
        match then.ending() {
            Some(ending) if ending.winner == Some(self.attacker) => {}
            Some(ending) => {
                return Err(self.fails(stones, &format!("{cell:?} ends it: {ending:?}")));
            }
            None if plies < 3 => return Err(self.fails(stones, &format!("{cell:?} is not a five"))),
            None => {
                self.path.push(cell.square());
                board.play(cell);
                self.defend(&then, board, plies - 1)?;
                board.undo();
                self.path.pop();
            }
        }
        self.proven.insert((stones.clone(), plies));
        Ok(())
    }

    /// Every legal answer is tried.
    fn defend(
        &mut self,
        stones: &Stones,
        board: &mut SearchBoard,
        plies: u32,
    ) -> Result<(), String> {
        let fives: Vec<Square> = stones
            .empty_squares()
            .filter(|&square| stones.wins(square, self.attacker))
            .collect();
        for answer in stones.legal_squares() {
            self.counts.answers += 1;
            let then = self.after(stones, answer)?;
            if let Some(ending) = then.ending() {
                return Err(self.fails(stones, &format!("{answer} ends it: {ending:?}")));
            }
            // A five that stands and is not taken away by the answer is played at once.
            if let Some(&five) = fives.iter().find(|&&five| five != answer) {
                let end = self.after(&then, five)?.ending();
                if end.and_then(|end| end.winner) != Some(self.attacker) {
                    return Err(self.fails(&then, &format!("{five} is not a five")));
                }
                continue;
            }
            self.path.push(answer);
            board.play(answer.into());
            self.attack(&then, board, plies - 1)?;
            board.undo();
            self.path.pop();
        }
        Ok(())
    }

    fn after(&self, stones: &Stones, square: Square) -> Result<Stones, String> {
        let mut then = stones.clone();
        match then.play(Move::Place(square)) {
            Ok(()) => Ok(then),
            Err(error) => Err(self.fails(stones, &error.to_string())),
        }
    }

    fn fails(&self, stones: &Stones, why: &str) -> String {
        let path: Vec<String> = self.path.iter().map(Square::to_string).collect();
        format!("after {}: {why}\n{stones}", path.join(" "))
    }
}
