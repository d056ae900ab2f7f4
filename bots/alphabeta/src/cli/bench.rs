//! `alphabeta bench`: how many positions, and how many a second.

use std::io::{self, Write};
use std::time::Duration;

use alphabeta::{gomoku, othello};

use super::Failure;

/// Nodes and nodes a second on a fixed set of positions. The nodes depend on the program alone.
#[derive(clap::Args)]
pub struct Arguments {
    /// Plies searched in the midgame
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: i32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let midgame = othello::bench::midgame(arguments.depth);
    print("othello midgame", midgame.nodes, midgame.time)?;
    let endgame = othello::bench::endgame();
    print("othello endgame", endgame.nodes, endgame.time)?;
    let search = gomoku::bench::search(arguments.depth.min(10));
    print("gomoku search", search.nodes, search.time)?;
    let stones = gomoku::bench::play_and_undo(500);
    print(
        "gomoku stones put down and taken back, with evaluation",
        stones.nodes,
        stones.time,
    )
}

fn print(what: &str, nodes: u64, time: Duration) -> Result<(), Failure> {
    let rate = nodes as f64 / time.as_secs_f64().max(1e-9);
    let mut out = io::stdout().lock();
    writeln!(out, "{what}: {nodes} nodes, {time:.3?}, {rate:.0} nodes/s")?;
    Ok(())
}
