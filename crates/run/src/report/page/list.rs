//! The list of a run's games, with a few bytes for each game; its filters; and a page of pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use games::{Side, format_transcript};
use message::Lang;
use referee::record::{GameRecord, Outcome};
use serde::Deserialize;

use super::head::address;
use crate::report::Standings;

const PAIRS: usize = 50;
const BLOCK: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLine {
    pub id: u64,
    /// The numbers of the bots in the standings, black's first.
    pub bots: [u16; 2],
    pub outcome: Outcome,
    pub reason: &'static str,
    pub at_fault: [bool; 2],
    /// The number of half-moves, including those of the opening.
    pub plies: u16,
    /// The index in [`GameList::openings`], if the opening is there.
    pub opening: Option<u8>,
}

/// The lines of all games, ten bytes each, in blocks by the game's number. A million games fit in memory.
#[derive(Debug, Default)]
pub struct GameLines {
    blocks: BTreeMap<u64, Block>,
    /// How games ended: each word with its number of games.
    reasons: Vec<(&'static str, u64)>,
}

type Block = Box<[Packed; BLOCK as usize]>;

/// A [`GameLine`] in few bytes: without the game's number, and with indices instead of words.
#[derive(Clone, Copy, Debug, Default)]
struct Packed {
    bots: [u16; 2],
    plies: u16,
    reason: u8,
    /// The index of the opening, or [`NO_OPENING`].
    opening: u8,
    /// Three bits for the outcome (0: no game), then one bit per side: whether it is at fault.
    end: u8,
}

const NO_OPENING: u8 = u8::MAX;
/// The outcomes. The bits in [`Packed::end`] hold the index plus 1.
const OUTCOMES: [Outcome; 5] = [
    Outcome::Win(Side::Black),
    Outcome::Win(Side::White),
    Outcome::Draw,
    Outcome::NobodyScores,
    Outcome::Void,
];

impl GameLines {
    /// Adds a line, or replaces the line of the same game.
    pub fn insert(&mut self, line: GameLine) {
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
            // There are about thirty reasons, so a byte is enough.
            reason: reason as u8,
            opening: line.opening.unwrap_or(NO_OPENING),
            end: outcome.map_or(0, |outcome| outcome as u8 + 1) | black << 3 | white << 4,
        };
    }

    pub fn get(&self, id: u64) -> Option<GameLine> {
        let block = self.blocks.get(&(id / BLOCK))?;
        self.line(id, block[(id % BLOCK) as usize])
    }

    fn line(&self, id: u64, packed: Packed) -> Option<GameLine> {
        let outcome = usize::from(packed.end & 0b111).checked_sub(1)?;
        Some(GameLine {
            id,
            bots: packed.bots,
            outcome: OUTCOMES[outcome],
            reason: self.reasons[usize::from(packed.reason)].0,
            at_fault: [3, 4].map(|bit| packed.end >> bit & 1 == 1),
            plies: packed.plies,
            opening: Some(packed.opening).filter(|&opening| opening != NO_OPENING),
        })
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = GameLine> {
        self.of_blocks(0..=u64::MAX)
    }

    fn of_blocks(
        &self,
        blocks: std::ops::RangeInclusive<u64>,
    ) -> impl DoubleEndedIterator<Item = GameLine> {
        self.blocks.range(blocks).flat_map(move |(&block, lines)| {
            (lines.iter().enumerate())
                .filter_map(move |(at, &packed)| self.line(block * BLOCK + at as u64, packed))
        })
    }

    pub fn last(&self) -> Option<u64> {
        self.iter().next_back().map(|line| line.id)
    }

    pub fn beside(&self, id: u64) -> [Option<u64>; 2] {
        let before = self.of_blocks(0..=id / BLOCK).map(|line| line.id);
        let mut after = self.of_blocks(id / BLOCK..=u64::MAX).map(|line| line.id);
        [
            before.rev().find(|&before| before < id),
            after.find(|&after| after > id),
        ]
    }

    pub fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let played = self.reasons.iter().filter(|(_, games)| *games > 0);
        played.map(|(reason, _)| *reason)
    }
}

/// At most this many openings are kept. The filter of the game list offers these.
const OPENINGS: usize = 200;

#[derive(Debug, Default)]
pub struct GameList {
    pub lines: GameLines,
    /// The first [`OPENINGS`] openings, as transcripts. A run may have one per pair; the others are only in the record.
    pub openings: Vec<String>,
    names: Vec<String>,
    numbers: HashMap<String, u16>,
}

