//! The clocks of a bot that takes long to stop, and of its opponent.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use games::{Game, Rules, Side};
use referee::bot::{Allowance, Failure, Hold, Launch};
use referee::record::Fault;
use referee::{Answer, Limits, Player, ProcessPlayer, Turn};

use crate::common::asked::{ALL_TOOLS, is_asked};
use crate::common::place::{Place, User, places, some_places};
use crate::common::{TableRow, both, python, table};
use crate::crowd::on_own_cores;

const LIMIT: Duration = Duration::from_millis(300);
/// A time longer than the limit and its margin.
const STOPPING: Duration = Duration::from_millis(700);

/// Asks a bot that does `work` for its first move; its opponent takes long to stop.
fn asked(work: &str) -> Result<Answer, Failure> {
    let bot = format!(
        "import json, sys, time\n\
         for line in sys.stdin:\n    \
             message = json.loads(line)\n    \
             if message['type'] == 'hello': print('{{\"type\":\"ready\"}}', flush=True)\n    \
             if message['type'] == 'turn':\n        \
                 {work}\n        \
                 print(json.dumps({{'move': message['legal'][0]}}), flush=True)"
    );
    let mut player = ProcessPlayer::new(Launch {
        program: python().into(),
        arguments: ["-c".into(), bot.into()].into(),
        ..Launch::default()
    });
    let limits = Limits {
        move_time: LIMIT,
        margin: Duration::from_millis(20),
        ..Limits::default()
    };
    player.start(
        &limits.start(Game::OTHELLO, Side::Black, None, 1),
        Hold::NONE,
    )?;
    let (board, stopping) = (Game::OTHELLO.start(), RefCell::new(Some(STOPPING)));
    let hold = || {
        if let Some(time) = stopping.take() {
            let until = Instant::now() + time;
            while Instant::now() < until {
                std::thread::park_timeout(Duration::from_millis(1));
            }
        }
    };
    player.choose(&Turn {
        board: &board,
        legal: &board.legal_squares(),
        moves: &[],
        allowance: Allowance {
            limit: Some(LIMIT),
            margin: limits.margin,
        },
        left_ms: [0; 2],
        moves_to_go: None,
        hold_opponent: Hold(&hold),
    })
}

#[test]
fn an_opponent_that_stops_late_costs_no_time_but_ones_own() {
    let _machine = crate::alone();
    let answer = asked("pass").expect("an answer at once");
    assert!(answer.used < LIMIT && !answer.is_excused, "{answer:?}");
    let late = asked("while time.process_time() < 0.6: pass").expect_err("too much");
    let is_charged = matches!(late, Failure::Fault(Fault::OutOfTime { .. }));
    assert!(is_charged, "{late:?}");
}

fn moves(place: &Place, bots: &str) -> Vec<TableRow> {
    let output = place.arena(&format!("match {bots} -n 2 -j 1 --openings none --out run"));
    assert!(output.status.success(), "{}", both(&output));
    table(&place.path("run").join("moves.csv"))
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Skips the tests' own user, whose sandboxes have cgroups: a cgroup stops all processes at once.
#[test]
fn time_until_a_bot_has_stopped_is_on_the_clock_of_its_next_move() {
    let _machine = crate::alone();
    for place in places() {
        if place.user == User::Ourselves {
            continue;
        }
        let limits = "memory_mib = 2048\nprocesses = 256\n";
        place.bot("late", "many_sleepers.py", &["200"], limits);
        place.bot("parent", "many_sleepers.py", &["1"], limits);
        let moves = moves(&place, "late parent --tc 20+0");
        let excess_of = |bot: &str| {
            let moves = moves.iter().filter(|row| row["bot"] == bot);
            // The bot reports its own time in µs as nodes. A forced pass has no time, so it is skipped.
            median(moves.filter_map(|row| {
                let wall: f64 = row["wall_ms"].parse().ok()?;
                Some(wall - row["nodes"].parse::<f64>().ok()? / 1000.0)
            }))
        };
        let (name, late, parent) = (place.name(), excess_of("late"), excess_of("parent"));
        // The excess is about 16 ms. It would be 2 ms if the time to stop were on no clock.
        assert!(late > 5.0, "{name}: {late} ms");
        // The opponent's processes do not count for a bot with one child.
        assert!(parent < late / 3.0, "{name}: {parent} ms of {late} ms");
    }
}

/// The kernel frees page tables later, on the core that the opponent gets. A bot frees many, and its opponent reports when
/// it is asked.
#[test]
fn an_opponent_is_asked_once_the_kernel_has_done_what_a_bot_left_to_it() {
    let _machine = crate::alone();
    on_own_cores(some_places(), |place| {
        place.bot("leaver", "later_work.py", &["20000"], "");
        place.bot("watcher", "later_work.py", &["0"], "");
        let moves = moves(place, "leaver watcher --move-ms 2000");
        let moment = |row: &TableRow| row["nodes"].parse::<f64>().ok();
        let pairs = moves.windows(2);
        let turns =
            pairs.filter(|rows| rows[0]["game"] == rows[1]["game"] && rows[0]["bot"] == "leaver");
        let waits = turns.filter_map(|rows| Some(moment(&rows[1])? - moment(&rows[0])?));
        let (name, median) = (place.name(), median(waits) / 1000.0);
        // 20,000 tables take the kernel some 40 ms. Without the wait, the opponent is asked after half a millisecond.
        assert!(median > 20.0, "{name}: {median} ms");
    });
}

/// A stopped process can die by an alarm that it has set. A bot has children that die so, and its opponent reports the
/// longest time for which it had no core.
#[test]
fn processes_that_die_while_they_are_stopped_take_no_time_of_the_opponent() {
    if !is_asked(ALL_TOOLS, "processes that die while they are stopped") {
        return;
    }
    let _machine = crate::alone();
    for place in some_places() {
        let limits = "memory_mib = 2048\nprocesses = 256\n";
        place.bot("dies", "dying_children.py", &["100"], limits);
        place.bot("watcher", "dying_children.py", &["0"], "");
        let moves = moves(&place, "dies watcher --move-ms 9000");
        let gaps = moves.iter().filter(|row| row["bot"] == "watcher");
        let gaps = gaps.filter_map(|row| row["nodes"].parse::<f64>().ok());
        let (name, median) = (place.name(), median(gaps) / 1000.0);
        // If the children got their shares of the core, it would be some 100 ms.
        assert!(median < 30.0, "{name}: {median} ms");
    }
}
