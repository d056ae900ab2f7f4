//! What the doctor found, and which checks it made.

use serde::Serialize;

use super::code::{Code, Severity};

/// A problem of a bot, or a note about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What happened, in a sentence or two.
    pub what: String,
    /// The evidence: lines sent (`> `) and received (`< `), a board, the end of standard error.
    pub seen: Vec<String>,
    /// How to fix it.
    pub fix: String,
    /// A few lines of code that fix it, in the bot's language if that is known.
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

    /// The same with evidence.
    #[must_use]
    pub fn seen(mut self, lines: impl IntoIterator<Item = String>) -> Finding {
        self.seen.extend(lines);
        self
    }

    /// The same with an example; an empty one is ignored.
    #[must_use]
    pub fn example(mut self, code: impl Into<String>) -> Finding {
        self.example = Some(code.into()).filter(|code| !code.is_empty());
        self
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub title: String,
    /// Whether it passed; `None`: it was not reached.
    pub passed: Option<bool>,
    /// Whether it passed with a warning.
    pub warning: bool,
    /// What was measured or found, in a few words.
    pub detail: String,
}

/// The doctor's whole report on a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The bot's name.
    pub bot: String,
    /// The command that was run.
    pub command: String,
    /// The programming language it is written in, if known.
    pub language: &'static str,
    /// What its file was recognised as, if nobody wrote down how it is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_for: Option<String>,
    /// The protocol that was used.
    pub protocol: &'static str,
    /// The checks.
    pub checks: Vec<Check>,
    /// The findings, the worst first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether it passes all checks: no finding is worse than a warning.
    pub fn passes(&self) -> bool {
        let is_wrong = |finding: &Finding| finding.severity > Severity::Warning;
        !self.findings.iter().any(is_wrong)
    }

    /// How many findings are this bad.
    pub fn count(&self, severity: Severity) -> usize {
        let found = self.findings.iter();
        found.filter(|finding| finding.severity == severity).count()
    }
}
