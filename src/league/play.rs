//! The loop of a league: checks hand-ins beside the games, plans a round, plays it, counts it, and begins again.

use std::fs::TryLockError;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use host::Lock;
use message::{Message, ToValue, message};
use referee::problem;
use referee::record::GameRecord;
use run::{Event, RunError, RunState, Stop};
use tournament::{Catalogue, Tournament, TournamentFile};

use super::checking::Checked;
use super::database::{League, Round};
use super::rounds::{OpenRound, announce};

/// The time that a round should take: a new version waits for the next one.
const ROUND: Duration = Duration::from_secs(120);
/// The pairs of the first round, whose games nobody has timed yet; also the fewest.
const FEWEST_PAIRS: usize = 4;
const LARGEST_ROUND: usize = 2000;
/// The time between two looks at what was handed in.
pub(super) const LOOK: Duration = Duration::from_millis(500);
/// The time after which hand-ins are checked again if the machine failed.
const AFTER_FAILURE: Duration = Duration::from_secs(60);
/// The attempts to play games that the machine made void.
const ATTEMPTS: u32 = 3;

/// Submits the missing blocks of the plan in a folder to a scheduler.
pub type Submit<'a> = dyn Fn(&Path) -> Result<(), RunError> + Sync + 'a;

/// How a league is played.
#[derive(Clone, Copy)]
pub struct Playing<'a> {
    /// The conditions, with the sandbox that this machine has.
    pub file: &'a TournamentFile,
    pub catalogue: &'a Catalogue,
    pub concurrency: usize,
    /// The number of games after which no round begins; `None`: until a stop.
    pub games: Option<u64>,
    pub stop: &'a Stop,
    /// The scheduler that plays; `None`: this machine does.
    pub elsewhere: Option<&'a Submit<'a>>,
}

/// An event of [`League::play`].
#[derive(Debug)]
pub enum Played<'a> {
    /// A sentence for the organiser: a version was checked, a round begins.
    Said(Message),
    /// A game has ended; with the numbers of finished and of all games of the round.
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
            // The checks end even if a round panics.
            let _end = EndsChecks(finished);
            self.rounds(playing, &checked, &mut on)
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
        checked: &Receiver<Checks>,
        on: &mut impl FnMut(Played<'_>),
    ) -> Result<u64, RunError> {
        let (last, _) = self.counted()?;
        // The arena may have ended between counting a round and rating it.
        self.rate(last, playing.file)?;
        // What was handed in before plays from the first round on.
        while let Ok(Checks::Said(said)) = checked.recv() {
            on(Played::Said(said));
        }
        let (mut counted, mut pairs, mut is_idle) = (0, FEWEST_PAIRS, false);
        while !playing.stop.is_requested() {
            for said in checked.try_iter().filter_map(Checks::said) {
                on(Played::Said(said));
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
            let most = left.map_or(LARGEST_ROUND, |left| LARGEST_ROUND.min(left as usize));
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
            counted += self.play_round(&round, playing, checked, on)?;
            pairs = next_size(size, began.elapsed());
        }
        Ok(counted)
    }

    /// Plays and counts a round. Returns the number of its games; 0 if it was interrupted or taken back.
    fn play_round(
        &mut self,
        round: &Round,
        playing: Playing<'_>,
        checked: &Receiver<Checks>,
        on: &mut impl FnMut(Played<'_>),
    ) -> Result<u64, RunError> {
        on(Played::Said(announce(round)));
        let Some((file, tournament)) = self.prepare_round(round, playing)? else {
            return Ok(0);
        };
        let open = match playing.elsewhere {
            Some(submit) => self.play_elsewhere(round, &tournament, &file, playing, submit)?,
            None => self.play_here(
                round,
                &tournament,
                &file,
                playing,
                &mut |event| match event {
                    Some(event) => on(event),
                    None => checked
                        .try_iter()
                        .filter_map(Checks::said)
                        .for_each(|said| on(Played::Said(said))),
                },
            )?,
        };
        let Some(open) = open else { return Ok(0) };
        let games = self.count_round(open, playing.file)?;
        on(Played::Counted);
        Ok(games)
    }

    /// Plays a round to its end; `None` if it was interrupted. Calls `on` with each game, and with `None` between games.
    fn play_here(
        &self,
        round: &Round,
        tournament: &Tournament,
        file: &TournamentFile,
        playing: Playing<'_>,
        on: &mut dyn FnMut(Option<Played<'_>>),
    ) -> Result<Option<OpenRound>, RunError> {
        for attempt in 1.. {
            let mut open = self.open_round(round, file, tournament.clone(), playing.stop)?;
            open.run.play(|event, status| {
                on(None);
                if let Event::Finished { record } = event {
                    on(Some(Played::Game {
                        record,
                        played: status.played(),
                        games: status.games(),
                    }));
                }
            })?;
            match open.run.state() {
                RunState::Over => return Ok(Some(open)),
                RunState::Unfinished => break,
                RunState::Void { .. } if playing.stop.is_requested() => break,
                RunState::Void { .. } if attempt == ATTEMPTS => return Ok(Some(open)),
                RunState::Void { .. } => {}
            }
        }
        Ok(None)
    }
}

/// A report of the thread that checks hand-ins.
#[derive(Debug)]
enum Checks {
    Said(Message),
    /// All that waited is checked.
    Done,
}

impl Checks {
    fn said(self) -> Option<Message> {
        match self {
            Checks::Said(said) => Some(said),
            Checks::Done => None,
        }
    }
}

struct EndsChecks(Stop);

impl Drop for EndsChecks {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// Returns the number of pairs for a round, from the time that the last one took.
fn next_size(pairs: usize, took: Duration) -> usize {
    let factor = (ROUND.as_secs_f64() / took.as_secs_f64().max(1e-3)).clamp(0.5, 2.0);
    ((pairs as f64 * factor).round() as usize).clamp(FEWEST_PAIRS, LARGEST_ROUND)
}

/// Checks hand-ins until `done` is requested, and sends a sentence about each.
fn check(league: &mut League, playing: Playing<'_>, done: &Stop, sender: &Sender<Checks>) {
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
                let _ = sender.send(Checks::Said(said));
            },
        );
        let mut pause = LOOK;
        if let Err(error) = checked {
            let said = message!(
                "hand-ins wait, because the machine failed: {error}",
                error = error.to_message()
            );
            let _ = sender.send(Checks::Said(said));
            pause = AFTER_FAILURE;
        }
        let _ = sender.send(Checks::Done);
        let until = Instant::now() + pause;
        while Instant::now() < until && !done.is_requested() && !playing.stop.is_requested() {
            thread::sleep(LOOK.min(pause));
        }
    }
}
