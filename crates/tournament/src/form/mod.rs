//! Bots without a `bot.toml`: a script, a program, a source file, or the class or function that a course asks for.
//!
//! [`of_file`] finds out how a file is started; [`main_file`] finds the file in a folder. `python` looks at
//! definitions, `source` knows compilers, `frame` makes a bot of a course's class, function or program, `project` uses
//! build systems.

mod frame;
mod kind;
mod main_file;
mod project;
mod python;
mod recognise;
mod recognised;
mod source;

pub use kind::Form;
pub use main_file::{MainFile, main_file};
pub use recognise::{is_source, of_file};
pub use recognised::Recognised;
