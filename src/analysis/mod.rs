//! A game gone through: what each move cost, the better move, and where the game turned.
//!
//! [`analyse`] judges every move that a player chose: in Othello in discs, exactly from a number of empty
//! squares on; in Gomoku in chances of winning, with the forced wins that were missed or given away.
//! [`Analysis::turning_points`] are the moves to look at first. Nothing here knows runs or files, and
//! nothing reads a clock: the same game has the same analysis everywhere.

mod chances;
mod discs;
mod judged;
mod moves;
mod played;
pub mod text;

use games::Board;

pub use judged::{Analysis, Better, Judged, Remark, Win, Worth};
pub use moves::{Scored, moves};
pub use played::{NotAnalysed, Played, Settings};

/// Judges every chosen move of a game. `tell` hears how many half-moves are done, of how many.
pub fn analyse(
    played: &Played,
    settings: &Settings,
    tell: &mut dyn FnMut(usize, usize),
) -> Result<Analysis, NotAnalysed> {
    let boards = played.boards()?;
    if played.moves.len() <= played.given {
        return Err(NotAnalysed::NoMove);
    }
    let plies = match &played.start {
        Board::Othello(_) => discs::judge(&boards, played, settings, tell),
        Board::Gomoku(_) => chances::judge(&boards, played, settings, tell),
        Board::Other(game, _) => return Err(NotAnalysed::Game { game: game.name() }),
    };
    Ok(Analysis {
        game: played.start.game(),
        plies,
    })
}
