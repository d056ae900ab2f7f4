//! Validation: makes a [`Tournament`] of a tournament file.

use message::message;
use referee::problem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use games::{Game, UnknownGame};
use toml::Spanned;

use super::bot_word::plain;
use super::conditions;
use super::contestant::Contestant;
use super::form::main_file;
use super::format::Format;
use super::numbers::{choice, given, in_pairs, ms, span, within};
use super::openings::{self, BadOpening, Opening};
use super::random_draw::Draw;
use super::time_control::DEFAULT_MOVE_MS;
use super::tournament_file::{BotFile, TournamentFile};
use super::tuning::Tuning;
use super::{Tournament, catalogue::Catalogue};
use referee::Limits;
use referee::bot::{is_plain, looks_like};
use referee::problem::{Problem, Problems};

const DEFAULT_MARGIN_MS: i64 = 20;
pub(super) const DEFAULT_GAMES: i64 = 20;
/// The default of `games` in a match with a goal.
pub const MOST_GAMES: i64 = 100_000;
const MOST_RATED: i64 = 2000;
/// The most bots of a tournament. An error message has this number, too.
const MOST_BOTS: usize = 2000;
/// The random stream that shuffles the openings. The streams of pairs are numbered from 0 and never reach it.
const SHUFFLE_STREAM: u64 = u64::MAX;

impl BotFile {
    /// Returns this bot outside a tournament, with the limits and sandbox of `conditions`, and its paths in `folder`.
    pub fn alone(
        &self,
        game: Game,
        catalogue: &Catalogue,
        folder: &Path,
        conditions: &TournamentFile,
    ) -> Result<Contestant, Problem> {
        let limits = own_limits(self, conditions.limits()?)?;
        let mut bot = Contestant::find(self, limits, game, catalogue, folder)?;
        if conditions.leaves_time_to(self) {
            bot.take_usual_time();
        }
        bot.build.take_if(|_| conditions.is_built);
        if conditions.has_hand_ins() {
            bot.build_in_copy()?;
        }
        conditions.confinement()?.enclose(&mut bot, self);
        Ok(bot)
    }

    /// Returns a bot for each player of a folder with several players, the likeliest first; otherwise, an empty list.
    pub fn alternatives(&self, catalogue: &Catalogue, folder: &Path) -> Vec<BotFile> {
        let Some(uses) = self.uses.as_ref().map(Spanned::get_ref) else {
            return Vec::new();
        };
        let path = folder.join(uses);
        let own = match &self.folder {
            Some(own) => folder.join(own.get_ref()),
            None => path.clone(),
        };
        let is_free = own.is_dir() && !own.join("bot.toml").is_file() && self.frame.is_none();
        if !is_free || catalogue.find(uses).is_some() {
            return Vec::new();
        }
        let main = main_file(&own).ok();
        let main = main.filter(|main| self.folder.is_none() || main.path == path);
        let own = std::path::absolute(&own).unwrap_or(own);
        let text = |path: &Path| given(Some(path.to_string_lossy().into_owned()));
        let name = || own.file_name().map(|name| plain(&name.to_string_lossy()));
        let names = main.into_iter().flat_map(|main| main.chosen_from);
        names
            .map(|file| BotFile {
                uses: text(&own.join(file)),
                folder: text(&own),
                name: self.name.clone().or_else(|| given(name())),
                ..self.clone()
            })
            .collect()
    }
}

