//! The endgame positions 40 to 59 of the French Othello Federation, on which solvers are compared.

use games::othello::obf::{self, ObfPosition};

/// A line a position, in OBF, with the best moves and scores that the federation published.
const POSITIONS: &str = include_str!("ffo/ffo40-59.obf");

/// The positions with numbers from `first` to `last`.
pub fn positions(first: u32, last: u32) -> Vec<ObfPosition> {
    let problems = obf::read(POSITIONS).expect("a test reads the positions");
    let is_wanted = |problem: &ObfPosition| {
        let number = problem.name.parse();
        number.is_ok_and(|number: u32| (first..=last).contains(&number))
    };
    problems.into_iter().filter(is_wanted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_positions_each_with_its_score() {
        let all = positions(40, 59);
        assert_eq!(all.len(), 20);
        assert!(all.iter().all(|problem| problem.best_score().is_some()));
        assert_eq!(positions(50, 51)[0].best_score(), Some(10));
    }
}
