//! `training prob-cut`: the constants of Othello's prob-cut, measured.

mod errors;

use std::io::{self, Write};

use alphabeta::othello::evaluation::Weights;

use crate::failure::Failure;

/// Measure the constants of Othello's prob-cut
///
/// Searches positions of self-play at all depths without any cut and fits how far shallow scores
/// lie from deep ones. Prints the constants for alphabeta's `prob_cut.rs`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions to search
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(i32).range(4..=20))]
    depth: i32,
    /// Of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        positions,
        depth,
        seed,
    } = *arguments;
    let positions = positions as usize;
    let weights = Weights::trained();
    let error = errors::measure(&weights, positions, depth, seed);
    writeln!(io::stdout(), "pub const ERROR: [f64; 5] = {error:.4?};")?;
    let error = errors::measure_ends(&weights, positions, seed);
    writeln!(io::stdout(), "pub const END_ERROR: [f64; 2] = {error:.4?};")?;
    Ok(())
}
