//! Makes untrusted text safe where it enters the program: output of bots, file names, messages that quote them.

use std::ffi::OsStr;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// The number of characters kept at each end of a long line.
const KEPT: usize = 300;

/// A text of printable characters, safe in every file format, terminal and web page. Long lines lose their middle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct SafeText(String);

impl<T: AsRef<str>> From<T> for SafeText {
    fn from(text: T) -> SafeText {
        let lines = text.as_ref().split('\n');
        let lines = lines.map(|line| shortened(&harmless(&line.replace('\t', "    "))));
        SafeText(lines.collect::<Vec<_>>().join("\n"))
    }
}

impl SafeText {
    /// Returns the lines, each after a bar, so that none can pass for a line of the arena or a command to a CI service.
    pub fn quoted(&self) -> impl Iterator<Item = String> {
        self.lines().map(|line| format!("| {line}"))
    }
}

impl From<SafeText> for String {
    fn from(text: SafeText) -> String {
        text.0
    }
}

impl Deref for SafeText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

pub fn shortened(line: &str) -> String {
    let nth = |count| line.char_indices().nth(count).map(|(at, _)| at);
    let start = nth(KEPT).filter(|_| nth(2 * KEPT).is_some());
    let end = line.char_indices().nth_back(KEPT - 1).map(|(at, _)| at);
    match start.zip(end) {
        Some((start, end)) => format!("{}…{}", &line[..start], &line[end..]),
        None => line.to_owned(),
    }
}

/// Returns true for characters that count as printable but show nothing: Hangul fillers, and Braille without dots.
pub fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}'
    )
}

/// Escapes unprintable characters, and the starts of commands to CI services: `::` at the start of a line, and `##`.
pub fn harmless(text: &str) -> String {
    escaped(text, &['\'', '"', '\\'])
}

/// Returns a name as a label. A backslash is escaped, too, so that different names have different labels. So are blanks
/// at the ends, which a table would not show.
pub fn label(name: &OsStr) -> String {
    label_of(name.as_encoded_bytes())
}

fn label_of(name: &[u8]) -> String {
    let parts = name.utf8_chunks().map(|chunk| {
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        escaped(chunk.valid(), &['\'', '"']) + &invalid.collect::<String>()
    });
    let text = parts.collect::<String>();
    let inner = text.trim_matches(' ');
    let first = text.len() - text.trim_start_matches(' ').len();
    let blanks = |count| "\\u{20}".repeat(count);
    blanks(first) + inner + &blanks(text.len() - first - inner.len())
}

fn escaped(text: &str, kept: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_blank(c) || (c == '#' && out.ends_with('#')) || (c == ':' && out.trim_start() == ":")
        {
            out.extend(c.escape_unicode());
        } else if kept.contains(&c) {
            out.push(c);
        } else {
            out.extend(c.escape_debug());
        }
    }
    out
}

/// Returns a message without the error numbers of the system, ` (os error 2)`, and without the paths of internal files.
pub fn without_numbers(text: &str) -> String {
    let text = text.split(" at path \"").next().unwrap_or_default();
    let mut parts = text.split(" (os error ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<u32>().is_ok() => plain += rest,
            _ => plain += &format!(" (os error {part}"),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Control characters, marks of text direction, and Unicode line ends, which a terminal or format may interpret.
    const OBEYED: &str =
        "\r\u{1b}\u{7}\0\u{9b}\u{85}\u{2028}\u{2029}\u{200e}\u{202e}\u{2066}\u{feff}\u{3164}";

    #[test]
    fn a_safe_text_has_printable_characters_and_its_lines() {
        let safe = SafeText::from(format!("one\r\n\t# two {OBEYED}"));
        assert!(!safe.contains(|c| OBEYED.contains(c)), "{safe}");
        assert!(safe.starts_with("one\\r\n    # two \\r\\u{1b}"), "{safe}");
        assert_eq!(SafeText::from(&*safe), safe, "safe already");
        let read: SafeText = serde_json::from_str("\"\\u001b\\r\"").expect("a text");
        assert_eq!(&*read, "\\u{1b}\\r", "files are untrusted, too");
    }

    /// The commands are from <https://github.com/actions/toolkit/blob/main/docs/commands.md> and Azure's documentation.
    #[test]
    fn no_line_is_a_command_to_a_service() {
        for (written, safe) in cases::cases::<(String, String)>("commands-of-services") {
            let text = SafeText::from(written);
            assert_eq!(&*text, safe);
            assert_eq!(SafeText::from(&*text), text, "safe already");
        }
        let text = SafeText::from("mark: 20 of 20\n\nEnd");
        let quoted: Vec<String> = text.quoted().collect();
        assert_eq!(quoted, ["| mark: 20 of 20", "| ", "| End"]);
    }

    #[test]
    fn a_line_is_bounded_and_keeps_both_ends() {
        let whole = "é".repeat(2 * KEPT);
        assert_eq!(&*SafeText::from(&whole), whole);
        let long = SafeText::from(format!("the game \"{}\" is none\nx", "x ".repeat(50_000)));
        assert_eq!(long.chars().count(), 2 * KEPT + 3);
        assert!(long.starts_with("the game \"x x "), "{long}");
        assert!(
            long.contains('…') && long.ends_with("x \" is none\nx"),
            "{long}"
        );
    }

    #[test]
    fn two_names_never_have_one_label() {
        for (one, other) in [("e\u{301}", "e\\u{301}"), ("a\n", "a\\n"), ("\\", "\\\\")] {
            assert_ne!(label(one.as_ref()), label(other.as_ref()), "{other}");
        }
        assert_eq!(label("作业 é.py".as_ref()), "作业 é.py");
        assert_eq!(label("  a b ".as_ref()), "\\u{20}\\u{20}a b\\u{20}");
        assert_eq!(label(" ".as_ref()), "\\u{20}");
    }

    #[test]
    fn names_that_are_not_text_have_labels_of_their_own() {
        assert_eq!(
            [b"a\xff", b"a\xfe"].map(|name| label_of(name)),
            ["a\\xff", "a\\xfe"]
        );
        assert_eq!(label_of(b"a\\xff"), "a\\\\xff");
    }

    #[test]
    fn a_systems_numbers_are_left_out() {
        let text = "x: No such file or directory (os error 2): try y (os error z)";
        assert_eq!(
            without_numbers(text),
            "x: No such file or directory: try y (os error z)"
        );
        let draft = "No such file or directory (os error 2) at path \"/proc/x1.draft\"";
        assert_eq!(without_numbers(draft), "No such file or directory");
    }
}
