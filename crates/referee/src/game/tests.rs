use std::cell::Cell;
use std::collections::VecDeque;
use std::path::Path;

use super::*;
use crate::bot::Launch;
use crate::dialogues::{Dialogue, read};
use crate::player::ProcessPlayer;
use crate::record::Exit;
use protocol::Start;

/// A player with a list of answers, each of which takes 10 ms. It records what it receives.
#[derive(Default)]
struct ScriptedPlayer {
    answers: VecDeque<Result<Answer, Failure>>,
    greeting: Option<Failure>,
    asked: Vec<[u64; 2]>,
    result: Option<Over>,
    answers_at_once: bool,
    starts_slowly: bool,
    pauses: usize,
}

impl Computing for ScriptedPlayer {
    fn thinks(&self) -> bool {
        !self.answers_at_once
    }

    fn pause(&mut self) {
        self.pauses += 1;
    }

    fn charge(&mut self, _: Duration) {}

    fn cpu_time(&self) -> Option<Duration> {
        None
    }
}

impl Player for ScriptedPlayer {
    fn start(&mut self, _: &Start, hold_opponent: Hold<'_>) -> Result<(), Failure> {
        if self.starts_slowly {
            hold_opponent.0();
        }
        self.greeting.take().map_or(Ok(()), Err)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        self.asked.push(turn.left_ms);
        // After its list, the script plays the first legal move.
        self.answers.pop_front().unwrap_or_else(|| {
            Ok(Answer {
                played: turn.legal[0].to_string(),
                ..Answer::default()
            })
        })
    }

    fn over(&mut self, over: &Over) {
        self.result = Some(over.clone());
    }

    fn computing(&mut self) -> Option<&mut dyn Computing> {
        Some(self)
    }
}

/// Returns the player that these words describe: the name of a failure, or its first moves.
fn script(words: &str) -> ScriptedPlayer {
    let mut script = ScriptedPlayer::default();
    match words {
        "" => {}
        "CRASH" => {
            let status = Exit::Status(3);
            script.answers = [Err(Fault::Crashed { status }.into())].into();
        }
        "UNABLE" => {
            let text = "HTTP 402".to_owned();
            script.answers = [Err(Fault::Unable { text }.into())].into();
        }
        "STALL" => {
            let stalled = ArenaError::Stalled(Duration::from_secs(1));
            script.answers = [Err(stalled.into())].into();
        }
        "NO START" => {
            let fault = Fault::StartFailed { why: "no".into() };
            script.greeting = Some(fault.into());
        }
        "NOT READY" => {
            let fault = Fault::HandshakeTimeout {
                allowed: Duration::from_secs(10),
                unanswered: String::new(),
                last: String::new(),
            };
            script.greeting = Some(fault.into());
        }
        moves => {
            let moves = moves.split(", ").map(|played| Answer {
                played: played.trim_matches('"').to_owned(),
                used: Duration::from_millis(10),
                ..Answer::default()
            });
            script.answers = moves.map(Ok).collect();
        }
    }
    script
}

fn contest() -> Contest {
    let limits = Limits {
        move_time: Duration::from_millis(100),
        ..Limits::default()
    };
    Contest {
        game: Game::OTHELLO,
        opening: Vec::new(),
        limits: [limits; 2],
        seeds: [1, 2],
        memory_mib: [None; 2],
        is_reference: [false; 2],
        may_stop: [false; 2],
        adjudication: Adjudication::default(),
        ponder: false,
        so_far: Vec::new(),
    }
}

/// `games.txt` has the answers of the players, and lines that the result must contain. `[..]` stands for any text.
#[test]
fn games_have_the_results_of_the_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/game");
    for game in read(&folder.join("games.txt")) {
        let found = comes_of(&game);
        for line in &game.lines {
            let mut parts = line.trim().split("[..]");
            let start = parts.next().unwrap_or_default();
            let has = |line: &String| {
                let whole = line.strip_prefix(start);
                whole.is_some_and(|rest| match parts.clone().next() {
                    None => rest.is_empty() || rest.starts_with([',', ':']),
                    Some(_) => parts.clone().all(|part| rest.contains(part)),
                })
            };
            assert!(found.iter().any(has), "{}: {line}: {found:#?}", game.title);
        }
    }
}

