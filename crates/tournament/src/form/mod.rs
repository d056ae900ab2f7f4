//! Bots without a `bot.toml`: a script, a program, a source file, or the class or function that a course asks for.
//!
//! [`of_file`] finds out how a file is started and returns a [`Manifest`](referee::bot::Manifest). [`main_file`] finds
//! the file in a folder. `python` looks at the definitions in a file, `source` knows the compilers, `frame` makes a bot
//! of a class or a function, `project` builds folders with a build system of their own.

mod frame;
mod kind;
mod main_file;
mod project;
mod python;
mod recognise;
mod recognised;
mod source;

pub use kind::Form;
pub use main_file::main_file;
pub use recognise::{is_source, of_file};
pub use recognised::Recognised;
