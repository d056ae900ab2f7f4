//! What the doctor found, and what was looked at.

use serde::Serialize;

use super::code::{Code, Severity};

/// Something that is wrong with a bot, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, in a sentence or two.
    pub what: String,
    /// What was seen: lines in (`> `) and out (`< `), a board, the end of standard error.
    pub seen: Vec<String>,
    /// How to fix it.
    pub fix: String,
    /// A few lines of code that do, in the bot's language where that is known.
    pub example: Option<String>,
    /// How often it was seen.
    pub times: u32,
}

impl Finding {
    /// A finding that was seen once.
    pub fn new(code: Code, what: impl Into<String>, fix: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: code.severity(),
            what: what.into(),
            seen: Vec::new(),
            fix: fix.into(),
            example: None,
            times: 1,
        }
    }

    /// The same with what was seen.
    #[must_use]
    pub fn seen(mut self, lines: impl IntoIterator<Item = String>) -> Finding {
        self.seen.extend(lines);
        self
    }

    /// The same with an example; an empty one is none.
    #[must_use]
    pub fn example(mut self, code: impl Into<String>) -> Finding {
        self.example = Some(code.into()).filter(|code| !code.is_empty());
        self
    }
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What.
    pub title: String,
    /// Whether it passed; `None`: it was not reached.
    pub passed: Option<bool>,
    /// What was measured or seen, in a few words.
    pub detail: String,
}

/// All that the doctor has to say of a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The bot's name.
    pub bot: String,
    /// The command that was run.
    pub command: String,
    /// The language it is written in, as far as that can be told.
    pub language: &'static str,
    /// The protocol it was spoken to in.
    pub protocol: &'static str,
    /// What was looked at.
    pub checks: Vec<Check>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether it passes all checks: nothing was found that is worse than a note.
    pub fn passes(&self) -> bool {
        let is_wrong = |finding: &Finding| finding.severity > Severity::Note;
        !self.findings.iter().any(is_wrong)
    }

    /// How many findings are this bad.
    pub fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter();
        found.filter(|finding| finding.severity == severity).count()
    }
}
