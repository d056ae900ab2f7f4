//! `arena analyze`: one game move by move ([`text`]), or many games summed up for each bot ([`summary`]).

mod games;
mod stages;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::games::formats::SavedGame;
use ::games::{Rules, Side};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use message::{Lang, Message, message, spoken};
use referee::problem;
use referee::record::{GameRecord, Outcome, harmless};
use run::RunError;
use run::report::page::Analyses;
use serde_json::json;
use tournament::Problem;

use super::error::Ending;
use super::options::LanguageOption;
use super::output::indented_json;
use super::{CliError, print, print_said, replay, report};
use crate::analysis::summary::{self, AnalysedGame, summaries};
use crate::analysis::{GameMoves, NotAnalysed, Settings, analyse, moves, text};
use games::Chosen;
use stages::StageMaker;

/// Show what each move of a game cost, and where the game turned; or sum up many games for each bot
///
/// Othello: discs, exact from --solve-from empty squares on. Gomoku: chances of winning, with the forced wins that were
/// missed or given away. The moves that turned the game come first. With --ply, every move of one position is scored.
///
/// With a run's folder or several games: for each bot the mean loss of a move, its blunders, where they fall, and what
/// to work on. --stages writes the positions in which a bot gave a proven result away as stages, for arena stages.
#[derive(Debug, Args)]
pub struct Analyze {
    /// RUN/GAME such as results/quick/17, a game's number alone in the latest run, a file (SGF, GGF, PSQ, WTHOR,
    /// transcripts), or a transcript such as f5d6c3; for a summary a run such as results/quick, or several games
    #[arg(required = true, value_name = "GAME")]
    sources: Vec<PathBuf>,
    /// The number of a game in a file with several games, counted from 1
    #[arg(long = "game", short = 'g', value_name = "N")]
    number: Option<usize>,
    /// Instead, score every move of the position before this half-move, counted from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["games", "bot", "stages", "keep"])]
    ply: Option<usize>,
    /// In a summary: analyse at most this many games, the latest ones, evenly over the bots
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    games: usize,
    /// In a summary: only the games of this bot
    #[arg(long, value_name = "NAME")]
    bot: Option<String>,
    /// Write stages into this new folder, from the games that the bot (--bot) did not win
    #[arg(long, value_name = "FOLDER")]
    stages: Option<PathBuf>,
    /// In a summary of one run: keep the analyses in its folder. The pages of these games show them, and so does
    /// report.html
    #[arg(long)]
    keep: bool,
    /// Othello: plies searched before the end is solved
    #[arg(long, value_name = "PLIES", default_value_t = 14, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: i32,
    /// Othello: judge a move exactly if it leaves at most this many empty squares
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=60))]
    solve_from: u32,
    /// Gomoku: positions visited for each move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = RangedU64ValueParser::<u64>::new().range(1000..))]
    nodes: u64,
    /// Maximum size of the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
    /// Print the analysis as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageOption,
}

