//! The `[tune]` and `[[parameter]]` of a tournament file, and the bots of a tuning, made of the file's one `[[bot]]`.

use std::ops::Range;
use std::path::Path;

use games::Game;
use message::message;
use referee::Limits;
use referee::problem;
use referee::problem::{Placed, Problem, Problems};
use toml::Spanned;

use super::catalogue::Catalogue;
use super::contestant::Contestant;
use super::format::Format;
use super::numbers::{choice, given, in_pairs, span, within};
use super::tournament_file::{BotFile, ParameterFile, TournamentFile};
use super::tuning::{self, Parameter, TunedCommand, Tuning, mark};

/// A tuning has at most this many parameters. The largest tunings of fishtest have fewer.
const MOST_PARAMETERS: usize = 256;
const DEFAULT_PAIRS: i64 = 8;
const DEFAULT_MATCH_GAMES: i64 = 1000;
/// The defaults of fishtest and `OpenBench`.
const DEFAULT_RATE: f64 = 0.002;
const DEFAULT_ALPHA: f64 = 0.602;
const DEFAULT_GAMMA: f64 = 0.101;

/// Returns a number of the file or, if missing, the default. Fails unless the number is above 0 and at most `most`.
fn positive(
    value: Option<&Spanned<f64>>,
    default: f64,
    most: f64,
    key: &str,
) -> Result<f64, Problem> {
    let number = value.map_or(default, |value| *value.get_ref());
    if number > 0.0 && number <= most {
        return Ok(number);
    }
    Err(problem!("{key} = {number} is out of range")
        .help(message!("choose a number above 0, at most {most}"))
        .at(span(value)))
}

/// Returns a number of the file or, if it is missing, the default. Fails unless the number is from 0 to `most`.
fn from_zero(
    value: Option<&Spanned<f64>>,
    default: f64,
    most: f64,
    key: &str,
) -> Result<f64, Problem> {
    match value.map_or(default, |value| *value.get_ref()) {
        0.0 => Ok(0.0),
        _ => positive(value, default, most, key),
    }
}

impl ParameterFile {
    fn validate(&self, rate: f64, at: Range<usize>) -> Result<Parameter, Problem> {
        let Some(name) = &self.name else {
            return Err(Problem::new("a parameter has no name")
                .help("write the option of the bot: name = \"reverse-futility\"")
                .at(at));
        };
        let name = name.get_ref();
        let is_float = match &self.kind {
            None => false,
            Some(kind) => choice(kind, "type", [("int", false), ("float", true)])?,
        };
        let number = |value: &Placed<f64>, key: &str| match value {
            None => Err(problem!("parameter {name} has no {key}")
                .help("write start, min, max and step")
                .at(at.clone())),
            Some(value) => match *value.get_ref() {
                number if !number.is_finite() || number.abs() > 1e15 => {
                    Err(problem!("{key} = {number} is out of range").at(value.span()))
                }
                number if number.fract() != 0.0 && !is_float && key != "step" => {
                    Err(problem!("{key} = {number} is not a whole number")
                        .help("write type = \"float\" for a parameter with fractions")
                        .at(value.span()))
                }
                number => Ok(number),
            },
        };
        let (start, step) = (number(&self.start, "start")?, number(&self.step, "step")?);
        let (min, max) = (number(&self.min, "min")?, number(&self.max, "max")?);
        if min >= max {
            return Err(
                problem!("min = {min} is not below max = {max}").at(span(self.min.as_ref()))
            );
        }
        if !(min..=max).contains(&start) {
            return Err(problem!("start = {start} is not between min and max")
                .help(message!("choose {min} to {max}"))
                .at(span(self.start.as_ref())));
        }
        positive(self.step.as_ref(), step, max - min, "step")?;
        Ok(Parameter {
            name: name.clone(),
            start,
            min,
            max,
            step,
            rate: positive(self.rate.as_ref(), rate, 10.0, "rate")?,
            is_float,
        })
    }
}

impl TournamentFile {
    pub fn is_tuning(&self) -> bool {
        self.tune.is_some() || !self.parameter.is_empty()
    }

