//! Finds hand-ins of a class that are alike: equal, equal but for blanks and comments, or similar.
//!
//! Similarity is that of JPlag and Dolos in kind: identifiers, numbers and texts are replaced by one token each, so that
//! renaming changes nothing, and the share of common sequences of [`SEQUENCE`] tokens is counted. Sequences that most
//! hand-ins have, such as a given frame, do not count. A teacher decides what a percentage means; no mark depends on it.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::{fs, io};

use host::Walk;
use message::{Message, message};
use referee::bot::{is_foreign, read_regular};

/// The largest source that is compared, in bytes.
const LONGEST: u64 = 4 << 20;
/// The most bytes of all sources of a hand-in that is compared.
const MOST: u64 = 64 << 20;

/// The number of hand-ins that a note names.
const NAMED: usize = 4;
/// The number of tokens in a compared sequence. JPlag's shortest match in Java and Python is 9 and 12 of its tokens,
/// which are coarser.
const SEQUENCE: usize = 16;
/// The least similarity of a listed pair.
const LISTED: f64 = 0.3;
/// The least similarity that a note names.
const NOTED: f64 = 0.7;
/// The fewest sequences of a hand-in that is compared: in a tiny program, all are alike.
const FEWEST: usize = 40;

/// Words that keep their text: renaming cannot change them.
const KEYWORDS: &str = "and as break case catch class continue def default del do elif else except extends final finally for \
     fn from function if import in int is lambda let match mut new not or pass private public raise return self static \
     struct switch this throw try use var void while with yield";

/// The sources of a hand-in, without blanks and comments.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// A hash of all tokens.
    whole: u64,
    /// Hashes of all sequences of tokens after renaming.
    sequences: HashSet<u64>,
}

pub struct Compared<'a> {
    pub name: &'a str,
    /// The SHA-256 of its files; `None` if the hand-in is not a bot.
    pub sha256: Option<&'a str>,
    pub likeness: Option<&'a Likeness>,
}

/// A pair of similar hand-ins, by their places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub one: usize,
    pub other: usize,
    /// The share of their sequences that both have, from 0 to 1.
    pub similarity: f64,
}

/// Returns all pairs that are similar, the most similar first.
pub fn pairs(all: &[Compared<'_>]) -> Vec<Pair> {
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        for sequence in one.likeness.into_iter().flat_map(|one| &one.sequences) {
            owners.entry(*sequence).or_default().push(at);
        }
    }
    let compared = all.iter().filter(|one| one.likeness.is_some()).count();
    // In a pair or two, everything is common.
    let common = (compared / 2).max(3);
    let mut sizes = vec![0_usize; all.len()];
    let mut shared: HashMap<(usize, usize), usize> = HashMap::new();
    for own in owners.values().filter(|own| own.len() <= common) {
        for (at, &one) in own.iter().enumerate() {
            sizes[one] += 1;
            for &other in &own[at + 1..] {
                *shared.entry((one, other)).or_default() += 1;
            }
        }
    }
    let pairs = shared.into_iter().filter_map(|((one, other), shared)| {
        let similarity = 2.0 * shared as f64 / (sizes[one] + sizes[other]) as f64;
        let is_listed = sizes[one].min(sizes[other]) >= FEWEST && similarity >= LISTED;
        is_listed.then_some(Pair {
            one,
            other,
            similarity,
        })
    });
    let mut pairs: Vec<Pair> = pairs.collect();
    pairs.sort_by(|a, b| {
        let by_similarity = b.similarity.total_cmp(&a.similarity);
        by_similarity.then((a.one, a.other).cmp(&(b.one, b.other)))
    });
    pairs
}

