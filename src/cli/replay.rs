//! `arena replay`.

use std::path::{Path, PathBuf};

use clap::Args;
use games::{Move, Rules};

use super::{CliError, print};
use crate::record::{GameId, GameRecord, Thought, Verdict};
use crate::store::Store;
use crate::tournament::Problem;

/// Show a game of a run, board by board
#[derive(Debug, Args)]
pub struct Replay {
    /// RUN/GAME such as results/quick/17, or a game's number alone in the latest run
    game: PathBuf,
    /// Show only the moves, not the boards
    #[arg(long)]
    moves: bool,
}

impl Replay {
    /// Runs the command.
    pub fn run(self) -> Result<(), CliError> {
        let (run, id) = place(&self.game)?;
        let store = Store::read(&run)?;
        let Some(record) = store.game(id)? else {
            return Err(
                Problem::new(format!("{} has no game {}", run.display(), id.0))
                    .help("games.csv lists the games that were played")
                    .into(),
            );
        };
        print(&show(&record, !self.moves))
    }
}

/// `results/quick/17` is game 17 of that run; `17` is in the run that was written to last.
fn place(written: &Path) -> Result<(PathBuf, GameId), Problem> {
    let number = written
        .file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.parse().ok());
    let Some(number) = number else {
        return Err(Problem::new(format!("{} names no game", written.display()))
            .help("write the run and the game's number: results/quick/17"));
    };
    let run = match written.parent() {
        Some(run) if run != Path::new("") => run.to_owned(),
        _ => latest_run().ok_or_else(|| {
            Problem::new("there is no run in results/")
                .help("name the run: arena replay results/quick/17")
        })?,
    };
    Ok((run, GameId(number)))
}

fn latest_run() -> Option<PathBuf> {
    let runs = std::fs::read_dir("results")
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let written = |run: &PathBuf| {
        run.join("arena.db")
            .metadata()
            .and_then(|data| data.modified())
            .ok()
    };
    runs.filter_map(|run| Some((written(&run)?, run)))
        .max()
        .map(|(_, run)| run)
}

fn show(record: &GameRecord, boards: bool) -> String {
    let mut text = format!(
        "game {}: {} (X) against {} (O), {}\n",
        record.id.0, record.players[0], record.players[1], record.game
    );
    let mut board = record.game.start();
    let given = record.opening.iter().map(|&played| (played, None));
    let plies = record
        .plies
        .iter()
        .map(|ply| (ply.played, ply.thought.as_ref()));
    for (ply, (played, thought)) in given.chain(plies).enumerate() {
        let side = board.side_to_move();
        let opening = ply < record.opening.len();
        let line = line(ply + 1, record.player(side), played, thought, opening);
        text += &line;
        if board.play(played).is_err() {
            text += "   (this move cannot be played: the record is damaged)\n";
            break;
        }
        if boards && !opening || ply + 1 == record.opening.len() {
            text += &format!("{}\n\n", marked(&board, played));
        }
    }
    if !boards {
        text += &format!("{board}\n");
    }
    text + &ending(record)
}

fn line(ply: usize, bot: &str, played: Move, thought: Option<&Thought>, opening: bool) -> String {
    let mut line = format!("{ply:3}. {bot}: {played}");
    match thought {
        None if opening => line += "   (opening)",
        None => line += "   (forced)",
        Some(thought) => {
            line += &format!("   {:.1} ms", thought.wall.as_secs_f64() * 1000.0);
            if let Some(depth) = thought.depth {
                line += &format!(", depth {depth}");
            }
            if let Some(score) = thought.score {
                line += &format!(", score {score:+}");
            }
            if let Some(nodes) = thought.nodes {
                line += &format!(", {nodes} nodes");
            }
        }
    }
    line + "\n"
}

/// The board with the last move in brackets.
fn marked(board: &games::Board, played: Move) -> String {
    let text = board.to_string();
    let Move::Place(square) = played else {
        return text;
    };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &mut lines[usize::from(square.row()) + 1];
    // Two characters of row number, then a space and a symbol a column.
    let at = 2 + 2 * usize::from(square.column());
    line.replace_range(at..=at, "(");
    if line.len() > at + 2 {
        line.replace_range(at + 2..at + 3, ")");
    } else {
        line.push(')');
    }
    lines.join("\n")
}

fn ending(record: &GameRecord) -> String {
    let [black, white] = record.counts;
    match &record.verdict {
        Verdict::Rules {
            winner: Some(side),
            reason,
        } => {
            format!(
                "{} wins ({}), {black}–{white}\n",
                record.player(*side),
                reason.word()
            )
        }
        Verdict::Rules {
            winner: None,
            reason,
        } => format!("drawn ({}), {black}–{white}\n", reason.word()),
        Verdict::Resigned(side) => format!("{} resigns\n", record.player(*side)),
        Verdict::Forfeit { by, fault } => {
            format!(
                "{} forfeits: {}: {fault}\n",
                record.player(*by),
                fault.word()
            )
        }
        Verdict::BothFailed([black, white]) => format!("both failed: {black}; {white}\n"),
        Verdict::Adjudicated {
            winner: Some(side),
            ground,
        } => format!(
            "{} wins ({}), {black}–{white}\n",
            record.player(*side),
            ground.word()
        ),
        Verdict::Adjudicated {
            winner: None,
            ground,
        } => format!("drawn ({}), {black}–{white}\n", ground.word()),
        Verdict::Void { why } => format!("void: {why}\n"),
    }
}
