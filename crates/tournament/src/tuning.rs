//! Tuning of a bot's options by SPSA, from the results of games: `[tune]` and `[[parameter]]`.
//!
//! The formulas are those of fishtest and `OpenBench`. In iteration k of N, a parameter is perturbed by ±c and moved by
//! R · c · (wins − losses) for each pair, where c = step · (N / k)^γ and
//! R = rate · ((A + N) / (A + k))^α · (step / c)². So c ends at `step` (their `c_end`) and R at `rate` (their `R_end`).
//!
//! A tuning is a run like any other, with one phase per iteration and a match at the end. Each pair of an iteration is
//! played by the bot with the values θ + c·δ ([`PLUS`]) against itself with θ − c·δ ([`MINUS`]); the signs δ come from
//! the random stream of the pair. A phase begins when the one before has ended, and the pairs of a phase move θ in the
//! order of their numbers. So the values depend only on the record: not on the workers, and not on interruptions. Each
//! pair has its own signs, so the bot must be restarted for each pair. In return, the noise that the other parameters
//! add to a parameter's gradient averages out over the pairs of an iteration.
//!
//! Powers come from `libm`, so every machine computes the same values. This module plays no games and reads no clock.
//!
//! Source: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", 1998.

use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

use super::random_draw::Draw;
use super::schedule::Fixture;

pub use super::format::{MINUS, PLUS, START, TUNED};

/// The names of the four bots of a tuning, by number.
pub const NAMES: [&str; 4] = ["plus", "minus", "tuned", "start"];

/// The first random stream for the signs. The streams of pairs are numbered from 0 and never reach it.
const SIGN_STREAM: u64 = 1 << 62;

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The perturbation in the last iteration (`c_end`).
    pub step: f64,
    /// The learning rate in the last iteration (`R_end`).
    pub rate: f64,
    pub is_float: bool,
}

