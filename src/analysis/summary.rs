//! Summarises the analyses of many games for each bot: its loss per move and its blunders, also in each phase.
//!
//! Each game counts as one value, because the moves of one game depend on each other: the intervals are those of
//! means over games. [`summaries`] sorts by the loss, and [`BotSummary::advice`] says what to work on.

use std::collections::BTreeMap;

use games::{Move, Scoring, Side};
use message::number::rounded;
use message::width::{cut, left, lines, right};
use message::{Lang, Message, message};
use serde_json::{Value, json};
use stats::Mean;

use super::{Analysis, GameMoves, JudgedPly, Remark, Settings};

#[derive(Clone, Debug)]
pub struct AnalysedGame {
    pub players: [String; 2],
    pub played: GameMoves,
    pub winner: Option<Side>,
    pub analysis: Analysis,
}

/// The fewest games for calling a phase the worst.
const FEWEST: usize = 5;

pub const PHASES: [&str; 3] = ["opening", "middle", "end"];

/// Returns the index in [`PHASES`] of half-move `ply`, counted from 1. In Othello, the opening has more than 40 empty
/// squares and the end at most 20; in Gomoku, phases are thirds of the game's half-moves.
fn phase(played: &GameMoves, scoring: Scoring, ply: usize) -> usize {
    match scoring {
        Scoring::Discs => {
            let before = played.moves[..ply - 1].iter();
            let discs = before.filter(|one| matches!(one, Move::Place(_))).count();
            match usize::from(played.start.empties()).saturating_sub(discs) {
                41.. => 0,
                21..=40 => 1,
                _ => 2,
            }
        }
        Scoring::Win => 3 * (ply - 1) / played.moves.len(),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct PhaseSummary {
    pub loss: Option<Mean>,
    /// The share of this phase in the loss of all games.
    pub share: f64,
    pub blunders: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BotSummary {
    pub bot: String,
    pub scoring: Scoring,
    /// The mean loss of a move, in discs or in chances of winning.
    pub loss: Mean,
    pub blunders: Mean,
    pub phases: [PhaseSummary; 3],
    /// The number of moves that gave away a proven win.
    pub missed: usize,
    /// The number of moves that allowed a forced win of the opponent.
    pub allowed: usize,
    pub not_won: usize,
    /// The number of games that the bot did not win although it had a proven win.
    pub thrown_away: usize,
}

struct OwnMoves<'a> {
    moves: Vec<(usize, &'a JudgedPly)>,
    is_won: bool,
}

/// Summarises the games for each bot; the bot with the least loss comes first. The games must have the same scoring.
pub fn summaries(games: &[AnalysedGame]) -> Vec<BotSummary> {
    let mut bots: BTreeMap<&str, Vec<OwnMoves<'_>>> = BTreeMap::new();
    let Some(scoring) = games.first().map(|game| game.analysis.game.scoring()) else {
        return Vec::new();
    };
    for game in games {
        let [black, white] = game.players.each_ref().map(String::as_str);
        let names = if black == white {
            vec![black]
        } else {
            vec![black, white]
        };
        for name in names {
            let is_own = |side: Side| game.players[side.index()] == name;
            let own = game.analysis.plies.iter().filter(|ply| is_own(ply.side));
            let moves: Vec<_> = own
                .map(|ply| (phase(&game.played, scoring, ply.ply), ply))
                .collect();
            let is_won = game.winner.is_some_and(is_own);
            if !moves.is_empty() {
                let of_bot = bots.entry(name).or_default();
                of_bot.push(OwnMoves { moves, is_won });
            }
        }
    }
    let summed = bots.into_iter();
    let mut summed: Vec<_> = summed
        .filter_map(|(bot, games)| BotSummary::of(bot, scoring, &games))
        .collect();
    summed.sort_by(|a, b| a.loss.mean.total_cmp(&b.loss.mean));
    summed
}

impl BotSummary {
    fn of(bot: &str, scoring: Scoring, games: &[OwnMoves<'_>]) -> Option<BotSummary> {
        let of_games = |value: &dyn Fn(&OwnMoves<'_>) -> Option<f64>| {
            Mean::of(&games.iter().filter_map(value).collect::<Vec<f64>>())
        };
        let every = || games.iter().flat_map(|game| &game.moves);
        let count = |is: &dyn Fn(&JudgedPly) -> bool| every().filter(|(_, ply)| is(ply)).count();
        let blunders = |game: &OwnMoves<'_>| {
            let blunders = game.moves.iter().filter(|(_, ply)| ply.is_blunder(scoring));
            Some(blunders.count() as f64)
        };
        let all: f64 = every().map(|(_, ply)| ply.cost).sum();
        let phases = [0, 1, 2].map(|phase| {
            let is_here = move |(at, _): &&(usize, &JudgedPly)| *at == phase;
            let here = || every().filter(is_here);
            PhaseSummary {
                loss: of_games(&|game| mean_loss(game.moves.iter().filter(is_here))),
                share: here().fold(0.0, |sum, (_, ply)| sum + ply.cost)
                    / all.max(f64::MIN_POSITIVE),
                blunders: here().filter(|(_, ply)| ply.is_blunder(scoring)).count(),
            }
        });
        let has_missed = |game: &OwnMoves<'_>| game.moves.iter().any(|(_, ply)| ply.missed_win());
        let not_won = games.iter().filter(|game| !game.is_won);
        Some(BotSummary {
            bot: bot.to_owned(),
            scoring,
            loss: of_games(&|game| mean_loss(game.moves.iter()))?,
            blunders: of_games(&blunders)?,
            phases,
            missed: count(&JudgedPly::missed_win),
            allowed: count(&|ply| matches!(ply.remark, Some(Remark::AllowedWin(_)))),
            not_won: not_won.clone().count(),
            thrown_away: not_won.filter(|game| has_missed(game)).count(),
        })
    }

    /// Returns the phase whose interval of the mean loss is above the intervals of the others; `None` if there is none.
    fn worst_phase(&self) -> Option<usize> {
        let interval = |phase: usize| {
            let loss = self.phases[phase].loss.filter(|loss| loss.count >= FEWEST);
            loss.and_then(|loss| loss.interval())
        };
        (0..3).find(|&phase| {
            let mut others = (0..3).filter(|other| *other != phase);
            interval(phase).is_some_and(|[least, _]| {
                others.all(|other| interval(other).is_some_and(|[_, most]| most < least))
            })
        })
    }

    pub fn advice(&self) -> Message {
        let (bot, missed, allowed) = (self.bot.as_str(), self.missed, self.allowed);
        if missed + allowed > 0 && self.scoring == Scoring::Win {
            let advice = Message::from(match missed.cmp(&allowed) {
                std::cmp::Ordering::Less => {
                    "before each move, search for fours and open threes of the opponent"
                }
                std::cmp::Ordering::Equal => "search for fours and open threes of both sides",
                std::cmp::Ordering::Greater => "search for its own fours and open threes first",
            });
            return message!("{bot}: forced wins missed {missed}, allowed {allowed}: {advice}");
        }
        if let Some(phase) = self.worst_phase() {
            let share = format!("{:.0}", 100.0 * self.phases[phase].share);
            let (place, advice) = match (self.scoring, phase) {
                (_, 0) => ("in the opening", "look at its first moves"),
                (_, 1) => (
                    "in the middle of the game",
                    "look at its evaluation and its depth there",
                ),
                (Scoring::Discs, _) => {
                    ("with at most 20 empty squares", "search deeper at the end")
                }
                (Scoring::Win, _) => ("at the end of the game", "search deeper there"),
            };
            let [place, advice] = [place, advice].map(Message::from);
            return message!("{bot}: {share} % of its loss comes from moves {place}: {advice}");
        }
        match missed {
            0 => message!("{bot}: no phase costs clearly more than the others in these games"),
            _ => message!("{bot}: proven wins missed {missed}: search deeper at the end"),
        }
    }

    pub fn cells(&self) -> [String; 6] {
        [
            self.bot.clone(),
            self.loss.count.to_string(),
            self.losses(Some(self.loss)),
            with_error(Some(self.blunders), 1.0, 1),
            self.missed.to_string(),
            format!("{}/{}", self.thrown_away, self.not_won),
        ]
    }

    pub fn phase_cells(&self) -> [String; 3] {
        self.phases.each_ref().map(|phase| {
            let loss = self.losses(phase.loss);
            format!("{loss} ({:.0} %)", 100.0 * phase.share)
        })
    }

    fn losses(&self, loss: Option<Mean>) -> String {
        match self.scoring {
            Scoring::Discs => with_error(loss, 1.0, 2),
            Scoring::Win => with_error(loss, 100.0, 1),
        }
    }
}

fn mean_loss<'a>(moves: impl Iterator<Item = &'a (usize, &'a JudgedPly)>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for (_, ply) in moves {
        (sum, count) = (sum + ply.cost, count + 1.0);
    }
    (count > 0.0).then(|| sum / count)
}

fn with_error(mean: Option<Mean>, unit: f64, decimals: usize) -> String {
    let Some(mean) = mean else {
        return "–".to_owned();
    };
    let error = mean.error_95.map_or(String::new(), |error| {
        format!(" ± {:.decimals$}", unit * error)
    });
    format!("{:.decimals$}{error}", unit * mean.mean)
}

pub const TITLES: [&str; 6] = [
    "bot",
    "games",
    "loss/move",
    "blunders/game",
    "missed",
    "thrown away",
];

const COLUMNS: usize = 80;
const NAME: usize = 18;
const WIDTHS: [usize; 6] = [NAME, 5, 15, 13, 6, 11];

pub fn table(summaries: &[BotSummary], settings: &Settings, lang: &Lang) -> String {
    let row = |cells: &[String], widths: &[usize]| {
        let mut text = left(&cut(&cells[0], NAME), NAME);
        for (cell, width) in cells.iter().zip(widths).skip(1) {
            text += &format!("  {}", right(cell, *width));
        }
        text + "\n"
    };
    let title = |title: &&str| lang.word("table", title).to_owned();
    let mut text = row(&TITLES.each_ref().map(title), &WIDTHS);
    for one in summaries {
        text += &row(&one.cells(), &WIDTHS);
    }
    let titles = [&TITLES[..1], &PHASES].concat();
    text += &format!(
        "\n{}\n",
        lang.fixed("loss per move by phase, and the share of the whole loss")
    );
    let widths = [NAME, 18, 18, 18];
    text += &row(&titles.iter().map(title).collect::<Vec<_>>(), &widths);
    for one in summaries {
        let cells = [vec![one.bot.clone()], one.phase_cells().into()].concat();
        text += &row(&cells, &widths);
    }
    text += "\n";
    for one in summaries {
        for line in lines(&lang.render(&one.advice()), COLUMNS) {
            text += &format!("{line}\n");
        }
    }
    text += "\n";
    for line in summaries
        .iter()
        .take(1)
        .flat_map(|one| legend(one.scoring, settings))
    {
        text += &format!("{}\n", lang.render(&line));
    }
    text
}

pub fn legend(scoring: Scoring, settings: &Settings) -> [Message; 4] {
    let solved = settings.solve_from;
    match scoring {
        Scoring::Discs => [
            "loss/move: discs lost against the best move; mean over games ± 95 %".into(),
            "blunders: moves that lost ten discs or more".into(),
            message!(
                "missed: proven wins that the bot gave away (exact with at most {solved} empty squares)"
            ),
            "opening: more than 40 empty squares; end: at most 20".into(),
        ],
        Scoring::Win => [
            "loss/move: points (%) of winning chance lost; mean over games ± 95 %".into(),
            "blunders: moves that lost 30 points, or missed or allowed a forced win".into(),
            "missed: forced wins given away, found by search for threats".into(),
            "opening, middle, end: thirds of the half-moves of each game".into(),
        ],
    }
}

pub fn json(summaries: &[BotSummary]) -> Value {
    let mean = |mean: Mean| json!({ "mean": rounded(mean.mean, 4), "error_95": mean.error_95.map(|error| rounded(error, 4)) });
    let phase = |(name, phase): (&&str, &PhaseSummary)| {
        json!({
            "phase": name,
            "loss_a_move": phase.loss.map(mean),
            "share_of_loss": rounded(phase.share, 4),
            "blunders": phase.blunders,
        })
    };
    let bot = |one: &BotSummary| {
        json!({
            "bot": one.bot,
            "games": one.loss.count,
            "loss_a_move": mean(one.loss),
            "blunders_a_game": mean(one.blunders),
            "phases": PHASES.iter().zip(&one.phases).map(phase).collect::<Vec<_>>(),
            "missed_wins": one.missed,
            "allowed_wins": one.allowed,
            "not_won": one.not_won,
            "thrown_away": one.thrown_away,
            "advice": one.advice().to_string(),
        })
    };
    summaries.iter().map(bot).collect()
}
