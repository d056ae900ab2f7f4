//! Finds equal hand-ins in a class, even if blanks and comments differ.

use std::path::Path;

use host::Walk;
use message::{Message, message};
use referee::bot::{digits, is_foreign, read_regular};
use sha2::{Digest, Sha256};

/// The largest source that is compared, in bytes.
const LONGEST: u64 = 4 << 20;
/// The most bytes of all sources of a hand-in that is compared.
const MOST: u64 = 64 << 20;

/// The most equal hand-ins that a note names.
const NAMED: usize = 4;

pub struct Compared<'a> {
    pub name: &'a str,
    /// The SHA-256 of its files; `None` if the hand-in is not a bot.
    pub sha256: Option<&'a str>,
    pub likeness: Option<&'a str>,
}

/// Returns for each hand-in a note that names the equal ones.
pub fn notes(all: &[Compared<'_>]) -> Vec<Option<Message>> {
    let note = |(at, own): (usize, &Compared<'_>)| {
        let names = |is_like: &dyn Fn(&Compared<'_>) -> bool| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != at);
            let like = others.filter(|(_, other)| is_like(other));
            let names: Vec<&str> = like.map(|(_, other)| other.name).collect();
            match names.len().saturating_sub(NAMED) {
                0 if names.is_empty() => None,
                0 => Some(Message::quote(names.join(", "))),
                more => {
                    let names = names[..NAMED].join(", ");
                    Some(message!("{names} and {more} more"))
                }
            }
        };
        let is_same = |other: &Compared<'_>| own.sha256.is_some() && other.sha256 == own.sha256;
        let same = names(&is_same);
        let alike = names(&|other| {
            own.likeness.is_some() && other.likeness == own.likeness && !is_same(other)
        });
        Some(match (same, alike) {
            (None, None) => return None,
            (Some(same), None) => message!("the same as {same}"),
            (None, Some(alike)) => message!("the same as {alike} but for blanks and comments"),
            (Some(same), Some(alike)) => {
                message!("the same as {same}, and as {alike} but for blanks and comments")
            }
        })
    };
    all.iter().enumerate().map(note).collect()
}

/// Hashes the sources of a hand-in without blanks and comments; `None` if there are too many, or none in a known
/// language.
pub fn of(hand_in: &Path) -> Option<String> {
    let is_own = |inner: &Path| {
        let mut above = inner.ancestors().filter(|part| *part != Path::new(""));
        !above.any(|part| is_foreign(&hand_in.join(part)))
    };
    let mut sources = Vec::new();
    if hand_in.is_dir() {
        let files = Walk::of(hand_in).flatten();
        let files = files.filter(|(inner, data)| data.is_file() && is_own(inner));
        let files = files.map(|(inner, _)| hand_in.join(inner));
        sources.extend(files.filter(|path| line_comment(path).is_some()));
    } else {
        sources.push(hand_in.to_owned());
    }
    let bytes = sources.iter().flat_map(|path| path.metadata());
    if bytes.map(|data| data.len()).sum::<u64>() > MOST {
        return None;
    }
    // Keeps only one file at a time in memory.
    let rests = sources.iter().filter_map(|path| rest(path));
    let rests = rests.filter(|rest| !rest.is_empty());
    let mut hashes: Vec<String> = rests
        .map(|rest| digits(Sha256::new_with_prefix(rest)))
        .collect();
    // File names do not matter.
    hashes.sort();
    (!hashes.is_empty()).then(|| digits(Sha256::new_with_prefix(hashes.concat())))
}

/// Returns the sign that begins a line comment; `None` if the file is not a source.
fn line_comment(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "py" | "sh" => Some("#"),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "java" | "js" | "rs" => Some("//"),
        _ => None,
    }
}

fn rest(path: &Path) -> Option<String> {
    let line_comment = line_comment(path)?;
    let bytes = read_regular(path, LONGEST).ok()?;
    Some(stripped(&String::from_utf8_lossy(&bytes), line_comment))
}

/// Removes blanks and comments; quoted text stays as it is.
fn stripped(text: &str, line_comment: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if let Some(open) = quote {
            if c == '\\' {
                length += rest[length..].chars().next().map_or(0, char::len_utf8);
            } else if c == open || c == '\n' {
                quote = None;
            }
            out += &rest[..length];
        } else if rest.starts_with(line_comment) {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if line_comment == "//" && rest.starts_with("/*") {
            length = rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if c == '"' || c == '\'' {
            quote = Some(c);
            out.push(c);
        } else if !c.is_whitespace() {
            out.push(c);
        }
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_not_compared() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("main.py"), "x = 1").expect("a file");
        assert!(of(folder.path()).is_some());
        let hole = std::fs::File::create(folder.path().join("data.js")).expect("a file");
        hole.set_len(MOST).expect("a hole");
        assert_eq!(of(folder.path()), None);
    }

    #[test]
    fn blanks_and_comments_make_no_difference() {
        for (one, other, comment, equal) in [
            ("x = 1 # one\n", "x=1\n\n", "#", true),
            ("x = \"# no\"", "x = \"#no\"", "#", false),
            ("int x; // a\n/* b */ int y;", "int x;\nint y;", "//", true),
            ("char c = '\"'; // d", "char c = '\"';", "//", true),
            ("x = 1", "x = 2", "#", false),
        ] {
            let is_equal = stripped(one, comment) == stripped(other, comment);
            assert_eq!(is_equal, equal, "{one}");
        }
    }
}
