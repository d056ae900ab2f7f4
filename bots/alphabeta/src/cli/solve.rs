//! `alphabeta solve`: perfect play for positions of a file.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::othello::endgame::{self, Solution};
use games::formats::text::{self, NotText};
use games::othello::obf;

use super::failure::Failure;
use super::position;

/// Solve Othello endgames exactly: positions in OBF, one a line
///
/// Prints the best move of each, its score in discs, nodes, time and the line of perfect play; and
/// the totals. Exit code 1 when a score is not the one that the file gives.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Positions in OBF: `64 squares side; move:score …; % comment`
    file: PathBuf,
    /// MiB that the transposition table may grow to
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
}

/// Does what the arguments say, and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = arguments.file.display();
    let bad = |why: &dyn Display| Failure::input(format!("{path}: {why}"));
    let bytes = fs::read(&arguments.file).map_err(|error| bad(&error))?;
    let text = text::decode(&bytes).map_err(|why| bad(&format!("{why}: {}", NotText::FIX)))?;
    let problems = obf::read(&text).map_err(|error| bad(&error))?;
    if problems.is_empty() {
        return Err(bad(
            &"there is no position in it: write one a line, 64 squares and the side to move",
        ));
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "  no empties  score  best      nodes   time s  Mnodes/s  line"
    )?;
    let mut solver = endgame::ExactSolver::new(arguments.hash_mib as usize);
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for (number, problem) in (1..).zip(&problems) {
        let position = problem.board.position();
        let began = Instant::now();
        let (solution, visited) = solver.solve(position);
        let took = began.elapsed();
        nodes += visited;
        time += took;
        let note = match problem.best_score() {
            Some(score) if score != solution.score => {
                wrong += 1;
                format!("  WRONG: {score:+} expected")
            }
            _ => String::new(),
        };
        let empties = position.empties().count_ones();
        writeln!(
            out,
            "{number:4} {empties:7}  {}{note}",
            row(&solution, visited, took)
        )?;
    }
    writeln!(out, "{:>22} {}", "total", figures(nodes, time))?;
    if wrong > 0 {
        let all = problems.len();
        return Err(Failure::not_passed(format!(
            "{wrong} of {all} scores are not those of the file"
        )));
    }
    Ok(())
}

fn row(solution: &Solution, nodes: u64, time: Duration) -> String {
    let line = position::line(&solution.line);
    let best = line.split(' ').next().filter(|best| !best.is_empty());
    let (best, figures) = (best.unwrap_or("-"), figures(nodes, time));
    format!("{:+5}  {best:>4} {figures}  {line}", solution.score)
}

fn figures(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{nodes:10} {seconds:8.3} {rate:9.1}")
}