impl GameList {
    /// Adds or replaces a game that `standings` have already counted. Bots have their numbers in `standings`.
    pub fn add(&mut self, record: &GameRecord, standings: &Standings) {
        for bot in standings.bots().iter().skip(self.names.len()) {
            self.numbers
                .insert(bot.name.clone(), self.names.len() as u16);
            self.names.push(bot.name.clone());
        }
        let opening = format_transcript(&record.opening);
        let known = self.openings.iter().position(|known| *known == opening);
        let known = known.or_else(|| {
            let next = self.openings.len();
            (next < OPENINGS).then(|| {
                self.openings.push(opening);
                next
            })
        });
        self.lines.insert(GameLine {
            id: record.id.0,
            bots: [0, 1].map(|side| self.numbers[&record.players[side]]),
            outcome: record.verdict.outcome(),
            reason: record.verdict.reason(),
            at_fault: Side::BOTH.map(|side| record.verdict.fault_of(side).is_some()),
            plies: (record.opening.len() + record.plies.len()) as u16,
            opening: known.map(|number| number as u8),
        });
    }

    pub fn name(&self, bot: u16) -> &str {
        &self.names[usize::from(bot)]
    }

    pub fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }
}

/// The filters of the list of games, from the query of an address. An empty value matches every game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct GameQuery {
    bot: String,
    against: String,
    opening: String,
    /// `win`, `draw` or `loss`, from the view of `bot` (of black, if `bot` is empty); or `void`.
    result: String,
    end: String,
    /// A fault, or `any`.
    fault: String,
    page: String,
}

impl GameQuery {
    fn query(&self, page: usize) -> String {
        let all = [
            ("bot", &self.bot),
            ("against", &self.against),
            ("opening", &self.opening),
            ("result", &self.result),
            ("end", &self.end),
            ("fault", &self.fault),
            ("page", &page.to_string()),
        ];
        let given = all.iter().filter(|(_, value)| !value.is_empty());
        let parts = given.map(|(name, value)| format!("{name}={}", address(value)));
        parts.collect::<Vec<_>>().join("&")
    }

    /// Returns whether a game matches. `bots`: the numbers of `bot` and `against`; `opening`: the opening's index.
    fn fits(&self, line: &GameLine, bots: [Option<u16>; 2], opening: Option<u8>) -> bool {
        let [bot, against] = bots;
        let plays = |bot: u16| line.bots.contains(&bot);
        if !self.bot.is_empty() && !bot.is_some_and(plays)
            || !self.against.is_empty() && !against.is_some_and(plays)
        {
            return false;
        }
        if !self.opening.is_empty() && (opening.is_none() || opening != line.opening) {
            return false;
        }
        if !self.end.is_empty() && self.end != line.reason {
            return false;
        }
        let side = bot.and_then(|bot| line.bots.iter().position(|one| *one == bot));
        let is_at_fault = match side {
            Some(side) => line.at_fault[side],
            None => line.at_fault != [false; 2],
        };
        let is_fault =
            self.fault == "any" || self.fault == line.reason || line.reason == "both-failed";
        let is_wanted = self.fault.is_empty() || is_at_fault && is_fault;
        if !is_wanted {
            return false;
        }
        let side = side.unwrap_or(0);
        match (self.result.as_str(), line.outcome) {
            ("", _)
            | ("draw", Outcome::Draw)
            | ("void", Outcome::Void)
            | ("loss", Outcome::NobodyScores) => true,
            ("win", Outcome::Win(winner)) => winner.index() == side,
            ("loss", Outcome::Win(winner)) => winner.index() != side,
            _ => false,
        }
    }

    fn lines<'a>(&'a self, games: &'a GameList) -> impl Iterator<Item = GameLine> + 'a {
        let bots = [&self.bot, &self.against].map(|name| games.number(name));
        let opening = self.opening.parse().ok();
        let lines = games.lines.iter();
        lines.filter(move |line| self.fits(line, bots, opening))
    }
}

pub struct FilterChoice {
    pub value: String,
    pub text: String,
    pub chosen: bool,
}

#[derive(Default)]
pub struct Filters {
    pub bots: Vec<FilterChoice>,
    pub against: Vec<FilterChoice>,
    pub openings: Vec<FilterChoice>,
    pub results: Vec<FilterChoice>,
    pub ends: Vec<FilterChoice>,
    pub faults: Vec<FilterChoice>,
}

impl Filters {
    pub fn of(list: &GameList, standings: &Standings, asked: &GameQuery, lang: &Lang) -> Filters {
        let choice = |value: &str, text: &str, asked: &str| FilterChoice {
            value: value.to_owned(),
            text: text.to_owned(),
            chosen: value == asked,
        };
        let bots = |asked: &str| {
            let names = list.names.iter().map(String::as_str);
            names.map(|name| choice(name, name, asked)).collect()
        };
        let ends: BTreeSet<&str> = list.lines.reasons().collect();
        let bots_of_run = standings.bots().iter();
        let kinds = bots_of_run.flat_map(|bot| bot.faults.keys().copied());
        let kinds: BTreeSet<&str> = kinds.collect();
        let word = |word: &str, asked: &str| choice(word, lang.word("reason", word), asked);
        let results = ["win", "draw", "loss", "void"];
        let result = |word: &str| choice(word, lang.word("result", word), &asked.result);
        let any = choice("any", lang.get("games.any"), &asked.fault);
        Filters {
            bots: bots(&asked.bot),
            against: bots(&asked.against),
            openings: list
                .openings
                .iter()
                .enumerate()
                .map(|(number, moves)| {
                    let text = format!("{} {}", number + 1, shortened(moves));
                    choice(&number.to_string(), &text, &asked.opening)
                })
                .collect(),
            results: results.into_iter().map(result).collect(),
            ends: ends.into_iter().map(|end| word(end, &asked.end)).collect(),
            faults: std::iter::once(any)
                .chain(kinds.into_iter().map(|kind| word(kind, &asked.fault)))
                .collect(),
        }
    }
}