impl Parameter {
    /// Formats a value: a whole number, or one with two digits more than `step` needs for its first non-zero digit.
    pub fn text(&self, value: f64) -> String {
        if !self.is_float {
            return format!("{:.0}", value.round() + 0.0);
        }
        let digits = 2 - libm::floor(libm::log10(self.step)) as i64;
        format!("{value:.*}", digits.clamp(0, 17) as usize)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    pub parameters: Vec<Parameter>,
    pub iterations: u64,
    pub pairs: u64,
    /// The number of pairs of the match at the end, between the tuned values and the start values.
    pub match_pairs: u64,
    /// A, the number of iterations by which the decrease of the learning rate is delayed.
    pub delay: f64,
    pub alpha: f64,
    pub gamma: f64,
    pub seed: u64,
    /// The bot's command, with a mark in the place of each value.
    pub(super) template: TunedCommand,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TunedCommand {
    pub arguments: Vec<OsString>,
    pub setup: Vec<String>,
}

impl TunedCommand {
    fn filled(&self, values: &[String]) -> TunedCommand {
        let fill = |text: &str| {
            let marks = (0..).zip(values);
            marks.fold(text.to_owned(), |text, (number, value)| {
                text.replace(&mark(number), value)
            })
        };
        let argument = |word: &OsString| match word.to_str() {
            Some(text) => fill(text).into(),
            None => word.clone(),
        };
        TunedCommand {
            arguments: self.arguments.iter().map(argument).collect(),
            setup: self.setup.iter().map(|line| fill(line)).collect(),
        }
    }
}

/// Returns the mark for the value of parameter `number`. Its characters are for private use, so no command has them.
pub(super) fn mark(number: usize) -> String {
    format!("\u{e000}{number}\u{e001}")
}

#[derive(Clone, Debug, PartialEq)]
struct Probe {
    signs: Vec<f64>,
    plus: Vec<f64>,
    minus: Vec<f64>,
}

impl Tuning {
    /// Returns the perturbation c of a parameter in iteration `k`, counted from 1. For a whole number, c is at least ½,
    /// so that the two bots of a pair have different values, except perhaps at an end of the range.
    fn perturbation(&self, parameter: &Parameter, k: u64) -> f64 {
        let c = parameter.step * libm::pow(self.iterations as f64 / k as f64, self.gamma);
        if parameter.is_float { c } else { c.max(0.5) }
    }

    fn rate(&self, parameter: &Parameter, k: u64) -> f64 {
        let (delay, all) = (self.delay, self.iterations as f64);
        let decrease = libm::pow((delay + all) / (delay + k as f64), self.alpha);
        let relative = parameter.step / self.perturbation(parameter, k);
        parameter.rate * decrease * relative * relative
    }

    /// Returns a pair's signs and values. Rounds whole numbers at random: 2.3 becomes 2 with a probability of 70 %.
    fn probe(&self, values: &[f64], k: u64, pair: u64) -> Probe {
        let mut draw = Draw::new(self.seed, SIGN_STREAM | pair);
        let mut probe = Probe {
            signs: Vec::new(),
            plus: Vec::new(),
            minus: Vec::new(),
        };
        for (parameter, value) in self.parameters.iter().zip(values) {
            let sign = if draw.below(2) == 1 { 1.0 } else { -1.0 };
            let share = (draw.bits() >> 11) as f64 / (1u64 << 53) as f64;
            let moved = sign * self.perturbation(parameter, k);
            let rounded = |value: f64| {
                let value = if parameter.is_float {
                    value
                } else {
                    (value + share).floor()
                };
                value.clamp(parameter.min, parameter.max)
            };
            probe.signs.push(sign);
            probe.plus.push(rounded(value + moved));
            probe.minus.push(rounded(value - moved));
        }
        probe
    }

    /// Changes the values by the result of a pair: the wins of [`PLUS`] minus its losses.
    fn step(&self, values: &mut [f64], k: u64, pair: u64, result: f64) {
        let signs = self.probe(values, k, pair).signs;
        for ((parameter, value), sign) in self.parameters.iter().zip(values).zip(signs) {
            let size = self.rate(parameter, k) * self.perturbation(parameter, k);
            *value = (*value + size * result * sign).clamp(parameter.min, parameter.max);
        }
    }

    fn texts(&self, values: &[f64]) -> Vec<String> {
        let values = self.parameters.iter().zip(values);
        values.map(|(of, value)| of.text(*value)).collect()
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|of| of.start).collect()
    }
}

#[derive(Clone, Debug)]
pub struct Tuner {
    tuning: Arc<Tuning>,
    /// The values at the start and after each iteration.
    way: Vec<Vec<f64>>,
}

impl Tuner {
    pub(super) fn new(tuning: Arc<Tuning>) -> Tuner {
        let way = vec![tuning.start()];
        Tuner { tuning, way }
    }

    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    pub fn way(&self) -> &[Vec<f64>] {
        &self.way
    }

    pub fn values(&self) -> &[f64] {
        self.way.last().expect("it begins with the start")
    }

    pub fn texts(&self) -> Vec<String> {
        self.tuning.texts(self.values())
    }

    pub fn iterations(&self) -> u64 {
        self.way.len() as u64 - 1
    }

    pub(super) fn end_iteration(&mut self, pairs: Range<u64>, result: impl Fn(u64) -> f64) {
        let k = self.way.len() as u64;
        if k > self.tuning.iterations {
            return;
        }
        let mut values = self.values().to_owned();
        for pair in pairs {
            self.tuning.step(&mut values, k, pair, result(pair));
        }
        self.way.push(values);
    }

    pub(super) fn command(&self, bot: usize, fixture: &Fixture) -> TunedCommand {
        let (tuning, values) = (&self.tuning, self.values());
        let probe = || tuning.probe(values, self.way.len() as u64, fixture.id.pair());
        let values = match bot {
            PLUS => probe().plus,
            MINUS => probe().minus,
            TUNED => values.to_owned(),
            _ => tuning.start(),
        };
        tuning.template.filled(&tuning.texts(&values))
    }
}

#[cfg(test)]
mod tests;
