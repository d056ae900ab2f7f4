//! `alphabeta bench`: counts nodes, and nodes per second, of searches of fixed positions.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::othello::ExactSolver;
use crate::{Evaluation, gomoku, othello};

use super::Failure;

/// Search a fixed set of positions and print the nodes and nodes per second
///
/// The nodes depend on the program alone: on one thread they are the same on every machine.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Plies searched in the midgame; in Gomoku at most 10
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: i32,
    /// Gomoku: also search by this network, a file made by training gomoku network
    #[arg(long, value_name = "FILE", conflicts_with = "ffo")]
    evaluation: Option<PathBuf>,
    /// Solve these endgame positions (40 to 59) of the French Othello Federation instead. Prints a row for each; exits
    /// with 1 if a score is wrong
    #[arg(long, value_name = "FROM-TO", value_parser = range, conflicts_with = "depth")]
    ffo: Option<(u32, u32)>,
    /// With --ffo: maximum size of the transposition table, in MiB
    #[arg(long, default_value_t = 512, requires = "ffo", value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
    /// With --ffo: threads that solve each position together
    #[arg(long, default_value_t = 1, requires = "ffo", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 40 <= first && first <= last && last <= 59 => Ok((first, last)),
        _ => Err("choose positions from 40 to 59, such as 40-49".to_owned()),
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(range) = arguments.ffo {
        let threads = arguments.threads as usize;
        return ffo(range, arguments.hash_mib as usize, threads);
    }
    let midgame = othello::bench::midgame(arguments.depth);
    print("othello midgame", midgame.nodes, midgame.time)?;
    let endgame = othello::bench::endgame();
    print("othello endgame", endgame.nodes, endgame.time)?;
    let own = arguments.evaluation.as_deref().map(Evaluation::of);
    for (name, evaluation) in [
        ("the patterns", Some(Evaluation::Patterns)),
        ("the network", Some(Evaluation::Network)),
        ("the file", own.transpose().map_err(Failure::input)?),
    ] {
        if let Some(evaluation) = evaluation {
            let search = gomoku::bench::search(evaluation, arguments.depth.min(10));
            let name = format!("gomoku search by {name}");
            print(&name, search.nodes, search.time)?;
        }
    }
    let stones = gomoku::bench::play_and_undo(500);
    print(
        "gomoku moves played and undone, with evaluation",
        stones.nodes,
        stones.time,
    )
}

fn ffo((first, last): (u32, u32), hash_mib: usize, threads: usize) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "  no  empties  score  best         nodes    time s")?;
    let mut solver = ExactSolver::new(hash_mib);
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for problem in othello::ffo::positions(first, last) {
        let began = Instant::now();
        let position = problem.board.position();
        let (solution, visited) = solver.solve_on(threads, position);
        let took = began.elapsed();
        nodes += visited;
        time += took;
        let is_right = Some(solution.score) == problem.best_score();
        wrong += u32::from(!is_right);
        let empties = position.empties().count_ones();
        let best = solution
            .line
            .first()
            .map_or(games::Move::Pass, |&best| othello::notation(best));
        let (name, score, took) = (&problem.name, solution.score, took.as_secs_f64());
        let note = if is_right { "" } else { "  WRONG" };
        writeln!(
            out,
            "{name:>4} {empties:8}  {score:+5}  {best:>4} {visited:13} {took:9.2}{note}"
        )?;
    }
    writeln!(out, "{:>25} {nodes:15} {:9.2}", "total", time.as_secs_f64())?;
    if wrong > 0 {
        let scores = if wrong == 1 {
            "score differs"
        } else {
            "scores differ"
        };
        return Err(Failure::not_passed(format!(
            "{wrong} {scores} from those published"
        )));
    }
    Ok(())
}

fn print(what: &str, nodes: u64, time: Duration) -> Result<(), Failure> {
    let rate = nodes as f64 / time.as_secs_f64().max(1e-9);
    let mut out = io::stdout().lock();
    writeln!(out, "{what}: {nodes} nodes, {time:.3?}, {rate:.0} nodes/s")?;
    Ok(())
}