pub fn shortened(moves: &str) -> String {
    match moves.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", &moves[..end]),
        None => moves.to_owned(),
    }
}

pub struct PairRow {
    pub number: u64,
    /// `None` if the opening is only in the record.
    pub opening: Option<String>,
    pub games: [Option<GameCell>; 2],
}

pub struct GameCell {
    pub id: u64,
    pub black: String,
    pub white: String,
    pub points: &'static str,
    pub how: String,
    pub class: &'static str,
}

#[derive(Default)]
pub struct GamePart {
    pub found: u64,
    pub pairs: Vec<PairRow>,
    pub pages: usize,
    pub place: String,
    pub previous: Option<String>,
    pub next: Option<String>,
}

impl PairRow {
    /// Returns one game of the pair if the opening must be read from the record.
    pub fn unread(&self) -> Option<u64> {
        let mut games = self.games.iter().flatten().map(|game| game.id);
        self.opening.is_none().then(|| games.next())?
    }
}

pub fn games(list: &GameList, asked: &GameQuery, lang: &Lang) -> GamePart {
    // Iterates over the games twice, to keep only the lines of the page.
    let (mut found, mut last, mut pairs) = (0_u64, None, 0);
    for line in asked.lines(list) {
        found += 1;
        pairs += usize::from(last.replace(line.id / 2) != Some(line.id / 2));
    }
    let pages = pairs.div_ceil(PAIRS).max(1);
    let page = asked.page.parse().unwrap_or(1).clamp(1, pages);
    let (mut last, mut place, first) = (None, 0, (page - 1) * PAIRS);
    let mut shown: Vec<PairRow> = Vec::new();
    for line in asked.lines(list) {
        place += usize::from(last.replace(line.id / 2) != Some(line.id / 2));
        if place <= first {
            continue;
        }
        if place > first + PAIRS {
            break;
        }
        if shown.len() < place - first {
            let opening = line.opening.map(usize::from);
            shown.push(PairRow {
                number: line.id / 2 + 1,
                opening: opening.map(|number| shortened(&list.openings[number])),
                games: [None, None],
            });
        }
        if let Some(row) = shown.last_mut() {
            row.games[(line.id % 2) as usize] = Some(cell(list, line, lang));
        }
    }
    let (at, all) = (page.to_string(), pages.to_string());
    GamePart {
        found,
        pairs: shown,
        pages,
        place: lang.with("games.page", &[("page", &at), ("pages", &all)]),
        previous: (page > 1).then(|| asked.query(page - 1)),
        next: (page < pages).then(|| asked.query(page + 1)),
    }
}

fn cell(list: &GameList, line: GameLine, lang: &Lang) -> GameCell {
    let [black, white] = line.bots.map(|bot| list.name(bot).to_owned());
    let class = match line.outcome {
        Outcome::Win(_) => "won",
        Outcome::Draw => "drawn",
        Outcome::NobodyScores => "fault",
        Outcome::Void => "void",
    };
    let is_fault = line.at_fault != [false; 2];
    let plies = line.plies.to_string();
    GameCell {
        id: line.id,
        black,
        white,
        points: points(line.outcome),
        how: lang.with(
            "games.how",
            &[("how", lang.word("reason", line.reason)), ("plies", &plies)],
        ),
        class: if is_fault { "fault" } else { class },
    }
}

pub const fn points(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::Black) => "1–0",
        Outcome::Win(Side::White) => "0–1",
        Outcome::Draw => "½–½",
        Outcome::NobodyScores => "0–0",
        Outcome::Void => "–",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64, outcome: Outcome, reason: &'static str) -> GameLine {
        GameLine {
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
        let mut lines = GameLines::default();
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

    #[test]
    fn a_line_is_replaced_with_its_word() {
        let mut lines = GameLines::default();
        lines.insert(line(1, Outcome::Void, "void"));
        lines.insert(line(2, Outcome::Draw, "discs"));
        lines.insert(line(1, Outcome::Draw, "discs"));
        assert_eq!(lines.reasons().collect::<Vec<_>>(), ["discs"]);
        assert_eq!(lines.iter().count(), 2);
    }

    #[test]
    fn a_line_takes_ten_bytes() {
        assert_eq!(size_of::<Packed>(), 10);
    }
}
