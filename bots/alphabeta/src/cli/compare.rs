//! `alphabeta compare`: prints nodes and time of each search method.

use std::io::{self, Write};
use std::time::Instant;

use crate::othello::DISC;
use crate::othello::evaluation::Weights;
use crate::othello::lesson::OthelloMethod;

use super::{Failure, read_othello};

/// Show what each search technique saves: nodes and time for each depth
///
/// Compares plain minimax, alpha-beta, alpha-beta with ordering, with a table, and with everything,
/// from Othello positions. All use the same evaluation, and all but the last find the same score.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Positions: transcripts such as f5d6c3, or 64 squares and the side to move
    #[arg(default_values_t = [String::from("f5d6c3d3c4f4c5b3c2e3")])]
    positions: Vec<String>,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: i32,
    /// Plies of the deepest search by plain minimax, which is the slowest
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(i32).range(1..=60))]
    minimax_depth: i32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let weights = Weights::trained();
    let table = OthelloMethod::table();
    // Reads all positions first, so that bad input fails before a long search.
    let boards = arguments.positions.iter().map(|text| read_othello(text));
    for board in boards.collect::<Result<Vec<_>, _>>()? {
        let position = board.position();
        writeln!(out, "{}\n", games::Board::Othello(board))?;
        writeln!(
            out,
            "depth  method            nodes     time ms  score  of minimax's nodes"
        )?;
        for depth in 1..=arguments.depth {
            let mut all = None;
            for method in OthelloMethod::ALL {
                if method == OthelloMethod::Minimax && depth > arguments.minimax_depth {
                    continue;
                }
                table.clear();
                let began = Instant::now();
                let (score, nodes) = method.search(position, &weights, depth, &table);
                let time = began.elapsed().as_secs_f64() * 1000.0;
                let all = *all.get_or_insert(nodes) as f64;
                let share = if depth > arguments.minimax_depth {
                    String::new()
                } else {
                    format!("{:.3} %", 100.0 * nodes as f64 / all)
                };
                let (name, score) = (method.name(), f64::from(score) / f64::from(DISC));
                writeln!(
                    out,
                    "{depth:5}  {name:10} {nodes:12} {time:11.2} {score:+6.2}  {share}"
                )?;
            }
        }
    }
    Ok(())
}
