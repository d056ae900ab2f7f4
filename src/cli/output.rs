//! Prints to standard output, and returns the terminal's width.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use referee::record::harmless;
use serde::Serialize;
use serde_json::{Value, json};

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

/// Prints text; ignores a closed pipe. For a terminal, escapes control characters, which may come from a stranger.
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

/// Writes the file that an option names, atomically; `-` is standard output. Returns whether it wrote a file.
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

/// Returns JSON for `--json`. Rounds decimal numbers to six significant digits, since no figure is more precise.
pub fn json_text(value: &impl Serialize) -> String {
    format!("{}\n", rounded(value))
}

pub fn indented_json(value: &impl Serialize) -> String {
    format!("{:#}\n", rounded(value))
}

fn rounded(value: &impl Serialize) -> Value {
    let mut value = json!(value);
    round(&mut value);
    value
}

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let digits = number.as_f64().map(|number| format!("{number:.5e}"));
            if let Some(Ok(rounded)) = digits.map(|digits| digits.parse::<f64>()) {
                *value = rounded.into();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(values) => values.values_mut().for_each(round),
        _ => {}
    }
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
    fn numbers_have_the_digits_that_mean_something() {
        let value = json!({ "a": [0.1 + 0.2, 1.0 / 3.0, 1e-9 / 7.0], "b": 1_764_000_000_123_u64, "c": 2.0 });
        assert_eq!(
            json_text(&value),
            "{\"a\":[0.3,0.333333,1.42857e-10],\"b\":1764000000123,\"c\":2.0}\n"
        );
    }

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