    pub(super) fn tuning(&self, seed: u64) -> Result<Option<Tuning>, Problem> {
        if !self.is_tuning() {
            return Ok(None);
        }
        let Some(table) = &self.tune else {
            return Err(Problem::new("there are parameters, but no [tune]")
                .help("write [tune], and in the next line iterations = 500")
                .at(self.parameter[0].span()));
        };
        self.has_no_schedule()?;
        let file = table.get_ref();
        if file.iterations.is_none() {
            return Err(Problem::new("[tune] has no iterations")
                .help("write iterations = 500")
                .at(table.span()));
        }
        let iterations = within(file.iterations.as_ref(), 1, 1..=1_000_000, "iterations")?;
        let games = file.match_games.as_ref();
        let match_games = within(games, DEFAULT_MATCH_GAMES, 0..=1_000_000, "match_games")?;
        let pairs = within(file.pairs.as_ref(), DEFAULT_PAIRS, 1..=10_000, "pairs")?;
        let rate = positive(file.rate.as_ref(), DEFAULT_RATE, 10.0, "rate")?;
        Ok(Some(Tuning {
            parameters: self.parameters(rate, table.span())?,
            iterations: iterations as u64,
            pairs: pairs as u64,
            match_pairs: in_pairs(match_games, games)?,
            delay: from_zero(file.delay.as_ref(), iterations as f64 / 10.0, 1e9, "delay")?,
            alpha: from_zero(file.alpha.as_ref(), DEFAULT_ALPHA, 10.0, "alpha")?,
            gamma: from_zero(file.gamma.as_ref(), DEFAULT_GAMMA, 10.0, "gamma")?,
            seed,
            template: TunedCommand::default(),
        }))
    }

    fn has_no_schedule(&self) -> Result<(), Problem> {
        let keys = [
            ("format", self.format.as_ref().map(Spanned::span)),
            ("games", self.games.as_ref().map(Spanned::span)),
            ("seeds", self.seeds.as_ref().map(Spanned::span)),
            ("rounds", self.rounds.as_ref().map(Spanned::span)),
            ("anchor", self.anchor.as_ref().map(Spanned::span)),
            ("grade", self.grade.as_ref().map(Spanned::span)),
            ("sprt", self.sprt.as_ref().map(Spanned::span)),
            ("until_elo", self.until_elo.as_ref().map(Spanned::span)),
            (
                "rating",
                self.bot
                    .iter()
                    .find_map(|bot| bot.get_ref().rating.as_ref().map(Spanned::span)),
            ),
        ];
        let Some((key, at)) = keys.into_iter().find_map(|(key, at)| Some((key, at?))) else {
            return Ok(());
        };
        Err(problem!("a tuning cannot have {key}")
            .help("a tuning plays iterations × pairs × 2 games, and then match_games games: see [tune]")
            .at(at))
    }

    fn parameters(&self, rate: f64, tune: Range<usize>) -> Result<Vec<Parameter>, Problem> {
        if self.parameter.is_empty() || self.parameter.len() > MOST_PARAMETERS {
            return Err(
                problem!("{} parameters cannot be tuned", self.parameter.len())
                    .help(message!(
                        "write a [[parameter]] for each option, at most {MOST_PARAMETERS}"
                    ))
                    .at(tune),
            );
        }
        let mut all = Problems::default();
        let mut parameters: Vec<Parameter> = Vec::new();
        for table in &self.parameter {
            let Some(found) = all.take(table.get_ref().validate(rate, table.span())) else {
                continue;
            };
            if parameters.iter().any(|other| other.name == found.name) {
                let twice = problem!("two parameters have the name {}", found.name);
                all.take::<()>(Err(twice.at(table.span())));
            }
            parameters.push(found);
        }
        all.check().map(|()| parameters)
    }

