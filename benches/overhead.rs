//! The overhead of the arena, measured with bots that answer at once: Gomoku 15×15, each process plays many games.
//!
//! Prints µs per ply, games/s, and the ratio to a bare ping-pong of the same bytes between two processes on one core.
//! One run measures all of these in turn, because they depend on the state of the machine. Every game passes through
//! referee, record and commit as in `arena match`, and a listener receives the events. Then the benchmark measures the
//! costs of pages that watch a run, of a sandbox, and of each protocol's adapter.
//!
//! Run with `cargo bench --bench overhead`. Options: `--games N`; `--sandboxes` or `--pages` measures only these costs.

use std::error::Error;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use games::Rules;
use protocol::TurnEncoder;
use protocol::codec::gomocup;
use protocol::codec::gtp::Vertices;
use referee::bot::Launch;
use referee::dialect::{Due, Protocol, Question};
use referee::record::GameRecord;
use run::{Event, Run, Stop};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

#[path = "../tests/it/common/http.rs"]
#[expect(dead_code, reason = "a stream is all that is read here")]
mod http;
#[path = "../tests/it/common/plan.rs"]
mod plan;
mod sandboxes;
mod watched;

use watched::Pages;

type OverheadResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

const PATIENCE: Duration = Duration::from_millis(100);

/// The number of times that all measurements are repeated in turn, so that a slow period affects them all alike.
const TURNS: usize = 5;

fn main() -> OverheadResult<()> {
    // If the crate `host` has started this process to create a sandbox, this call creates it and does not return.
    host::take_role_if_asked();
    let arguments: Vec<String> = std::env::args().collect();
    let games = arguments
        .iter()
        .position(|word| word == "--games")
        .and_then(|at| arguments.get(at + 1))
        .map_or(Ok(1600), |count| count.parse())?;
    let folder = tempfile::tempdir()?;
    let c = compile("instant.c", folder.path())?;
    if arguments.iter().any(|word| word == "--sandboxes") {
        return sandboxes::measure(&c, games);
    }
    if arguments.iter().any(|word| word == "--pages") {
        return watched::measure(&launch(&c, &[]), 4 * games);
    }
    let echo = compile("echo.c", folder.path())?;
    let rust = PathBuf::from(env!("CARGO_BIN_EXE_arena"));
    let engine = compile("engine.c", folder.path())?;
    let speaking = |protocol: Protocol| Launch {
        protocol,
        ..launch(&engine, &[protocol.word()])
    };
    let bots = [
        ("C", launch(&c, &[])),
        ("C, Gomocup", speaking(Protocol::Gomocup)),
        ("C, GTP", speaking(Protocol::Gtp)),
        ("Rust", launch(&rust, &["bot", "random"])),
    ];

    let lines = lines_of_a_game(&play(&bots[0].1, 2, 1, Watching::Listener)?.1);
    println!(
        "Gomoku 15×15 freestyle, bots that answer at once; {games} games, best of {TURNS} turns"
    );
    let mut bare = Duration::MAX;
    let mut beside = Duration::MAX;
    let mut best = [[(Duration::MAX, 0.0_f64); 2]; 4];
    for _ in 0..TURNS {
        bare = bare.min(ping_pong(&echo, &lines, 0)?);
        beside = beside.min(ping_pong_beside(&echo, &lines)?);
        for (language, (_, launch)) in bots.iter().enumerate() {
            for concurrency in 1..=2 {
                let (figures, _) = play(launch, games, concurrency, Watching::Listener)?;
                let place = &mut best[language][concurrency - 1];
                place.0 = place.0.min(figures.a_ply);
                place.1 = place.1.max(figures.games_a_second);
            }
        }
    }
    println!(
        "bare ping-pong of the same bytes on one core: {:.2} µs; two at once on two cores: {:.2} µs \
         each, {:.2} × one",
        us(bare),
        us(beside),
        2.0 * us(bare) / us(beside),
    );
    for (language, [one, two]) in bots.iter().map(|(name, _)| name).zip(best) {
        println!(
            "{language:>10} bots, concurrency 1: {:6.2} µs a ply, {:5.0} games/s, {:.2} × the bare ping-pong",
            us(one.0),
            one.1,
            us(one.0) / us(bare),
        );
        println!(
            "{language:>10} bots, concurrency 2: {:6.2} µs a ply, {:5.0} games/s, {:.2} × the games/s of one",
            us(two.0),
            two.1,
            two.1 / one.1,
        );
    }
    println!("\nwatched:");
    watched::measure(&bots[0].1, 4 * games)?;
    println!("\nin a sandbox:");
    sandboxes::measure(&c, games)?;
    println!("\ncost per ply of each protocol, question and answer:");
    let record = play(&bots[0].1, 2, 1, Watching::Listener)?.1;
    for protocol in [Protocol::Arena, Protocol::Gomocup, Protocol::Gtp] {
        let time = (0..TURNS).map(|_| translated(protocol, &record));
        let best = time.min().unwrap_or_default();
        println!("{:>8}: {:5.2} µs", protocol.word(), us(best));
    }
    Ok(())
}