impl TournamentFile {
    /// Validates the file, and reports all problems at once. Paths are relative to `folder`.
    pub fn validate(&self, catalogue: &Catalogue, folder: &Path) -> Result<Tournament, Problem> {
        let mut all = Problems::default();
        let game = all.take(self.game());
        let seed = self.seed.as_ref().map_or(1, |seed| *seed.get_ref());
        let openings = game.and_then(|game| all.take(self.openings(game, seed, folder)));
        let adjudicate = self.adjudicate.as_ref();
        let has_hand_ins = self.has_hand_ins();
        let adjudication = game.and_then(|game| {
            all.take(conditions::adjudication(
                adjudicate,
                game,
                catalogue,
                has_hand_ins,
            ))
        });
        let core_list = all.take(conditions::cores(self.core_list.as_ref()));
        let scale_nps = all.take(self.scale_nps());
        let illegal = self.illegal_answers.as_ref();
        let illegal_answers = all.take(within(illegal, 1, 1..=100, "illegal_answers"));
        let budget = all.take(conditions::budget(self.budget.as_ref(), has_hand_ins));
        let concurrency = all.take(within(
            self.concurrency.as_ref(),
            1,
            1..=1024,
            "concurrency",
        ));
        let rounds = all.take(self.rounds());
        let tuning = all.take(self.tuning(seed));
        let tuning = game.zip(tuning).and_then(|(game, tuning)| {
            let fill = |mut tuning: Tuning| {
                tuning.template = self.template(&tuning, game, catalogue, folder)?;
                Ok(tuning)
            };
            all.take(tuning.map(fill).transpose())
        });
        let contestants = game
            .zip(tuning.as_ref())
            .and_then(|(game, tuning)| {
                all.take(self.contestants(game, catalogue, folder, tuning.as_ref()))
            })
            .filter(|found| match found.len() {
                0 | 1 => {
                    let few = problem!("{} bots are too few", found.len());
                    let few = few.help("a tournament needs at least two [[bot]]");
                    all.take::<()>(Err(few)).is_some()
                }
                _ => true,
            });
        // The format is checked against the number of bots, even if some of them are invalid.
        let format = match (&tuning, self.bot.len()) {
            (Some(Some(tuning)), _) => Some(tuning.format()),
            (_, 0 | 1) => None,
            (_, bots) => all.take(self.format(bots)),
        };
        let goal = format.and_then(|format| all.take(conditions::goal(self, format)));
        let both = format.zip(contestants.as_deref());
        let name = both.and_then(|(format, bots)| all.take(self.name(format, bots)));
        let yardstick = format.and_then(|format| all.take(conditions::yardstick(self, format)));
        let pairings = both.and_then(|(format, bots)| all.take(self.pairings(format, bots)));
        let anchors = contestants.as_ref().and_then(|bots| {
            let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
            all.take(conditions::anchors(self, &names))
        });
        all.check()?;
        let found = "a missing value has been reported as a problem";
        let (game, format) = (game.expect(found), format.expect(found));
        let turned = self
            .symmetries
            .as_ref()
            .is_some_and(|turned| *turned.get_ref());
        Ok(Tournament {
            anchors: anchors.expect(found),
            yardstick: yardstick.expect(found),
            pairings: pairings.expect(found),
            core_list: core_list.expect(found),
            log: self.log.as_ref().is_some_and(|log| *log.get_ref()),
            goal: goal.expect(found),
            tuning: tuning.expect(found).map(Arc::new),
            openings: openings.expect(found),
            openings_file: self.openings_file(folder),
            symmetries: conditions::symmetries(turned, game.without_opening()),
            adjudication: adjudication.expect(found),
            illegal_answers: illegal_answers.expect(found) as u32,
            budget: budget.expect(found),
            ponder: self.ponder.as_ref().is_some_and(|ponder| *ponder.get_ref()),
            concurrency: concurrency.expect(found) as usize,
            pin: self.pin.as_ref().is_none_or(|pin| *pin.get_ref()),
            seed,
            is_suite: self.is_suite(),
            has_hand_ins: self.has_hand_ins(),
            scale_nps: scale_nps.expect(found),
            ..Tournament::new(
                name.expect(found),
                game,
                format,
                rounds.expect(found),
                contestants.expect(found),
            )
        })
    }

    pub fn bots(&self, catalogue: &Catalogue, folder: &Path) -> Result<Vec<Contestant>, Problem> {
        let tuning = self.tuning(0)?;
        self.contestants(self.game()?, catalogue, folder, tuning.as_ref())
    }

    pub fn game(&self) -> Result<Game, Problem> {
        let Some(name) = &self.game else {
            let known = games::names().join("\" or game = \"");
            return Err(Problem::new("the tournament has no game")
                .help(message!("write game = \"{known}\"")));
        };
        let rules = self.rules.as_ref().map(|rules| rules.get_ref().as_str());
        let size = self.size.as_ref().map(|size| *size.get_ref());
        let opening = self.opening.as_ref();
        let opening = opening.map(|opening| opening.get_ref().as_str());
        let game = Game::new(name.get_ref(), rules, size);
        let game = game.and_then(|game| game.with_opening(opening));
        game.map_err(|error| match &error {
            UnknownGame::Name { name: written, .. } => problem!("unknown game {written:?}")
                .did_you_mean(written, games::names().into_iter())
                .at(name.span()),
            UnknownGame::Rules { .. } => Problem::new(&error).at(span(self.rules.as_ref())),
            UnknownGame::Size { .. } => Problem::new(&error).at(span(self.size.as_ref())),
            UnknownGame::Opening { .. }
            | UnknownGame::NoOpenings { .. }
            | UnknownGame::OpeningSize { .. } => {
                let books =
                    "for a file of first moves, write openings = \"FILE\" or --openings FILE";
                Problem::new(&error)
                    .help(books)
                    .at(span(self.opening.as_ref()))
            }
        })
    }

