//! The amounts that bots report as the cost of their moves.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Amounts by name, such as tokens and a price. The arena adds them up, and knows only the meaning of [`Spent::PRICE`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Spent(BTreeMap<String, f64>);

impl Spent {
    /// The name of the amount that a tournament's `budget` limits.
    pub const PRICE: &str = "price";
    const MOST_NAMES: usize = 8;
    const LONGEST_NAME: usize = 24;
    const MOST: f64 = 1e12;

    /// Reads at most 8 amounts. Ignores names that would not fit into a table, and amounts that are not from 0 to 10¹².
    pub fn read(value: &Value) -> Spent {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_name = |name: &str| {
            (1..=Spent::LONGEST_NAME).contains(&name.len()) && name.chars().all(is_plain)
        };
        let amounts = value.as_object().into_iter().flatten();
        let amounts = amounts.filter_map(|(name, amount)| {
            let amount = amount.as_f64()?;
            (is_name(name) && (0.0..=Spent::MOST).contains(&amount)).then(|| (name.clone(), amount))
        });
        Spent(amounts.take(Spent::MOST_NAMES).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn price(&self) -> f64 {
        self.0.get(Spent::PRICE).copied().unwrap_or_default()
    }

    pub fn add(&mut self, more: &Spent) {
        for (name, amount) in &more.0 {
            *self.0.entry(name.clone()).or_default() += amount;
        }
    }
}

/// `price 0.00012, tokens_in 100`: each amount with at most six decimals.
impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, amount)) in self.0.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{name} {}", (amount * 1e6).round() / 1e6)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::from_str;

    #[test]
    fn amounts_are_read_added_and_shown() {
        let read = |json: &str| Spent::read(&from_str(json).expect("JSON"));
        for (json, shown) in [
            (r#"{"tokens": 100, "price": 0.1}"#, "price 0.1, tokens 100"),
            (
                r#"{"price": -1, "a b": 1, "Key": 1, "x": "1", "y": 1e13, "z": 0}"#,
                "z 0",
            ),
            ("[1]", ""),
        ] {
            assert_eq!(read(json).to_string(), shown, "{json}");
        }
        let mut sum = read(r#"{"price": 0.1}"#);
        sum.add(&read(r#"{"price": 0.2, "tokens": 7}"#));
        assert_eq!(sum.to_string(), "price 0.3, tokens 7");
    }
}
