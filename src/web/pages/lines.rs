//! The raw lines of a failed game at a half-move, and what its bots wrote to standard error.

use std::io::Read;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Context;

/// The most of a file that is read, in bytes.
const MOST: u64 = 1 << 20;
/// The most lines that are sent.
const LINES: usize = 60;

/// `GET /run/quick/lines/17/9`: what was said when half-move 9 was asked for.
pub async fn at(
    State(context): State<Arc<Context>>,
    Path((run, game, ply)): Path<(String, u64, u64)>,
) -> Response {
    let Some(run) = context.library.get(&run) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let folder = run.folder.join("failures").join(game.to_string());
    let sides = ["black", "white"].map(|side| {
        let lines = text(&folder.join(format!("{side}.lines.txt")));
        let lines: Vec<&str> = of_turn(&lines, ply);
        let stderr = text(&folder.join(format!("{side}.stderr.txt")));
        json!({ "lines": lines, "stderr": stderr })
    });
    axum::Json(sides).into_response()
}

/// The lines from the question for half-move `ply` (its `id` counts them) to the next question; the
/// last lines if there is no such question, as in other protocols.
fn of_turn(text: &str, ply: u64) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let asks = |line: &&str| line.starts_with("> ") && line.contains("\"turn\"");
    // `moves` lists the half-moves before the question.
    let moves = |line: &str| -> Option<u64> {
        let value: Value = serde_json::from_str(line.strip_prefix("> ")?).ok()?;
        Some(value.get("moves")?.as_array()?.len() as u64 + 1)
    };
    let first = lines
        .iter()
        .position(|line| asks(line) && moves(line) == Some(ply));
    let Some(first) = first else {
        let from = lines.len().saturating_sub(LINES / 4);
        return lines[from..].to_vec();
    };
    let rest = &lines[first..];
    let end = rest
        .iter()
        .skip(1)
        .position(asks)
        .map_or(rest.len(), |at| at + 1);
    rest[..end.min(LINES)].to_vec()
}

fn text(path: &FilePath) -> String {
    let mut bytes = Vec::new();
    let read = host::open_regular(path).and_then(|file| file.take(MOST).read_to_end(&mut bytes));
    read.map_or(String::new(), |_| {
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::{of_turn, text};

    /// The folder of a run may be a stranger's.
    #[test]
    fn a_link_or_a_pipe_has_no_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("black.lines.txt"), "> hello").expect("a file");
        assert_eq!(text(&at("black.lines.txt")), "> hello");
        for command in [
            ["ln", "-s", "black.lines.txt", "link"],
            ["mkfifo", "-m", "600", "pipe"],
        ] {
            let made = std::process::Command::new(command[0]);
            let made = { made }
                .args(&command[1..])
                .current_dir(folder.path())
                .status();
            if made.is_ok_and(|made| made.success()) {
                assert_eq!(text(&at(command[3])), "", "{command:?}");
            }
        }
    }

    #[test]
    fn the_lines_of_a_turn_are_found_by_its_moves() {
        let log = "> {\"type\":\"hello\"}\n< {\"type\":\"ready\"}\n\
            > {\"type\":\"turn\",\"id\":1,\"moves\":[]}\n< {\"move\":\"f5\"}\n\
            > {\"type\":\"turn\",\"id\":2,\"moves\":[\"f5\",\"d6\"]}\n< {\"depth\":1}\n< nonsense";
        assert_eq!(of_turn(log, 1).len(), 2);
        assert_eq!(of_turn(log, 3), log.lines().skip(4).collect::<Vec<_>>());
        assert_eq!(of_turn(log, 9).len(), 7, "the end of the log");
    }
}
