//! The tables of a run for its template.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::address;
use crate::web::index::{GameLine, Index};
use crate::web::view::points;
use message::number::signed;
use message::{Lang, Message};
use referee::record::Outcome;
use run::report::{GoalLine, Standings};
use stats::{Bounds, Decision, Sprt};
use tournament::Goal;

const PAIRS: usize = 50;
/// The most bots for which a crosstable is readable.
const CROSS: usize = 40;

/// The filters of the list of games, in an address; an empty value means any.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct GameQuery {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    bot: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    against: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    opening: String,
    /// `win`, `draw` or `loss` of `bot` (of black, if `bot` is empty); or `void`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    result: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    end: String,
    /// A fault, or `any`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    fault: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
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

    /// Returns whether a game matches. `bots` are the numbers of `bot` and `against`, `opening` the number of the
    /// opening.
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

    /// Returns the matching games in the order of their numbers.
    fn lines<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = GameLine> + 'a {
        let bots = [&self.bot, &self.against].map(|name| index.number(name));
        let opening = self.opening.parse().ok();
        let lines = index.lines.iter();
        lines.filter(move |line| self.fits(line, bots, opening))
    }
}

pub struct StandingRow {
    pub place: usize,
    pub name: String,
    pub query: String,
    pub games: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    pub score: String,
    pub elo: String,
    pub error: String,
    pub places: String,
    pub faults: u64,
    pub time: String,
    pub depth: String,
}

pub fn standings(standings: &Standings) -> Vec<StandingRow> {
    let ratings = standings.ratings();
    let row = |(place, bot): (usize, usize)| {
        let (line, rating) = (&standings.bots()[bot], &ratings[bot]);
        let score = line.score();
        let known = score.games() > 0;
        let number = |known: bool, text: String| if known { text } else { String::new() };
        StandingRow {
            place: place + 1,
            name: line.name.clone(),
            query: address(&line.name),
            games: score.games(),
            won: score.wins,
            drawn: score.draws,
            lost: score.losses,
            score: number(known, format!("{:.1} %", 100.0 * score.rate())),
            elo: number(known, signed(rating.elo, 0)),
            error: rating
                .error_95
                .filter(|_| known)
                .map_or(String::new(), |error| format!("{error:.0}")),
            places: number(known, rating.places_text()),
            faults: line.fault_count(),
            time: line.thinking.mean().map_or(String::new(), |time| {
                format!("{:.1} ms", time.as_secs_f64() * 1000.0)
            }),
            depth: line
                .mean_depth()
                .map_or(String::new(), |depth| format!("{depth:.1}")),
        }
    };
    standings
        .ranking()
        .into_iter()
        .enumerate()
        .map(row)
        .collect()
}

pub struct CrossRow {
    pub place: usize,
    pub name: String,
    pub cells: Vec<Option<CrossCell>>,
}

pub struct CrossCell {
    pub bot: String,
    pub against: String,
    pub points: String,
    pub label: String,
}

pub fn crosstable(standings: &Standings, lang: &Lang) -> Vec<CrossRow> {
    let mut ranking = standings.ranking();
    ranking.truncate(CROSS);
    let name = |bot: usize| standings.bots()[bot].name.as_str();
    let cell = |bot: usize, other: usize| {
        let pairing = standings.pairing(bot, other).filter(|_| bot != other)?;
        let score = pairing.score;
        let counts = [score.wins, score.draws, score.losses].map(|count| count.to_string());
        let points = format!("{}/{}", score.points(), score.games());
        let values = [
            ("points", points.as_str()),
            ("one", name(bot)),
            ("other", name(other)),
            ("won", &counts[0]),
            ("drawn", &counts[1]),
            ("lost", &counts[2]),
        ];
        Some(CrossCell {
            bot: address(name(bot)),
            against: address(name(other)),
            label: lang.with("cross.cell", &values),
            points,
        })
    };
    let row = |(place, &bot): (usize, &usize)| CrossRow {
        place: place + 1,
        name: name(bot).to_owned(),
        cells: ranking.iter().map(|&other| cell(bot, other)).collect(),
    };
    ranking.iter().enumerate().map(row).collect()
}

