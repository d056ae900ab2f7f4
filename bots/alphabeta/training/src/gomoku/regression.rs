//! Fits of the patterns: logistic regression of the result on the shapes, and softmax regression of the played move.
//! The weight of a class of shapes is a sum: a part for each line, a part for the kind, and a part for the class.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use alphabeta::gomoku::shape::{Shape, ThreatKind};
use alphabeta::gomoku::weights::{THREATS, Table, Weights};

use super::loss::{UNIT, logistic};
use super::samples::TrainingSample;

/// A model that is fitted with adaptive rates (J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", 2011).
struct Sum {
    lines: [AdaptiveWeight; 16],
    kinds: [AdaptiveWeight; ThreatKind::COUNT],
    own: Vec<AdaptiveWeight>,
    rate: f32,
    /// The decay of the classes' own parts in each step.
    decay: f32,
}

#[derive(Clone, Copy, Default)]
struct AdaptiveWeight {
    value: f32,
    squares: f32,
}

impl AdaptiveWeight {
    const fn of(value: f32) -> AdaptiveWeight {
        AdaptiveWeight {
            value,
            squares: 20.0,
        }
    }

    fn step(&mut self, gradient: f32, rate: f32) {
        self.squares += gradient * gradient;
        self.value -= rate * gradient / (self.squares.sqrt() + 1e-6);
    }
}

impl Sum {
    fn new(rate: f32, decay: f32) -> Sum {
        Sum {
            lines: Default::default(),
            kinds: Default::default(),
            own: vec![AdaptiveWeight::default(); Shape::COUNT],
            rate,
            decay,
        }
    }

    /// Creates a model from the built-in weights. The model changes slowly, so that a few games cannot spoil it.
    fn built_in(table: &Table, role: usize, rate: f32, decay: f32) -> Sum {
        let part = |part: &BTreeMap<u16, [i16; 2]>, number: usize| {
            let values = part.get(&(number as u16)).copied().unwrap_or_default();
            AdaptiveWeight::of(f32::from(values[role]) / UNIT)
        };
        let mut sum = Sum {
            lines: std::array::from_fn(|line| part(&table.lines, line)),
            kinds: std::array::from_fn(|kind| part(&table.kinds, kind)),
            ..Sum::new(rate, decay)
        };
        for class in 0..=u16::MAX {
            let whole = f32::from(table.of_shape(Shape(class))[role]) / UNIT;
            let shared = sum.weight(class);
            sum.own[usize::from(class)] = AdaptiveWeight::of(whole - shared);
        }
        sum
    }

    fn parts(&self) -> impl Iterator<Item = (&'static str, usize, f32)> {
        let lines = self
            .lines
            .iter()
            .enumerate()
            .map(|(number, part)| ("line", number, part.value));
        let kinds = self
            .kinds
            .iter()
            .enumerate()
            .map(|(number, part)| ("kind", number, part.value));
        lines.chain(kinds)
    }

    fn weight(&self, class: u16) -> f32 {
        let shape = Shape(class);
        let lines: f32 = shape
            .lines()
            .iter()
            .map(|&line| self.lines[line as usize].value)
            .sum();
        lines
            + self.kinds[ThreatKind::of(shape, false) as usize].value
            + self.own[usize::from(class)].value
    }

    /// Makes a step of gradient descent. `gradient` is the derivative of the loss by the weight of `class`.
    fn step(&mut self, class: u16, gradient: f32) {
        let shape = Shape(class);
        for line in shape.lines() {
            // The part of a dead line stays 0. So a cell that is dead in every line has the value 0.
            if line as usize > 0 {
                self.lines[line as usize].step(gradient, 0.1 * self.rate);
            }
        }
        let kind = ThreatKind::of(shape, false);
        if kind != ThreatKind::Quiet {
            self.kinds[kind as usize].step(gradient, self.rate);
        }
        let own = &mut self.own[usize::from(class)];
        if class != 0 {
            own.step(gradient, self.rate);
            own.value *= 1.0 - self.decay;
        }
    }
}

fn text(name: &str, models: &[Sum; 2], seen: impl Iterator<Item = u16>) -> String {
    let units = |value: f32| (value * UNIT).round().clamp(-8000.0, 8000.0) as i16;
    let mut text = String::new();
    let [own, other] = models;
    for ((part, number, a), (_, _, b)) in own.parts().zip(other.parts()) {
        let _ = writeln!(text, "{name} {part} {number:x} {} {}", units(a), units(b));
    }
    for class in seen {
        let [a, b] = [own, other].map(|model| units(model.weight(class)));
        let _ = writeln!(text, "{name} cell {class:04x} {a} {b}");
    }
    text
}

const VALUE_RATE: f32 = 0.02;
const VALUE_DECAY: f32 = 2e-5;

/// The model of the value: a sum over all empty cells and the threats gives the log-odds that the side to move wins.
pub struct Value {
    shapes: [Sum; 2],
    threats: Vec<AdaptiveWeight>,
}

impl Value {
    pub fn blank() -> Value {
        Value {
            shapes: [
                Sum::new(VALUE_RATE, VALUE_DECAY),
                Sum::new(VALUE_RATE, VALUE_DECAY),
            ],
            threats: vec![AdaptiveWeight::default(); THREATS],
        }
    }

