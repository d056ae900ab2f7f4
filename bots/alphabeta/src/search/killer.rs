//! Killer moves: what refuted a sister position probably refutes this one.

use super::types::Move;

/// The last two moves that cut off, for every ply below the root.
#[derive(Clone, Debug, Default)]
pub struct Killers {
    by_ply: Vec<[Move; 2]>,
}

impl Killers {
    /// The killers of a ply; [`Move::NONE`] where there are fewer than two.
    #[inline]
    pub fn at(&self, ply: usize) -> [Move; 2] {
        self.by_ply.get(ply).copied().unwrap_or([Move::NONE; 2])
    }

    /// `played` has cut off at `ply`.
    #[inline]
    pub fn add(&mut self, ply: usize, played: Move) {
        if ply >= self.by_ply.len() {
            self.by_ply.resize(ply + 1, [Move::NONE; 2]);
        }
        let killers = &mut self.by_ply[ply];
        if killers[0] != played {
            *killers = [played, killers[0]];
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.by_ply.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_different_killers_are_kept() {
        let mut killers = Killers::default();
        assert_eq!(killers.at(3), [Move::NONE; 2]);
        for played in [1, 2, 2, 5] {
            killers.add(3, Move(played));
        }
        assert_eq!(killers.at(3), [Move(5), Move(2)]);
        assert_eq!(killers.at(2), [Move::NONE; 2]);
    }
}