fn translated(protocol: Protocol, record: &GameRecord) -> Duration {
    const GAMES: u32 = 200;
    let mut adapter = protocol.adapter(&[]);
    let mut message = Vec::new();
    let mut plies = 0;
    let mut time = Duration::ZERO;
    for _ in 0..GAMES {
        let mut board = record.game.start();
        let mut moves = Vec::new();
        for (id, played) in (1..).zip(record.moves()) {
            let legal = board.legal_squares();
            let question = Question {
                board: &board,
                legal: &legal,
                moves: &moves,
                left_ms: [10_000; 2],
                moves_to_go: None,
            };
            let vertex = Vertices::of(record.game).write(played);
            let answer = match (protocol, played.square()) {
                (Protocol::Gomocup, Some(square)) => gomocup::write_square(square),
                (Protocol::Gtp, _) => format!("= {vertex}"),
                _ => format!("{{\"type\":\"move\",\"id\":{id},\"move\":\"{played}\"}}"),
            };
            // A GTP bot answers every command. The last command is `genmove`.
            message.clear();
            let start = Instant::now();
            adapter.turn(id, &question, &mut message);
            if protocol == Protocol::Gtp {
                for _ in message.split(|&byte| byte == b'\n').skip(2) {
                    adapter.hear(b"=", Due::Move);
                }
            }
            adapter.hear(answer.as_bytes(), Due::Move);
            time += start.elapsed();
            plies += 1;
            board.play(played).expect("the game was played");
            moves.push(played);
        }
    }
    time / plies
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn launch(program: &Path, arguments: &[&str]) -> Launch {
    Launch {
        program: program.to_owned(),
        arguments: arguments.iter().map(Into::into).collect(),
        ..Launch::default()
    }
}

fn compile(source: &str, folder: &Path) -> OverheadResult<PathBuf> {
    let program = folder.join(source).with_extension("");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/bots")
        .join(source);
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(&source)
        .status()?;
    if !status.success() {
        return Err(format!("cc cannot compile {}", source.display()).into());
    }
    Ok(program)
}

struct Figures {
    a_ply: Duration,
    games_a_second: f64,
    bytes_a_page: usize,
}

#[derive(Clone, Copy)]
enum Watching {
    None,
    Listener,
    Pages(usize),
}

/// Plays `games` games and saves them as `arena match` does. Returns the figures and the last game.
fn play(
    launch: &Launch,
    games: u64,
    concurrency: usize,
    watching: Watching,
) -> OverheadResult<(Figures, GameRecord)> {
    let text =
        format!("game = 'gomoku'\ngames = {games}\nmove_ms = 10000\nconcurrency = {concurrency}");
    let mut tournament = plan::tournament(&text, &["one", "two"]);
    for bot in &mut tournament.contestants {
        bot.launch = launch.clone();
    }
    let folder = tempfile::tempdir()?;
    let mut run = Run::resume(tournament, folder.path(), Stop::new())?;
    let mut watcher = matches!(watching, Watching::Listener).then(|| run.watch());
    let pages = match watching {
        Watching::Pages(pages) => Some(Pages::of(&mut run, pages, folder.path())?),
        _ => None,
    };
    let (mut plies, mut last) = (0, None);
    // The measured time goes from the end of the first game to the end of the last, so that it excludes the start and
    // the end of processes.
    let mut ends: Option<[Instant; 2]> = None;
    thread::scope(|scope| {
        if let Some(watcher) = &mut watcher {
            scope.spawn(|| {
                let mut left = games;
                while left > 0 {
                    if let Event::Finished { .. } | Event::Saved { .. } = watcher.next(PATIENCE) {
                        left -= 1;
                    }
                }
            });
        }
        run.play(|event, _| {
            if let Event::Finished { record } = event {
                let now = Instant::now();
                if let Some([_, last]) = &mut ends {
                    plies += record.plies.len();
                    *last = now;
                } else {
                    ends = Some([now; 2]);
                }
                last = Some(record.clone());
            }
        })
    })?;
    let [from, to] = ends.ok_or("no game was played")?;
    let time = to - from;
    let figures = Figures {
        a_ply: time * concurrency as u32 / plies.max(1) as u32,
        games_a_second: (games - 1) as f64 / time.as_secs_f64(),
        bytes_a_page: pages.map_or(0, Pages::end),
    };
    let last = last.ok_or("no game was played")?;
    Ok((figures, GameRecord::clone(&last)))
}

fn lines_of_a_game(record: &GameRecord) -> Vec<Vec<u8>> {
    let mut board = record.game.start();
    let mut encoder = TurnEncoder::new();
    let mut moves = Vec::new();
    let mut lines = Vec::new();
    for played in record.moves() {
        let legal = board.legal_squares();
        let line = encoder.encode(1, &board, &legal, &moves, [10_000; 2], None);
        lines.push(line.to_vec());
        board.play(played).expect("the game was played");
        moves.push(played);
    }
    lines
}

/// Runs two ping-pongs at once on two cores and returns the slower time, which shows the gain from a second core.
fn ping_pong_beside(echo: &Path, lines: &[Vec<u8>]) -> OverheadResult<Duration> {
    thread::scope(|scope| {
        let other = scope.spawn(|| ping_pong(echo, lines, 1));
        let one = ping_pong(echo, lines, 0)?;
        let other = other.join().map_err(|_| "a thread panicked")??;
        Ok(one.max(other))
    })
}

/// Returns the mean time to send a line to `echo` and to receive its eleven bytes. Both processes run on core `number`.
fn ping_pong(echo: &Path, lines: &[Vec<u8>], number: usize) -> OverheadResult<Duration> {
    let all = sched_getaffinity(None)?;
    let number = (0..CpuSet::MAX_CPU)
        .filter(|&core| all.is_set(core))
        .nth(number)
        .ok_or("too few cores")?;
    let mut core = CpuSet::new();
    core.set(number);
    sched_setaffinity(None, &core)?;
    let mut child = Command::new(echo)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no pipe")?;
    let mut output = child.stdout.take().ok_or("no pipe")?;
    let mut answer = [0; 64];
    let rounds = 20_000 / lines.len();
    let start = Instant::now();
    for line in std::iter::repeat_n(lines, rounds).flatten() {
        input.write_all(line)?;
        if output.read(&mut answer)? == 0 {
            return Err("echo has exited".into());
        }
    }
    let time = start.elapsed() / (rounds * lines.len()) as u32;
    sched_setaffinity(None, &all)?;
    drop(input);
    child.wait()?;
    Ok(time)
}
