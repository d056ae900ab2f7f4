//! The conditions of a match that engine developers set on the command line: clocks, limits of the search,
//! adjudication, cores, the anchor of the ratings. They override the tournament file.

use clap::Args;
use referee::problem;
use toml::Spanned;

use super::time_control::TimeControl;
use tournament::{AdjudicateFile, BotFile, Placed, Problem, TournamentFile, given};

/// The conditions of games.
#[derive(Clone, Debug, Default, Args)]
pub struct MatchOptions {
    /// The clock of all bots, or of one: [BOT=][MOVES/]TIME[+INCREMENT], in seconds or minutes:seconds, such
    /// as 40/60+0.6 or slow=5:00; st=5 is 5 s per move. Can be given again for another bot, which is named as
    /// in the tables or by its number
    #[arg(long, value_name = "CONTROL")]
    tc: Vec<String>,
    /// Plies that every bot searches: its option depth
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Nodes that every bot searches: its option nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Let both bots think in the opponent's time
    #[arg(long)]
    ponder: bool,
    /// End a game when both bots' scores agree on a lead of at least this, in their own units
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    resign_score: Option<f64>,
    /// For how many half-moves in a row they must agree (default: 6)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    resign_plies: Option<i64>,
    /// Draw a game when both bots' scores are at most this far from 0, in their own units
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    draw_score: Option<f64>,
    /// For how many half-moves in a row they must be (default: 8)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_plies: Option<i64>,
    /// Half-moves before which a game is not drawn by scores
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_from: Option<i64>,
    /// Draw a game after so many half-moves
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    draw_after: Option<i64>,
    /// Othello: let a solver decide games with so few empty squares
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    solve_empties: Option<i64>,
    /// Pin games to these cores, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    cores: Option<String>,
    /// Keep the messages of every game, in the folder logs of the run
    #[arg(long)]
    log: bool,
    /// Give a bot this rating, on which the others are based: random=0
    #[arg(long, value_name = "BOT=ELO")]
    anchor: Option<String>,
}

impl MatchOptions {
    /// Overrides the file.
    pub fn apply(&self, file: &mut TournamentFile) -> Result<(), Problem> {
        for written in &self.tc {
            let (bot, control) = TimeControl::parse(written)?;
            match bot {
                None => control.apply(file),
                Some(name) => control.apply_to(named(file, name)?),
            }
        }
        for (key, value) in [("depth", self.depth.map(u64::from)), ("nodes", self.nodes)] {
            if let Some(value) = value {
                file.bot.iter_mut().for_each(|bot| limit(bot, key, value));
            }
        }
        if self.ponder {
            file.ponder = given(Some(true));
        }
        if self.log {
            file.log = given(Some(true));
        }
        put(self.cores.as_ref(), &mut file.core_list);
        put(self.anchor.as_ref(), &mut file.anchor);
        self.adjudicate(file);
        Ok(())
    }

    fn adjudicate(&self, file: &mut TournamentFile) {
        let mut rules = file
            .adjudicate
            .clone()
            .map(Spanned::into_inner)
            .unwrap_or_default();
        let AdjudicateFile {
            resign_score,
            resign_plies,
            draw_score,
            draw_plies,
            draw_from,
            draw_after,
            solve_empties,
        } = &mut rules;
        let scores = [
            (self.resign_score, resign_score),
            (self.draw_score, draw_score),
        ];
        let numbers = [
            (self.resign_plies, resign_plies),
            (self.draw_plies, draw_plies),
            (self.draw_from, draw_from),
            (self.draw_after, draw_after),
            (self.solve_empties, solve_empties),
        ];
        let is_any = scores.iter().any(|(value, _)| value.is_some())
            || numbers.iter().any(|(value, _)| value.is_some());
        for (value, place) in scores {
            put(value.as_ref(), place);
        }
        for (value, place) in numbers {
            put(value.as_ref(), place);
        }
        if is_any {
            file.adjudicate = given(Some(rules));
        }
    }
}

fn put<T: Clone>(value: Option<&T>, place: &mut Placed<T>) {
    if let Some(value) = value {
        *place = given(Some(value.clone()));
    }
}

/// The bot of this name, or with this number, counted from 1.
fn named<'a>(
    file: &'a mut TournamentFile,
    name: &str,
) -> Result<&'a mut Spanned<BotFile>, Problem> {
    let names: Vec<String> = file.bot.iter().map(|bot| name_of(bot.get_ref())).collect();
    let by_number = name
        .parse()
        .ok()
        .and_then(|number: usize| number.checked_sub(1));
    let index = names.iter().position(|known| known == name);
    let index = index.or(by_number.filter(|&index| index < names.len()));
    let known = names.iter().map(String::as_str);
    let index =
        index.ok_or_else(|| problem!("there is no bot {name:?}").did_you_mean(name, known))?;
    Ok(&mut file.bot[index])
}

/// The name that a bot is given or is called by.
fn name_of(bot: &BotFile) -> String {
    let written = bot.name.as_ref().or(bot.uses.as_ref());
    written.map_or_else(String::new, |name| name.get_ref().clone())
}

/// Gives a bot the option `key`, unless it has one of its own.
fn limit(bot: &mut Spanned<BotFile>, key: &str, value: u64) {
    let mut own = bot.get_ref().clone();
    let mut options = own
        .options
        .take()
        .map(Spanned::into_inner)
        .unwrap_or_default();
    let value = toml::Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    options.entry(key.to_owned()).or_insert(value);
    own.options = given(Some(options));
    *bot = Spanned::new(bot.span(), own);
}
