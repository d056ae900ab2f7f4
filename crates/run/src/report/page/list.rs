//! The list of a run's games, with a few bytes for each game; its filters; and a page of pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use games::{Side, format_transcript};
use message::Lang;
use referee::record::{GameRecord, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::head::address;
use crate::report::Standings;

const PAIRS: usize = 50;

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

/// The lines of all games by their numbers: about fifty bytes for a game.
#[derive(Debug, Default)]
pub struct GameLines(BTreeMap<u64, GameLine>);

impl GameLines {
    pub fn get(&self, id: u64) -> Option<GameLine> {
        self.0.get(&id).copied()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = GameLine> {
        self.0.values().copied()
    }

    pub fn last(&self) -> Option<u64> {
        self.0.keys().next_back().copied()
    }

    pub fn beside(&self, id: u64) -> [Option<u64>; 2] {
        let before = self.0.range(..id).next_back();
        let after = self.0.range(id + 1..).next();
        [before, after].map(|game| game.map(|(id, _)| *id))
    }

    pub fn reasons(&self) -> BTreeSet<&'static str> {
        self.iter().map(|line| line.reason).collect()
    }
}

/// At most this many openings are kept. The filter of the game list offers these.
const OPENINGS: usize = 200;

#[derive(Debug, Default)]
pub struct GameList {
    pub lines: GameLines,
    /// The first [`OPENINGS`] openings, as transcripts. Further openings of the run are only in its record.
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
        let line = GameLine {
            id: record.id.0,
            bots: [0, 1].map(|side| self.numbers[&record.players[side]]),
            outcome: record.verdict.outcome(),
            reason: record.verdict.reason(),
            at_fault: Side::BOTH.map(|side| record.verdict.fault_of(side).is_some()),
            plies: (record.opening.len() + record.plies.len()) as u16,
            opening: known.map(|number| number as u8),
        };
        self.lines.0.insert(line.id, line);
    }

    pub fn name(&self, bot: u16) -> &str {
        &self.names[usize::from(bot)]
    }

    pub fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }
}

/// The filters of the list of games, from the query of an address. An empty value matches every game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
        let mut all = json!(self);
        all["page"] = json!(page.to_string());
        let given = all.as_object().into_iter().flatten();
        let given = given.filter_map(|(name, value)| Some((name, value.as_str()?)));
        let given = given.filter(|(_, value)| !value.is_empty());
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
            | ("loss", Outcome::DoubleForfeit) => true,
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

/// The fields of the form: the name, the key of the label, and the choices of each.
#[derive(Default)]
pub struct Filters(pub Vec<(&'static str, &'static str, Vec<FilterChoice>)>);

impl Filters {
    pub fn of(list: &GameList, standings: &Standings, asked: &GameQuery, lang: &Lang) -> Filters {
        let same = |name: &String| (name.clone(), name.clone());
        let names = || list.names.iter().map(same).collect();
        let opening = |(number, moves): (usize, &String)| {
            let text = format!("{} {}", number + 1, shortened(moves));
            (number.to_string(), text)
        };
        let words = |kind: &str, words: &[&str]| -> Vec<(String, String)> {
            let text = |&word: &&str| (word.to_owned(), lang.word(kind, word).to_owned());
            words.iter().map(text).collect()
        };
        let ends: Vec<&str> = list.lines.reasons().into_iter().collect();
        let bots = standings.bots().iter();
        let kinds: BTreeSet<&str> = bots.flat_map(|bot| bot.faults.keys().copied()).collect();
        let kinds: Vec<&str> = kinds.into_iter().collect();
        let any = ("any".to_owned(), lang.get("games.any").to_owned());
        let all = [
            ("bot", "standings.bot", &asked.bot, names()),
            ("against", "games.against", &asked.against, names()),
            (
                "opening",
                "games.opening",
                &asked.opening,
                list.openings.iter().enumerate().map(opening).collect(),
            ),
            (
                "result",
                "games.result",
                &asked.result,
                words("result", &["win", "draw", "loss", "void"]),
            ),
            ("end", "games.end", &asked.end, words("reason", &ends)),
            (
                "fault",
                "games.fault",
                &asked.fault,
                [vec![any], words("reason", &kinds)].concat(),
            ),
        ];
        let choices = |asked: &str, choices: Vec<(String, String)>| {
            let choice = |(value, text): (String, String)| FilterChoice {
                chosen: value == asked,
                value,
                text,
            };
            choices.into_iter().map(choice).collect()
        };
        Filters(
            all.map(|(name, label, asked, all)| (name, label, choices(asked, all)))
                .into(),
        )
    }

    pub fn is_empty(&self) -> bool {
        let mut ends = self.0.iter().filter(|(name, ..)| *name == "end");
        ends.all(|(.., choices)| choices.is_empty())
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
    /// Whether only lost games are listed.
    pub are_lost: bool,
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
    GamePart {
        found,
        are_lost: asked.result == "loss",
        pairs: shown,
        pages,
        place: lang.with("games.page", &[("page", &page), ("pages", &pages)]),
        previous: (page > 1).then(|| asked.query(page - 1)),
        next: (page < pages).then(|| asked.query(page + 1)),
    }
}

fn cell(list: &GameList, line: GameLine, lang: &Lang) -> GameCell {
    let [black, white] = line.bots.map(|bot| list.name(bot).to_owned());
    let class = match line.outcome {
        Outcome::Win(_) => "won",
        Outcome::Draw => "drawn",
        Outcome::DoubleForfeit => "fault",
        Outcome::Void => "void",
    };
    let is_fault = line.at_fault != [false; 2];
    let how = lang.word("reason", line.reason);
    GameCell {
        id: line.id,
        black,
        white,
        points: points(line.outcome),
        how: lang.with("games.how", &[("how", &how), ("plies", &line.plies)]),
        class: if is_fault { "fault" } else { class },
    }
}

pub const fn points(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Side::Black) => "1–0",
        Outcome::Win(Side::White) => "0–1",
        Outcome::Draw => "½–½",
        Outcome::DoubleForfeit => "0–0",
        Outcome::Void => "–",
    }
}
