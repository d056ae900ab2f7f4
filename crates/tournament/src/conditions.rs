//! Validates the goal, the adjudication, known ratings, symmetries, cores and the budget of a tournament file.

use games::{Game, Symmetry};
use referee::problem;
use toml::Spanned;

use super::Catalogue;
use super::format::Format;
use super::numbers::{choice, span, within};
use super::stopping::Goal;
use super::tournament_file::{AdjudicateFile, SprtFile, TournamentFile};
use super::yardstick::Yardstick;
use referee::problem::{Placed, Problem};
use referee::{Adjudication, Agreement, Balance, SolveFrom};
use stats::{BadSprt, Model, Precision, Sprt};

const DEFAULT_ERROR_RATE: f64 = 0.05;
const DEFAULT_RESIGN_PLIES: i64 = 6;
const DEFAULT_DRAW_PLIES: i64 = 8;
const MOST_ELO: f64 = 10_000.0;
const USUAL_PRECISION: f64 = 50.0;
/// A solver gets positions with at most this many empty squares. With more, solving would take longer than playing.
const MOST_EMPTIES: i64 = 16;

pub(super) fn goal(file: &TournamentFile, format: Format) -> Result<Option<Goal>, Problem> {
    let test = sprt(file.sprt.as_ref(), format)?;
    let Some(wanted) = &file.until_elo else {
        return Ok(test.map(Goal::Decision));
    };
    let at = wanted.span();
    if format == Format::Rating {
        return Ok(None);
    }
    if format != Format::Match {
        return Err(
            problem!("until_elo is for a match, not for a {}", format.name())
                .help("it is the difference between two bots: keep exactly two [[bot]]")
                .at(at),
        );
    }
    if test.is_some() {
        return Err(
            Problem::new("a match cannot have both [sprt] and until_elo")
                .help(
                    "[sprt] ends it with a decision, until_elo with an estimate: keep one of them",
                )
                .at(at),
        );
    }
    Ok(Some(Goal::Precision(precision(wanted)?)))
}

fn precision(wanted: &Spanned<f64>) -> Result<Precision, Problem> {
    let elo = within(Some(wanted), 0.0, Precision::RANGE, "until_elo")?;
    Ok(Precision::new(elo).expect("it is in range"))
}

pub(super) fn yardstick(
    file: &TournamentFile,
    format: Format,
) -> Result<Option<Yardstick>, Problem> {
    if format != Format::Rating {
        return Ok(None);
    }
    let mut ratings = Vec::new();
    for (number, bot) in file.bot.iter().enumerate() {
        match (number, &bot.get_ref().rating) {
            (0, None) => {}
            (0, Some(rating)) => {
                return Err(
                    Problem::new("the first bot has a rating, but the run is to find it")
                        .help("put the bot that is to be rated first, without a rating")
                        .at(rating.span()),
                );
            }
            (_, Some(rating)) => ratings.push(*rating.get_ref()),
            (_, None) => {
                return Err(Problem::new("this bot has no rating")
                    .help("the first bot is rated by bots whose ratings are known: write rating = 1000")
                    .at(bot.span()));
            }
        }
    }
    let until = file.until_elo.as_ref().map(precision).transpose()?;
    let until = until.map_or(USUAL_PRECISION, Precision::elo);
    Ok(Some(Yardstick::new(ratings, until)))
}

