//! Suites for grading: a built-in suite, or a tournament file with thresholds.

use std::path::{Path, PathBuf};

use games::formats::text;
use toml::Spanned;

use super::HandIn;
use referee::bot::{looks_like, read_named};
use referee::problem;
use run::RunError;
use tournament::{BotFile, Problem, TournamentFile, folder_of, given, stem};

macro_rules! suite {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../tournaments/grade-", $name, ".toml")),
        )
    };
}

/// The built-in suites by name; their files are in `tournaments/`.
const SUITES: [(&str, &str); 4] = [
    suite!("othello-six"),
    suite!("gomoku-six"),
    suite!("othello-course"),
    suite!("gomoku-course"),
];

/// A suite from a file, with the changes from the command line.
#[derive(Clone, Debug)]
pub struct Suite {
    pub name: String,
    pub file: TournamentFile,
    pub folder: PathBuf,
    /// The text of the file, and in `shown` its path, for errors that point at a line.
    text: String,
    shown: String,
}

impl Suite {
    pub fn names() -> Vec<&'static str> {
        SUITES.iter().map(|(name, _)| *name).collect()
    }

    pub fn find(word: &str) -> Result<Suite, RunError> {
        let bare = word.strip_prefix("grade-").unwrap_or(word);
        let built_in = SUITES.iter().find(|(name, _)| *name == bare);
        let (text, shown, folder) = if let Some((name, text)) = built_in {
            let shown = format!("tournaments/grade-{name}.toml");
            ((*text).to_owned(), shown, PathBuf::from("."))
        } else {
            let path = Path::new(word);
            let bytes = read_named(path).map_err(|error| unknown(word, &error))?;
            let text = text::decode(&bytes).map_err(|why| Problem::not_text(word, why))?;
            (text, word.to_owned(), folder_of(path).to_owned())
        };
        let explain = |problem: Problem| RunError::from(problem.in_file(&shown, &text));
        let mut file = TournamentFile::parse(&text).map_err(explain)?;
        if !file.is_suite() {
            let problem = problem!("{shown} is not a suite: it has no [grade]")
                .help("add [grade] with threshold = 0.55, or choose --suite othello-six");
            return Err(problem.into());
        }
        let own = file.name.as_ref().map(|name| name.get_ref().clone());
        let name = own.unwrap_or_else(|| stem(Path::new(word)));
        let format = file.format.as_ref();
        if let Some(format) = format.filter(|format| format.get_ref() != "gauntlet") {
            let problem = Problem::new("a suite is a gauntlet: the graded bot against all others")
                .help("leave format out")
                .at(format.span());
            return Err(explain(problem));
        }
        file.format = given(Some("gauntlet".to_owned()));
        file.seeds = given(Some(1));
        Ok(Suite {
            name,
            file,
            folder,
            text,
            shown,
        })
    }

    /// Returns the tournament for a hand-in: its bot first, the opponents after it.
    pub fn with(&self, hand_in: &HandIn) -> TournamentFile {
        let mut file = self.file.clone();
        let named = |bot: &Spanned<BotFile>| {
            let bot = bot.get_ref();
            let name = bot.name.as_ref().or(bot.uses.as_ref());
            name.is_some_and(|name| looks_like(name.get_ref(), &hand_in.name))
        };
        let mut bot = hand_in.bot.clone();
        // A student's bot may be called `random`, too.
        let is_taken = file.bot.iter().any(named);
        let suffix = if is_taken { "-graded" } else { "" };
        bot.name = given(Some(format!("{}{suffix}", hand_in.name)));
        file.name = given(Some(format!("{}-{}", self.name, hand_in.name)));
        file.bot.insert(0, Spanned::new(0..0, bot));
        file.play_on();
        file
    }

    pub fn explain(&self, problem: Problem) -> Problem {
        if problem.at.is_none() {
            return problem;
        }
        problem.in_file(&self.shown, &self.text)
    }
}

fn unknown(word: &str, error: &std::io::Error) -> Problem {
    let is_path = word.contains(std::path::is_separator) || Path::new(word).extension().is_some();
    if is_path {
        return problem!("cannot read the suite {word}: {error}")
            .help("for a built-in suite write its name: --suite othello-six");
    }
    problem!("unknown suite {word:?}").did_you_mean(word, SUITES.iter().map(|(name, _)| *name))
}
