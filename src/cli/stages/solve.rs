//! Proving stages, with times: the bench of the solver of threats.

use std::time::{Duration, Instant};

use alphabeta::gomoku::winning_line;
use games::{Move, Rules};

use crate::cli::{CliError, print};
use crate::stages::Stage;

/// Positions that the solver may visit in each.
const NODES: u64 = 20_000_000;

/// Prints a row a stage; an error if one is not proven.
pub(super) fn solve(stages: &[Stage]) -> Result<(), CliError> {
    let widths = stages.iter().map(|stage| stage.name.chars().count());
    let name = widths.max().unwrap_or_default().clamp(5, 40);
    print(&format!(
        "   {:name$}  win in   {:>10}  line\n",
        "stage", "time"
    ))?;
    let (mut proven, mut longest) = (0, Duration::ZERO);
    for stage in stages {
        let began = Instant::now();
        let line = winning_line(&stage.board, NODES);
        let time = began.elapsed();
        longest = longest.max(time);
        let sign = if line.is_some() { "✓" } else { "✗" };
        let plies = line
            .as_ref()
            .map_or("none".to_owned(), |line| format!("{} plies", line.len()));
        proven += usize::from(line.is_some());
        let line: Vec<Move> = line
            .unwrap_or_default()
            .into_iter()
            .map(Move::Place)
            .collect();
        print(&format!(
            " {sign} {:name$}  {plies:>8} {:>8.1} ms  {}\n",
            stage.name,
            time.as_secs_f64() * 1000.0,
            games::format_transcript(&line)
        ))?;
        debug_assert!(stage.board.ending().is_none());
    }
    let of = stages.len();
    print(&format!(
        "\n{proven} of {of} stages proven; the longest proof took {:.1} ms\n",
        longest.as_secs_f64() * 1000.0
    ))?;
    if proven < of {
        return Err(CliError::NotPassed);
    }
    Ok(())
}
