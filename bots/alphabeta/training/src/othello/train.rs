//! `training othello`: weights for the evaluation of Othello from nothing but the rules.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alphabeta::othello::evaluation::{Weights, file};

use super::example::{self, Example};
use super::first_guess::first_guess;
use super::fit::Fit;
use super::generation::{self, Settings};
use super::self_play::SelfPlay;
use crate::failure::{Failure, named, writable, write};

/// Make weights for the evaluation of Othello by self-play
///
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
    /// Examples of earlier runs, to learn from these too; those of this run are added to them
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// How many times to play and fit
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Games of each generation; 0: only fit to the examples of earlier runs
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Plies searched for each move
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Empty squares from which on the end is solved
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(..=60))]
    solve_from: u32,
    /// How far labels look ahead: 0: only the search's opinion of the position; 1: only the game's
    /// result; between them, the opinions of the next moves
    #[arg(long, default_value_t = 0.8, value_parser = share)]
    lambda: f64,
    /// Sightings that pull a weight half of its way from where it was
    #[arg(long, default_value_t = 30.0, value_parser = positive)]
    ridge: f64,
    /// Steps of each fit
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Of all random choices; generation g adds g to it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play and fit with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "choose 0 to 1".to_owned())
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or_else(|| "choose a number above 0".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut weights = Arc::new(match &arguments.from {
        None => first_guess(),
        Some(path) => read(path)?,
    });
    let mut out = io::stdout().lock();
    let mut kept = arguments
        .examples
        .as_deref()
        .map_or(Ok(Vec::new()), recall)?;
    if arguments.games == 0 && kept.is_empty() {
        return Err(Failure::input(
            "there is nothing to learn from: play games, or name a file of --examples",
        ));
    }
    writable(&arguments.out)?;
    for generation in 0..arguments.generations {
        let settings = Settings {
            self_play: SelfPlay {
                depth: arguments.depth.into(),
                solve_from: arguments.solve_from,
                random_plies: [2, 24],
                seed: arguments.seed + u64::from(generation),
            },
            games: arguments.games,
            fit: Fit {
                lambda: arguments.lambda,
                ridge: arguments.ridge,
                iterations: arguments.iterations,
            },
            threads: arguments.threads as usize,
        };
        let known = kept.len();
        let done = generation::play_and_fit(&settings, &weights, &mut kept, &|done| {
            if done % 1000 == 0 {
                // Nobody listening is no reason to stop.
                let _ = writeln!(io::stderr(), "generation {generation}: {done} games");
            }
        });
        if let Some(path) = &arguments.examples {
            remember(path, &kept[known..])?;
        }
        weights = done.weights;
        let bytes = file::encode(&weights);
        write(&arguments.out, &bytes)?;
        let [learned, held_back] = done.examples;
        let [playing, fitting] = done.took;
        writeln!(
            out,
            "generation {generation}: {} games, {learned} positions learned from, {held_back} held \
             back; played in {playing:.0?}, fitted in {fitting:.0?}, {} bytes",
            arguments.games,
            bytes.len()
        )?;
        writeln!(
            out,
            "phase  discs  positions  spread  before  after  (root mean squared error, discs)"
        )?;
        for (phase, error) in done.errors.iter().enumerate() {
            writeln!(
                out,
                "{phase:5}  {:2}-{:2}  {:9}  {:6.2}  {:6.2}  {:5.2}",
                4 + 4 * phase,
                7 + 4 * phase,
                error.positions,
                error.spread,
                error.before,
                error.after
            )?;
        }
    }
    Ok(())
}

/// The examples of a file, if there is one.
fn recall(path: &Path) -> Result<Vec<Example>, Failure> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?,
    };
    example::read_all(&bytes)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Adds examples to a file, which is begun if there is none.
fn remember(path: &Path, examples: &[Example]) -> Result<(), Failure> {
    let append = || -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        if file.metadata()?.len() == 0 {
            bytes.extend(example::MAGIC);
        }
        for example in examples {
            example.write(&mut bytes);
        }
        file.write_all(&bytes)
    };
    append().map_err(|error| named(path, &error))
}

fn read(path: &PathBuf) -> Result<Weights, Failure> {
    let bytes =
        fs::read(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    file::decode(&bytes).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}
