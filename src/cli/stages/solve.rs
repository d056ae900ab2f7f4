//! Proving stages, with times: a benchmark of the threat solver.

use std::time::{Duration, Instant};

use alphabeta::gomoku::forced_win;
use games::{Rules, Square};

use super::table::name_width;
use crate::cli::error::Ending;
use crate::cli::{CliError, print, print_said};
use crate::stages::Stage;
use message::spoken;
use message::width::{left, right};

/// Positions that the solver may visit in each.
const NODES: u64 = 20_000_000;

/// Moves per output line: they fit into eighty columns on the largest board.
const MOVES_A_ROW: usize = 18;

/// Prints one row per stage; an error if one is not proven.
pub(super) fn solve(stages: &[Stage]) -> Result<(), CliError> {
    let name = name_width(stages);
    let lang = spoken();
    let [stage, win_in, time] = ["stage", "win in", "time"].map(|it| lang.word("stages-table", it));
    print(&format!(
        "   {}  {}   {}\n",
        left(stage, name),
        left(win_in, 6),
        right(time, 10)
    ))?;
    let (mut proven, mut longest) = (0, Duration::ZERO);
    for stage in stages {
        let began = Instant::now();
        let line = forced_win(&stage.board, NODES);
        let time = began.elapsed();
        longest = longest.max(time);
        let sign = if line.is_some() { "✓" } else { "✗" };
        let plies = line
            .as_ref()
            .map_or("none".to_owned(), |line| format!("{} plies", line.len()));
        let plies = lang.say(&plies);
        proven += usize::from(line.is_some());
        print(&format!(
            " {sign} {}  {} {:>8.1} ms\n",
            left(&stage.name, name),
            right(&plies, 8),
            time.as_secs_f64() * 1000.0,
        ))?;
        let squares: Vec<String> = line
            .unwrap_or_default()
            .iter()
            .map(Square::to_string)
            .collect();
        for row in squares.chunks(MOVES_A_ROW) {
            print(&format!("     {}\n", row.join(" ")))?;
        }
        debug_assert!(stage.board.ending().is_none());
    }
    let of = stages.len();
    print_said(&format!(
        "\n{proven} of {of} stages proven; the longest proof took {:.1} ms\n",
        longest.as_secs_f64() * 1000.0
    ))?;
    if proven < of {
        return Err(Ending::NotPassed.printed());
    }
    Ok(())
}