    fn scale_nps(&self) -> Result<Option<u64>, Problem> {
        let Some(nps) = &self.scale_nps else {
            return Ok(None);
        };
        if self.is_suite() {
            return Err(Problem::new("a suite has no scale_nps")
                .help("grade on one kind of machine, or give the bots a fixed depth or number of nodes")
                .at(nps.span()));
        }
        let nps = within(Some(nps), 1, 1..=1_000_000_000, "scale_nps")?;
        Ok(Some(nps as u64))
    }

    fn has_no_time(&self) -> bool {
        self.move_ms.is_none() && self.game_ms.is_none()
    }

    /// Returns whether the bot may get the time limits of its form: if no limit is set, and the file has no hand-ins.
    fn leaves_time_to(&self, bot: &BotFile) -> bool {
        self.has_no_time() && bot.move_ms.is_none() && bot.game_ms.is_none() && !self.has_hand_ins()
    }

    fn limits(&self) -> Result<Limits, Problem> {
        let default_move = if self.has_no_time() {
            DEFAULT_MOVE_MS
        } else {
            0
        };
        Ok(Limits {
            move_time: ms(self.move_ms.as_ref(), default_move, "move_ms")?,
            game_time: ms(self.game_ms.as_ref(), 0, "game_ms")?,
            increment: ms(self.increment_ms.as_ref(), 0, "increment_ms")?,
            period_moves: period(self.period_moves.as_ref())?,
            margin: ms(self.margin_ms.as_ref(), DEFAULT_MARGIN_MS, "margin_ms")?,
        })
    }

    fn contestants(
        &self,
        game: Game,
        catalogue: &Catalogue,
        folder: &Path,
        tuning: Option<&Tuning>,
    ) -> Result<Vec<Contestant>, Problem> {
        // Names, pairings and ratings take time and memory for each pair of bots.
        if self.bot.len() > MOST_BOTS {
            let many = problem!("{} bots are too many", self.bot.len());
            return Err(many.help("a tournament has at most 2000 [[bot]]; a league may have more"));
        }
        let limits = self.limits()?;
        let confinement = self.confinement()?;
        let mut all = Problems::default();
        let mut contestants: Vec<Contestant> = Vec::new();
        let tuned = tuning.map(|tuning| self.tuned_bots(tuning));
        for bot in tuned.as_ref().unwrap_or(&self.bot) {
            let file = bot.get_ref();
            let contestant = own_limits(file, limits).and_then(|limits| {
                Contestant::find(file, limits, game, catalogue, folder).map_err(|problem| {
                    let at = problem.at.clone().unwrap_or(bot.span());
                    problem.at(at)
                })
            });
            let Some(mut contestant) = all.take(contestant) else {
                continue;
            };
            if self.leaves_time_to(file) {
                contestant.take_usual_time();
            }
            contestant.build.take_if(|_| self.is_built);
            // In a run of a suite, only the first bot is a hand-in.
            if self.has_hand_ins() && (contestants.is_empty() || !self.is_suite()) {
                contestant.launch.writes_no_bytecode = true;
                all.take(contestant.build_in_copy());
            }
            contestant.is_reference |= self.is_suite() && !contestants.is_empty();
            confinement.enclose(&mut contestant, file);
            let same = |other: &&Contestant| looks_like(&other.name, &contestant.name);
            if let Some(other) = contestants.iter().find(same) {
                let (one, two) = (&other.name, &contestant.name);
                let what = if one == two {
                    message!("two bots have the name {one}")
                } else {
                    message!("two bots have the names {one} and {two}")
                };
                let help =
                    "give one of them another name: name = \"…\", or NAME=… on a command line";
                all.take::<()>(Err(Problem::new(what).help(help).at(bot.span())));
            }
            contestants.push(contestant);
        }
        all.check().map(|()| contestants)
    }