/// Returns for each hand-in a note with the names of its equals, or else of the most similar ones.
pub fn notes(all: &[Compared<'_>], pairs: &[Pair]) -> Vec<Option<Message>> {
    let listed = |names: Vec<String>| match names.len().saturating_sub(NAMED) {
        0 if names.is_empty() => None,
        0 => Some(Message::quote(names.join(", "))),
        more => {
            let names = names[..NAMED].join(", ");
            Some(message!("{names} and {more} more"))
        }
    };
    let note = |(at, own): (usize, &Compared<'_>)| {
        let names = |is_like: &dyn Fn(&Compared<'_>) -> bool| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != at);
            let like = others.filter(|(_, other)| is_like(other));
            listed(like.map(|(_, other)| other.name.to_owned()).collect())
        };
        let is_same = |other: &Compared<'_>| own.sha256.is_some() && other.sha256 == own.sha256;
        let whole = |one: &Compared<'_>| one.likeness.map(|likeness| likeness.whole);
        let same = names(&is_same);
        let alike =
            names(&|other| own.likeness.is_some() && whole(other) == whole(own) && !is_same(other));
        let of_own = pairs.iter().filter(|pair| pair.similarity >= NOTED);
        let similar = of_own.filter_map(|pair| {
            let other = match (pair.one == at, pair.other == at) {
                (true, _) => pair.other,
                (_, true) => pair.one,
                _ => return None,
            };
            let percent = 100.0 * pair.similarity;
            Some(format!("{} ({percent:.0} %)", all[other].name))
        });
        Some(match (same, alike) {
            (None, None) => {
                let similar = listed(similar.collect())?;
                message!("similar to {similar}")
            }
            (Some(same), None) => message!("the same as {same}"),
            (None, Some(alike)) => message!("the same as {alike} but for blanks and comments"),
            (Some(same), Some(alike)) => {
                message!("the same as {same}, and as {alike} but for blanks and comments")
            }
        })
    };
    all.iter().enumerate().map(note).collect()
}

/// Returns the sources of a hand-in in known languages, sorted by name.
pub fn sources(hand_in: &Path) -> Vec<PathBuf> {
    let is_own = |inner: &Path| {
        let mut above = inner.ancestors().filter(|part| *part != Path::new(""));
        !above.any(|part| is_foreign(&hand_in.join(part)))
    };
    let mut sources = Vec::new();
    if hand_in.is_dir() {
        let files = Walk::of(hand_in).flatten();
        let files = files.filter(|(inner, data)| data.is_file() && is_own(inner));
        sources.extend(files.map(|(inner, _)| hand_in.join(inner)));
    } else {
        sources.push(hand_in.to_owned());
    }
    sources.retain(|path| line_comment(path).is_some());
    sources.sort();
    sources
}

/// Copies the sources of hand-ins, each with the name of its run folder and its own name, into a folder: a folder for each,
/// as JPlag reads them, and a table `info.csv` with their names, as Dolos reads it.
pub fn export<'a>(
    folder: &Path,
    hand_ins: impl Iterator<Item = (&'a Path, &'a str, Option<&'a Path>)>,
) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut table = csv::Writer::from_path(folder.join("info.csv"))?;
    table.write_record(["filename", "full_name"])?;
    for (key, name, path) in hand_ins {
        let Some(path) = path else { continue };
        let root = if path.is_dir() {
            path
        } else {
            path.parent().unwrap_or(path)
        };
        for source in sources(path) {
            let inner = key.join(source.strip_prefix(root).unwrap_or(&source));
            let Ok(text) = read_regular(&source, LONGEST) else {
                continue;
            };
            let to = folder.join(&inner);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            fs::write(to, text)?;
            table.write_record([&*inner.to_string_lossy(), name])?;
        }
    }
    table.flush()
}

/// Reads the sources of a hand-in; `None` without a source in a known language, or with too many.
pub fn of(hand_in: &Path) -> Option<Likeness> {
    let sources = sources(hand_in);
    let bytes = sources.iter().flat_map(|path| path.metadata());
    if bytes.map(|data| data.len()).sum::<u64>() > MOST {
        return None;
    }
    let (mut wholes, mut sequences) = (Vec::new(), HashSet::new());
    for path in sources {
        let Some(text) = read_regular(&path, LONGEST).ok() else {
            continue;
        };
        let text = String::from_utf8_lossy(&text);
        let tokens: Vec<&str> = tokens(&text, line_comment(&path)?).collect();
        if tokens.is_empty() {
            continue;
        }
        wholes.push(hash(&tokens));
        let renamed: Vec<&str> = tokens.into_iter().map(renamed).collect();
        sequences.extend(renamed.windows(SEQUENCE).map(hash));
    }
    // File names do not matter.
    wholes.sort_unstable();
    (!wholes.is_empty()).then(|| Likeness {
        whole: hash(&wholes),
        sequences,
    })
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the sign that begins a line comment; `None` if the file is not a source.
fn line_comment(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match ending.as_str() {
        "py" | "sh" => Some("#"),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "java" | "js" | "ts" | "rs" | "go" | "kt"
        | "cs" => Some("//"),
        _ => None,
    }
}

/// Returns the words, numbers, quoted texts and signs of a source, without blanks and comments.
fn tokens<'a>(text: &'a str, line_comment: &'static str) -> impl Iterator<Item = &'a str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let (length, is_comment) = if rest.starts_with(line_comment) {
                (rest.find('\n').unwrap_or(rest.len()), true)
            } else if line_comment == "//" && rest.starts_with("/*") {
                (rest.find("*/").map_or(rest.len(), |end| end + 2), true)
            } else if first == '"' || first == '\'' {
                (quoted(rest, first), false)
            } else if is_word(first) {
                (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), false)
            } else {
                (first.len_utf8(), false)
            };
            let (token, after) = rest.split_at(length);
            rest = after;
            if !is_comment {
                return Some(token);
            }
        }
    })
}

