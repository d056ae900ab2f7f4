//! What may be set when a bot is started.

use std::num::{NonZeroU32, NonZeroU64};

/// How hard a reference opponent thinks. A bot that is given an option it does not take is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Plies to look ahead, 1 to 20
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<NonZeroU32>,

    /// Random games to play before each move
    #[arg(long, value_name = "COUNT")]
    pub playouts: Option<NonZeroU64>,

    /// Time to think about each move, in ms; less where the arena allows less
    #[arg(long, value_name = "MS")]
    pub move_ms: Option<NonZeroU64>,
}

impl Options {
    /// The greatest depth that may be asked for. No reference opponent gets there on a real board;
    /// what matters is that a mistyped depth is an error.
    pub const MAX_DEPTH: u32 = 20;

    /// The names of the options that are set, as they are written on the command line.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("depth", self.depth.is_some()),
            ("playouts", self.playouts.is_some()),
            ("move-ms", self.move_ms.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, is_given)| is_given.then_some(name))
    }
}
