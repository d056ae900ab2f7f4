//! The costs of a run's record: saving a game, reading all games, resuming the run, making its tables.
//!
//! The games are generated: two random bots that report depth, score and nodes play sixty plies. Every hundred games
//! are synced to the disk, as in a run. Prints µs per game and the peak memory so far, which should hardly grow.
//!
//! Run with `cargo bench --bench record`. Options: `--games N` (default 100,000), `--folder F` for another disk.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::{Game, Rules, Side};
use referee::record::{Effort, GameId, GameRecord, Ply, Thought, Verdict};
use run::report::Standings;
use run::report::page::About;
use run::report::tables::Tables;
use run::store::{Store, StoreError};
use tournament::{Agenda, Draw, Next};

#[path = "../tests/it/common/plan.rs"]
mod plan;

type RecordResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> RecordResult<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1)
    };
    let games: u64 = option("--games").map_or(Ok(100_000), |text| text.parse())?;
    let disk = option("--folder").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(disk)?;
    let text = format!("game = 'othello'\ngames = {games}");
    let tournament = plan::tournament(&text, &["one", "two"]);
    println!("{games} games of 60 plies; most memory so far");

    let samples: Vec<GameRecord> = (0..200).map(made_up).collect();
    timed("scheduled", games, || {
        let mut agenda = Agenda::new(&tournament);
        while let Next::Game(_) = agenda.take() {}
        Ok(())
    })?;
    timed("kept", games, || keep(folder.path(), &samples, games))?;
    let size = folder.path().join("arena.db").metadata()?.len();
    println!("  {} bytes a game on disk", size / games.max(1));
    let store = Store::read(folder.path())?;
    timed("looked through", games, || Ok(store.check()?))?;
    timed("resumed", games, || {
        let mut agenda = Agenda::new(&tournament);
        store.each(|record| -> Result<(), StoreError> {
            let outcome = record.verdict.outcome();
            let restored = agenda.restore(
                record.id,
                record.scheduled().0,
                outcome,
                record.fingerprint(),
            );
            restored.expect("the games of this tournament");
            Ok(())
        })?;
        assert!(agenda.is_over());
        Ok(())
    })?;
    let names = tournament.contestants.iter().map(|bot| bot.name.clone());
    let names: Vec<String> = names.collect();
    timed("made tables of", games, || {
        let empty = Standings::new(names.iter().map(String::as_str));
        let mut tables = Tables::begin(folder.path(), empty, HashMap::new())?;
        store.each(|record| tables.add(record))?;
        tables.end(None, None, |_| About::default())?;
        Ok(())
    })
}

fn timed(what: &str, games: u64, work: impl FnOnce() -> RecordResult<()>) -> RecordResult<()> {
    let began = Instant::now();
    work()?;
    let took = began.elapsed();
    println!(
        "{what:>14}: {:8.2} s  {:8.2} µs a game  {:6} MiB",
        took.as_secs_f64(),
        took.as_secs_f64() * 1e6 / games.max(1) as f64,
        peak_mib()
    );
    Ok(())
}

fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn keep(folder: &Path, samples: &[GameRecord], games: u64) -> RecordResult<()> {
    let mut store = Store::open(folder)?;
    for id in 0..games {
        let mut record = samples[(id % samples.len() as u64) as usize].clone();
        record.id = GameId(id);
        if id % 2 == 1 {
            record.players.swap(0, 1);
        }
        store.save(&record, Instant::now())?;
    }
    store.commit()?;
    Ok(())
}

fn made_up(number: u64) -> GameRecord {
    let mut draw = Draw::new(1, number);
    let mut board = Game::OTHELLO.start();
    let mut plies = Vec::new();
    while board.ending().is_none() {
        let moves = board.legal_moves();
        let played = moves[draw.below(moves.len() as u64) as usize];
        board.play(played).expect("a legal move");
        let effort = (!board.must_pass()).then(|| Effort {
            wall: Duration::from_micros(draw.below(1_000_000)),
            cpu: Some(Duration::from_micros(draw.below(1_000_000))),
        });
        let thought = effort.map(|_| Thought {
            depth: Some(draw.below(20) as u32),
            score: Some(draw.below(128) as f64 - 64.0),
            nodes: Some(draw.below(10_000_000)),
            ..Thought::default()
        });
        plies.push(Ply {
            played,
            effort,
            thought: thought.unwrap_or_default(),
        });
    }
    let ending = board.ending().expect("it has ended");
    GameRecord {
        id: GameId(number),
        game: Game::OTHELLO,
        players: Side::BOTH.map(|side| ["one", "two"][side.index()].to_owned()),
        opening: Vec::new(),
        plies,
        verdict: Verdict::Rules {
            winner: ending.winner,
            reason: ending.reason,
        },
        counts: board.counts(),
        attempts: 1,
        interruptions: [0; 2],
        started_unix_ms: 1_700_000_000_000 + number,
        duration: Duration::from_secs(1),
        idle_cpu: [Some(Duration::ZERO); 2],
        unplayed: Default::default(),
        warnings: Vec::new(),
    }
}
