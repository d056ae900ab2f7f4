//! The clock of a bot whose opponent takes long to stop.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use games::{Game, Rules, Side};
use referee::bot::{Allowance, Failure, Hold, Launch};
use referee::record::Fault;
use referee::{Answer, Limits, Player, ProcessPlayer, Turn};

use crate::common::python;

const LIMIT: Duration = Duration::from_millis(300);
/// Longer than the limit and its margin.
const STOPPING: Duration = Duration::from_millis(700);

/// Asks for a first move after `work`, beside an opponent that takes long to stop.
fn asked(work: &str) -> Result<Answer, Failure> {
    let bot = format!(
        "import json, sys, time\n\
         for line in sys.stdin:\n    \
             said = json.loads(line)\n    \
             if said['type'] == 'hello': print('{{\"type\":\"ready\"}}', flush=True)\n    \
             if said['type'] == 'turn':\n        \
                 {work}\n        \
                 print(json.dumps({{'move': said['legal'][0]}}), flush=True)"
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
    player.start(&limits.start(Game::OTHELLO, Side::Black, None, 1))?;
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
