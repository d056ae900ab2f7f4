//! Observes a bot that is silent, has had a fault, or exits. A game does not need this; `arena check`
//! does, to find why a bot is silent.

use std::time::{Duration, Instant};

use super::BotProcess;
use crate::bot::{ArenaError, Failure};
use crate::record::Exit;

/// CPU time that an idle process may use, for a runtime's own threads.
const NOTHING: Duration = Duration::from_millis(3);

/// How a bot exited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    /// `None`: it did not exit.
    pub exit: Option<Exit>,
    /// Child processes that were still running after its exit.
    pub children: usize,
}

impl BotProcess {
    /// How it ended, if that has been seen.
    pub fn exit(&self) -> Option<Exit> {
        self.process.exit().map(Exit::from)
    }

    /// Closes the bot's input, and says nothing.
    pub fn close_input(&mut self) {
        self.process.close_input();
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
        self.process.has_read_everything()
    }

    /// Takes in what the bot writes until `until`, or until it ends.
    pub fn listen(&mut self, until: Instant) -> Result<(), ArenaError> {
        while self.exit().is_none() && Instant::now() < until {
            match self.part(until) {
                Err(Failure::Arena(error)) => return Err(error),
                // What is wrong with what it wrote is found out by who looks at it.
                Ok(()) | Err(Failure::Fault(_)) => {}
            }
        }
        Ok(())
    }

    /// Whether the bot neither computes nor waits for a core or a disk, looked at for `span`. A bot may think in a
    /// process that it has started, which on a busy machine gets no core for longer than `span`.
    pub fn is_idle(&mut self, span: Duration) -> Result<bool, ArenaError> {
        let all = |bot: &BotProcess| {
            bot.process.cpu_time().unwrap_or_default() + bot.process.cpu_of_children()
        };
        let before = all(self);
        let was_at_work = self.process.is_at_work();
        self.listen(Instant::now() + span)?;
        let used = all(self).saturating_sub(before);
        Ok(!was_at_work && !self.process.is_at_work() && used < NOTHING)
    }

    /// Lets the bot leave until `until`. Its process group lives on if it does not.
    pub fn leave(&mut self, until: Instant) -> Result<Parting, ArenaError> {
        let mut children = 0;
        while self.exit().is_none() && Instant::now() < until {
            let news = self.wait(Some(until), Instant::now(), false)?;
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
                children = self.process.children();
                self.see_exit()?;
            }
        }
        Ok(Parting {
            exit: self.exit(),
            children,
        })
    }

    /// CPU time so far, that of its children included where it thought in one for a while; `None` once it
    /// has ended.
    pub fn cpu_time(&self) -> Option<Duration> {
        Some(self.process.cpu_time()? + self.of_children)
    }

    /// The most memory it has had at a time, in KiB; `None` once it has ended.
    pub fn peak_memory_kib(&self) -> Option<u64> {
        self.process.peak_memory_kib()
    }
}
