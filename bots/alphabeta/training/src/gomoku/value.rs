//! What shapes are worth: logistic regression of the outcome on the shapes that are on the board.

use std::fmt::Write as _;

use alphabeta::gomoku::evaluation::{THREATS, Weights};

use super::samples::Sample;
use super::sum::{self, Part, Sum, UNIT, logistic};

/// How fast the weights are learned, and how they are pulled towards nothing.
const RATE: f32 = 0.02;
const DECAY: f32 = 2e-5;

/// The model: the chance that the side to move wins is the logistic function of a sum over all
/// empty cells and the threats that stand.
pub struct Value {
    shapes: [Sum; 2],
    threats: Vec<Part>,
}

impl Value {
    /// A model that knows nothing.
    pub fn blank() -> Value {
        Value {
            shapes: [Sum::new(RATE, DECAY), Sum::new(RATE, DECAY)],
            threats: vec![Part::default(); THREATS],
        }
    }

    /// A model that knows what the built-in weights say.
    pub fn built_in() -> Value {
        let weights = Weights::built_in();
        Value {
            shapes: [0, 1].map(|role| Sum::built_in("value", role, RATE, DECAY)),
            threats: (0..THREATS as u16)
                .map(|threats| Part::of(f32::from(weights.of_threats(threats)) / UNIT))
                .collect(),
        }
    }

    /// Log-odds that the side to move wins.
    fn logit(&self, sample: &Sample) -> f32 {
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

    /// Mean loss over `samples`, in nats a position.
    pub fn loss<'a>(&self, samples: impl IntoIterator<Item = &'a Sample>) -> f64 {
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
    pub fn learn<'a>(&mut self, samples: impl IntoIterator<Item = &'a Sample>, speed: f32) {
        for shapes in &mut self.shapes {
            shapes.rate = RATE * speed;
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

    /// The weights as lines of a weights file, for the classes that were seen.
    pub fn text(&self, seen: impl Iterator<Item = u16>) -> String {
        let mut text = sum::text("value", &self.shapes, seen);
        let units = |value: f32| (value * UNIT).round().clamp(-8000.0, 8000.0) as i16;
        for (number, threat) in self.threats.iter().enumerate() {
            if threat.value != 0.0 {
                let _ = writeln!(text, "threats {number:03x} {}", units(threat.value));
            }
        }
        text
    }
}
