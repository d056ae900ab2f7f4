//! Before the first message: the build and the start.

use std::time::Duration;

use super::super::code::Code;
use super::super::evidence::shortened;
use super::super::finding::Finding;
use super::super::{compiler, traceback};
use super::{Doctor, ms};
use referee::bot::{ArenaError, BuildError, Identity};

/// A start that takes more than this part of the limit is slow.
const SLOW_PART: u32 = 4;

impl Doctor<'_> {
    pub(super) fn build(&mut self) -> Result<(), ArenaError> {
        let Some(build) = &self.subject.build else {
            return Ok(());
        };
        self.witness.waits("building it");
        let (why, command, output) = match build.run() {
            Ok(was_due) => {
                let detail = if was_due {
                    build.display()
                } else {
                    "nothing has changed".to_owned()
                };
                self.check("is built", Some(true), detail);
                return Ok(());
            }
            Err(BuildError::Arena(error)) => return Err(error),
            Err(BuildError::Failed {
                why,
                command,
                output,
            }) => (why, command, output),
            Err(BuildError::System { what, source }) => {
                (format!("{what}: {source}"), build.display(), String::new())
            }
        };
        self.check("is built", Some(false), why.clone());
        let known = compiler::advice(&output).or_else(|| traceback::advice(&output));
        let fix = known.unwrap_or_else(|| {
            "Fix the errors above, then run the command by hand in the bot's folder to test it."
                .to_owned()
        });
        self.find(
            Finding::new(Code::BuildFailed, format!("The build failed: {why}."), fix)
                .seen([format!("$ {command}")])
                .seen(compiler::shown(&output)),
        );
        self.stopped = true;
        Ok(())
    }

    pub(super) fn has_started(&mut self, identity: &Identity, after: Duration) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let mut detail = format!("ready after {}", ms(after));
        if !identity.name.is_empty() {
            detail += &format!(" as {}", shortened(&identity.name));
        }
        let is_slow = after > self.waits.start / SLOW_PART;
        self.check_warning("starts", is_slow, detail);
        if is_slow {
            let what = format!(
                "It sent ready after {}. The limit is {}, and machines where bots are graded may be \
                 slower.",
                ms(after),
                ms(self.waits.start)
            );
            let fix = "Load only what is needed before ready, and load the rest after it. That \
                        counts as time of the first move.";
            self.find(Finding::new(Code::SlowStart, what, fix));
        }
    }
}
