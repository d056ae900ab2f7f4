//! A doctor for bots: finds out what is wrong with one, and says in plain words how to fix it.
//!
//! [`examine`] starts the bot, plays prepared positions with it, and returns a [`Report`]: what was
//! looked at, and what was found. The order of it is in `examination`, one process in `session`, the
//! positions in `scene`. What an answer or a silence means is decided by pure functions: `slip`
//! reads moves the way a person who counts otherwise would have meant them, `symptom` names what a
//! fault shows, `foreign` says it to the author of an engine in another protocol. [`text`] writes the
//! report for a terminal.
//!
//! Nothing here knows tournaments; nothing is written to disk.

mod code;
mod drawing;
mod evidence;
mod examination;
mod finding;
mod foreign;
mod language;
mod later;
mod scene;
mod session;
mod slip;
mod subject;
mod symptom;
pub mod text;
mod traceback;

pub use code::{Code, Severity};
pub use examination::examine;
pub use finding::{Check, Finding, Report};
pub use subject::{Course, Subject, Waits};