    /// Returns the bots of a tuning by number, as if the file had them. The first bot gets the largest value of each
    /// parameter, and the second the smallest. So if the bot refuses a value, this is known before the first game.
    pub(super) fn tuned_bots(&self, tuning: &Tuning) -> Vec<Spanned<BotFile>> {
        let Some(bot) = self.bot.first() else {
            return Vec::new();
        };
        let values = |of: fn(&Parameter) -> f64| {
            let texts = tuning.parameters.iter().map(|found| found.text(of(found)));
            texts.collect::<Vec<_>>()
        };
        let values = [
            values(|of| of.max),
            values(|of| of.min),
            values(|of| of.start),
            values(|of| of.start),
        ];
        let bots = tuning::NAMES.iter().zip(values).map(|(name, values)| {
            let named = BotFile {
                name: given(Some((*name).to_owned())),
                ..bot.get_ref().clone()
            };
            Spanned::new(bot.span(), with_values(&named, &tuning.parameters, &values))
        });
        bots.collect()
    }

    /// Checks that the bot has an option or placeholder for each parameter. Returns its command with marks for values.
    pub(super) fn template(
        &self,
        tuning: &Tuning,
        game: Game,
        catalogue: &Catalogue,
        folder: &Path,
    ) -> Result<TunedCommand, Problem> {
        let [bot] = self.bot.as_slice() else {
            let (bots, second) = (self.bot.len(), self.bot.get(1));
            return Err(problem!("a tuning has one [[bot]], not {bots}")
                .help("it plays against itself, with other values of its parameters")
                .at(span(second)));
        };
        let find = |file: &BotFile, catalogue: &Catalogue| {
            Contestant::find(file, Limits::default(), game, catalogue, folder)
        };
        let own = bot.get_ref();
        find(own, catalogue).map_err(|problem| {
            let at = problem.at.clone().unwrap_or(bot.span());
            problem.at(at)
        })?;
        let mut all = Problems::default();
        for (parameter, table) in tuning.parameters.iter().zip(&self.parameter) {
            let name = &parameter.name;
            if own.command.is_some() && !places(own).any(|text| text.contains(&place(name))) {
                let nowhere = problem!("{name} is not in the bot's command").help(message!(
                    "write {} where its value belongs, in command or setup",
                    place(name)
                ));
                all.take::<()>(Err(nowhere.at(table.span())));
                continue;
            }
            let ends =
                [parameter.start, parameter.min, parameter.max].map(|end| parameter.text(end));
            let refused = ends.into_iter().find_map(|end| {
                find(
                    &with_values(own, std::slice::from_ref(parameter), &[end]),
                    catalogue,
                )
                .err()
            });
            if let Some(problem) = refused {
                all.take::<()>(Err(problem.at(table.span())));
            }
        }
        all.check()?;
        let marks: Vec<String> = (0..tuning.parameters.len()).map(mark).collect();
        // A mark is no valid value, so the catalogue must not check it.
        let unchecked = Catalogue {
            check: |_, _| Ok(()),
            ..catalogue.clone()
        };
        let launch = find(&with_values(own, &tuning.parameters, &marks), &unchecked)?.launch;
        Ok(TunedCommand {
            arguments: launch.arguments,
            setup: launch.setup,
        })
    }
}

impl Tuning {
    pub(super) fn format(&self) -> Format {
        Format::Tuning {
            iterations: self.iterations,
            pairs: self.pairs,
            match_pairs: self.match_pairs,
        }
    }
}

fn place(name: &str) -> String {
    format!("{{{name}}}")
}

fn places(bot: &BotFile) -> impl Iterator<Item = &String> {
    let words = [&bot.command, &bot.setup].into_iter().flatten();
    words.flat_map(Spanned::get_ref)
}

/// Returns the bot with these values: in the placeholders of its command, or else as options.
fn with_values(bot: &BotFile, parameters: &[Parameter], values: &[String]) -> BotFile {
    let mut bot = bot.clone();
    for (parameter, value) in parameters.iter().zip(values) {
        for words in [&mut bot.command, &mut bot.setup].into_iter().flatten() {
            let filled = words.get_ref().iter();
            let filled = filled.map(|word| word.replace(&place(&parameter.name), value));
            *words = Spanned::new(words.span(), filled.collect());
        }
        if bot.command.is_none() {
            let own = bot.options.take();
            let at = span(own.as_ref());
            let mut options = own.map(Spanned::into_inner).unwrap_or_default();
            options.insert(parameter.name.clone(), value.clone().into());
            bot.options = Some(Spanned::new(at, options));
        }
    }
    bot
}
