//! Games between players that do as they are told, so that every way a game can end is seen without
//! a process.

use std::collections::VecDeque;

use super::*;
use crate::record::Exit;
use protocol::Start;

/// Answers from a list; what it is told is kept.
#[derive(Default)]
struct Script {
    answers: VecDeque<Result<Answer, Failure>>,
    greeting: Option<Failure>,
    asked: Vec<[u64; 2]>,
    told: Option<Over>,
    /// How often it was paused.
    pauses: usize,
}

impl Computing for Script {
    fn thinks(&self) -> bool {
        true
    }

    fn pause(&mut self) {
        self.pauses += 1;
    }

    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}

impl Player for Script {
    fn start(&mut self, _: &Start) -> Result<(), Failure> {
        self.greeting.take().map_or(Ok(()), Err)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        self.asked.push(turn.left_ms);
        // Beyond its list it plays the first legal move, like the simplest of bots.
        self.answers.pop_front().unwrap_or_else(|| {
            Ok(Answer {
                played: turn.legal[0].to_string(),
                ..Answer::default()
            })
        })
    }

    fn over(&mut self, over: &Over) {
        self.told = Some(over.clone());
    }

    fn computing(&mut self) -> Option<&mut dyn Computing> {
        Some(self)
    }
}

fn script<const N: usize>(moves: [&str; N]) -> Script {
    let answers = moves.map(|played| {
        Ok(Answer {
            played: played.to_owned(),
            used: Duration::from_millis(10),
            ..Answer::default()
        })
    });
    Script {
        answers: answers.into(),
        ..Script::default()
    }
}

fn failing(failure: impl Into<Failure>) -> Script {
    Script {
        answers: [Err(failure.into())].into(),
        ..Script::default()
    }
}

fn contest(opening: &str) -> Contest {
    let game = Game::new("othello", None, None).expect("a built-in game");
    let limits = Limits {
        move_time: Duration::from_millis(100),
        game_time: Duration::ZERO,
        increment: Duration::ZERO,
        margin: Duration::ZERO,
        period_moves: 0,
    };
    Contest {
        game,
        opening: games::parse_transcript(game, opening).expect("legal").0,
        limits: [limits; 2],
        seeds: [1, 2],
        memory_mib: [None; 2],
        is_reference: [false; 2],
        adjudication: Adjudication::default(),
        ponder: false,
        so_far: Vec::new(),
    }
}

fn played(contest: &Contest, black: &mut Script, white: &mut Script) -> Played {
    play(contest, [black, white], &mut |_, _| {})
}

fn crash() -> Fault {
    Fault::Crashed {
        status: Exit::Status(3),
    }
}

/// The shortest game there is: nine moves, and white has no disc.
///
/// Source: the sequence e6 f4 e3 f6 g5 d6 e7 f5 c5, known since the 1970s; 13–0.
#[test]
fn a_game_ends_by_its_rules() {
    let (mut black, mut white) = (
        script(["e6", "e3", "g5", "e7", "c5"]),
        script(["f4", "f6", "d6", "f5"]),
    );
    let game = played(&contest(""), &mut black, &mut white);
    let won = Verdict::Rules {
        winner: Some(Side::Black),
        reason: games::Reason::DISCS,
    };
    assert_eq!(game.verdict, won);
    assert_eq!((game.plies.len(), game.counts), (9, [13, 0]));
    let over = |result| Over {
        result,
        reason: "discs".to_owned(),
        black: 13,
        white: 0,
    };
    assert_eq!(black.told, Some(over(GameResult::Win)));
    assert_eq!(white.told, Some(over(GameResult::Loss)));
}

#[test]
fn nobody_is_asked_to_pass() {
    let (mut black, mut white) = (Script::default(), Script::default());
    let game = played(&contest(""), &mut black, &mut white);
    let passes = |ply: &&Ply| ply.played == Move::Pass;
    let forced = |ply: &&Ply| ply.effort.is_none();
    assert!(
        game.plies.iter().any(|ply| passes(&ply)),
        "choose another opening"
    );
    assert!(game.plies.iter().all(|ply| passes(&ply) == forced(&ply)));
    let asked = black.asked.len() + white.asked.len();
    assert_eq!(asked, game.plies.iter().filter(|ply| !passes(ply)).count());
}

