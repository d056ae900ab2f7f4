//! Standard output, and how wide it is.

use std::io::{self, Write};
use std::path::Path;

use super::CliError;
use crate::lang::spoken;
use crate::report::tables::replace;

/// Writes to standard output. A reader that has seen enough, such as `head`, is no error.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes the file that an option names, whole or not at all; `-` is standard output. Returns whether it is a
/// file.
pub fn write_file(path: &Path, text: &str) -> Result<bool, CliError> {
    if is_standard_output(path) {
        return print(text).map(|()| false);
    }
    replace(path, text.as_bytes())?;
    Ok(true)
}

/// Whether an option names standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// The same as [`print`] for sentences, in the language that is spoken.
pub fn print_said(text: &str) -> Result<(), CliError> {
    print(&spoken().say_lines(text))
}

/// The width of the terminal that standard output is; `None` where it is a file or a pipe.
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}
