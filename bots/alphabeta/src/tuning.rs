//! Options for the constants of selective search, so that `arena tune` can tune them. [`Tuning`] has an option for each
//! field of [`Margins`]. A new field needs a value in every game, and a line here.

use crate::search::Margins;

macro_rules! constants {
    ($(#[doc = $about:literal] $name:ident: $range:expr;)*) => {
        /// Constants of selective search. A missing constant keeps the game's value.
        #[derive(clap::Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Tuning {
            $(
                #[doc = $about]
                #[arg(long, value_name = "N", allow_negative_numbers = true,
                      value_parser = clap::value_parser!(i32).range($range))]
                pub $name: Option<i32>,
            )*
        }

        impl Tuning {
            #[must_use]
            pub fn apply(&self, margins: Margins) -> Margins {
                Margins { $($name: self.$name.unwrap_or(margins.$name),)* }
            }
        }
    };
}

constants! {
    /// For tuning, Gomoku: margin of reverse futility pruning per ply, -10000 to 10000
    reverse_futility: -10_000..=10_000;
    /// For tuning, Gomoku: margin of razoring one ply from the leaves, -10000 to 10000
    razoring: -10_000..=10_000;
    /// For tuning, Gomoku: margin of razoring two plies from the leaves, -10000 to 10000
    razoring_far: -10_000..=10_000;
    /// For tuning, Gomoku: margin of cut node reductions per ply, -10000 to 10000
    cut_node: -10_000..=10_000;
    /// For tuning, Gomoku: constant part of the null move reduction, in plies, 1 to 20
    null_move: 1..=20;
    /// For tuning, Gomoku: late move reductions in percent, 0 to 400
    late_moves: 0..=400;
    /// For tuning, Gomoku: history score that is worth one ply, 100 to 1000000
    history: 100..=1_000_000;
    /// For tuning, Gomoku: late move pruning: number of moves to search, in percent of the usual, 0 to 1000
    late_move_count: 0..=1000;
    /// For tuning, Gomoku: move ordering score of one unit of the policy, -1000 to 1000
    promise: -1000..=1000;
    /// For tuning, Gomoku: move ordering score of one unit of log-odds, 1 to 1000000
    log_odds: 1..=1_000_000;
}
