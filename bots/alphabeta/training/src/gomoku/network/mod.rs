//! `training gomoku network`: trains the network of Gomoku.
//!
//! The loss of a position is the cross-entropy of its value and its target (only if the position is quiet), plus half
//! the cross-entropy of the softmax over the candidates and the played move. [`model`] has the parameters, [`gradient`]
//! computes the gradient, and [`state`] saves a fit, so that it can be stopped at any time.

mod gradient;
mod model;
mod state;

use std::path::PathBuf;
use std::thread;

use alphabeta::gomoku::network::Network;
use games::Game;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use self::gradient::Gradient;
use self::model::Model;
use self::state::State;
use super::adam::Adam;
use super::loss::Loss;
use super::samples::{self, TrainingPosition};
use crate::{BoxError, writable, write};

const BATCH: usize = 512;

/// The state is saved after this number of batches, and after each pass.
const SAVED: usize = 500;

#[derive(clap::Args)]
pub struct Arguments {
    /// Files of games of one rule; a name that ends in -SIZE.txt gives the size of its boards
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Write the network to this file, and what the fit needs to continue to NAME.state
    #[arg(long)]
    out: PathBuf,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 6)]
    passes: usize,
    /// Initial learning rate; falls linearly to 0
    #[arg(long, default_value_t = 0.004)]
    rate: f32,
    /// Stop after this number of batches of 512 positions; the same command continues
    #[arg(long)]
    batches: Option<usize>,
    /// Start from the numbers in the NAME.state file of another fit
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
    let (learned, held_out) = samples::read_files(game, &arguments.games, arguments.threads)?;
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    let mut model = Model::new(rule, &mut random);
    if let Some(from) = &arguments.from {
        let state = State::read(from)?.ok_or("there is no such state")?;
        model.set(&state.numbers)?;
    }
    let batches = learned.len().div_ceil(BATCH);
    let mut state = State {
        step: 0,
        steps: arguments.passes * batches,
        adam: Adam::new(model.numbers.len()),
        numbers: Vec::new(),
    };
    let kept = arguments.out.with_extension("state");
    if let Some(before) = State::read(&kept)? {
        if before.steps != state.steps || before.numbers.len() != model.numbers.len() {
            let why = "of other games or passes; remove it, or choose another --out";
            return Err(format!("{} is the state of a fit {why}", kept.display()).into());
        }
        model.set(&before.numbers)?;
        state = before;
        eprintln!("continues after {} of {} batches", state.step, state.steps);
    }
    writable(&arguments.out)?;
    eprintln!("patterns: {}", samples::by_patterns(&held_out));
    let end = arguments
        .batches
        .map_or(state.steps, |more| state.steps.min(state.step + more));
    let mut sum = Loss::default();
    while state.step < end {
        let (pass, first) = (state.step / batches, state.step % batches);
        let order = shuffled(learned.len(), arguments.seed, pass);
        for batch in order.chunks(BATCH).skip(first).take(end - state.step) {
            let batch: Vec<&TrainingPosition> = batch.iter().map(|&at| &learned[at]).collect();
            let gradient = together(&model, &batch, arguments.threads);
            sum += gradient.loss;
            let left = 1.0 - state.step as f32 / state.steps as f32;
            for (view, means) in gradient.means() {
                model.follow(view, &means);
            }
            let slopes = gradient.slopes(&model);
            model.step(&mut state.adam, &slopes, arguments.rate * left);
            state.step += 1;
            if state.step.is_multiple_of(SAVED) {
                state.save(&kept, &model.numbers)?;
            }
        }
        let all: Vec<&TrainingPosition> = held_out.iter().collect();
        let loss = together(&model, &all, arguments.threads).loss;
        eprintln!("pass {pass}: learned {sum}; held out {loss}");
        sum = Loss::default();
        write(&arguments.out, &Network::new(model.views()).encode())?;
        state.save(&kept, &model.numbers)?;
    }
    Ok(())
}

/// Returns the order of the positions in a pass.
fn shuffled(count: usize, seed: u64, pass: usize) -> Vec<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1 + pass as u64);
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
    order
}

fn together(model: &Model, batch: &[&TrainingPosition], threads: usize) -> Gradient {
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
