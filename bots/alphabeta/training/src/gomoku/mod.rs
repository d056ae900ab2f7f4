//! `training gomoku`: makes the weights of Gomoku's evaluation and move ordering.
//!
//! The program writes games against itself, one per line. [`samples`] converts them to quiet positions. [`regression`]
//! fits the values of shapes to the results, and their promise to the played moves. [`network`] fits the network.

mod adam;
mod loss;
mod network;
mod regression;
mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use alphabeta::Evaluation;
use alphabeta::gomoku::self_play;
use alphabeta::gomoku::weights::Weights;
use games::Game;

use self::regression::{Policy, Value};
use self::samples::TrainingSample;
use crate::{BoxError, named};

/// Make the weights of Gomoku: play games, then fit weights to them
///
/// Prints games, or weights.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    job: GomokuCommand,
    /// freestyle, standard, renju or caro
    #[arg(long, global = true, default_value = "freestyle")]
    rules: String,
    /// Side of the board
    #[arg(long, global = true, default_value_t = 15)]
    size: i64,
}

#[derive(clap::Subcommand)]
enum GomokuCommand {
    /// Play games and print one per line: moves, number of opening moves, winner, scores
    Play {
        /// Seed of all random choices; game k uses stream k
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Number of the first game
        #[arg(long, default_value_t = 0)]
        first: u64,
        /// Number of games
        #[arg(long)]
        games: u64,
        /// Positions searched for each move
        #[arg(long, default_value_t = 2000)]
        nodes: u64,
        /// Evaluation of positions: network, patterns or the file of a network
        #[arg(long, default_value = "network")]
        evaluation: PathBuf,
    },
    /// Fit weights to games
    Fit {
        /// The games
        file: PathBuf,
        /// Number of passes over the positions
        #[arg(long, default_value_t = 5)]
        passes: u16,
        /// Start from the built-in weights instead of zero
        #[arg(long)]
        refine: bool,
    },
    /// Fit the network to games; the same command continues a fit that was stopped
    Network(network::Arguments),
}

/// The fewest occurrences of a class of shapes that is given separate weights.
const TIMES: u32 = 5;

pub fn run(arguments: &Arguments) -> Result<(), BoxError> {
    let rules = Some(arguments.rules.as_str());
    let game = Game::new("gomoku", rules, Some(arguments.size))?;
    match &arguments.job {
        GomokuCommand::Play {
            seed,
            first,
            games,
            nodes,
            evaluation,
        } => {
            let evaluation = Evaluation::of(evaluation)?;
            play(game, *seed, *first..first + games, *nodes, evaluation)
        }
        GomokuCommand::Network(arguments) => network::run(arguments, game),
        GomokuCommand::Fit {
            file,
            passes,
            refine,
        } => {
            let text = fs::read_to_string(file).map_err(|error| named(file, &error))?;
            fit(game, &text, *passes, *refine)
        }
    }
}

fn play(
    game: Game,
    seed: u64,
    numbers: std::ops::Range<u64>,
    nodes: u64,
    evaluation: Evaluation,
) -> Result<(), BoxError> {
    let rule = games::gomoku::Rule::of(game).expect("the game is Gomoku");
    let size = game.size();
    let mut out = io::stdout().lock();
    for number in numbers {
        let record = self_play::play(size, rule, seed, number, nodes, evaluation);
        writeln!(out, "{record}")?;
        out.flush()?;
    }
    Ok(())
}

/// Fits weights to nine tenths of the games, and measures the fit with the other tenth.
fn fit(game: Game, games: &str, passes: u16, refine: bool) -> Result<(), BoxError> {
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for (number, line) in games.lines().enumerate() {
        let into = if number % 10 == 9 {
            &mut test
        } else {
            &mut train
        };
        let read = samples::read_samples(game, line);
        into.extend(read.map_err(|why| format!("line {}: {why}", number + 1))?);
    }
    eprintln!(
        "{} positions to learn from, {} to test on",
        train.len(),
        test.len()
    );
    let (mut value, mut policy) = if refine {
        (Value::built_in(), Policy::built_in())
    } else {
        (Value::blank(), Policy::blank())
    };
    let (nats, first) = policy.loss(&test);
    eprintln!(
        "at first: value {:.4} nats, policy {nats:.4} nats, first {:.1} %",
        value.loss(&test),
        100.0 * first,
    );
    for pass in 0..passes {
        let speed = 1.0 - f32::from(pass) / f32::from(passes);
        // Consecutive positions of a game are similar. This stride visits all positions in another order.
        let stride = 7_919 + 2 * usize::from(pass);
        let order = || (0..train.len()).map(|index| &train[index * stride % train.len()]);
        value.learn(order(), speed);
        policy.learn(order(), speed);
        let (nats, first) = policy.loss(&test);
        eprintln!(
            "pass {pass}: value {:.4} (learned {:.4}) nats, policy {nats:.4} nats, first {:.1} %",
            value.loss(&test),
            value.loss(train.iter().step_by(10)),
            100.0 * first,
        );
    }
    let mut seen = BTreeMap::new();
    for class in train.iter().chain(&test).flat_map(TrainingSample::classes) {
        *seen.entry(class).or_insert(0u32) += 1;
    }
    if refine {
        let classes = Weights::built_in().value.cells.into_keys();
        for class in classes.filter(|&class| class > 0) {
            seen.insert(class, TIMES);
        }
    }
    let often = || {
        seen.iter()
            .filter(|(_, times)| **times >= TIMES)
            .map(|(class, _)| *class)
    };
    let mut out = io::stdout().lock();
    write!(out, "{}{}", value.text(often()), policy.text(often()))?;
    Ok(())
}
