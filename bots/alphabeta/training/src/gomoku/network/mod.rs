//! `training gomoku network`: trains the network of Gomoku on games of the program against itself.
//!
//! The loss of a position is the cross-entropy of its value and its target (only if the position is quiet), plus half
//! the cross-entropy of the softmax over the candidates and the played move. [`samples`] reads the games, [`model`]
//! has the parameters, and [`gradient`] computes the gradient.

pub mod gradient;
mod model;

use std::path::PathBuf;
use std::{fs, thread};

use games::Game;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use self::gradient::Gradient;
use self::model::NetworkModel;
use super::adam::Adam;
use super::loss::Loss;
use super::samples::{self, TrainingPosition};
use crate::{BoxError, named};

const BATCH: usize = 512;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files of games of one rule; a name that ends in -SIZE.txt gives the size of its boards
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long)]
    out: PathBuf,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 4)]
    passes: u32,
    /// Initial learning rate; falls linearly to 0
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// Start from this NAME.numbers file, which is written beside every network
    #[arg(long)]
    from: Option<PathBuf>,
    /// Seed of the initial numbers and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to compute with
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

pub fn run(arguments: &Arguments, game: Game) -> Result<(), BoxError> {
    let rule = games::gomoku::Rule::of(game).expect("the game is Gomoku");
    let (mut learned, held_out) = samples::read_files(game, &arguments.games, arguments.threads)?;
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    let mut model = NetworkModel::new(rule, &mut random);
    if let Some(from) = &arguments.from {
        let bytes = fs::read(from).map_err(|error| named(from, &error))?;
        model.set(&bytes).map_err(|error| named(from, &error))?;
    }
    eprintln!("patterns: {}", samples::by_patterns(&held_out));
    let mut adam = Adam::new(model.numbers.len());
    let steps = arguments.passes as usize * learned.len().div_ceil(BATCH);
    let mut step = 0;
    for pass in 0..arguments.passes {
        for last in (1..learned.len()).rev() {
            learned.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
        }
        let mut sum = Loss::default();
        for batch in learned.chunks(BATCH) {
            let gradient = together(&model, batch, arguments.threads);
            sum += gradient.loss;
            let rate = arguments.rate * (1.0 - step as f32 / steps as f32);
            step += 1;
            model.step(&mut adam, &gradient.slopes(&model), rate);
        }
        let loss = together(&model, &held_out, arguments.threads).loss;
        eprintln!("pass {pass}: learned {sum}; held out {loss}");
        save(arguments, &model)?;
    }
    Ok(())
}

fn save(arguments: &Arguments, model: &NetworkModel) -> Result<(), BoxError> {
    let file = alphabeta::gomoku::network::encode(&model.views());
    fs::write(&arguments.out, file).map_err(|error| named(&arguments.out, &error))?;
    let numbers = arguments.out.with_extension("numbers");
    let bytes: Vec<u8> = model
        .numbers
        .iter()
        .flat_map(|one| one.to_le_bytes())
        .collect();
    fs::write(&numbers, bytes).map_err(|error| named(&numbers, &error))
}

fn together(model: &NetworkModel, batch: &[TrainingPosition], threads: usize) -> Gradient {
    let part = batch.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = batch
            .chunks(part)
            .map(|part| scope.spawn(|| Gradient::of(model, part)))
            .collect();
        let mut parts = parts
            .into_iter()
            .map(|part| part.join().expect("it only computes"));
        let first = parts.next().expect("a batch has positions");
        parts.fold(first, |sum, part| sum.plus(&part))
    })
}
