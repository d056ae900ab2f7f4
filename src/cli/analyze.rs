use message::{Message, message, spoken};
use referee::problem;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use games::Rules;
use games::formats::SavedGame;
use indicatif::{ProgressBar, ProgressStyle};

use super::options::LanguageOption;
use super::output::indented_json;
use super::replay::{self, Chosen};
use super::{CliError, print, print_said};
use crate::analysis::{GameMoves, NotAnalysed, Settings, analyse, moves, text};
use referee::record::harmless;

/// Show what each move of a game cost, and where the game turned
///
/// Othello: discs, exact from --solve-from empty squares on. Gomoku: chances of winning, with the forced
/// wins that were missed or given away. The moves that turned the game come first. With --ply, every move
/// of one position is scored.
#[derive(Debug, Args)]
pub struct Analyze {
    /// RUN/GAME such as results/quick/17, a game's number alone in the latest run, a file (SGF, GGF, PSQ, WTHOR,
    /// transcripts), or a transcript such as f5d6c3
    game: PathBuf,
    /// The number of a game in a file with several games, counted from 1
    #[arg(long = "game", short = 'g', value_name = "N")]
    number: Option<usize>,
    /// Instead, score every move of the position before this half-move, counted from 1
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
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
        let game = AnalysedGame::find(&self.game, self.number)?;
        let settings = Settings {
            depth: self.depth,
            solve_from: self.solve_from,
            nodes: self.nodes,
            hash_mib: self.hash_mib as usize,
        };
        let refused = |error: NotAnalysed| problem!("{name}: {error}", name = game.name);
        if let Some(ply) = self.ply {
            return self.position(&game, ply, &settings);
        }
        let progress = bar();
        let analysis = analyse(&game.played, &settings, &mut |done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        });
        progress.finish_and_clear();
        let analysis = analysis.map_err(refused)?;
        let players = [0, 1].map(|side| game.players[side].as_str());
        if self.json {
            return print(&indented_json(text::json(&analysis, players)));
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
            let (shown, ply) = (self.game.display(), worst.ply);
            print_said(&message!(
                "to score every move at half-move {ply}: arena analyze {shown} --ply {ply}"
            ))?;
        }
        Ok(())
    }

    fn position(
        &self,
        game: &AnalysedGame,
        ply: usize,
        settings: &Settings,
    ) -> Result<(), CliError> {
        let refused = |error: NotAnalysed| problem!("{name}: {error}", name = game.name);
        let last = game.played.moves.len() + 1;
        let index = ply.checked_sub(1);
        let board = index.map(|index| game.played.position(index)).transpose();
        let board = board.map_err(refused)?.flatten().ok_or_else(|| {
            problem!("{} has no half-move {ply}", game.name).help(message!("choose 1 to {last}"))
        })?;
        let scored = moves(&board, settings).map_err(refused)?;
        if self.json {
            return print(&indented_json(text::scores_json(&scored)));
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

struct AnalysedGame {
    name: Message,
    players: [String; 2],
    played: GameMoves,
    ending: Message,
}

impl AnalysedGame {
    fn find(written: &Path, number: Option<usize>) -> Result<AnalysedGame, CliError> {
        if let Some(game) = AnalysedGame::of_transcript(written) {
            return Ok(game);
        }
        Ok(match Chosen::find(written, number)? {
            Chosen::OfRun { record, run } => AnalysedGame {
                name: Message::quote(format!("{}/{}", run.display(), record.id.0)),
                players: record.players.each_ref().map(|name| harmless(name)),
                ending: replay::ending(&record),
                played: replay::played(&record),
            },
            Chosen::OfFile { game, number } => {
                let name = format!("{} #{number}", written.display());
                AnalysedGame::saved(Message::quote(name), &game)
            }
        })
    }

    fn saved(name: Message, game: &SavedGame) -> AnalysedGame {
        AnalysedGame {
            name,
            players: replay::players(game).map(str::to_owned),
            ending: replay::saved_ending(game),
            played: GameMoves {
                start: game.start.clone(),
                moves: game.plies().collect(),
                given: 0,
            },
        }
    }

    fn of_transcript(written: &Path) -> Option<AnalysedGame> {
        let text = written.to_str().filter(|_| !written.exists())?;
        let is_transcript = text.len() > 3 && !text.contains('/');
        let game = is_transcript
            .then(|| games::formats::transcripts(text).ok())??
            .pop()?;
        Some(AnalysedGame::saved("the game".into(), &game))
    }
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template(&format!("{{bar:28}} {}", spoken().get("progress.analysis")));
    ProgressBar::new(0).with_style(style.expect("a template that indicatif knows"))
}
