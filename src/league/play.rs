//! The loop of a league: plans a round, plays it, counts it, and begins again. Checks hand-ins at the same time.

use std::collections::BTreeMap;
use std::fs::TryLockError;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use host::Lock;
use message::{Message, ToValue, message};
use referee::bot::tidy;
use referee::problem;
use run::{Event, RunError, RunState};
use tournament::{Tournament, TournamentFile};

use super::checking::Checked;
use super::database::{League, Round, VersionState, ends_like_version};
use super::rounds::{OpenRound, Playing, announce};

/// The time that a round should take. It is short because a new version waits for the next round.
const ROUND: Duration = Duration::from_secs(120);
/// The number of pairs in the first round, before the duration of a game is known, and the fewest in later rounds.
const FEWEST_PAIRS: usize = 4;
const LARGEST_ROUND: usize = 2000;
/// The time between two checks for new hand-ins.
pub(super) const LOOK: Duration = Duration::from_millis(500);
/// How long the first round waits for the checks of earlier hand-ins.
const FIRST_CHECKS: Duration = Duration::from_secs(30);
/// After a failure of the machine, hand-ins are checked again after this time.
const AFTER_FAILURE: Duration = Duration::from_secs(60);
/// A bot's files that were used within this time may still be in use by a check.
const YOUNG: Duration = Duration::from_secs(600);
/// The most attempts for games that the machine makes void.
pub(super) const ATTEMPTS: u32 = 3;

#[derive(Debug)]
pub enum Played {
    /// A sentence for the organiser, such as that a version was checked or that a round begins.
    Note(Message),
    /// A game has ended. `played` and `games` count the finished games and all games of the round.
    Game {
        played: u64,
        games: u64,
    },
    Counted,
}

impl League {
    /// Plays until a stop, the wanted number of games, or [`League::is_over`]. Returns the number of counted games.
    pub fn play(
        &mut self,
        playing: Playing<'_>,
        mut on: impl FnMut(Played),
    ) -> Result<u64, RunError> {
        let _lock = self.lock()?;
        // An anchor without a name in league.toml has that of its file or its own bot.toml.
        let anchors = playing.file.bots(playing.catalogue, self.folder())?;
        if let Some(anchor) = anchors.iter().find(|bot| ends_like_version(&bot.name)) {
            let name = &anchor.name;
            return Err(problem!(
                "the anchor {name} of league.toml has a name like a version of a bot"
            )
            .help("give it a name there that does not end in -v and a number")
            .into());
        }
        self.take_anchors(playing.file)?;
        // Fails now, and not when the league closes, if an opponent of the suite is no anchor.
        playing
            .goals
            .map_or(Ok(Vec::new()), |goals| self.needed_pairs(goals))?;
        let (sender, checked) = channel();
        let (end, ended) = channel();
        thread::scope(|scope| {
            let mut checker = League::open(self.folder())?;
            checker.found = Arc::clone(&self.found);
            let check = move || check(&mut checker, playing, &ended, &sender);
            let checking = thread::Builder::new().spawn_scoped(scope, check);
            checking.map_err(RunError::system("no thread for checking hand-ins"))?;
            // The checks end when this sender is dropped, even if a round panics.
            let _end: Sender<()> = end;
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
            .help("only one process can play a league; arena league serve may run beside it")
            .into(),
            TryLockError::Error(error) => {
                RunError::system(message!("cannot lock {}", path.display()))(error)
            }
        })
    }

