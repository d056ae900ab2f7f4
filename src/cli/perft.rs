use std::time::Instant;

use clap::Args;
use games::{parse_transcript, perft};

use super::options::BoardOptions;
use super::{CliError, print};
use tournament::Problem;

/// Count the leaves of the game tree, to check the rules
///
/// A pass counts as a ply; a finished game counts as one leaf at every greater depth.
#[derive(Debug, Args)]
pub struct Perft {
    /// othello or gomoku
    game: String,
    /// Depth in plies
    depth: u32,
    #[command(flatten)]
    board: BoardOptions,
    /// Start after these moves, such as f5d6c3
    #[arg(long, value_name = "MOVES", default_value = "")]
    after: String,
}

impl Perft {
    pub fn run(self) -> Result<(), CliError> {
        let game = self.board.game(&self.game)?;
        let (_, board) = parse_transcript(game, &self.after).map_err(Problem::new)?;
        for depth in 1..=self.depth {
            let start = Instant::now();
            let leaves = perft(&board, depth);
            let seconds = start.elapsed().as_secs_f64();
            print(&format!("{depth:2} {leaves:>20} {seconds:10.3} s\n"))?;
        }
        Ok(())
    }
}
