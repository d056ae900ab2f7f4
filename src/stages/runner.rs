//! Playing stages on a number of workers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use games::Board;
use host::Heartbeat;

use super::{Attempt, Stage};
use crate::tournament::{Contestant, Lent, Pool, Stop};
use referee::record::{Outcome, Verdict};
use referee::{Adjudication, Contest, Player, play};

/// How often a stage that the arena had to void is played, in all.
const ATTEMPTS: u32 = 5;

/// Makes a person of whoever sits at the terminal.
pub type NewPerson = fn() -> Box<dyn Player>;

/// Who plays, and how.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Black and the defender.
    pub contestants: &'a [Contestant; 2],
    /// Who defends in the place of the second contestant.
    pub person: Option<NewPerson>,
    /// Stages at a time.
    pub workers: usize,
    /// For every random choice of the bots.
    pub seed: u64,
    /// Whether to go on.
    pub stop: &'a Stop,
}

/// Plays every stage once and hands each attempt with the stage's number to `on`, in the order in
/// which they end. A stage that the arena had to void is played again, a few times.
pub fn run(
    stages: &[Stage],
    conditions: Conditions<'_>,
    mut on: impl FnMut(usize, Attempt),
) -> std::io::Result<()> {
    let heartbeat = Heartbeat::start()?;
    let (next, heartbeat) = (&AtomicUsize::new(0), &heartbeat);
    let (sender, attempts) = channel();
    thread::scope(|scope| {
        for number in 0..conditions.workers.min(stages.len()) {
            let sender = sender.clone();
            thread::Builder::new()
                .name(format!("worker {number}"))
                .spawn_scoped(scope, move || {
                    work(stages, conditions, next, heartbeat, &sender);
                })?;
        }
        drop(sender);
        for (number, attempt) in attempts {
            on(number, attempt);
        }
        Ok(())
    })
}

fn work(
    stages: &[Stage],
    conditions: Conditions<'_>,
    next: &AtomicUsize,
    heartbeat: &Heartbeat,
    sender: &Sender<(usize, Attempt)>,
) {
    let mut pool = Pool::new(conditions.contestants);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(stage) = stages
            .get(number)
            .filter(|_| !conditions.stop.is_requested())
        else {
            return;
        };
        let mut attempt = attempt(stage, conditions, &mut pool, heartbeat);
        for _ in 1..ATTEMPTS {
            if !attempt.is_void() || conditions.stop.is_requested() {
                break;
            }
            attempt = self::attempt(stage, conditions, &mut pool, heartbeat);
        }
        if conditions.stop.is_abort() || sender.send((number, attempt)).is_err() {
            return;
        }
    }
}

fn attempt(
    stage: &Stage,
    conditions: Conditions<'_>,
    pool: &mut Pool<'_>,
    heartbeat: &Heartbeat,
) -> Attempt {
    let opening = stage.given();
    // The game ends after black's last move.
    let plies = 2 * stage.most_moves() - 1;
    let [black, white] = conditions.contestants;
    let contest = Contest {
        game: stage.game(),
        adjudication: Adjudication {
            draw_after: Some(opening.len() + plies),
            ..Adjudication::default()
        },
        opening,
        position: Some(Board::Gomoku(stage.board.clone())),
        limits: [black.limits, white.limits],
        seeds: [conditions.seed, conditions.seed + 1],
        memory_mib: [black.memory_mib, white.memory_mib],
    };
    let mut bot = pool.lend(0);
    let mut defender = Defender::new(conditions, pool);
    let played = play(&contest, [&mut bot.player, defender.player()], heartbeat);
    let stderr = match played.verdict {
        Verdict::Forfeit { .. } | Verdict::BothFailed(_) => bot.evidence().stderr,
        _ => String::new(),
    };
    let is_void = played.verdict.outcome() == Outcome::Void;
    let sound = |side| !is_void && played.verdict.fault_of(side).is_none();
    pool.take_back(bot, sound(games::Side::Black));
    if let Defender::Bot(lent) = defender {
        pool.take_back(*lent, sound(games::Side::White));
    }
    Attempt {
        plies: played.plies,
        verdict: played.verdict,
        stderr,
    }
}

enum Defender {
    Bot(Box<Lent>),
    Person(Box<dyn Player>),
}

impl Defender {
    fn new(conditions: Conditions<'_>, pool: &mut Pool<'_>) -> Defender {
        match conditions.person {
            Some(person) => Defender::Person(person()),
            None => Defender::Bot(Box::new(pool.lend(1))),
        }
    }

    fn player(&mut self) -> &mut dyn Player {
        match self {
            Defender::Bot(lent) => &mut lent.player,
            Defender::Person(person) => &mut **person,
        }
    }
}
