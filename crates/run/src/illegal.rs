//! Whether a person may play a move, and why not.

use games::{Board, Move, Rules};

/// Why a person cannot play a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The game has ended.
    Over,
    /// It is not a person's turn.
    NotAsked,
    /// There is no such square.
    NoSquare,
    /// The rules do not allow it; how they say it.
    Rules(&'static str),
    /// It would lose at once, by this rule.
    Forbidden(&'static str),
}

impl Illegal {
    /// Its key among the texts, and the rule.
    pub const fn key(self) -> (&'static str, &'static str) {
        match self {
            Illegal::Over => ("illegal.over", ""),
            Illegal::NotAsked => ("illegal.not-asked", ""),
            Illegal::NoSquare => ("illegal.no-square", ""),
            Illegal::Rules(why) => ("illegal.rules", why),
            Illegal::Forbidden(reason) => ("illegal.forbidden", reason),
        }
    }
}

/// Whether a person may play this.
pub(super) fn may_be_played(board: &Board, played: &str) -> Result<(), Illegal> {
    let played: Move = played.parse().map_err(|_| Illegal::NoSquare)?;
    let (mover, mut after) = (board.side_to_move(), board.clone());
    let tried = after.play(played);
    tried.map_err(|error| Illegal::Rules(error.why))?;
    // A forbidden point may be played, and loses: a person is told instead.
    match after.ending().filter(|end| end.winner == Some(!mover)) {
        Some(ending) if !board.legal_moves().contains(&played) => {
            Err(Illegal::Forbidden(ending.reason.word()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, Side};

    #[test]
    fn a_person_is_told_why_and_a_forbidden_point_by_its_name() {
        let board = Game::OTHELLO.start();
        assert_eq!(may_be_played(&board, "f5"), Ok(()));
        assert_eq!(may_be_played(&board, "z9"), Err(Illegal::NoSquare));
        let why = may_be_played(&board, "a1");
        assert_eq!(why, Err(Illegal::Rules("it turns over no disc")));
        // Two open threes at once: h8 is forbidden to black in renju.
        let renju = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
        let mut rows = vec![".".repeat(15); 15];
        rows[7] = ".....XX........".to_owned();
        for row in [5, 6] {
            rows[row] = ".......X.......".to_owned();
        }
        rows[0] = "O.O.O.O........".to_owned();
        let board = renju.position(&rows, Side::Black).expect("a position");
        let why = may_be_played(&board, "h8");
        assert_eq!(why, Err(Illegal::Forbidden("double-three")));
    }
}
