//! A weight for every class of shape that shares what it can: one part for each line, one for the
//! kind, and one of its own for what the others miss.

use std::fmt::Write as _;

use alphabeta::gomoku::shape::{Kind, Shape};
use alphabeta::gomoku::evaluation::{self, Weights};

/// Engine units of one unit of log-odds.
pub(super) const UNIT: f32 = evaluation::UNIT as f32;

/// A model that is fitted step by step (J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient
/// methods", 2011: each part learns more slowly the more it has learned).
pub(super) struct Sum {
    lines: [Part; 16],
    kinds: [Part; Kind::COUNT],
    own: Vec<Part>,
    /// How fast all parts learn.
    pub(super) rate: f32,
    /// Pull of the classes' own parts towards nothing, at each step.
    pub(super) decay: f32,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) value: f32,
    squares: f32,
}

impl Part {
    /// A part that has this value from earlier learning.
    pub(super) const fn of(value: f32) -> Part {
        Part {
            value,
            squares: 20.0,
        }
    }

    pub(super) fn step(&mut self, gradient: f32, rate: f32) {
        self.squares += gradient * gradient;
        self.value -= rate * gradient / (self.squares.sqrt() + 1e-6);
    }
}

impl Sum {
    pub(super) fn new(rate: f32, decay: f32) -> Sum {
        Sum {
            lines: Default::default(),
            kinds: Default::default(),
            own: vec![Part::default(); Shape::COUNT],
            rate,
            decay,
        }
    }

    /// A model that knows what the built-in weights say, and is as slow to leave that as if it had
    /// learned it from some hundred samples: few games can improve it but not spoil it.
    pub(super) fn built_in(table: &'static str, role: usize, rate: f32, decay: f32) -> Sum {
        let weights = Weights::built_in();
        let part = |part, number| {
            Part::of(f32::from(weights.get(table, part, number).unwrap_or_default()[role]) / UNIT)
        };
        let mut sum = Sum {
            lines: std::array::from_fn(|line| part("line", line as u16)),
            kinds: std::array::from_fn(|kind| part("kind", kind as u16)),
            ..Sum::new(rate, decay)
        };
        for class in 0..=u16::MAX {
            let whole = f32::from(weights.of_shape(table, Shape(class))[role]) / UNIT;
            let shared = sum.weight(class);
            sum.own[usize::from(class)] = Part::of(whole - shared);
        }
        sum
    }

    /// The shared parts as numbers, with the words that name them in a weights file.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, usize, f32)> {
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

    pub(super) fn weight(&self, class: u16) -> f32 {
        let shape = Shape(class);
        let lines: f32 = shape
            .lines()
            .iter()
            .map(|&line| self.lines[line as usize].value)
            .sum();
        lines
            + self.kinds[Kind::of(shape, false) as usize].value
            + self.own[usize::from(class)].value
    }

    /// One step against `gradient`, the derivative of the loss by this class's weight.
    pub(super) fn step(&mut self, class: u16, gradient: f32) {
        let shape = Shape(class);
        for line in shape.lines() {
            // A cell dead in every line is worth nothing, by definition.
            if line as usize > 0 {
                self.lines[line as usize].step(gradient, 0.1 * self.rate);
            }
        }
        let kind = Kind::of(shape, false);
        if kind != Kind::Quiet {
            self.kinds[kind as usize].step(gradient, self.rate);
        }
        let own = &mut self.own[usize::from(class)];
        if class != 0 {
            own.step(gradient, self.rate);
            own.value *= 1.0 - self.decay;
        }
    }
}

/// Two models as lines of a weights file named `name`: the shared parts, then the classes `seen`.
pub(super) fn text(name: &str, models: &[Sum; 2], seen: impl Iterator<Item = u16>) -> String {
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

/// The chance that goes with log-odds.
pub(super) fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
