//! A run in blocks by several processes must have the results of an ordinary run. See `tests/scripts/cluster.txt`.

mod files;
mod kills;
mod slurm;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::common::{Workdir, timeless};

/// Writes a tournament of two deterministic bots, with games that take milliseconds.
fn quick(workdir: &Workdir, games: u64, seed: u64) {
    let head =
        format!("game = \"othello\"\ngames = {games}\norder = \"shuffled\"\nseed = {seed}\n");
    let bots = "[[bot]]\nuse = \"greedy\"\n[[bot]]\nuse = \"weights\"\n";
    workdir.write("my.toml", &(head + bots));
}

fn plan(workdir: &Workdir, folder: &str, block: &str) {
    workdir.succeed(["plan", "my.toml", "--out", folder, "--block", block]);
}

/// Returns the tables of a run without the columns that vary.
pub fn tables(folder: &Path) -> Vec<String> {
    let names = ["games.csv", "moves.csv", "pairs.csv"];
    let mut tables: Vec<String> = names.map(|name| timeless(&folder.join(name))).into();
    // Of the standings, returns only the counts, because times vary.
    let standings = crate::common::table(&folder.join("standings.csv"));
    let counted = ["bot", "games", "won", "drawn", "lost", "points"];
    for row in standings {
        let cells = counted.map(|column| row.get(column).cloned());
        tables.push(format!("{cells:?}"));
    }
    tables
}

fn alone(workdir: &Workdir) -> Vec<String> {
    workdir.succeed(["run", "my.toml", "--out", "alone"]);
    tables(&workdir.path("alone"))
}

fn block_file(workdir: &Workdir, folder: &str, block: u64) -> PathBuf {
    workdir.path(folder).join(format!("shards/{block}.jsonl"))
}

pub fn games_in(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.matches("\"game\":").count() - text.matches("\"game\":\"").count()
}

fn play(workdir: &Workdir, folder: &str, block: u64) -> String {
    let output = workdir.run(["shard", folder, "--index", &block.to_string()]);
    assert!(output.status.success(), "{}", crate::common::both(&output));
    crate::common::both(&output)
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}
