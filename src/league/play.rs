//! The loop of a league: checks hand-ins beside the games, plans a round, plays it, counts it, and begins again.

use std::fs::TryLockError;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use host::Lock;
use message::{Message, message};
use referee::problem;
use referee::record::GameRecord;
use run::{Event, RunError, RunState, Stop};
use tournament::{Catalogue, TournamentFile};

use super::checking::Checked;
use super::database::League;
use super::rounds::announce;

/// The time that a round should take: a new version waits for the next one.
const ROUND: Duration = Duration::from_secs(120);
/// The pairs of the first round, whose games nobody has timed yet; also the fewest.
const FEWEST_PAIRS: usize = 4;
const MOST_PAIRS: usize = 2000;
/// The time between two looks at what was handed in.
const LOOK: Duration = Duration::from_millis(500);
/// The attempts to play games that the machine made void.
const ATTEMPTS: u32 = 3;

/// How a league is played.
#[derive(Clone, Copy, Debug)]
pub struct Playing<'a> {
    /// The conditions, with the sandbox that this machine has.
    pub file: &'a TournamentFile,
    pub catalogue: &'a Catalogue,
    pub concurrency: usize,
    /// The number of games after which no round begins; `None`: until a stop.
    pub games: Option<u64>,
    pub stop: &'a Stop,
}

/// What happens while a league is played.
#[derive(Debug)]
pub enum Played<'a> {
    /// A sentence for the organiser: a version was checked, a round begins.
    Said(Message),
    /// A game has ended: how many games of the round have, and how many it has.
    Game {
        record: &'a GameRecord,
        played: u64,
        games: u64,
    },
    /// A round was counted.
    Counted,
}

impl League {
    /// Plays rounds until a stop, the league's end, or the wanted number of games. Returns the number of games that
    /// were counted.
    pub fn play(
        &mut self,
        playing: Playing<'_>,
        mut on: impl FnMut(Played<'_>),
    ) -> Result<u64, RunError> {
        let _lock = self.lock()?;
        let (sender, checked) = channel();
        let finished = Stop::new();
        thread::scope(|scope| {
            let mut checker = League::open(self.folder())?;
            let done = finished.clone();
            let check = move || check(&mut checker, playing, &done, &sender);
            let checking = thread::Builder::new().spawn_scoped(scope, check);
            checking.map_err(RunError::system("no thread for checking hand-ins"))?;
            let played = self.rounds(playing, &checked, &mut on);
            finished.request();
            played
        })
    }

    fn lock(&self) -> Result<Lock, RunError> {
        let path = self.folder().join("play.lock");
        let failed = RunError::system(message!("cannot use {}", path.display()));
        let file = host::own_file(&path).map_err(failed)?;
        Lock::take(file).map_err(|error| match error {
            TryLockError::WouldBlock => problem!(
                "another arena is playing the league in {}",
                self.folder().display()
            )
            .help("one arena plays; arena league serve may run beside it")
            .into(),
            TryLockError::Error(error) => {
                RunError::system(message!("cannot lock {}", path.display()))(error)
            }
        })
    }

    fn rounds(
        &mut self,
        playing: Playing<'_>,
        checked: &Receiver<Result<Message, RunError>>,
        on: &mut impl FnMut(Played<'_>),
    ) -> Result<u64, RunError> {
        let (last, _) = self.counted()?;
        // The arena may have ended between counting a round and rating it.
        self.set_ratings(last, playing.file, &[])?;
        let (mut counted, mut pairs, mut is_idle) = (0, FEWEST_PAIRS, false);
        while !playing.stop.is_requested() {
            for said in checked.try_iter() {
                on(Played::Said(said?));
            }
            if self.settings()?.is_closed() {
                on(Played::Said(
                    "the league is closed: no further round begins".into(),
                ));
                break;
            }
            let left = playing.games.map(|games| games.saturating_sub(counted) / 2);
            if left == Some(0) {
                break;
            }
            let most = left.map_or(MOST_PAIRS, |left| MOST_PAIRS.min(left as usize));
            let round = match self.planned_round()? {
                Some(round) => Some(round),
                None => self.plan_round(playing.file, pairs.min(most))?,
            };
            let Some(round) = round else {
                if !std::mem::replace(&mut is_idle, true) {
                    on(Played::Said(
                        "no bots can meet: waiting for hand-ins".into(),
                    ));
                }
                thread::sleep(LOOK);
                continue;
            };
            is_idle = false;
            let began = Instant::now();
            let size = round.pairings.len();
            counted += self.play_round(round, playing, checked, on)?;
            pairs = next_size(size, began.elapsed());
        }
        Ok(counted)
    }

    /// Plays and counts a round. Returns the number of its games; 0 if it was interrupted or taken back.
    fn play_round(
        &mut self,
        round: super::database::Round,
        playing: Playing<'_>,
        checked: &Receiver<Result<Message, RunError>>,
        on: &mut impl FnMut(Played<'_>),
    ) -> Result<u64, RunError> {
        on(Played::Said(announce(&round)));
        for attempt in 1..=ATTEMPTS {
            let Playing {
                file,
                catalogue,
                concurrency,
                stop,
                ..
            } = playing;
            let opened = self.open_round(round.clone(), file, catalogue, stop, concurrency)?;
            let Some(mut open) = opened else {
                return Ok(0);
            };
            open.run.play(|event, status| {
                for said in checked.try_iter().flatten() {
                    on(Played::Said(said));
                }
                if let Event::Finished { record } = event {
                    on(Played::Game {
                        record,
                        played: status.played(),
                        games: status.games(),
                    });
                }
            })?;
            let is_over = match open.run.state() {
                RunState::Over => true,
                RunState::Unfinished => return Ok(0),
                RunState::Void { .. } => attempt == ATTEMPTS && !stop.is_requested(),
            };
            if is_over {
                let games = self.count_round(&open, file)?;
                on(Played::Counted);
                return Ok(games);
            }
        }
        Ok(0)
    }
}

/// Returns the number of pairs for a round, from the time that the last one took.
fn next_size(pairs: usize, took: Duration) -> usize {
    let factor = (ROUND.as_secs_f64() / took.as_secs_f64().max(1e-3)).clamp(0.5, 2.0);
    ((pairs as f64 * factor).round() as usize).clamp(FEWEST_PAIRS, MOST_PAIRS)
}

/// Checks hand-ins until `done` is requested, and sends a sentence about each.
fn check(
    league: &mut League,
    playing: Playing<'_>,
    done: &Stop,
    sender: &Sender<Result<Message, RunError>>,
) {
    while !done.is_requested() && !playing.stop.is_requested() {
        let checked = league.check_waiting(
            playing.file,
            playing.catalogue,
            playing.stop,
            |version, checked| {
                let said = match checked {
                    Checked::Ready(_) => message!("{name} is ready", name = version.name()),
                    Checked::Refused(why) => {
                        message!("{name} is refused: {why}", name = version.name())
                    }
                };
                let _ = sender.send(Ok(said));
            },
        );
        if let Err(error) = checked {
            let _ = sender.send(Err(error));
            return;
        }
        thread::sleep(LOOK);
    }
}
