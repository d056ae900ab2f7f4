//! A simulation of a run on many machines, and a measurement of the merge of a large run.
//!
//! The simulation shows the best size of a block (the games of one job) and the best number of concurrent blocks. It
//! has 10⁷ games on 1,000 nodes (some are slow, and some die) and a sequential test that is decided early or never.
//! Games after the deciding pair are wasted, and so is the time in which the test waits for a pair on a slow node.
//!
//! The measurement generates the files of shards (jobs), by default 1,000,000 games in 2,000 blocks, and merges them.
//!
//! Run with `cargo bench --bench cluster`. Options: `--games N` (0: no measurement), `--blocks N`, `--folder F`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use referee::record::{GameId, GameRecord};
use run::store::{LineFile, RecordEntry, Store, StoreError, entries};
use tournament::Draw;

type ClusterResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> ClusterResult<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)
    };
    simulate();
    let games: u64 = option("--games").map_or(Ok(1_000_000), |text| text.parse())?;
    let blocks: u64 = option("--blocks").map_or(Ok(2_000), |text| text.parse())?;
    let disk = option("--folder").map_or_else(std::env::temp_dir, PathBuf::from);
    if games > 0 {
        measure(&disk, games, blocks)?;
    }
    Ok(())
}

const PAIRS: u64 = 5_000_000;
/// One node in fifty is five times as slow. Each node dies every 100 hours on average; its block resumes 2 min later.
const NODES: usize = 1_000;
const SLOW: u64 = 50;
const SLOWER: f64 = 5.0;
const DIES_AFTER_S: f64 = 100.0 * 3600.0;
const REQUEUED_AFTER_S: f64 = 120.0;
/// Seconds that a game takes on a normal node, and seconds until the scheduler has started a shard.
const GAME_S: f64 = 10.0;
const START_S: f64 = 3.0;
const MERGE_S: f64 = 60.0;

/// A part of a block that a node plays without interruption.
struct BlockPart {
    first: u64,
    pairs: u64,
    began: f64,
    a_pair: f64,
}

fn simulate() {
    println!("block  at once  decided at pair   after   best possible   games wasted");
    for decided in [100, 2_000, 50_000, PAIRS] {
        for block in [1, 5, 25, 100, 500] {
            for at_once in [64, 256, 1_000] {
                let parts = parts(block, at_once.min(NODES));
                let (after, wasted) = outcome(&parts, decided);
                let nodes = at_once as f64;
                let best = (decided as f64 / nodes).ceil() * 2.0 * GAME_S;
                let decided = if decided == PAIRS {
                    "never".to_owned()
                } else {
                    decided.to_string()
                };
                println!(
                    "{block:>5}  {at_once:>7}  {decided:>15}  {:>6}  {:>14}  {wasted:>13}",
                    minutes(after),
                    minutes(best)
                );
            }
        }
    }
}

fn minutes(seconds: f64) -> String {
    format!("{:.0} min", seconds / 60.0)
}

/// Returns all parts of a run that plays all games. Free nodes take blocks in order; a dead node's block resumes.
fn parts(block: u64, nodes: usize) -> Vec<BlockPart> {
    let mut draw = Draw::new(1, block);
    let mut free: BinaryHeap<Reverse<(u64, usize)>> =
        (0..nodes).map(|node| Reverse((0, node))).collect();
    let slow: Vec<bool> = (0..nodes).map(|_| draw.below(SLOW) == 0).collect();
    let mut again: BinaryHeap<Reverse<(u64, u64, u64)>> = BinaryHeap::new();
    let (mut next, mut parts) = (0, Vec::new());
    // Times are in integer ms, so that they have a total order.
    while let Some(Reverse((now, node))) = free.pop() {
        let is_due = again
            .peek()
            .is_some_and(|Reverse((at, ..))| *at <= now || next >= PAIRS);
        let (from, first, end) = if is_due {
            let Some(Reverse((at, first, end))) = again.pop() else {
                break;
            };
            (at.max(now), first, end)
        } else if next < PAIRS {
            let first = next;
            next = PAIRS.min(first + block);
            (now, first, next)
        } else {
            break;
        };
        let a_pair = 2.0 * GAME_S * if slow[node] { SLOWER } else { 1.0 };
        let began = from as f64 / 1000.0 + START_S;
        let uniform = (draw.below(1 << 53) + 1) as f64 / (1u64 << 53) as f64;
        let lives = -uniform.ln() * DIES_AFTER_S;
        let pairs = ((lives / a_pair) as u64).min(end - first);
        parts.push(BlockPart {
            first,
            pairs,
            began,
            a_pair,
        });
        let ended = began + a_pair * pairs as f64;
        let mut back = ended;
        if first + pairs < end {
            back += REQUEUED_AFTER_S;
            again.push(Reverse(((back * 1000.0) as u64, first + pairs, end)));
        }
        free.push(Reverse(((back * 1000.0) as u64, node)));
    }
    parts
}

