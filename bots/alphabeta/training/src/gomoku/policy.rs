//! How promising a move looks: softmax regression of the move played on the shapes of both sides
//! on its cell. The search tries moves in this order and spends less on the late ones.

use super::samples::Sample;
use super::sum::{self, Sum};

/// How fast the weights are learned, and how they are pulled towards nothing.
const RATE: f32 = 0.05;
const DECAY: f32 = 1e-5;

/// The model: the chance of a move is the softmax of one weight for what it makes and one for what
/// it takes.
pub struct Policy {
    weights: [Sum; 2],
}

impl Policy {
    /// A model that knows nothing.
    pub fn blank() -> Policy {
        Policy {
            weights: [Sum::new(RATE, DECAY), Sum::new(RATE, DECAY)],
        }
    }

    /// A model that knows what the built-in weights say.
    pub fn built_in() -> Policy {
        Policy {
            weights: [0, 1].map(|role| Sum::built_in("policy", role, RATE, DECAY)),
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

    /// Mean loss over `samples` in nats a move, and how often the move played came first.
    pub fn loss<'a>(&self, samples: impl IntoIterator<Item = &'a Sample>) -> (f64, f64) {
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
    pub fn learn<'a>(&mut self, samples: impl IntoIterator<Item = &'a Sample>, speed: f32) {
        for weights in &mut self.weights {
            weights.rate = RATE * speed;
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

    /// The weights as lines of a weights file, for the classes that were seen.
    pub fn text(&self, seen: impl Iterator<Item = u16>) -> String {
        sum::text("policy", &self.weights, seen)
    }
}
