//! The forms that bots have when nobody wrote a `bot.toml`: a script, a program, a source file, a class or
//! a function that some course asks for.
//!
//! [`of_file`] finds out how a file is started and writes it down as a
//! [`Manifest`](referee::bot::Manifest), [`main_file`] finds the file in a folder. `python` looks at what a
//! file defines, `source` knows the compilers, `frame` keeps the frame in which a class or a function
//! becomes a bot.

mod frame;
mod kind;
mod main_file;
mod python;
mod recognise;
mod recognised;
mod source;

pub use kind::Form;
pub use main_file::main_file;
pub use recognise::{is_source, of_file};
pub use recognised::Recognised;
