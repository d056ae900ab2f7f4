//! `alphabeta train`: weights for the evaluation of Othello from nothing but the rules.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use alphabeta::othello::evaluation::{Weights, file};
use alphabeta::othello::training::{self, SelfPlay, Settings};

use super::Failure;

/// Each generation plays against itself, solves the ends, fits weights and hands them to the next.
/// Prints the validation error by phase. The weights depend on these arguments alone, not on the
/// number of threads.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the weights go, after each generation
    #[arg(long)]
    out: PathBuf,
    /// Weights to begin with [default: have moves, take corners]
    #[arg(long)]
    from: Option<PathBuf>,
    /// How many times to play and fit
    #[arg(long, default_value_t = 1)]
    generations: u32,
    /// Games of each generation
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Plies searched for each move
    #[arg(long, default_value_t = 4)]
    depth: u8,
    /// Empty squares from which on the end is solved
    #[arg(long, default_value_t = 12)]
    solve_from: u32,
    /// Share of the search's opinion in the labels, 0 to 1; the rest is the game's result
    #[arg(long, default_value_t = 0.0)]
    opinion: f64,
    /// Sightings that pull a weight half of its way from zero
    #[arg(long, default_value_t = 30.0)]
    ridge: f64,
    /// Steps of each fit
    #[arg(long, default_value_t = 30)]
    iterations: u32,
    /// Of all random choices; generation g adds g to it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play and fit with
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut weights = Arc::new(match &arguments.from {
        None => Weights::first_guess(),
        Some(path) => read(path)?,
    });
    // Examples of this generation and the one before.
    let (mut kept, mut old) = (Vec::new(), 0);
    for generation in 0..arguments.generations {
        let settings = Settings {
            self_play: SelfPlay {
                depth: arguments.depth.into(),
                solve_from: arguments.solve_from,
                random_plies: [2, 24],
                opinion: arguments.opinion,
                seed: arguments.seed + u64::from(generation),
            },
            games: arguments.games,
            ridge: arguments.ridge,
            iterations: arguments.iterations,
            threads: arguments.threads,
        };
        kept.drain(..old);
        old = kept.len();
        let done = training::generation(&settings, &weights, &mut kept, &|done| {
            if done % 1000 == 0 {
                eprintln!("generation {generation}: {done} games");
            }
        });
        weights = done.weights;
        let bytes = file::encode(&weights);
        fs::write(&arguments.out, &bytes)
            .map_err(|error| Failure::own(format!("{}: {error}", arguments.out.display())))?;
        let [learned, held_back] = done.examples;
        let [playing, fitting] = done.took;
        println!(
            "generation {generation}: {} games, {learned} positions learned from, {held_back} held \
             back; played in {playing:.0?}, fitted in {fitting:.0?}, {} bytes",
            arguments.games,
            bytes.len()
        );
        println!(
            "phase  discs  positions  spread  before  after  (root mean squared error, discs)"
        );
        for (phase, error) in done.errors.iter().enumerate() {
            println!(
                "{phase:5}  {:2}-{:2}  {:9}  {:6.2}  {:6.2}  {:5.2}",
                4 + 4 * phase,
                7 + 4 * phase,
                error.positions,
                error.spread,
                error.before,
                error.after
            );
        }
    }
    Ok(())
}

fn read(path: &PathBuf) -> Result<Weights, Failure> {
    let bytes =
        fs::read(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    file::decode(&bytes).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}