/// Returns when the run ends, and the number of wasted games, if the first `decided` pairs decide the test.
fn outcome(parts: &[BlockPart], decided: u64) -> (f64, u64) {
    let counting = parts.iter().filter(|part| part.first < decided);
    let known = counting.map(|part| {
        let pairs = part.pairs.min(decided - part.first);
        part.began + part.a_pair * pairs as f64
    });
    let known = known.fold(0.0, f64::max);
    if decided == PAIRS {
        return (known, 0);
    }
    // The next merge finds the decision; the shards then finish their current pairs.
    let stopped = (known / MERGE_S).ceil() * MERGE_S;
    let begun = parts.iter().filter(|part| part.began < stopped);
    let played = begun.map(|part| {
        let pairs = ((stopped - part.began) / part.a_pair).ceil() as u64;
        pairs.min(part.pairs)
    });
    (stopped, 2 * (played.sum::<u64>().saturating_sub(decided)))
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_arena");

fn measure(disk: &Path, games: u64, blocks: u64) -> ClusterResult<()> {
    let folder = tempfile::tempdir_in(disk)?;
    let file = folder.path().join("my.toml");
    let bots = "[[bot]]\nuse = \"mcts\"\noptions = { playouts = 20 }\n[[bot]]\nuse = \"random\"\n";
    fs::write(
        &file,
        format!("game = \"othello\"\ngames = {games}\n{bots}"),
    )?;
    let plan = folder.path().join("big");
    let block = (games / 2).div_ceil(blocks).to_string();
    arena(&["plan", word(&file), "--out", word(&plan), "--block", &block])?;
    arena(&["shard", word(&plan), "--index", "0"])?;
    make_up(&plan, games, block.parse()?)?;
    let shards = plan.join("shards").read_dir()?;
    let bytes: u64 = shards
        .flatten()
        .filter_map(|file| Some(file.metadata().ok()?.len()))
        .sum();
    println!("{games} games in {blocks} blocks, {} MB", bytes / 1_000_000);
    for command in ["status", "merge", "merge", "status"] {
        let (took, memory) = arena(&[command, word(&plan)])?;
        println!("{command}: {:.1} s, {memory} MiB", took.as_secs_f64());
    }
    Ok(())
}

fn word(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}

/// Writes the files of all blocks after the first. They repeat the games of the first block under new numbers.
fn make_up(plan: &Path, games: u64, block: u64) -> ClusterResult<()> {
    let file = |block: u64| plan.join(format!("shards/{block}.jsonl"));
    let (mut session, mut samples) = (String::new(), Vec::<GameRecord>::new());
    entries(&file(0), |_, entry| -> Result<(), StoreError> {
        match entry {
            RecordEntry::Session(text) => session = text,
            RecordEntry::Game(game) => samples.push(game.record().expect("a sound game")),
        }
        Ok(())
    })?;
    let now = Instant::now();
    for first in (2 * block..games).step_by(2 * block as usize) {
        let number = first / (2 * block);
        let mut lines = LineFile::open(&file(number))?;
        lines.begin(&session.replace("\"block\":0", &format!("\"block\":{number}")))?;
        let mut store = Store::from(lines);
        for id in first..games.min(first + 2 * block) {
            // The sample and the new game have the same place in their pairs, so the same bot is black.
            let sample = &mut samples[((id - first) % (2 * block)) as usize];
            sample.id = GameId(id);
            store.save(sample, now)?;
        }
        store.commit()?;
    }
    Ok(())
}

fn arena(words: &[&str]) -> ClusterResult<(Duration, u64)> {
    let began = Instant::now();
    let mut child = Command::new(PROGRAM)
        .args(words)
        .stdout(std::process::Stdio::null())
        .spawn()?;
    let mut memory = 0;
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().split(' ').next()?.parse().ok());
        memory = memory.max(peak.unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if !status.success() {
        return Err(format!("{words:?}: {status}").into());
    }
    Ok((began.elapsed(), memory / 1024))
}