fn sprt(file: Option<&Spanned<SprtFile>>, format: Format) -> Result<Option<Sprt>, Problem> {
    let Some(table) = file else {
        return Ok(None);
    };
    let file = table.get_ref();
    if format != Format::Match {
        return Err(problem!("[sprt] tests a match, not a {}", format.name())
            .help("it tests whether the first of two bots is stronger: keep exactly two [[bot]]")
            .at(table.span()));
    }
    let models = [
        ("logistic", Model::Logistic),
        ("normalised", Model::Normalised),
    ];
    let model = match &file.model {
        None => Model::Logistic,
        Some(model) if model.get_ref() == "normalized" => Model::Normalised,
        Some(model) => choice(model, "model", models)?,
    };
    let or = |value: &Placed<f64>, default| value.as_ref().map_or(default, |v| *v.get_ref());
    let needed = |value: &Placed<f64>, key: &str| {
        value.as_ref().map(|value| *value.get_ref()).ok_or_else(|| {
            problem!("[sprt] has no {key}")
                .help("write both hypotheses: elo0 = 0 and elo1 = 10")
                .at(table.span())
        })
    };
    let (elo0, elo1) = (needed(&file.elo0, "elo0")?, needed(&file.elo1, "elo1")?);
    let alpha = or(&file.alpha, DEFAULT_ERROR_RATE);
    let beta = or(&file.beta, DEFAULT_ERROR_RATE);
    Sprt::new(elo0, elo1, alpha, beta, model)
        .map(Some)
        .map_err(|error| {
            let key = match &error {
                BadSprt::TooFar { elo } if elo.to_bits() == elo0.to_bits() => &file.elo0,
                BadSprt::Order { .. } | BadSprt::TooFar { .. } => &file.elo1,
                BadSprt::ErrorRates { .. } if file.alpha.is_some() => &file.alpha,
                BadSprt::ErrorRates { .. } => &file.beta,
            };
            let at = span(key.as_ref());
            Problem::new(&error).at(at)
        })
}

pub(super) fn adjudication(
    file: Option<&Spanned<AdjudicateFile>>,
    game: Game,
    catalogue: &Catalogue,
    has_hand_ins: bool,
) -> Result<Adjudication, Problem> {
    let Some(table) = file else {
        return Ok(Adjudication::default());
    };
    let file = table.get_ref();
    let mut scores = [&file.resign_score, &file.draw_score].into_iter().flatten();
    if let Some(score) = scores.next().filter(|_| has_hand_ins) {
        return Err(Problem::new("scores do not end the games of hand-ins")
            .help("a hand-in reports its own score: write draw_after or solve_empties instead")
            .at(score.span()));
    }
    let resign = match (&file.resign_score, &file.resign_plies) {
        (None, None) => None,
        (None, Some(plies)) => {
            return Err(Problem::new("resign_plies needs a resign_score")
                .help("write the score on which both bots must agree: resign_score = 40")
                .at(plies.span()));
        }
        (Some(score), plies) => {
            let value = *score.get_ref();
            if !(value.is_finite() && value > 0.0) {
                return Err(problem!("resign_score = {value} is out of range")
                    .help("choose a lead above 0, in the bots' own units")
                    .at(score.span()));
            }
            let plies = within(
                plies.as_ref(),
                DEFAULT_RESIGN_PLIES,
                2..=1000,
                "resign_plies",
            )?;
            Some(Agreement {
                score: value,
                plies: plies as usize,
            })
        }
    };
    let balance = balance(file)?;
    let number = |value: &Placed<i64>, most, key| {
        let value = value.as_ref();
        value.map(|_| within(value, 1, 1..=most, key)).transpose()
    };
    let empties = number(&file.solve_empties, MOST_EMPTIES, "solve_empties")?;
    let mut solvers = catalogue.solvers.iter();
    let solver = solvers.find(|(name, _)| *name == game.name());
    if empties.is_some() && solver.is_none() {
        let solved: Vec<&str> = catalogue.solvers.iter().map(|(name, _)| *name).collect();
        let (solved, name) = (solved.join(" and "), game.name());
        return Err(problem!("solve_empties is for {solved}, not {name}")
            .at(span(file.solve_empties.as_ref())));
    }
    Ok(Adjudication {
        resign,
        balance,
        draw_after: number(&file.draw_after, 10_000, "draw_after")?.map(|plies| plies as usize),
        solve: empties
            .zip(solver)
            .map(|(empties, &(_, solver))| SolveFrom {
                empties: empties as u32,
                solver,
            }),
    })
}

/// Returns the symmetries that keep the start position, the identity first; without `wanted`, only the identity.
pub(super) fn symmetries(wanted: bool, game: Game) -> Vec<Symmetry> {
    let start = game.start();
    let all = Symmetry::ALL.into_iter();
    let keep = |symmetry: &Symmetry| start.turned(*symmetry) == start;
    let mut kept: Vec<Symmetry> = all.filter(keep).collect();
    if !wanted {
        kept.truncate(1);
    }
    kept
}

