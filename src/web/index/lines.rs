//! A line for each game of a run, in ten bytes, so that a run of a million games is listed from memory.
//!
//! Games are numbered almost without gaps, so their lines stand in blocks by their numbers.

use std::collections::BTreeMap;

use games::Side;

use referee::record::Outcome;

/// Games of a block.
const BLOCK: u64 = 64;

/// A game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number.
    pub id: u64,
    /// The bots, black's first, by their numbers in the standings.
    pub bots: [u16; 2],
    /// Who won.
    pub outcome: Outcome,
    /// The word for how it ended.
    pub reason: &'static str,
    /// Which sides are at fault.
    pub at_fault: [bool; 2],
    /// Half-moves, the opening's included.
    pub plies: u16,
    /// The number of its opening among those that are known by number, from 0.
    pub opening: Option<u8>,
}

/// The lines of all games, by number.
#[derive(Debug, Default)]
pub struct Lines {
    blocks: BTreeMap<u64, Block>,
    /// The words for how games ended, each with the number of its games.
    reasons: Vec<(&'static str, u64)>,
}

type Block = Box<[Packed; BLOCK as usize]>;

/// A line without its number and words.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    bots: [u16; 2],
    plies: u16,
    reason: u8,
    /// [`NO_OPENING`]: it has no number.
    opening: u8,
    /// Who won, in the lowest three bits; 0 is no game. Then a bit for each side that is at fault.
    end: u8,
}

/// The number of an opening that has none.
const NO_OPENING: u8 = u8::MAX;
/// From 1, in the order of their numbers.
const OUTCOMES: [Outcome; 5] = [
    Outcome::Win(Side::Black),
    Outcome::Win(Side::White),
    Outcome::Draw,
    Outcome::NobodyScores,
    Outcome::Void,
];

impl Lines {
    /// Adds a line; one with the same number is replaced.
    pub fn insert(&mut self, line: Line) {
        if let Some(before) = self.get(line.id) {
            let known = self.reasons.iter_mut();
            let counts = known.filter(|(reason, _)| *reason == before.reason);
            counts.for_each(|(_, games)| *games -= 1);
        }
        let known = self.reasons.iter();
        let known = known
            .map(|(reason, _)| *reason)
            .position(|one| one == line.reason);
        let reason = known.unwrap_or_else(|| {
            self.reasons.push((line.reason, 0));
            self.reasons.len() - 1
        });
        self.reasons[reason].1 += 1;
        let outcome = OUTCOMES.iter().position(|one| *one == line.outcome);
        let [black, white] = line.at_fault.map(u8::from);
        let block = self.blocks.entry(line.id / BLOCK);
        let block = block.or_insert_with(|| Box::new([Packed::default(); BLOCK as usize]));
        block[(line.id % BLOCK) as usize] = Packed {
            bots: line.bots,
            plies: line.plies,
            // There are some thirty words.
            reason: reason as u8,
            opening: line.opening.unwrap_or(NO_OPENING),
            end: outcome.map_or(0, |outcome| outcome as u8 + 1) | black << 3 | white << 4,
        };
    }

    /// The line of a game.
    pub fn get(&self, id: u64) -> Option<Line> {
        let block = self.blocks.get(&(id / BLOCK))?;
        self.line(id, block[(id % BLOCK) as usize])
    }

    fn line(&self, id: u64, packed: Packed) -> Option<Line> {
        let outcome = usize::from(packed.end & 0b111).checked_sub(1)?;
        Some(Line {
            id,
            bots: packed.bots,
            outcome: OUTCOMES[outcome],
            reason: self.reasons[usize::from(packed.reason)].0,
            at_fault: [3, 4].map(|bit| packed.end >> bit & 1 == 1),
            plies: packed.plies,
            opening: Some(packed.opening).filter(|&opening| opening != NO_OPENING),
        })
    }

    /// All lines in the order of their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Line> {
        self.of_blocks(0..=u64::MAX)
    }

    fn of_blocks(
        &self,
        blocks: std::ops::RangeInclusive<u64>,
    ) -> impl DoubleEndedIterator<Item = Line> {
        self.blocks.range(blocks).flat_map(move |(&block, lines)| {
            (lines.iter().enumerate())
                .filter_map(move |(at, &packed)| self.line(block * BLOCK + at as u64, packed))
        })
    }

    /// The largest number.
    pub fn last(&self) -> Option<u64> {
        self.iter().next_back().map(|line| line.id)
    }

    /// The numbers of the games before and after this one.
    pub fn beside(&self, id: u64) -> [Option<u64>; 2] {
        let before = self.of_blocks(0..=id / BLOCK).map(|line| line.id);
        let mut after = self.of_blocks(id / BLOCK..=u64::MAX).map(|line| line.id);
        [
            before.rev().find(|&before| before < id),
            after.find(|&after| after > id),
        ]
    }

    /// The words for how games ended.
    pub fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let played = self.reasons.iter().filter(|(_, games)| *games > 0);
        played.map(|(reason, _)| *reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64, outcome: Outcome, reason: &'static str) -> Line {
        Line {
            id,
            bots: [7, 300],
            outcome,
            reason,
            at_fault: [id.is_multiple_of(2), id.is_multiple_of(3)],
            plies: 361,
            opening: (id != 5).then_some(id as u8),
        }
    }

    #[test]
    fn lines_come_back_as_they_were_in_the_order_of_their_numbers() {
        let mut lines = Lines::default();
        let ids = [5, 64, 0, 63, 1000, 129];
        for (id, outcome) in ids.into_iter().zip(OUTCOMES.into_iter().cycle()) {
            lines.insert(line(id, outcome, "discs"));
        }
        let mut ordered = ids;
        ordered.sort_unstable();
        let listed: Vec<_> = lines.iter().map(|line| line.id).collect();
        assert_eq!(listed, ordered);
        for (id, outcome) in ids.into_iter().zip(OUTCOMES.into_iter().cycle()) {
            assert_eq!(lines.get(id), Some(line(id, outcome, "discs")), "{id}");
        }
        assert_eq!((lines.get(6), lines.get(5000)), (None, None));
        assert_eq!(lines.last(), Some(1000));
        assert_eq!(lines.beside(64), [Some(63), Some(129)]);
        assert_eq!(lines.beside(0), [None, Some(5)]);
        assert_eq!(lines.beside(1000), [Some(129), None]);
    }

    /// A void game that was played again.
    #[test]
    fn a_line_is_replaced_with_its_word() {
        let mut lines = Lines::default();
        lines.insert(line(1, Outcome::Void, "void"));
        lines.insert(line(2, Outcome::Draw, "discs"));
        lines.insert(line(1, Outcome::Draw, "discs"));
        assert_eq!(lines.reasons().collect::<Vec<_>>(), ["discs"]);
        assert_eq!(lines.iter().count(), 2);
    }

    /// What a run of a million games takes.
    #[test]
    fn a_line_takes_ten_bytes() {
        assert_eq!(size_of::<Packed>(), 10);
    }
}