    pub fn built_in() -> Value {
        let weights = Weights::built_in();
        Value {
            shapes: [0, 1].map(|role| Sum::built_in(&weights.value, role, VALUE_RATE, VALUE_DECAY)),
            threats: (0..THREATS as u16)
                .map(|threats| AdaptiveWeight::of(f32::from(weights.of_threats(threats)) / UNIT))
                .collect(),
        }
    }

    fn logit(&self, sample: &TrainingSample) -> f32 {
        let sum = |role: usize| {
            let shapes = &sample.shapes[role];
            let model = &self.shapes[role];
            shapes
                .iter()
                .map(|&(class, cells)| f32::from(cells) * model.weight(class))
                .sum::<f32>()
        };
        sum(0) - sum(1) + self.threats[usize::from(sample.threats)].value
    }

    pub fn loss<'a>(&self, samples: impl IntoIterator<Item = &'a TrainingSample>) -> f64 {
        let (mut sum, mut count) = (0.0, 0u32);
        for sample in samples {
            let chance = f64::from(logistic(self.logit(sample))).clamp(1e-6, 1.0 - 1e-6);
            let target = f64::from(sample.target);
            sum -= target * chance.ln() + (1.0 - target) * (1.0 - chance).ln();
            count += 1;
        }
        sum / f64::from(count.max(1))
    }

    /// Learns from each sample once, in this order; `speed` scales the steps.
    pub fn learn<'a>(&mut self, samples: impl IntoIterator<Item = &'a TrainingSample>, speed: f32) {
        for shapes in &mut self.shapes {
            shapes.rate = VALUE_RATE * speed;
        }
        for sample in samples {
            let error = logistic(self.logit(sample)) - sample.target;
            for (role, sign) in [(0, 1.0), (1, -1.0)] {
                for &(class, cells) in &sample.shapes[role] {
                    self.shapes[role].step(class, sign * error * f32::from(cells));
                }
            }
            self.threats[usize::from(sample.threats)].step(error, 0.05 * speed);
        }
    }

    pub fn text(&self, seen: impl Iterator<Item = u16>) -> String {
        let mut text = text("value", &self.shapes, seen);
        let units = |value: f32| (value * UNIT).round().clamp(-8000.0, 8000.0) as i16;
        for (number, threat) in self.threats.iter().enumerate() {
            if threat.value != 0.0 {
                let _ = writeln!(text, "threats {number:03x} {}", units(threat.value));
            }
        }
        text
    }
}

const POLICY_RATE: f32 = 0.05;
const POLICY_DECAY: f32 = 1e-5;

/// The model of the policy: a softmax over the candidates. A candidate's logit is the weight of the shape that the move
/// makes plus the weight of the shape that it prevents.
pub struct Policy {
    weights: [Sum; 2],
}

impl Policy {
    pub fn blank() -> Policy {
        Policy {
            weights: [
                Sum::new(POLICY_RATE, POLICY_DECAY),
                Sum::new(POLICY_RATE, POLICY_DECAY),
            ],
        }
    }

    pub fn built_in() -> Policy {
        let weights = Weights::built_in();
        Policy {
            weights: [0, 1]
                .map(|role| Sum::built_in(&weights.policy, role, POLICY_RATE, POLICY_DECAY)),
        }
    }

    fn chances(&self, choice: &[[u16; 2]]) -> Vec<f32> {
        let logits: Vec<f32> = choice
            .iter()
            .map(|&[own, other]| self.weights[0].weight(own) + self.weights[1].weight(other))
            .collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
        logits
            .into_iter()
            .map(|logit| (logit - most).exp() / sum)
            .collect()
    }

    /// Returns the mean loss for each move in nats, and the share of played moves that the model ranks first.
    pub fn loss<'a>(&self, samples: impl IntoIterator<Item = &'a TrainingSample>) -> (f64, f64) {
        let (mut sum, mut first, mut count) = (0.0, 0u32, 0u32);
        for sample in samples.into_iter().filter(|sample| sample.choice.len() > 1) {
            let chances = self.chances(&sample.choice);
            sum -= f64::from(chances[0].max(1e-9)).ln();
            first += u32::from(chances.iter().all(|&chance| chance <= chances[0]));
            count += 1;
        }
        let count = f64::from(count.max(1));
        (sum / count, f64::from(first) / count)
    }

    /// Learns from each sample once, in this order; `speed` scales the steps.
    pub fn learn<'a>(&mut self, samples: impl IntoIterator<Item = &'a TrainingSample>, speed: f32) {
        for weights in &mut self.weights {
            weights.rate = POLICY_RATE * speed;
        }
        for sample in samples.into_iter().filter(|sample| sample.choice.len() > 1) {
            let chances = self.chances(&sample.choice);
            for (index, (&classes, chance)) in sample.choice.iter().zip(chances).enumerate() {
                let error = if index == 0 { chance - 1.0 } else { chance };
                if error.abs() > 1e-3 {
                    for (weights, class) in self.weights.iter_mut().zip(classes) {
                        weights.step(class, error);
                    }
                }
            }
        }
    }

    pub fn text(&self, seen: impl Iterator<Item = u16>) -> String {
        text("policy", &self.weights, seen)
    }
}
