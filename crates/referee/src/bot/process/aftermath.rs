//! Looking at a bot that nobody waits for: while it is silent, after a fault, when it leaves. A game
//! needs none of this; `arena check` does, to tell why a bot is silent.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::super::run_delay;
use super::BotProcess;
use crate::bot::{ArenaError, Failure};
use crate::record::Exit;

/// CPU time that a process which does nothing may still use: a runtime's own threads.
const NOTHING: Duration = Duration::from_millis(3);

/// How a bot left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// `None`: it stayed.
    pub exit: Option<Exit>,
    /// Processes of its own that lived on when it had ended.
    pub children: usize,
}

impl BotProcess {
    /// How it ended, if that has been seen.
    pub fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Closes the bot's input, and says nothing.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// What the bot wrote that nobody has looked at.
    pub fn unread(&self) -> &[u8] {
        self.conversation.unread()
    }

    /// Whether the bot has written nothing since its last answer that it should not have.
    pub fn is_quiet(&mut self) -> bool {
        self.conversation.is_quiet()
    }

    /// Whether the bot has taken all that was sent out of its pipe.
    pub fn has_read_everything(&self) -> bool {
        let input = self.input.as_ref();
        // Both ends of a pipe know how much is in it.
        input.is_none_or(|pipe| rustix::io::ioctl_fionread(pipe) == Ok(0))
    }

    /// Takes in what the bot writes until `until`, or until it ends.
    pub fn listen(&mut self, until: Instant) -> Result<(), ArenaError> {
        while self.exit.is_none() && Instant::now() < until {
            match self.part(until) {
                Err(Failure::Arena(error)) => return Err(error),
                // What is wrong with what it wrote is found out by who looks at it.
                Ok(()) | Err(Failure::Fault(_)) => {}
            }
        }
        Ok(())
    }

    /// Whether the bot neither computes nor waits for a core, looked at for `span`.
    pub fn is_idle(&mut self, span: Duration) -> Result<bool, ArenaError> {
        let before = self.cpu_time();
        let was_ready = self.run_delay.is_ready();
        self.listen(Instant::now() + span)?;
        let used = self.cpu_time().unwrap_or_default();
        let used = used.saturating_sub(before.unwrap_or_default());
        Ok(!was_ready && !self.run_delay.is_ready() && used < NOTHING)
    }

    /// Lets the bot leave until `until`. Its process group lives on if it does not.
    pub fn leave(&mut self, until: Instant) -> Result<Parting, ArenaError> {
        let mut children = 0;
        while self.exit.is_none() && Instant::now() < until {
            let news = self.wait_for_news(Some(until), Instant::now(), false)?;
            if news.output
                && let Err(Failure::Arena(error)) = self.collect()
            {
                return Err(error);
            }
            if news.errors {
                self.read_errors()?;
            }
            if news.ended {
                // They are killed when its end is seen.
                let in_group = run_delay::children_of(Pid::from_child(&self.child));
                children = in_group.max(self.mark.count());
                self.see_exit()?;
            }
        }
        Ok(Parting {
            exit: self.exit,
            children,
        })
    }

    /// The most memory it has had at a time, in KiB; `None` once it has ended.
    pub fn peak_memory_kib(&self) -> Option<u64> {
        let pid = Pid::from_child(&self.child).as_raw_pid();
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))?;
        peak.trim().trim_end_matches(" kB").parse().ok()
    }
}
