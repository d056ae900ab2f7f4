//! Bots without a `bot.toml`: a script, a program, a source file, or the class or function that a course asks for.
//!
//! [`of_file`] recognises how a file is started, and [`main_file()`] finds the bot's file in a folder. `python`
//! recognises definitions, `source` compiles a file, `build_system` builds a folder, and `frame` runs a course's code.

mod build_system;
mod frame;
mod kind;
mod main_file;
mod python;
mod recognise;
mod recognised;
mod source;

pub use kind::Form;
pub use main_file::{MainFile, main_file};
pub use recognise::{is_source, of_file};
pub use recognised::Recognised;