    fn format(&self, bots: usize) -> Result<Format, Problem> {
        let default = match bots {
            _ if self.pairings.is_some() => "pairings",
            2 => "match",
            _ => "round-robin",
        };
        let name = self
            .format
            .as_ref()
            .map_or(default, |format| format.get_ref());
        let rounds = |usual, most| {
            let rounds = within(self.rounds.as_ref(), usual, 1..=most, "rounds");
            rounds.map(|rounds| rounds as usize)
        };
        let format = match name {
            "match" => Format::Match,
            "round-robin" => Format::RoundRobin,
            "gauntlet" => {
                let seeds = within(self.seeds.as_ref(), 1, 1..=bots as i64 - 1, "seeds")? as usize;
                Format::Gauntlet { seeds }
            }
            "swiss" => {
                // The default is the number of rounds of a knockout: then only one bot can have won all its matches.
                let usual = bots.next_power_of_two().ilog2();
                let rounds = rounds(usual.into(), 1000)?;
                Format::Swiss { rounds }
            }
            "knockout" => Format::Knockout,
            "rating" => Format::Rating,
            "pairings" => Format::Pairings {
                listed: self
                    .pairings
                    .as_ref()
                    .map_or(0, |listed| listed.get_ref().len()),
            },
            "ladder" => {
                let rounds = rounds(bots as i64, 10_000)?;
                Format::Ladder { rounds }
            }
            other => {
                return Err(problem!("unknown format {other:?}")
                    .did_you_mean(other, Format::NAMES.into_iter())
                    .at(span(self.format.as_ref())));
            }
        };
        let misfit = match format {
            Format::Match if bots != 2 => Some((
                message!("a match has two bots, not {bots}"),
                "choose format = \"round-robin\" or \"gauntlet\"",
            )),
            Format::Ladder { .. } if bots < 3 => Some((
                "a ladder has at least three bots".into(),
                "choose format = \"match\"",
            )),
            _ => None,
        };
        if let Some((what, help)) = misfit {
            return Err(Problem::new(what).help(help).at(span(self.format.as_ref())));
        }
        let has_rounds = matches!(format, Format::Swiss { .. } | Format::Ladder { .. });
        if let (Some(rounds), false) = (&self.rounds, has_rounds) {
            return Err(problem!("a {name} has no number of rounds")
                .help("`games` says how many games two bots play; `rounds` is for swiss and ladder")
                .at(rounds.span()));
        }
        Ok(format)
    }

    pub fn usual_games(&self) -> i64 {
        let format = self.format.as_ref().map(|format| format.get_ref().as_str());
        match (format, &self.until_elo) {
            (Some(name), _) if name == Format::Rating.name() => MOST_RATED,
            (Some(name), _) if name == (Format::Pairings { listed: 0 }).name() => 2,
            (_, Some(_)) => MOST_GAMES,
            (_, None) => DEFAULT_GAMES,
        }
    }

    /// Returns the number of pairs of games between two bots that meet.
    pub fn rounds(&self) -> Result<u64, Problem> {
        let usual = self.usual_games();
        let games = within(self.games.as_ref(), usual, 2..=100_000_000, "games")?;
        in_pairs(games, self.games.as_ref())
    }

    fn pairings(&self, format: Format, bots: &[Contestant]) -> Result<Vec<[usize; 2]>, Problem> {
        let is_listed = matches!(format, Format::Pairings { .. });
        let listed = match &self.pairings {
            Some(listed) if is_listed && !listed.get_ref().is_empty() => listed,
            None if !is_listed => return Ok(Vec::new()),
            Some(listed) if !is_listed => {
                return Err(problem!("a {} makes its own pairings", format.name())
                    .help("to list them, write format = \"pairings\"")
                    .at(listed.span()));
            }
            _ => {
                return Err(
                    Problem::new("the format \"pairings\" needs a list of pairings")
                        .help("write pairings = [[\"one\", \"other\"], …] with names of bots")
                        .at(span(self.format.as_ref())),
                );
            }
        };
        let number = |name: &String| {
            let found = bots.iter().position(|bot| bot.name == *name);
            found.ok_or_else(|| {
                problem!("there is no bot {name:?} to pair")
                    .did_you_mean(name, bots.iter().map(|bot| bot.name.as_str()))
                    .at(listed.span())
            })
        };
        let pair = |[one, other]: &[String; 2]| {
            if one == other {
                return Err(problem!("{one} cannot play against itself").at(listed.span()));
            }
            Ok([number(one)?, number(other)?])
        };
        listed.get_ref().iter().map(pair).collect()
    }