impl Analyze {
    pub fn run(self) -> Result<(), CliError> {
        let lang = self.language.speak()?;
        let settings = Settings {
            depth: self.depth,
            solve_from: self.solve_from,
            nodes: self.nodes,
            hash_mib: self.hash_mib as usize,
        };
        if self.is_summary()? {
            return self.summary(settings, lang);
        }
        let written = &self.sources[0];
        let game = SourceGame::find(written, self.number)?;
        if let Some(ply) = self.ply {
            return self.position(&game, ply, &settings);
        }
        let progress = bar("progress.analysis");
        let analysis = analyse(&game.played, &settings, &mut |done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        });
        progress.finish_and_clear();
        let analysis = analysis.map_err(|error| game.refused(&error))?;
        let players = game.players.each_ref().map(String::as_str);
        if self.json {
            return print(&indented_json(&text::json(&analysis, players)));
        }
        let [black, white] = players;
        print(&format!(
            "{}\n{}\n{}",
            lang.render(&message!(
                "{}: {black} (X) against {white} (O), {}",
                game.name,
                analysis.game
            )),
            lang.render(&game.ending),
            text::table(&analysis, players, lang)
        ))?;
        if let Some(worst) = analysis.turning_points().first() {
            let (shown, ply) = (written.display(), worst.ply);
            print_said(&message!(
                "to score every move at half-move {ply}: arena analyze {shown} --ply {ply}"
            ))?;
        }
        Ok(())
    }

    /// Returns whether the command summarises: for a run, several sources, several games in a file, or by its options.
    fn is_summary(&self) -> Result<bool, CliError> {
        if self.number.is_some() || self.ply.is_some() {
            return match self.sources.as_slice() {
                [_] => Ok(false),
                _ => Err(problem!("--game and --ply need exactly one game").into()),
            };
        }
        let [written] = self.sources.as_slice() else {
            return Ok(true);
        };
        let has_several = written.is_file() && replay::read(written)?.len() > 1;
        let is_wanted = self.stages.is_some() || self.bot.is_some() || self.keep;
        Ok(is_wanted || has_several || written.is_dir())
    }

    fn summary(&self, settings: Settings, lang: &Lang) -> Result<(), CliError> {
        let mut chosen = Chosen::read(&self.sources, self.games, self.bot.as_deref())?;
        let games = Arc::new(std::mem::take(&mut chosen.games));
        let run = match self.sources.as_slice() {
            [run] if run.is_dir() => run,
            _ if self.keep => return Err(problem!("--keep needs the folder of one run").into()),
            sources => &sources[0],
        };
        let maker = self.stages.as_deref();
        let maker = maker.map(|folder| StageMaker::new(folder, self.bot.as_deref(), &games));
        let maker = maker.transpose()?;
        let (analysed, is_whole) = games::analysed(&games, settings)?;
        let (indices, analysed): (Vec<usize>, Vec<AnalysedGame>) = analysed.into_iter().unzip();
        if self.keep {
            let numbers = indices.iter().map(|&index| games[index].label.1.parse());
            let found = numbers.zip(&analysed).filter_map(|(game, one)| {
                Some((game.ok()?, text::json(&one.analysis, ["black", "white"])))
            });
            Analyses::keep(run, found).map_err(RunError::from)?;
            report::rewrite(run)?;
        }
        let mut summaries = summaries(&analysed);
        summaries.retain(|one| self.bot.as_ref().is_none_or(|bot| one.bot == *bot));
        if self.json {
            print(&indented_json(&json!({
                "games": indices.iter().map(|&index| games[index].name.to_string()).collect::<Vec<_>>(),
                "equal": chosen.equal,
                "void": chosen.void,
                "older": chosen.older,
                "bots": summary::json(&summaries),
            })))?;
        } else {
            let notes = lang.render(&chosen.notes(analysed.len()));
            print(&format!(
                "{notes}\n\n{}",
                summary::table(&summaries, &settings, lang)
            ))?;
        }
        if let Some(maker) = maker {
            let of_games = indices.iter().map(|&index| &games[index]);
            maker.write(of_games.zip(&analysed))?;
        }
        if !is_whole {
            let (done, all) = (analysed.len(), games.len());
            return Err(Ending::Interrupted
                .because(message!("interrupted: {done} of {all} games were analysed")));
        }
        Ok(())
    }

    fn position(&self, game: &SourceGame, ply: usize, settings: &Settings) -> Result<(), CliError> {
        let refused = |error: NotAnalysed| game.refused(&error);
        let last = game.played.moves.len() + 1;
        let index = ply.checked_sub(1);
        let board = index.map(|index| game.played.position(index)).transpose();
        let board = board.map_err(refused)?.flatten().ok_or_else(|| {
            problem!("{} has no half-move {ply}", game.name).help(message!("choose 1 to {last}"))
        })?;
        let scored = moves(&board, settings).map_err(refused)?;
        if self.json {
            return print(&indented_json(&text::scores_json(&scored)));
        }
        let name = &game.name;
        let title = match game.played.moves.get(ply - 1) {
            Some(played) => {
                message!("{name}, half-move {ply}; in the game, {played} was played")
            }
            None => message!("{name}, half-move {ply}"),
        };
        print_said(&message!("{title}\n{board}\n"))?;
        match scored.as_slice() {
            [] if board.must_pass() => print_said(&"the player must pass".into()),
            [] => print_said(&"the game has ended".into()),
            scored => print(&text::scores(scored, spoken())),
        }
    }
}

struct SourceGame {
    name: Message,
    /// The names of the run and of the game, for the stages.
    label: (String, String),
    players: [String; 2],
    played: GameMoves,
    winner: Option<Side>,
    ending: Message,
}

impl SourceGame {
    fn find(written: &Path, number: Option<usize>) -> Result<SourceGame, CliError> {
        if let Some(game) = SourceGame::of_transcript(written) {
            return Ok(game);
        }
        Ok(match replay::Chosen::find(written, number)? {
            replay::Chosen::OfRun { record, run } => SourceGame::recorded(&run, &record),
            replay::Chosen::OfFile { game, number } => SourceGame::saved(written, number, &game),
        })
    }

    fn recorded(run: &Path, record: &GameRecord) -> SourceGame {
        let (folder, id) = (run.file_name().unwrap_or_default(), record.id.0);
        SourceGame {
            name: Message::quote(format!("{}/{id}", run.display())),
            label: (harmless(&folder.to_string_lossy()), id.to_string()),
            players: record.players.each_ref().map(|name| harmless(name)),
            winner: match record.verdict.outcome() {
                Outcome::Win(side) => Some(side),
                Outcome::Draw | Outcome::DoubleForfeit | Outcome::Void => None,
            },
            ending: replay::ending(record),
            played: record.into(),
        }
    }

    fn saved(path: &Path, number: usize, game: &SavedGame) -> SourceGame {
        let name = format!("{} #{number}", path.display());
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let label = (stem.into_owned(), number.to_string());
        SourceGame::named(Message::quote(name), label, game)
    }

    fn named(name: Message, label: (String, String), game: &SavedGame) -> SourceGame {
        let by_rules = game.board().ending().and_then(|ending| ending.winner);
        SourceGame {
            name,
            label,
            players: replay::players(game).map(str::to_owned),
            winner: game.result.map_or(by_rules, |result| result.winner),
            ending: replay::saved_ending(game),
            played: GameMoves {
                start: game.start.clone(),
                moves: game.plies().collect(),
                given: 0,
            },
        }
    }

    fn of_transcript(written: &Path) -> Option<SourceGame> {
        let text = written.to_str().filter(|_| !written.exists())?;
        let is_transcript = text.len() > 3 && !text.contains('/');
        let game = is_transcript
            .then(|| ::games::formats::transcripts(text).ok())??
            .pop()?;
        Some(SourceGame::named(
            "the game".into(),
            ("game".to_owned(), "1".to_owned()),
            &game,
        ))
    }

    fn refused(&self, error: &NotAnalysed) -> Problem {
        problem!("{name}: {error}", name = self.name)
    }
}

fn bar(words: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:28}} {}", spoken().get(words)));
    ProgressBar::new(0).with_style(style.expect("a template that indicatif knows"))
}
