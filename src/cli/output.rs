//! Standard output: printing, and its width.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use referee::record::harmless;

use super::CliError;
use message::{Message, spoken};
use run::report::tables::replace;

pub fn for_terminals(text: &str) -> String {
    let parts = text.split_inclusive(['\t', '\n']);
    let parts = parts.map(|part| match part.strip_suffix(['\t', '\n']) {
        None => harmless(part),
        Some(rest) => harmless(rest) + &part[rest.len()..],
    });
    parts.collect()
}

/// Prints text. Escapes control characters for a terminal, because a name or a comment may come from a stranger.
/// Ignores a closed pipe, as after `head`.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    let text = if output.is_terminal() {
        Cow::Owned(for_terminals(text))
    } else {
        Cow::Borrowed(text)
    };
    match output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes the file that an option names, atomically; `-` is standard output. Returns whether it is a file.
pub fn write_file(path: &Path, text: &str) -> Result<bool, CliError> {
    if is_standard_output(path) {
        return print(text).map(|()| false);
    }
    replace(path, text.as_bytes())?;
    Ok(true)
}

pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints a translated message and a newline. Escapes control characters even in a file.
pub fn print_said(message: &Message) -> Result<(), CliError> {
    print(&format!("{}\n", spoken().render(message)))
}

/// Returns the width of the terminal; `None` if standard output is a file or a pipe.
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_and_shows_all_lines() {
        for (written, shown) in [
            ("one\n\ttwo\n", "one\n\ttwo\n"),
            ("\u{1b}]0;taken\u{7}\r\n", "\\u{1b}]0;taken\\u{7}\\r\n"),
            ("● ○ 黑白棋 café", "● ○ 黑白棋 café"),
            ("a\u{202e}b\u{9b}31m", "a\\u{202e}b\\u{9b}31m"),
        ] {
            assert_eq!(for_terminals(written), shown);
        }
    }
}