    fn openings(&self, game: Game, seed: u64, folder: &Path) -> Result<Vec<Opening>, Problem> {
        if let Some(rule) = game.opening() {
            let file = self.openings_file(folder).and(self.openings.as_ref());
            return match file {
                None => Ok(vec![Opening::default()]),
                Some(file) => Err(problem!(
                    "with the opening rule {rule}, the bots agree on the first stones, so openings cannot be given",
                    rule = rule.name()
                )
                .help("remove opening (the rule) or openings (the file of first moves)")
                .at(file.span())),
            };
        }
        let plies = self.opening_plies.as_ref();
        let plies = plies
            .map(|_| within(plies, 1, 1..=1000, "opening_plies"))
            .transpose()?
            .map(|plies| plies as usize);
        let mut openings = match (&self.openings, self.openings_file(folder)) {
            (None, _) => openings::built_in(game, plies),
            (Some(_), None) => vec![Opening::default()],
            (Some(_), Some(file)) => self.openings_from(game, &file, plies)?,
        };
        let order = self.order.as_ref();
        let is_shuffled =
            order.map(|order| choice(order, "order", [("in-order", false), ("shuffled", true)]));
        if is_shuffled.transpose()? == Some(true) {
            Draw::new(seed, SHUFFLE_STREAM).shuffle(&mut openings);
        }
        Ok(openings)
    }

    fn openings_file(&self, folder: &Path) -> Option<PathBuf> {
        let file = self.openings.as_ref()?.get_ref();
        (file != "none").then(|| folder.join(file))
    }

    fn openings_from(
        &self,
        game: Game,
        path: &Path,
        plies: Option<usize>,
    ) -> Result<Vec<Opening>, Problem> {
        let at = span(self.openings.as_ref());
        let shown = path.display();
        let bytes = referee::bot::read_named(path).map_err(|error| {
            let problem = problem!("cannot read the openings {shown}: {error}");
            if at.is_empty() {
                return problem.help("--openings none plays without openings");
            }
            let help = "the path is relative to the tournament file; openings = \"none\" plays without openings";
            problem.help(help).at(at.clone())
        })?;
        let openings = openings::read(game, &bytes, plies).map_err(|error| {
            let at = match (&error, &self.opening_plies) {
                (BadOpening::Cut, Some(plies)) => plies.span(),
                _ => at.clone(),
            };
            problem!("{shown}, {error}").at(at)
        })?;
        if openings.is_empty() {
            return Err(problem!("{shown} has no opening")
                .help("write one transcript per line, such as f5d6c3")
                .at(at));
        }
        Ok(openings)
    }

    fn name(&self, format: Format, contestants: &[Contestant]) -> Result<String, Problem> {
        let Some(name) = &self.name else {
            return Ok(match (format, contestants) {
                (Format::Match, [one, two]) => format!("{}-{}", one.name, two.name),
                (Format::Rating, [rated, ..]) => format!("rating-{}", rated.name),
                _ => format.name().to_owned(),
            });
        };
        let text = name.get_ref();
        if text.is_empty() || !text.chars().all(is_plain) || text.starts_with('.') {
            return Err(problem!("{text:?} cannot be the name of a run")
                .help("it is also a folder name: use letters, digits, dots, dashes and underscores")
                .at(name.span()));
        }
        Ok(text.clone())
    }
}

/// Returns the limits of a bot. If it sets `move_ms` or `game_ms`, no time limit of the tournament applies. Otherwise,
/// only its increment and period replace the tournament's.
fn own_limits(bot: &BotFile, limits: Limits) -> Result<Limits, Problem> {
    if bot.move_ms.is_none() && bot.game_ms.is_none() {
        let of_all = limits.increment.as_millis() as i64;
        let increment = ms(bot.increment_ms.as_ref(), of_all, "increment_ms")?;
        let period_moves = match &bot.period_moves {
            None => limits.period_moves,
            own => period(own.as_ref())?,
        };
        return Ok(Limits {
            increment,
            period_moves,
            ..limits
        });
    }
    Ok(Limits {
        move_time: ms(bot.move_ms.as_ref(), 0, "move_ms")?,
        game_time: ms(bot.game_ms.as_ref(), 0, "game_ms")?,
        increment: ms(bot.increment_ms.as_ref(), 0, "increment_ms")?,
        period_moves: period(bot.period_moves.as_ref())?,
        margin: limits.margin,
    })
}

/// Returns the number of a side's moves in a period; 0 if one period lasts for the whole game.
fn period(value: Option<&Spanned<i64>>) -> Result<u32, Problem> {
    match value {
        None => Ok(0),
        value => Ok(within(value, 1, 1..=1000, "period_moves")? as u32),
    }
}