    fn rounds(
        &mut self,
        playing: Playing<'_>,
        checked: &Receiver<CheckNote>,
        on: &mut impl FnMut(Played),
    ) -> Result<u64, RunError> {
        let (last, _) = self.counted()?;
        // The arena may have stopped after counting a round and before rating it.
        self.rate(last, playing.file)?;
        // Earlier hand-ins play from the first round on, unless their checks take too long.
        let until = Instant::now() + FIRST_CHECKS;
        let left = || until.saturating_duration_since(Instant::now());
        while let Ok(Some(note)) = checked.recv_timeout(left()) {
            on(Played::Note(note));
        }
        let (mut counted, mut pairs, mut is_idle) = (0, FEWEST_PAIRS, false);
        while !playing.stop.is_requested() {
            for note in checked.try_iter().flatten() {
                on(Played::Note(note));
            }
            if playing.games.is_none() && self.is_over(playing.goals)? {
                on(Played::Note(
                    "the league is closed, and each bot has played its first games: no further round begins".into(),
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
                None => self.plan_round(playing.file, pairs.min(most), playing.goals)?,
            };
            let Some(round) = round else {
                if self.settings()?.is_closed()
                    && self.versions_in(VersionState::Waiting)?.is_empty()
                {
                    break;
                }
                if !std::mem::replace(&mut is_idle, true) {
                    on(Played::Note(
                        "no bots can meet: waiting for hand-ins".into(),
                    ));
                }
                match checked.recv_timeout(LOOK) {
                    Ok(Some(note)) => on(Played::Note(note)),
                    Ok(None) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                continue;
            };
            is_idle = false;
            tidy(YOUNG).map_err(RunError::system("the cache cannot be used"))?;
            // Preparing a round may take long because of one bot, so it does not count for the size of the next round.
            let Some((file, tournament)) = self.prepare_round(&round, playing)? else {
                continue;
            };
            let began = Instant::now();
            counted += self.play_round(&round, (file, tournament), playing, checked, on)?;
            pairs = next_size(round.pairings.len(), began.elapsed());
        }
        Ok(counted)
    }

    /// Plays and counts a prepared round. Returns the number of its games; 0 if the round was interrupted.
    fn play_round(
        &mut self,
        round: &Round,
        (file, tournament): (TournamentFile, Tournament),
        playing: Playing<'_>,
        checked: &Receiver<CheckNote>,
        on: &mut impl FnMut(Played),
    ) -> Result<u64, RunError> {
        on(Played::Note(announce(round)));
        let open = match playing.elsewhere {
            Some(submit) => self.play_elsewhere(round, &tournament, &file, playing, submit)?,
            None => self.play_here(round, &tournament, &file, playing, &mut |game| {
                for note in checked.try_iter().flatten() {
                    on(Played::Note(note));
                }
                game.map(&mut *on);
            })?,
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
        on: &mut dyn FnMut(Option<Played>),
    ) -> Result<Option<OpenRound>, RunError> {
        for attempt in 1.. {
            let mut open = self.open_round(round, file, tournament.clone(), playing.stop)?;
            open.run.play(|event, status| {
                let game = matches!(event, Event::Finished { .. }).then(|| Played::Game {
                    played: status.played(),
                    games: status.games(),
                });
                on(game);
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

/// A sentence about a checked hand-in; `None`: all waiting hand-ins are checked.
type CheckNote = Option<Message>;

/// Returns the number of pairs for the next round, from the pairs and the duration of the last round.
fn next_size(pairs: usize, took: Duration) -> usize {
    let factor = (ROUND.as_secs_f64() / took.as_secs_f64().max(1e-3)).clamp(0.5, 2.0);
    ((pairs as f64 * factor).round() as usize).clamp(FEWEST_PAIRS, LARGEST_ROUND)
}

/// Checks hand-ins until the other end of `ended` is dropped.
fn check(
    league: &mut League,
    playing: Playing<'_>,
    ended: &Receiver<()>,
    sender: &Sender<CheckNote>,
) {
    let say = |note| drop(sender.send(note));
    let mut took = BTreeMap::new();
    loop {
        let Playing {
            file,
            catalogue,
            stop,
            ..
        } = playing;
        let checked = league.check_waiting(file, catalogue, stop, &mut took, |version, checked| {
            let name = version.name();
            say(Some(match checked {
                Checked::Ready(_) => message!("{name} is ready"),
                Checked::Refused(why) => message!("{name} is refused: {why}"),
            }));
        });
        let pause = match checked {
            Ok(()) => LOOK,
            Err(error) => {
                let error = error.to_message();
                say(Some(message!(
                    "hand-ins wait, because the machine failed: {error}"
                )));
                AFTER_FAILURE
            }
        };
        say(None);
        if ended.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}
