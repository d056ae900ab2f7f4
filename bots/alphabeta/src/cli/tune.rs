//! `alphabeta tune`: the constants of Othello's prob-cut, measured.

use alphabeta::othello::evaluation::Weights;
use alphabeta::othello::training::errors;

use super::Failure;

/// Searches positions of self-play at all depths without any cut and fits how far shallow scores
/// lie from deep ones. Prints the constants for `prob_cut.rs`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions to search
    #[arg(long, default_value_t = 400)]
    positions: usize,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(i32).range(4..=20))]
    depth: i32,
    /// Of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[expect(clippy::unnecessary_wraps, reason = "all commands have the same shape")]
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        positions,
        depth,
        seed,
    } = *arguments;
    let error = errors::measure(&Weights::trained(), positions, depth, seed);
    println!("pub const ERROR: [f64; 5] = {error:.4?};");
    Ok(())
}
