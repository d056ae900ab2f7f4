//! Everybody's games against everybody: the tally behind standings and ratings.

use super::Score;
use super::bradley_terry::{Rating, ratings};

/// The scores between any number of bots, numbered from 0. Adding games in any order gives the same
/// table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    players: usize,
    /// `[i * players + j]`: i's score against j, kept for both sides.
    scores: Vec<Score>,
}

impl Crosstable {
    /// A table without games.
    pub fn new(players: usize) -> Crosstable {
        Crosstable {
            players,
            scores: vec![Score::default(); players * players],
        }
    }

    /// How many bots it holds.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games between two bots, seen from `i`.
    ///
    /// # Panics
    ///
    /// If the two are the same or not in the table.
    pub fn add(&mut self, i: usize, j: usize, score: Score) {
        assert!(i != j, "bot {i} cannot play itself");
        let (here, there) = (self.cell(i, j), self.cell(j, i));
        self.scores[here] += score;
        self.scores[there] += score.reversed();
    }

    /// The score of `i` against `j`; no games where they are the same.
    ///
    /// # Panics
    ///
    /// If one of them is not in the table.
    pub fn between(&self, i: usize, j: usize) -> Score {
        self.scores[self.cell(i, j)]
    }

    /// The score of `i` against the field.
    pub fn total(&self, i: usize) -> Score {
        (0..self.players).map(|j| self.between(i, j)).sum()
    }

    /// Every pairing that has been played, once, with the score seen from the bot named first, whose
    /// number is the lower.
    pub fn pairings(&self) -> impl Iterator<Item = (usize, usize, Score)> + '_ {
        let all = (0..self.players).flat_map(|i| (i + 1..self.players).map(move |j| (i, j)));
        all.map(|(i, j)| (i, j, self.between(i, j)))
            .filter(|(_, _, score)| score.games() > 0)
    }

    /// The Sonneborn–Berger score of `i`: the sum, over its games, of the points won times the
    /// points that the opponent has in the whole table. Of bots with equal points the one with more
    /// scored against stronger opponents.
    pub fn sonneborn_berger(&self, i: usize) -> f64 {
        let quality = |j: usize| self.between(i, j).points() * self.total(j).points();
        (0..self.players).map(quality).sum()
    }

    /// The Buchholz score of `i`: the sum, over its games, of the points that the opponent has in the
    /// whole table. Of bots with equal points the one with more had the harder way.
    pub fn buchholz(&self, i: usize) -> f64 {
        let hardness = |j: usize| self.between(i, j).games() as f64 * self.total(j).points();
        (0..self.players).map(hardness).sum()
    }

    /// Everybody's Bradley–Terry rating, see [`ratings`].
    pub fn ratings(&self) -> Vec<Rating> {
        let pairings: Vec<_> = self.pairings().collect();
        ratings(&pairings, self.players)
    }

    fn cell(&self, i: usize, j: usize) -> usize {
        assert!(
            i < self.players && j < self.players,
            "no bot {i} or {j} among {}",
            self.players
        );
        i * self.players + j
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Anna beat Ben, Ben drew with Cleo, Cleo beat Anna; Dora has not played.
    fn three() -> Crosstable {
        let mut table = Crosstable::new(4);
        table.add(0, 1, Score::new(1, 0, 0));
        table.add(1, 2, Score::new(0, 1, 0));
        table.add(2, 0, Score::new(1, 0, 0));
        table
    }

    #[test]
    fn both_sides_see_their_games() {
        let table = three();
        assert_eq!(table.between(1, 0), Score::new(0, 0, 1));
        assert_eq!(table.between(0, 3), Score::default());
        assert_eq!(table.total(2), Score::new(1, 1, 0));
        assert_eq!(
            table.pairings().collect::<Vec<_>>(),
            [
                (0, 1, Score::new(1, 0, 0)),
                (0, 2, Score::new(0, 0, 1)),
                (1, 2, Score::new(0, 1, 0)),
            ]
        );
    }

    #[test]
    fn tie_breaks_by_hand() {
        // Points: Anna 1, Ben ½, Cleo 1½.
        let table = three();
        let tie_breaks: Vec<(f64, f64)> = (0..4)
            .map(|i| (table.sonneborn_berger(i), table.buchholz(i)))
            .collect();
        assert_eq!(
            tie_breaks,
            [(0.5, 2.0), (0.75, 2.5), (1.25, 1.5), (0.0, 0.0)]
        );
    }

    #[test]
    fn the_winner_is_rated_first() {
        let ratings = three().ratings();
        assert!(ratings[2].elo > ratings[0].elo && ratings[0].elo > ratings[1].elo);
        assert!(ratings[3].elo.abs() < 1e-9);
    }

    #[test]
    #[should_panic(expected = "bot 1 cannot play itself")]
    fn nobody_plays_itself() {
        three().add(1, 1, Score::new(1, 0, 0));
    }
}
