//! The pipes of a process that is being started.

use std::fs::File;
use std::io;
use std::os::windows::io::OwnedHandle;

use super::pipe::{self, Ends};
use super::starter::Three;
use crate::Streams;

/// Both ends of each.
#[derive(Debug)]
pub struct Pipes {
    input: Input,
    output: Ends,
    /// `None`: errors go into the output.
    errors: Option<Ends>,
}

#[derive(Debug)]
enum Input {
    Pipe(Ends),
    Nothing(File),
}

impl Pipes {
    pub fn new(streams: Streams) -> io::Result<Pipes> {
        let (input, errors) = match streams {
            Streams::Dialogue => (Input::Pipe(pipe::for_input()?), Some(pipe::for_output()?)),
            Streams::Report => (Input::Nothing(pipe::nothing()?), None),
        };
        Ok(Pipes {
            input,
            output: pipe::for_output()?,
            errors,
        })
    }

    /// What the process gets.
    pub fn theirs(&self) -> Three<'_> {
        let input = match &self.input {
            Input::Pipe(ends) => &ends.theirs,
            Input::Nothing(file) => file,
        };
        let errors = self.errors.as_ref().unwrap_or(&self.output);
        [input, &self.output.theirs, &errors.theirs]
    }

    /// Our ends: of its input, its output and its errors. Theirs are closed: only the process has
    /// them now, so that its end is theirs.
    pub fn into_ours(self) -> (Option<OwnedHandle>, OwnedHandle, Option<OwnedHandle>) {
        let input = match self.input {
            Input::Pipe(ends) => Some(ends.ours),
            Input::Nothing(_) => None,
        };
        (input, self.output.ours, self.errors.map(|ends| ends.ours))
    }
}