#[test]
fn what_is_no_legal_move_loses_and_the_position_is_kept() {
    for (answer, why) in [
        ("f5", "the square is taken"),
        ("a1", "it turns over no disc"),
        ("pass", "pass"),
        ("z9", "z9"),
        ("", ""),
        ("d3 ", "d3 "),
        ("<script>", "<script>"),
    ] {
        let (mut black, mut white) = (script(["f5"]), script([answer]));
        let game = played(&contest(""), &mut black, &mut white);
        let Verdict::Forfeit {
            by: Side::White,
            fault: Fault::IllegalMove { played, why: told },
        } = &game.verdict
        else {
            panic!("{answer:?}: {:?}", game.verdict)
        };
        assert_eq!(played, answer);
        assert!(told.contains(why), "{answer:?}: {told}");
        assert_eq!(game.plies.len(), 1, "black's move stands");
        let over = black.told.expect("the other is told");
        assert_eq!(over.result, GameResult::Win);
        assert_eq!(over.reason, "illegal-move");
        assert_eq!(white.told, None, "nobody talks to a bot at fault");
    }
}

#[test]
fn giving_up_is_no_fault() {
    let (mut black, mut white) = (script(["resign"]), Script::default());
    let game = played(&contest("f5d6"), &mut black, &mut white);
    assert_eq!(game.verdict, Verdict::Resigned(Side::Black));
    let reasons = [black.told, white.told].map(|over| over.expect("told").result);
    assert_eq!(reasons, [GameResult::Loss, GameResult::Win]);
}

#[test]
fn a_bot_that_fails_pays_alone() {
    let (mut black, mut white) = (Script::default(), failing(crash()));
    let game = played(&contest(""), &mut black, &mut white);
    let verdict = Verdict::Forfeit {
        by: Side::White,
        fault: crash(),
    };
    assert_eq!(game.verdict, verdict);
    assert_eq!(game.verdict.outcome(), Outcome::Win(Side::Black));
}

#[test]
fn where_both_fail_to_start_nobody_scores() {
    let not_started = || {
        let fault = Fault::StartFailed { why: "no".into() };
        Script {
            greeting: Some(fault.into()),
            ..Script::default()
        }
    };
    let (mut black, mut white) = (not_started(), not_started());
    let game = played(&contest(""), &mut black, &mut white);
    assert_eq!(game.verdict.outcome(), Outcome::NobodyScores);
    let game = played(&contest(""), &mut Script::default(), &mut not_started());
    assert_eq!(game.verdict.outcome(), Outcome::Win(Side::Black));
}

#[test]
fn a_reference_opponent_that_does_not_start_is_no_win() {
    let not_ready = || {
        let fault = Fault::HandshakeTimeout {
            allowed: Duration::from_secs(10),
            unanswered: String::new(),
            last: String::new(),
        };
        Script {
            greeting: Some(fault.into()),
            ..Script::default()
        }
    };
    let against_reference = Contest {
        is_reference: [false, true],
        ..contest("")
    };
    let game = played(&against_reference, &mut Script::default(), &mut not_ready());
    let why = "a reference opponent did not send ready within 10 s of hello".to_owned();
    assert_eq!(game.verdict, Verdict::Void { why });
    assert_eq!(game.excused, None, "no answer was late");
    let game = played(&against_reference, &mut not_ready(), &mut Script::default());
    assert_eq!(game.verdict.outcome(), Outcome::Win(Side::White));
}

#[test]
fn a_failure_of_ours_is_nobodys_loss() {
    let stalled = ArenaError::Stalled(Duration::from_secs(1));
    let (mut black, mut white) = (failing(stalled), Script::default());
    let game = played(&contest(""), &mut black, &mut white);
    assert_eq!(game.verdict.outcome(), Outcome::Void);
    assert_eq!(game.excused, Some(Side::Black));
    let told = white.told.expect("both may go on");
    assert_eq!(told.result, GameResult::Void);
}

#[test]
fn clocks_are_told_own_first_and_run_for_the_mover() {
    let mut contest = contest("");
    for limits in &mut contest.limits {
        limits.move_time = Duration::ZERO;
        limits.game_time = Duration::from_secs(1);
        limits.increment = Duration::from_millis(1);
    }
    let (mut black, mut white) = (script(["f5", "c3"]), script(["d6"]));
    played(&contest, &mut black, &mut white);
    assert_eq!(black.asked[..2], [[1000, 1000], [991, 991]]);
    assert_eq!(white.asked[..2], [[1000, 991], [991, 982]]);
}

/// A bot that waits gets no processor unless the tournament lets bots ponder.
#[test]
fn a_waiting_player_is_paused_unless_it_may_ponder() {
    let pauses = |ponder| {
        let (mut black, mut white) = (
            script(["e6", "e3", "g5", "e7", "c5"]),
            script(["f4", "f6", "d6", "f5"]),
        );
        let contest = Contest {
            ponder,
            ..contest("")
        };
        played(&contest, &mut black, &mut white);
        [black.pauses, white.pauses]
    };
    // Each while the other is greeted, and while it thinks: black has five turns, white four.
    assert_eq!(pauses(false), [5, 6]);
    assert_eq!(pauses(true), [0, 0]);
}