fn balance(file: &AdjudicateFile) -> Result<Option<Balance>, Problem> {
    let Some(score) = &file.draw_score else {
        let alone = [&file.draw_plies, &file.draw_from]
            .into_iter()
            .flatten()
            .next();
        return alone.map_or(Ok(None), |alone| {
            Err(Problem::new("draw_plies and draw_from need a draw_score")
                .help("write the largest score of an even game: draw_score = 0.5")
                .at(alone.span()))
        });
    };
    let value = *score.get_ref();
    if !(value.is_finite() && value >= 0.0) {
        return Err(problem!("draw_score = {value} is out of range")
            .help("choose 0 or more, in the bots' own units")
            .at(score.span()));
    }
    let plies = within(
        file.draw_plies.as_ref(),
        DEFAULT_DRAW_PLIES,
        2..=1000,
        "draw_plies",
    )?;
    let from = within(file.draw_from.as_ref(), 0, 0..=10_000, "draw_from")?;
    Ok(Some(Balance {
        score: value,
        plies: plies as usize,
        from: from as usize,
    }))
}

pub(super) fn cores(list: Option<&Spanned<String>>) -> Result<Vec<usize>, Problem> {
    let Some(list) = list else {
        return Ok(Vec::new());
    };
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (first, last) = (number(first)?, number(last)?);
        (first <= last && last < 1 << 16).then_some(first..=last)
    };
    let ranges: Option<Vec<_>> = list.get_ref().split(',').map(range).collect();
    let cores = ranges.map(|ranges| ranges.into_iter().flatten().collect::<Vec<_>>());
    let mut cores = cores.ok_or_else(|| {
        problem!("{:?} is not a list of cores", list.get_ref())
            .help("write numbers and ranges, such as 0,2-3")
            .at(list.span())
    })?;
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Checks the price at which a run ends. Fails for hand-ins: a losing bot could end the run by reporting a high price.
pub(super) fn budget(
    written: Option<&Spanned<f64>>,
    has_hand_ins: bool,
) -> Result<Option<f64>, Problem> {
    let check = |price: &Spanned<f64>| {
        if has_hand_ins {
            return Err(Problem::new("hand-ins have no budget")
                .help("a hand-in reports its own price: set the limit at the service itself")
                .at(price.span()));
        }
        within(Some(price), 0.0, 0.0..=1_000_000_000.0, "budget")
    };
    written.map(check).transpose()
}

