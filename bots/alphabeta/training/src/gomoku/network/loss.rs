//! How far a network is from what it is to learn.

use std::fmt;
use std::ops::AddAssign;

/// Mean loss.
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
    /// How many positions it is the sum of.
    pub fn count(&self) -> u32 {
        self.values.max(self.choices).max(1)
    }

    /// Of the values, in nats.
    #[cfg(test)]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Of the choices, in nats.
    #[cfg(test)]
    pub fn choice(&self) -> f64 {
        self.choice
    }

    /// Adds a value with its target.
    pub fn add_value(&mut self, odds: f32, target: f32) {
        // ln(1 + e^x) − t·x
        let soft = f64::from(odds.max(0.0)) + f64::from((-odds.abs()).exp()).ln_1p();
        self.value += soft - f64::from(target * odds);
        self.values += 1;
    }

    /// Adds the loss of a choice; `first`: nothing looked better than what was played.
    pub fn add_choice(&mut self, nats: f32, first: bool) {
        self.choice += f64::from(nats);
        self.choices += 1;
        self.first += u32::from(first);
    }
}

/// The loss in nats where the first of these log-odds was chosen.
pub fn nats(odds: &[f32]) -> f32 {
    let Some(&first) = odds.first() else {
        return 0.0;
    };
    let most = odds.iter().copied().fold(f32::MIN, f32::max);
    let sum: f32 = odds.iter().map(|one| (one - most).exp()).sum();
    sum.ln() + most - first
}
