//! `training othello`: makes weights for the evaluation of Othello from the rules alone.
//!
//! A generation begins with games of the program against itself ([`self_play`]), whose ends are solved exactly. Then
//! [`fit`] finds the weights that predict the results best, and the next generation plays with them. The first
//! generation plays with a [`first_guess`]. Every game has its own random stream and the order of summation is fixed,
//! so the number of threads does not change the weights.

pub mod fit;
pub mod self_play;

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alphabeta::othello::DISC;
use alphabeta::othello::evaluation::patterns::{OFFSETS, fillings};
use alphabeta::othello::evaluation::{MOVES, Weights};
use alphabeta::search::Score;

use self::fit::{Example, Fit, Fitted};
use self::self_play::SelfPlay;
use crate::{BoxError, named, writable, write};

/// Make weights for the evaluation of Othello by self-play
///
/// Each generation plays against itself, solves the ends of the games, and fits weights, with which the next generation
/// plays. Prints the validation error by phase. The weights depend on these arguments alone, not on the number of
/// threads.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the weights to this file after each generation
    #[arg(long)]
    out: PathBuf,
    /// Weights to start from [default: values for mobility and corners]
    #[arg(long)]
    from: Option<PathBuf>,
    /// File of examples of earlier runs: learns from these as well, and appends the examples of this run
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Number of generations: each plays, then fits
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Games of each generation; 0: only fit to the examples of earlier runs
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Plies searched for each move
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Solve the end of a game from this many empty squares
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(..=60))]
    solve_from: u32,
    /// How far labels look ahead, from 0 (the value that the search gives the position) to 1 (the result of the game);
    /// values between them also weigh the search's values of the next positions
    #[arg(long, default_value_t = 0.8, value_parser = share)]
    lambda: f64,
    /// Number of occurrences after which a weight moves half of the way from its old value
    #[arg(long, default_value_t = 30.0, value_parser = positive)]
    ridge: f64,
    /// Steps of each fit
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Seed of all random choices; generation g adds g to it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play and fit with
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n| (0.0..=1.0).contains(n));
    number.ok_or_else(|| "choose 0 to 1".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or_else(|| "choose a number above 0".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), BoxError> {
    let mut weights = Arc::new(match &arguments.from {
        None => first_guess(),
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| named(path, &error))?;
            Weights::decode(&bytes).map_err(|error| named(path, &error))?
        }
    });
    let examples = arguments.examples.as_deref();
    let mut kept = examples.map_or(Ok(Vec::new()), recall)?;
    if arguments.games == 0 && kept.is_empty() {
        return Err("no examples: set --games above 0, or name a file with --examples".into());
    }
    writable(&arguments.out)?;
    for generation in 0..arguments.generations {
        let known = kept.len();
        let fitted = play_and_fit(arguments, generation, &weights, &mut kept);
        if let Some(path) = examples {
            remember(path, &kept[known..])?;
        }
        weights = Arc::new(fitted.weights);
        let bytes = weights.encode();
        write(&arguments.out, &bytes)?;
        let held_back = kept.iter().filter(|example| example.held_back).count();
        let learned = kept.len() - held_back;
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "generation {generation}: {} games, {learned} training positions, {held_back} validation \
             positions, {} bytes",
            arguments.games,
            bytes.len()
        )?;
        writeln!(
            out,
            "phase  discs  positions  spread  before  after  (root mean squared error, discs)"
        )?;
        for (phase, error) in fitted.errors.iter().enumerate() {
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

fn play_and_fit(
    arguments: &Arguments,
    generation: u32,
    weights: &Arc<Weights>,
    kept: &mut Vec<Example>,
) -> Fitted {
    let threads = arguments.threads as usize;
    let settings = SelfPlay {
        depth: arguments.depth.into(),
        solve_from: arguments.solve_from,
        drawn_plies: [2, 36],
        seed: arguments.seed + u64::from(generation),
    };
    let progress = |done| {
        if done % 1000 == 0 {
            let _ = writeln!(io::stderr(), "generation {generation}: {done} games");
        }
    };
    let played = self_play::games(&settings, weights, arguments.games, threads, &progress);
    kept.extend(played);
    let fit = Fit {
        lambda: arguments.lambda,
        ridge: arguments.ridge,
        iterations: arguments.iterations,
    };
    fit::fit(kept, weights, &fit, threads)
}

fn recall(path: &Path) -> Result<Vec<Example>, BoxError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| named(path, &error))?,
    };
    fit::read_all(&bytes).map_err(|error| named(path, &error))
}

fn remember(path: &Path, examples: &[Example]) -> Result<(), BoxError> {
    let append = || -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        if file.metadata()?.len() == 0 {
            bytes.extend(fit::MAGIC);
        }
        for example in examples {
            example.write(&mut bytes);
        }
        file.write_all(&bytes)
    };
    append().map_err(|error| named(path, &error))
}

/// Returns weights for a beginner's rules: have many moves, take corners, avoid squares next to empty corners.
pub fn first_guess() -> Weights {
    let mut weights = Weights::zero();
    for phase in &mut weights.phases {
        for moves in 0..MOVES {
            let worth = (DISC * 3 / 4 * moves as Score) as i16;
            phase.mobility[0][moves] = worth;
            phase.mobility[1][moves] = -worth;
        }
        // In the 3×3 corner, digit 0 is the corner, 1 and 3 are its neighbours, 4 is the X-square.
        for filling in 0..fillings(0) {
            let disc = |digit: u32| (filling / 3usize.pow(digit) % 3) as i16 - 1;
            let worth = match disc(0) {
                0 => -(disc(1) + disc(3)) - 2 * disc(4),
                corner => 8 * corner + disc(1) + disc(3),
            };
            phase.patterns[OFFSETS[0] + filling] = worth * DISC as i16;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toy(threads: &str) -> (Fitted, usize) {
        #[derive(clap::Parser)]
        struct Toy {
            #[command(flatten)]
            arguments: Arguments,
        }
        let words = "toy --out none --games 300 --depth 1 --solve-from 8 --iterations 5 --seed 7";
        let words = words.split(' ').chain(["--threads", threads]);
        let Toy { arguments } = clap::Parser::parse_from(words);
        let mut kept = Vec::new();
        let fitted = play_and_fit(&arguments, 0, &Arc::new(first_guess()), &mut kept);
        (fitted, kept.len())
    }

    #[test]
    fn training_on_a_toy_set_lowers_its_error_on_any_number_of_threads() {
        let (done, positions) = toy("1");
        let squares = |error: &fit::PhaseError, value: f64| value * value * error.positions as f64;
        let before: f64 = done.errors.iter().map(|e| squares(e, e.before)).sum();
        let after: f64 = done.errors.iter().map(|e| squares(e, e.after)).sum();
        assert!(after < before, "from {before:.0} to {after:.0}");

        let (again, seen) = toy("3");
        assert_eq!(positions, seen);
        assert!(
            done.weights == again.weights,
            "three threads, other weights"
        );
    }
}
