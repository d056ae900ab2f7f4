//! A doctor for bots: finds what is wrong with a bot and says how to fix it.
//!
//! [`examine`] starts the bot, plays prepared positions with it, and returns a [`Report`]: the
//! checks and the findings. `examination` has the order of the checks, `session` has one process,
//! `scene` has the positions. Pure functions interpret the answers: `slip` tries other ways to write
//! a move, `symptom` turns a fault into a finding, `line` says what a line is that is no answer, `foreign`
//! rewrites a finding for an engine with another protocol. [`text`] writes the report for a terminal.
//!
//! This module does not depend on tournaments and writes nothing to disk.

mod code;
mod compiler;
mod drawing;
mod evidence;
mod examination;
mod finding;
mod foreign;
mod language;
mod later;
mod line;
mod scene;
mod session;
mod slip;
mod subject;
mod symptom;
pub mod text;
mod traceback;
mod witness;

pub use code::{Code, Severity};
pub use examination::examine;
pub use finding::{Check, Finding, Report};
pub use subject::{Course, Subject, Waits};
pub use witness::Witness;
