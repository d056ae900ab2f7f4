//! Programs and their arguments as one line of text, which is what the system hands over.
//!
//! Most programs take it apart by the rules of Microsoft's C library: quotes hold words together, and
//! backslashes are themselves, except before a quote. A batch file is read by the shell, to which more
//! is special; what cannot be handed to it safely is refused.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;

/// The line for a program.
pub fn for_program(file: &Path, arguments: &[OsString]) -> OsString {
    // The first word has rules of its own, by which nothing in it is special between quotes.
    let mut line = vec![QUOTE];
    line.extend(file.as_os_str().encode_wide());
    line.push(QUOTE);
    for argument in arguments {
        line.push(u16::from(b' '));
        append(&mut line, argument);
    }
    OsString::from_wide(&line)
}

/// The line for the shell that reads a batch file.
///
/// Between quotes nothing is special to the shell but variables, and the quote itself. So there must be
/// none; `%` is one even there.
pub fn for_batch(shell: &Path, file: &Path, arguments: &[OsString]) -> io::Result<OsString> {
    // No commands of the user's own, no variables with `!`, and all within one more pair of quotes.
    let mut line = OsString::from("\"");
    line.push(shell);
    line.push("\" /e:ON /v:OFF /d /c \"");
    let words = std::iter::once(file.as_os_str()).chain(arguments.iter().map(OsString::as_os_str));
    for (number, word) in words.enumerate() {
        if word
            .to_string_lossy()
            .contains(['"', '%', '\r', '\n', '\0'])
        {
            let why = format!(
                "a batch file cannot be given {}: quotes, % and line ends mean something else to the \
                 shell",
                word.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        line.push(if number == 0 { "\"" } else { " \"" });
        line.push(word);
        // Whoever reads it after the shell would take the quote for part of the word.
        line.push("\\".repeat(trailing_backslashes(word)));
        line.push("\"");
    }
    line.push("\"");
    Ok(line)
}

/// Adds a word so that it is read as one.
fn append(line: &mut Vec<u16>, word: &OsStr) {
    let units: Vec<u16> = word.encode_wide().collect();
    let is_plain = |unit: &u16| {
        ![b' ', b'\t', b'\n', 0x0b, b'"']
            .map(u16::from)
            .contains(unit)
    };
    if !units.is_empty() && units.iter().all(is_plain) {
        line.extend(units);
        return;
    }
    line.push(QUOTE);
    let mut backslashes = 0;
    for unit in units {
        if unit == QUOTE {
            // Those before a quote count double, and one more makes it a letter.
            line.extend(std::iter::repeat_n(BACKSLASH, backslashes + 1));
        }
        backslashes = if unit == BACKSLASH {
            backslashes + 1
        } else {
            0
        };
        line.push(unit);
    }
    line.extend(std::iter::repeat_n(BACKSLASH, backslashes));
    line.push(QUOTE);
}

/// How many backslashes a word ends with.
fn trailing_backslashes(word: &OsStr) -> usize {
    let count = |run, unit| if unit == BACKSLASH { run + 1 } else { 0 };
    word.encode_wide().fold(0, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    /// The first four are the examples of Microsoft's "Parsing C command-line arguments".
    #[test]
    fn words_are_read_as_they_were_meant() {
        for (arguments, text) in [
            (vec!["abc", "d", "e"], r"abc d e"),
            (vec![r"a\\b", "de fg", "h"], r#"a\\b "de fg" h"#),
            (vec![r#"a\"b"#, "c", "d"], r#""a\\\"b" c d"#),
            (vec![r"a\\b c", "d", "e"], r#""a\\b c" d e"#),
            (vec![""], r#""""#),
            (vec![r"C:\my bots\"], r#""C:\my bots\\""#),
        ] {
            let line = for_program(Path::new(r"C:\a b.exe"), &words(&arguments));
            assert_eq!(line, OsString::from(format!(r#""C:\a b.exe" {text}"#)));
        }
    }

    #[test]
    fn a_batch_file_gets_words_that_the_shell_does_not_read() {
        let line = |arguments: &[&str]| {
            for_batch(
                Path::new("cmd.exe"),
                Path::new(r"C:\b.bat"),
                &words(arguments),
            )
        };
        let text = line(&["a&b", "c d", r"e\"]).expect("a line");
        let quoted = r#""cmd.exe" /e:ON /v:OFF /d /c ""C:\b.bat" "a&b" "c d" "e\\"""#;
        assert_eq!(text, OsString::from(quoted));
        for hostile in ["\"&calc", "%PATH%", "a\nb"] {
            assert!(line(&[hostile]).is_err(), "{hostile}");
        }
    }
}