fn comes_of(game: &Dialogue) -> Vec<String> {
    let head = |key: &str| game.head.get(key).map_or("", String::as_str);
    let mut contest = contest();
    if let Some(rule) = game.head.get("rule") {
        let gomoku = Game::new("gomoku", None, None).expect("is known");
        contest.game = gomoku.with_opening(Some(rule)).expect("is known");
    }
    contest.opening = games::parse_transcript(contest.game, head("opening"))
        .expect("legal")
        .0;
    contest.is_reference = Side::BOTH.map(|side| side.word() == head("reference"));
    contest.may_stop = Side::BOTH.map(|side| side.word() == head("stops"));
    contest.ponder = head("ponder") == "yes";
    if let Some((time, increment)) = head("clock").split_once('+') {
        let ms = |text: &str| Duration::from_millis(text.parse().expect("ms"));
        contest.limits = [Limits {
            game_time: ms(time),
            increment: ms(increment),
            ..Limits::default()
        }; 2];
    }
    let [mut black, mut white] = ["black", "white"].map(|side| script(head(side)));
    let played = play(&contest, [&mut black, &mut white], &mut |_, _| {});
    let PlayedGame {
        verdict, counts, ..
    } = &played;
    let outcome = verdict.outcome();
    let why = match verdict {
        Verdict::Forfeit { fault, .. } => format!(": {fault}"),
        Verdict::Void { why } => format!(": {why}"),
        _ => String::new(),
    };
    let mut found = vec![
        format!("{}, for {}{why}", verdict.reason(), outcome.word()),
        format!("{} plies, {}-{}", played.plies.len(), counts[0], counts[1]),
        match played.interruptions.excused {
            [0, 0] => "no answer is excused".to_owned(),
            [0, _] => "white's answer is excused".to_owned(),
            _ => "black's answer is excused".to_owned(),
        },
    ];
    for (side, script) in [("black", black), ("white", white)] {
        let heard = script.result.map_or("nothing".to_owned(), |over| {
            let result = format!("{:?}", over.result).to_lowercase();
            format!("{result}, {}, {}-{}", over.reason, over.black, over.white)
        });
        let asked = script
            .asked
            .iter()
            .map(|[own, other]| format!(" {own}/{other}"));
        let asked: String = asked.collect();
        found.push(format!("{side} hears {heard}"));
        found.push(format!("{side} is asked with{asked}"));
        found.push(format!("{side} is paused {} times", script.pauses));
    }
    found
}

/// A new process needs the shared core, so even an opponent that answers at once must pause.
#[test]
fn a_player_is_paused_while_the_other_starts_unless_this_one_is_ready_at_once() {
    let [mut black, mut white] = [false, true].map(|starts_slowly| ScriptedPlayer {
        answers_at_once: true,
        starts_slowly,
        ..ScriptedPlayer::default()
    });
    play(&contest(), [&mut black, &mut white], &mut |_, _| {});
    assert_eq!([black.pauses, white.pauses], [1, 0]);
    let pauses = Cell::new(0);
    let mut process = ProcessPlayer::new(Launch::default());
    let start = Start::untimed(contest().game, Side::Black);
    let _ = process.start(&start, Hold(&|| pauses.set(pauses.get() + 1)));
    assert_eq!(pauses.get(), 1, "a new process starts");
}

#[test]
fn no_player_is_asked_to_pass() {
    let (mut black, mut white) = (ScriptedPlayer::default(), ScriptedPlayer::default());
    let game = play(&contest(), [&mut black, &mut white], &mut |_, _| {});
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