/// Returns the length of a quoted text, which ends with its line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Replaces what a copyist can rename.
fn renamed(token: &str) -> &str {
    match token.chars().next() {
        Some('"' | '\'') => "\"",
        Some(first) if first.is_ascii_digit() => "1",
        Some(first) if first.is_alphabetic() || first == '_' => {
            let is_keyword = KEYWORDS.split_whitespace().any(|keyword| keyword == token);
            if is_keyword { token } else { "x" }
        }
        _ => token,
    }
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "the texts of tests are short")]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_not_compared() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("main.py"), "x = 1").expect("a file");
        assert!(of(folder.path()).is_some());
        let hole = fs::File::create(folder.path().join("data.js")).expect("a file");
        hole.set_len(MOST).expect("a hole");
        assert!(of(folder.path()).is_none());
    }

    #[test]
    fn blanks_and_comments_make_no_difference() {
        for (one, other, comment, equal) in [
            ("x = 1 # one\n", "x=1\n\n", "#", true),
            ("x = \"# no\"", "x = \"#no\"", "#", false),
            ("int x; // a\n/* b */ int y;", "int x;\nint y;", "//", true),
            ("char c = '\"'; // d", "char c = '\"';", "//", true),
            ("x = 'it\\'s' # one", "x = 'it\\'s'", "#", true),
            ("x = 1", "x = 2", "#", false),
            ("ab", "a b", "#", false),
        ] {
            let is_equal = tokens(one, comment).eq(tokens(other, comment));
            assert_eq!(is_equal, equal, "{one}");
        }
    }

    /// A bot, the same with other names and a new function, and another bot, of which each has the given frame.
    #[test]
    fn renaming_does_not_hide_a_copy_and_a_given_frame_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let frame: String = (0..40)
            .map(|line| format!("def given{line}(a, b): return [a] * {line} + b.c(a, -b)\n"))
            .collect();
        let bot: String = (1..40)
            .map(|line| {
                format!(
                    "if board[{line}] {} best: best = value{}\n",
                    [">", "<="][line % 2],
                    " + own".repeat(line % 7)
                )
            })
            .collect();
        let copy = bot
            .replace("best", "top")
            .replace("board", "cells")
            .replace("value", "v")
            + "print(top)\n";
        let another: String = (1..40)
            .map(|line| {
                format!(
                    "while stones(x, {line}){}: total -= weight[{line}]\n",
                    ".count()".repeat(line % 5)
                )
            })
            .collect();
        let third: String = (1..40)
            .map(|line| {
                format!(
                    "for row in rows: yield row{}\n",
                    " * (2 - row)".repeat(line % 6)
                )
            })
            .collect();
        let all: Vec<Likeness> = [&bot, &copy, &another, &third]
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let path = folder.path().join(format!("{at}.py"));
                fs::write(&path, format!("{frame}{text}")).expect("a file");
                of(&path).expect("a source")
            })
            .collect();
        let all: Vec<Compared<'_>> = all
            .iter()
            .zip(["bot", "copy", "another", "third"])
            .map(|(likeness, name)| Compared {
                name,
                sha256: None,
                likeness: Some(likeness),
            })
            .collect();
        let pairs = pairs(&all);
        let found: Vec<(usize, usize)> = pairs.iter().map(|pair| (pair.one, pair.other)).collect();
        assert_eq!(found, [(0, 1)], "{pairs:?}");
        assert!(pairs[0].similarity > 0.9, "{pairs:?}");
        let notes = notes(&all, &pairs)
            .into_iter()
            .map(|note| note.map(|note| note.to_string()));
        let notes: Vec<Option<String>> = notes.collect();
        assert!(
            notes[1]
                .as_deref()
                .is_some_and(|note| note.starts_with("similar to bot (9")),
            "{notes:?}"
        );
        assert_eq!(notes[2], None);
    }
}