/// Returns the bots with known ratings: those with a `rating`, or the `anchor`, such as `random=0`.
pub(super) fn anchors(
    file: &TournamentFile,
    names: &[&str],
) -> Result<Vec<(String, f64)>, Problem> {
    let mut known = Vec::new();
    for (bot, name) in file.bot.iter().zip(names) {
        if let Some(rating) = &bot.get_ref().rating {
            let elo = within(Some(rating), 0.0, -MOST_ELO..=MOST_ELO, "rating")?;
            known.push(((*name).to_owned(), elo));
        }
    }
    let Some(written) = &file.anchor else {
        return Ok(known);
    };
    if !known.is_empty() {
        return Err(Problem::new("anchor and rating both fix ratings")
            .help("keep one of them")
            .at(written.span()));
    }
    let parts = written.get_ref().rsplit_once('=');
    let elo = parts.and_then(|(_, elo)| elo.trim().parse::<f64>().ok());
    let (Some((name, _)), Some(elo)) = (parts, elo.filter(|elo| elo.abs() <= MOST_ELO)) else {
        return Err(
            problem!("{:?} is not a bot and its rating", written.get_ref())
                .help("write NAME=ELO, such as random=0")
                .at(written.span()),
        );
    };
    if !names.contains(&name) {
        return Err(problem!("there is no bot {name:?} to base the ratings on")
            .did_you_mean(name, names.iter().copied())
            .at(written.span()));
    }
    Ok(vec![(name.to_owned(), elo)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TournamentFile;
    use cases::cases;

    fn catalogue() -> Catalogue {
        Catalogue {
            solvers: vec![("othello", |_| 0)],
            ..Catalogue::empty()
        }
    }

    fn file(text: &str) -> TournamentFile {
        TournamentFile::parse(text).unwrap_or_else(|problem| panic!("{text}: {problem:?}"))
    }

    fn test(text: &str) -> Result<Option<Goal>, Problem> {
        goal(&file(text), Format::Match)
    }

    #[test]
    fn a_test_with_and_without_defaults() {
        assert_eq!(test("game = \"othello\""), Ok(None));
        let usual = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).expect("in order");
        assert_eq!(
            test("[sprt]\nelo0 = 0\nelo1 = 10"),
            Ok(Some(Goal::Decision(usual)))
        );
        let other = Sprt::new(-1.75, 0.25, 0.1, 0.01, Model::Normalised).expect("in order");
        let text = "elo0 = -1.75\nelo1 = 0.25\nalpha = 0.1\nbeta = 0.01\nmodel = \"normalised\"";
        assert_eq!(
            test(&format!("[sprt]\n{text}")),
            Ok(Some(Goal::Decision(other)))
        );
    }

    #[test]
    fn an_invalid_test_is_reported_with_its_position() {
        for (text, what, shown) in cases::<(String, String, String)>("sprt-mistakes") {
            let text = format!("[sprt]\n{text}");
            let problem = test(&text).expect_err(&text);
            assert!(problem.what.to_string().contains(&what), "{problem:?}");
            let at = problem.at.expect("a place");
            assert!(text[at.clone()].starts_with(&shown), "{text}: {at:?}");
        }
        let problem = goal(&file("[sprt]\nelo0 = 0\nelo1 = 1"), Format::RoundRobin);
        let what = problem.expect_err("no match").what;
        assert_eq!(what, "[sprt] tests a match, not a round-robin");
    }

    #[test]
    fn a_match_ends_when_its_elo_is_known_or_a_test_is_decided() {
        let wish = Precision::new(5.0).map(Goal::Precision);
        assert_eq!(test("until_elo = 5"), Ok(wish));
        let wrong = |text, format| goal(&file(text), format).expect_err(text).what.to_string();
        let both = "until_elo = 5\n[sprt]\nelo0 = 0\nelo1 = 1";
        assert_eq!(
            wrong(both, Format::Match),
            "a match cannot have both [sprt] and until_elo"
        );
        assert_eq!(
            wrong("until_elo = 5", Format::RoundRobin),
            "until_elo is for a match, not for a round-robin"
        );
        assert_eq!(
            wrong("until_elo = 0.25", Format::Match),
            "until_elo = 0.25 is out of range"
        );
    }

    #[test]
    fn openings_are_turned_by_the_symmetries_of_the_start() {
        let ways = |name| {
            let game = Game::new(name, None, None).expect("a built-in game");
            let all = symmetries(true, game);
            assert_eq!(all[0], Symmetry::ALL[0]);
            assert_eq!(symmetries(false, game), [Symmetry::ALL[0]]);
            all.len()
        };
        // Besides the identity, two mirrors and a half turn keep the colours of Othello's start position.
        assert_eq!((ways("othello"), ways("gomoku")), (4, 8));
    }

    #[test]
    fn adjudication_is_off_unless_it_is_asked_for() {
        let judged = |text: &str, game| {
            let file = file(text);
            adjudication(file.adjudicate.as_ref(), game, &catalogue(), false)
        };
        let none = judged("", Game::OTHELLO).expect("nothing is wrong");
        assert!(none.resign.is_none() && none.draw_after.is_none() && none.solve.is_none());
        let all = "[adjudicate]\nresign_score = 40\ndraw_after = 200\nsolve_empties = 10";
        let all = judged(all, Game::OTHELLO).expect("nothing is wrong");
        assert_eq!(all.resign.map(|both| both.plies), Some(6));
        assert_eq!(all.draw_after, Some(200));
        assert_eq!(all.solve.map(|solve| solve.empties), Some(10));
        for (text, game, what) in cases::<(String, String, String)>("adjudication-mistakes") {
            let game = Game::new(&game, None, None).expect("a built-in game");
            let problem = judged(&format!("[adjudicate]\n{text}"), game).expect_err(&text);
            assert_eq!(problem.what.to_string(), what);
            assert!(problem.at.is_some(), "{text}");
        }
    }
}
