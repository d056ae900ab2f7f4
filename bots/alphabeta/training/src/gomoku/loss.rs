//! The loss of a fit: logistic for the value of a position, softmax for the choice of a move.

use std::fmt;
use std::ops::AddAssign;

use alphabeta::gomoku::evaluation;

/// Engine units of one unit of log-odds.
pub const UNIT: f32 = evaluation::UNIT as f32;

pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[derive(Clone, Copy, Default)]
pub struct Loss {
    value: f64,
    values: u32,
    choice: f64,
    first: u32,
    choices: u32,
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.value += more.value;
        self.values += more.values;
        self.choice += more.choice;
        self.first += more.first;
        self.choices += more.choices;
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (values, choices) = (
            f64::from(self.values.max(1)),
            f64::from(self.choices.max(1)),
        );
        write!(
            f,
            "value {:.4} nats of {}, moves {:.4} nats, first {:.1} % of {}",
            self.value / values,
            self.values,
            self.choice / choices,
            100.0 * f64::from(self.first) / choices,
            self.choices
        )
    }
}

impl Loss {
    pub fn count(&self) -> u32 {
        self.values.max(self.choices).max(1)
    }

    #[cfg(test)]
    pub fn value(&self) -> f64 {
        self.value
    }

    #[cfg(test)]
    pub fn choice(&self) -> f64 {
        self.choice
    }

    pub fn add_value(&mut self, odds: f32, target: f32) {
        // ln(1 + e^x) − t·x
        let soft = f64::from(odds.max(0.0)) + f64::from((-odds.abs()).exp()).ln_1p();
        self.value += soft - f64::from(target * odds);
        self.values += 1;
    }

    /// Adds the loss of a choice. `first`: whether no candidate has a higher probability than the played move.
    pub fn add_choice(&mut self, nats: f32, first: bool) {
        self.choice += f64::from(nats);
        self.choices += 1;
        self.first += u32::from(first);
    }
}

/// Returns the loss of a choice in nats. The first number of `odds` belongs to the played move.
pub fn nats(odds: &[f32]) -> f32 {
    let Some(&first) = odds.first() else {
        return 0.0;
    };
    let most = odds.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = odds.iter().map(|one| (one - most).exp()).sum();
    sum.ln() + most - first
}
