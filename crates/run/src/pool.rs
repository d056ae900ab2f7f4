//! The players of one worker: stand-ins, such as people, and bot processes, which are kept from game to game.

use std::time::Instant;

use super::lock::lock;
use super::shared_state::{NewStandIn, Shared};
use crate::failures::BotEvidence;
use host::Core;
use message::{Message, message};
use referee::bot::{BotProcess, Launch, PARTING, Restart};
use referee::record::Exit;
use referee::{Player, ProcessPlayer};
use tournament::Contestant;
use tournament::tuning::TunedCommand;

#[derive(Debug)]
pub(super) struct Pool<'a> {
    shared: &'a Shared,
    kept: Vec<(StartedBot, BotProcess)>,
}

#[derive(Debug, PartialEq)]
struct StartedBot {
    bot: usize,
    /// The numbers of the bot's own cores; empty if the bot runs on the worker's cores.
    on: Vec<usize>,
    /// The command of this process, if the bot's options are tuned.
    command: Option<TunedCommand>,
}

pub(super) struct Lease {
    started: StartedBot,
    player: Leased,
    pub warning: Option<Message>,
}

enum Leased {
    Process(Box<ProcessPlayer>),
    StandIn(Box<dyn Player>),
}

impl<'a> Pool<'a> {
    pub fn new(shared: &'a Shared) -> Pool<'a> {
        let kept = Vec::new();
        Pool { shared, kept }
    }

    /// Lends a player for bot number `bot`: its process from an earlier game if that process can still be used, else a
    /// new one. `cores` are the bot's own cores; if there are none, it shares the worker's cores with its opponent.
    /// `command` replaces the command of a bot whose options are tuned.
    pub fn lend(&mut self, bot: usize, cores: &[Core], command: Option<TunedCommand>) -> Lease {
        let on: Vec<usize> = cores.iter().map(Core::number).collect();
        let mut launch = Launch {
            on: on.clone(),
            ..self.contestant(bot).launch.clone()
        };
        if let Some(TunedCommand { arguments, setup }) = command.clone() {
            (launch.arguments, launch.setup) = (arguments, setup);
        }
        let started = StartedBot { bot, on, command };
        let lease = |started, player, warning| Lease {
            started,
            player,
            warning,
        };
        if let Some(NewStandIn(make)) = &self.shared.stand_ins[bot] {
            let player = Leased::StandIn(make(&self.shared.stop));
            return lease(started, player, None);
        }
        let fresh = ProcessPlayer::new(launch);
        let Some(place) = self.kept.iter().position(|(kept, _)| kept.bot == bot) else {
            return lease(started, Leased::Process(fresh.into()), None);
        };
        let (before, mut process) = self.kept.remove(place);
        if before != started {
            // The bot has other cores in this game, or its options have other values.
            process.quit(Instant::now() + PARTING);
            return lease(started, Leased::Process(fresh.into()), None);
        }
        if process.why_unfit().is_none() {
            let player = Leased::Process(fresh.with_process(process).into());
            return lease(started, player, None);
        }
        let how = match process.quit(Instant::now() + PARTING) {
            Some(exit) => message!("it had ended ({exit})"),
            None => "it wrote when it was not its turn, or closed a pipe".into(),
        };
        let warning = self.restarted(bot, &how);
        lease(started, Leased::Process(fresh.into()), Some(warning))
    }

    /// Freezes the processes that wait for their next game, so that they take no CPU time from processes that play.
    pub fn pause_waiting(&mut self) {
        for (_, process) in &mut self.kept {
            process.freeze();
        }
    }

    pub fn end_waiting(&mut self) {
        let until = Instant::now() + PARTING;
        for (_, process) in self.kept.drain(..) {
            process.quit(until);
        }
    }

    /// Takes a player back. `sound`: whether it can play again. Returns a warning about an unusual exit.
    pub fn take_back(&mut self, lease: Lease, sound: bool) -> Option<Message> {
        let Lease {
            started, player, ..
        } = lease;
        let bot = started.bot;
        let Leased::Process(player) = player else {
            return None;
        };
        let warning = player
            .was_replaced()
            .then(|| self.restarted(bot, &"it exited or wrote without a question".into()));
        let process = player.into_process()?;
        if !sound {
            return warning;
        }
        if self.contestant(bot).restart == Restart::Always {
            return self.note_exit(bot, process.quit(Instant::now() + PARTING));
        }
        self.kept.push((started, process));
        if self.kept.len() > self.shared.concurrency.kept {
            let (started, process) = self.kept.remove(0);
            return self.note_exit(started.bot, process.quit(Instant::now() + PARTING));
        }
        warning
    }

    fn contestant(&self, bot: usize) -> &Contestant {
        &self.shared.tournament.contestants[bot]
    }

    fn restarted(&self, bot: usize, how: &Message) -> Message {
        let name = &self.contestant(bot).name;
        message!("{name} was started again, because after its last game {how}")
    }

    fn note_exit(&self, bot: usize, exit: Option<Exit>) -> Option<Message> {
        let name = &self.contestant(bot).name;
        match exit {
            Some(Exit::Status(0)) => None,
            Some(exit) => Some(message!("{name} exited with {exit} after the game")),
            None => Some(message!(
                "{name} did not exit within 500 ms of quit and was killed"
            )),
        }
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {
        // Sends `quit` to all bots first, so that they exit at the same time.
        for (_, process) in &mut self.kept {
            process.send_quit();
        }
        let until = Instant::now() + PARTING;
        for (started, process) in std::mem::take(&mut self.kept) {
            let parting = self.note_exit(started.bot, process.quit(until));
            if !self.shared.stop.is_abort() {
                lock(&self.shared.warnings).extend(parting);
            }
        }
    }
}

impl Lease {
    pub fn player(&mut self) -> &mut dyn Player {
        match &mut self.player {
            Leased::Process(player) => &mut **player,
            Leased::StandIn(player) => &mut **player,
        }
    }

    pub fn evidence(&mut self) -> BotEvidence {
        let Leased::Process(player) = &mut self.player else {
            return BotEvidence::default();
        };
        player
            .process()
            .map_or_else(BotEvidence::default, |process| BotEvidence {
                stderr: process.drained_stderr(),
                log: process.log.bytes().to_vec(),
            })
    }
}