/// A match with a goal: the verdict of a sequential test, or a precise estimate of the Elo difference.
pub struct GoalShown {
    pub title: String,
    pub verdict: String,
    /// How long the match still takes; empty if that is not known, or nothing is missing.
    pub forecast: String,
    pub gauge: Option<Gauge>,
    pub heads: [&'static str; 6],
    pub counts: [u64; 6],
    pub text: String,
}

/// The gauge of a sequential test: 0 in the middle, its bounds at -100 and 100.
pub struct Gauge {
    pub label: String,
    pub x: String,
    pub width: String,
    pub at: String,
    pub llr: String,
    pub lower: String,
    pub upper: String,
}

impl GoalShown {
    pub fn of(goal: &GoalLine, lang: &Lang) -> GoalShown {
        let render = |lines: Vec<Message>| -> Vec<String> {
            lines.iter().map(|line| lang.render(line)).collect()
        };
        let lines = render(goal.text());
        let (title, verdict, gauge) = match &goal.goal {
            Goal::Decision(test) => {
                let llr = test.llr(&goal.pairs);
                let verdict = verdict(test.decision(llr), test, &goal.names, lang);
                let gauge = Gauge::of(llr, test.bounds(), lang);
                ("test.title", verdict, Some(gauge))
            }
            Goal::Precision(_) => ("test.precision", lines[..2].join(". "), None),
        };
        let pairs = &goal.pairs;
        GoalShown {
            title: lang.get(title).to_owned(),
            verdict,
            forecast: render(goal.forecast_text()).join(". "),
            gauge,
            heads: ["0", "½", "1 (W+L)", "1 (D+D)", "1½", "2"],
            counts: [pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww],
            text: lines.join("\n") + "\n",
        }
    }
}

fn verdict(decision: Decision, test: &Sprt, names: &[String; 2], lang: &Lang) -> String {
    let verdict = match decision {
        Decision::Undecided => "test.undecided",
        Decision::AcceptH1 => "test.h1",
        Decision::AcceptH0 => "test.h0",
    };
    let hypotheses = [test.elo0(), test.elo1()].map(|elo| elo.to_string());
    let values = [
        ("one", names[0].as_str()),
        ("other", &names[1]),
        ("elo0", &hypotheses[0]),
        ("elo1", &hypotheses[1]),
    ];
    lang.with(verdict, &values)
}

impl Gauge {
    fn of(llr: f64, bounds: Bounds, lang: &Lang) -> Gauge {
        let bound = if llr < 0.0 {
            -bounds.lower
        } else {
            bounds.upper
        };
        let at = (100.0 * llr / bound).clamp(-100.0, 100.0);
        let at = if at.is_finite() { at } else { 0.0 };
        let numbers = [llr, bounds.lower, bounds.upper].map(|number| format!("{number:.2}"));
        let label = [
            ("llr", numbers[0].as_str()),
            ("lower", &numbers[1]),
            ("upper", &numbers[2]),
        ];
        Gauge {
            label: lang.with("test.gauge", &label),
            x: format!("{:.1}", at.min(0.0)),
            width: format!("{:.1}", at.abs()),
            at: format!("{at:.1}"),
            llr: numbers[0].clone(),
            lower: format!("H0 {}", numbers[1]),
            upper: format!("H1 {}", numbers[2]),
        }
    }
}

pub struct FilterChoice {
    pub value: String,
    pub text: String,
    pub chosen: bool,
}

pub struct Filters {
    pub bots: Vec<FilterChoice>,
    pub against: Vec<FilterChoice>,
    pub openings: Vec<FilterChoice>,
    pub results: Vec<FilterChoice>,
    pub ends: Vec<FilterChoice>,
    pub faults: Vec<FilterChoice>,
}

impl Filters {
    pub fn of(index: &Index, asked: &GameQuery, lang: &Lang) -> Filters {
        let choice = |value: &str, text: &str, asked: &str| FilterChoice {
            value: value.to_owned(),
            text: text.to_owned(),
            chosen: value == asked,
        };
        let bots = |asked: &str| {
            let names = index.standings.bots().iter().map(|bot| bot.name.as_str());
            names.map(|name| choice(name, name, asked)).collect()
        };
        let ends: BTreeSet<&str> = index.lines.reasons().collect();
        let kinds = index
            .standings
            .bots()
            .iter()
            .flat_map(|bot| bot.faults.keys().copied());
        let kinds: BTreeSet<&str> = kinds.collect();
        let word = |word: &str, asked: &str| choice(word, lang.word("reason", word), asked);
        let results = ["win", "draw", "loss", "void"];
        let result = |word: &str| choice(word, lang.word("result", word), &asked.result);
        let any = choice("any", lang.get("games.any"), &asked.fault);
        Filters {
            bots: bots(&asked.bot),
            against: bots(&asked.against),
            openings: index
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
    /// `None`: the opening is only in the record.
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

pub struct GameList {
    pub found: String,
    pub pairs: Vec<PairRow>,
    pub pages: usize,
    pub place: String,
    pub previous: Option<String>,
    pub next: Option<String>,
}

impl PairRow {
    /// Returns a game of the pair if its opening must be read from the record.
    pub fn unread(&self) -> Option<u64> {
        let mut games = self.games.iter().flatten().map(|game| game.id);
        self.opening.is_none().then(|| games.next())?
    }
}

pub fn games(index: &Index, asked: &GameQuery, lang: &Lang) -> GameList {
    // Goes through the games twice, so that only the page's lines are kept.
    let (mut found, mut last, mut pairs) = (0_u64, None, 0);
    for line in asked.lines(index) {
        found += 1;
        pairs += usize::from(last.replace(line.id / 2) != Some(line.id / 2));
    }
    let pages = pairs.div_ceil(PAIRS).max(1);
    let page = asked.page.parse().unwrap_or(1).clamp(1, pages);
    let (mut last, mut place, first) = (None, 0, (page - 1) * PAIRS);
    let mut shown: Vec<PairRow> = Vec::new();
    for line in asked.lines(index) {
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
                opening: opening.map(|number| shortened(&index.openings[number])),
                games: [None, None],
            });
        }
        if let Some(row) = shown.last_mut() {
            row.games[(line.id % 2) as usize] = Some(cell(index, line, lang));
        }
    }
    let (at, all) = (page.to_string(), pages.to_string());
    GameList {
        found: lang.with("games.found", &[("games", &found.to_string())]),
        pairs: shown,
        pages,
        place: lang.with("games.page", &[("page", &at), ("pages", &all)]),
        previous: (page > 1).then(|| asked.query(page - 1)),
        next: (page < pages).then(|| asked.query(page + 1)),
    }
}

fn cell(index: &Index, line: GameLine, lang: &Lang) -> GameCell {
    let [black, white] = line.bots.map(|bot| index.name(bot).to_owned());
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
