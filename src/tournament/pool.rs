//! The bot processes of one worker: started when first needed, kept from game to game.

use std::time::Instant;

use games::{Game, Side};
use protocol::Start;

use super::contestant::Contestant;
use referee::ProcessPlayer;
use referee::bot::{ArenaError, BotProcess, BuildError, Failure, Identity, PARTING, Restart};
use referee::record::{Exit, Fault};

/// Processes a worker keeps beside the two that play: a run of two hundred bots is not two hundred
/// processes a worker.
const KEPT: usize = 16;

/// What a bot left behind that shows why it failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The exact lines of the game: `> ` to the bot, `< ` from it.
    pub log: Vec<u8>,
    /// The end of its standard error.
    pub stderr: String,
}

impl Evidence {
    /// How much it is.
    pub(super) fn bytes(&self) -> usize {
        self.log.len() + self.stderr.len()
    }
}

/// The players of one worker, most recently used last.
#[derive(Debug)]
pub struct Pool<'a> {
    contestants: &'a [Contestant],
    kept: Vec<(usize, BotProcess)>,
}

/// A player lent for one game.
#[derive(Debug)]
pub struct Lent {
    bot: usize,
    /// Plays.
    pub player: ProcessPlayer,
    /// What is to be said of the process it had before.
    pub warning: Option<String>,
}

impl<'a> Pool<'a> {
    /// Nobody is started yet.
    pub fn new(contestants: &'a [Contestant]) -> Pool<'a> {
        Pool {
            contestants,
            kept: Vec::new(),
        }
    }

    /// A player for bot number `bot`: its process from an earlier game if that is fit for another.
    pub fn lend(&mut self, bot: usize) -> Lent {
        let fresh = ProcessPlayer::new(self.contestants[bot].launch.clone());
        let Some(place) = self.kept.iter().position(|(kept, _)| *kept == bot) else {
            return Lent {
                bot,
                player: fresh,
                warning: None,
            };
        };
        let (_, mut process) = self.kept.remove(place);
        if process.is_fit() {
            return Lent {
                bot,
                player: fresh.with_process(process),
                warning: None,
            };
        }
        let how = match process.quit(Instant::now() + PARTING) {
            Some(exit) => format!("it had ended ({exit})"),
            None => "it wrote when nothing was asked, or closed a pipe".to_owned(),
        };
        Lent {
            bot,
            player: fresh,
            warning: Some(self.afresh(bot, &how)),
        }
    }

    /// Takes a player back after its game. `sound`: it did nothing wrong and awaits a new game.
    /// Returns what is to be said of how it left, if it left.
    pub fn take_back(&mut self, lent: Lent, sound: bool) -> Option<String> {
        let replaced = lent.player.was_replaced();
        let warning = replaced.then(|| self.afresh(lent.bot, "it left"));
        let process = lent.player.into_process()?;
        if !sound {
            return warning;
        }
        if self.contestants[lent.bot].restart == Restart::Always {
            return self.note_exit(lent.bot, process.quit(Instant::now() + PARTING));
        }
        self.kept.push((lent.bot, process));
        if self.kept.len() > KEPT {
            let (bot, process) = self.kept.remove(0);
            return self.note_exit(bot, process.quit(Instant::now() + PARTING));
        }
        warning
    }

    fn afresh(&self, bot: usize, how: &str) -> String {
        let name = &self.contestants[bot].name;
        format!("{name} was started afresh: after its last game {how}")
    }

    fn note_exit(&self, bot: usize, exit: Option<Exit>) -> Option<String> {
        let name = &self.contestants[bot].name;
        match exit {
            Some(Exit::Status(0)) => None,
            Some(exit) => Some(format!("{name} left with {exit} after the game")),
            None => Some(format!(
                "{name} did not leave within 500 ms of quit and was killed"
            )),
        }
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {
        // All are told first, so that they leave side by side.
        for (_, process) in &mut self.kept {
            process.say_quit();
        }
        let until = Instant::now() + PARTING;
        for (_, process) in self.kept.drain(..) {
            process.quit(until);
        }
    }
}

impl Lent {
    /// What the bot wrote in this game.
    pub fn evidence(&mut self) -> Evidence {
        match self.player.process() {
            Some(process) => {
                let stderr = process.drained_stderr();
                Evidence {
                    log: process.log.bytes().to_vec(),
                    stderr,
                }
            }
            None => Evidence::default(),
        }
    }
}

/// A bot that cannot take part, found before any game.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// It is the bot's doing.
    #[error("bot {name} cannot be used: {fault}")]
    Bot {
        /// The bot's name.
        name: String,
        /// What it did.
        fault: Box<Fault>,
        /// The command that was run.
        command: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// There is no bot.
    #[error("bot {name} {error}")]
    Unbuilt {
        /// The bot's name.
        name: String,
        /// What went wrong.
        error: BuildError,
    },
    /// It is the machine's doing.
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

/// Builds a bot if that is due.
pub fn build(contestant: &Contestant) -> Result<(), Unusable> {
    contestant.build().map_err(|error| match error {
        BuildError::Arena(error) => Unusable::Arena(error),
        error => Unusable::Unbuilt {
            name: contestant.name.clone(),
            error,
        },
    })
}

/// Builds a bot if that is due, starts it once, shakes hands and lets it go: a wrong path is found before the first game.
pub fn probe(contestant: &Contestant, game: Game) -> Result<Identity, Unusable> {
    build(contestant)?;
    let some = |time: std::time::Duration| (!time.is_zero()).then_some(time);
    let start = Start {
        game,
        you: Side::Black,
        move_time: some(contestant.limits.move_time),
        game_time: some(contestant.limits.game_time),
        increment: contestant.limits.increment,
        memory_mib: contestant.memory_mib,
        seed: 0,
    };
    let mut player = ProcessPlayer::new(contestant.launch.clone());
    match player.introduce(&start) {
        Ok(identity) => {
            if let Some(process) = player.into_process() {
                process.quit(Instant::now() + PARTING);
            }
            Ok(identity)
        }
        Err(Failure::Arena(error)) => Err(error.into()),
        Err(Failure::Fault(fault)) => {
            let stderr = player.process().map(BotProcess::drained_stderr);
            Err(Unusable::Bot {
                name: contestant.name.clone(),
                fault: Box::new(fault),
                command: contestant.launch.display(),
                stderr: stderr.unwrap_or_default(),
            })
        }
    }
}
