//! Finds hand-ins of a class that are alike: equal, equal except for blanks and comments, or similar.
//!
//! Similarity is measured as in JPlag and Dolos. One token replaces all identifiers, a second all numbers, a third all
//! texts, so renaming changes nothing. The similarity is the share of sequences of [`SEQUENCE`] tokens that two
//! hand-ins have in common. A sequence that most hand-ins have, as from a template, does not count. A teacher
//! decides what a percentage means; no mark depends on it.
//!
//! Students decide how much there is to compare, so the work has bounds: [`MOST`] bytes and [`PRINTS`] fingerprints of
//! a hand-in. Fingerprints are the sequences that winnowing selects (Schleimer, Wilkerson and Aiken: "Winnowing: local
//! algorithms for document fingerprinting", 2003). The number of files that are not compared is reported.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use host::Walk;
use message::{Message, ToValue as _, message};
use referee::bot::{is_generated_or_installed, read_regular};
use referee::record::label;
use run::Stop;
use run::report::grade::names_csv;
use run::report::tables::replace;

use super::files::HAND_INS;

/// The largest source that is compared, in bytes.
const LONGEST: u64 = 1 << 20;
/// The most bytes of a hand-in that are compared, the smallest sources first.
const MOST: u64 = 2 << 20;
/// The most fingerprints of a hand-in. The smallest hashes are kept, so that equal programs keep equal fingerprints.
const PRINTS: usize = 1 << 15;
const PRINTS_OF_CLASS: usize = 1 << 24;
/// The number of consecutive sequences in a window. Winnowing selects one sequence of each window.
const WINDOW: usize = 4;

/// The most hand-ins that a note names.
const NAMED: usize = 4;
/// The number of tokens in a compared sequence. JPlag's shortest match has 9 (Java) or 12 (Python) coarser tokens.
const SEQUENCE: usize = 16;
const LISTED: f64 = 0.3;
/// The least similarity that a note names.
const NOTED: f64 = 0.7;
/// The fewest fingerprints of a hand-in that is compared, since tiny programs are all alike.
const FEWEST: usize = 16;

/// Words that are not replaced, since renaming cannot change them.
static KEYWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "and as break case catch class continue def default del do elif else except extends final finally for \
     fn from function if import in int is lambda let match mut new not or pass private public raise return self static \
     struct switch this throw try use var void while with yield"
        .split(' ')
        .collect()
});

/// The part of a hand-in that is compared: hashes of its sources, without blanks and comments.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// A hash of the sources' tokens and of the other files' bytes; `None` without a source or if a file was not read.
    pub whole: Option<u64>,
    prints: Vec<u64>,
    /// The number of files, other than `bot.toml`, that are not compared for similarity.
    pub left_out: usize,
}

pub struct Compared<'a> {
    pub name: &'a str,
    /// The SHA-256 of its files; `None` if the hand-in is not a bot.
    pub sha256: Option<&'a str>,
    pub likeness: Option<&'a Likeness>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimilarPair {
    pub one: usize,
    pub other: usize,
    /// The share of the two hand-ins' fingerprints that both have, from 0 to 1.
    pub similarity: f64,
}

/// Returns all pairs that are similar, the most similar first; `None` if `stop` was requested.
pub fn pairs(all: &[Compared<'_>], stop: &Stop) -> Option<Vec<SimilarPair>> {
    let likenesses = all.iter().map(|one| one.likeness);
    let owned = likenesses.enumerate().flat_map(|(at, one)| {
        let prints = one.map_or(&[][..], |one| &one.prints);
        prints.iter().map(move |print| (*print, at))
    });
    let mut owned: Vec<(u64, usize)> = owned.collect();
    owned.sort_unstable();
    let has_prints = |one: &&Compared<'_>| one.likeness.is_some_and(|one| !one.prints.is_empty());
    let compared = all.iter().filter(has_prints).count();
    // With two or three hand-ins, a copied sequence is in most of them. So a sequence in at most three always counts.
    let common = (compared / 2).max(3);
    let mut sizes = vec![0_usize; all.len()];
    // The entry of a pair is in row `one`, column `other`.
    let mut shared = vec![0_u32; all.len() * all.len()];
    for own in owned.chunk_by(|(one, _), (other, _)| one == other) {
        if stop.is_requested() {
            return None;
        }
        if own.len() > common {
            continue;
        }
        for (at, &(_, one)) in own.iter().enumerate() {
            sizes[one] += 1;
            for &(_, other) in &own[at + 1..] {
                shared[one * all.len() + other] += 1;
            }
        }
    }
    let pairs = shared.into_iter().enumerate().filter_map(|(at, shared)| {
        let (one, other) = (at / all.len(), at % all.len());
        let similarity = 2.0 * f64::from(shared) / (sizes[one] + sizes[other]) as f64;
        let is_listed = sizes[one].min(sizes[other]) >= FEWEST && similarity >= LISTED;
        is_listed.then_some(SimilarPair {
            one,
            other,
            similarity,
        })
    });
    let mut pairs: Vec<SimilarPair> = pairs.collect();
    pairs.sort_by(|a, b| {
        let by_similarity = b.similarity.total_cmp(&a.similarity);
        by_similarity.then((a.one, a.other).cmp(&(b.one, b.other)))
    });
    Some(pairs)
}

fn listed(names: &[String]) -> Option<Message> {
    match names.len().saturating_sub(NAMED) {
        0 if names.is_empty() => None,
        0 => Some(names.to_message()),
        more => {
            let names = &names[..NAMED];
            Some(message!("{names} and {more} more"))
        }
    }
}

pub fn left_out(all: &[Compared<'_>]) -> Option<Message> {
    let count = |one: &Compared<'_>| one.likeness.map_or(0, |one| one.left_out);
    let with = all.iter().filter(|one| count(one) > 0);
    let with: Vec<String> = with.map(|one| one.name.to_owned()).collect();
    let hand_ins = listed(&with)?;
    let files: usize = all.iter().map(count).sum();
    Some(message!(
        "similar.csv: files that were not compared: {files}, in {hand_ins} (they are hidden, installed, too large, or in no known language)"
    ))
}

/// Returns for each hand-in a note that names the equal hand-ins, or, if there are none, the most similar ones.
pub fn notes(all: &[Compared<'_>], pairs: &[SimilarPair]) -> Vec<Option<Message>> {
    let note = |(at, own): (usize, &Compared<'_>)| {
        let names = |is_like: &dyn Fn(&Compared<'_>) -> bool| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != at);
            let like = others.filter(|(_, other)| is_like(other));
            let like = like.map(|(_, other)| other.name.to_owned());
            listed(&like.collect::<Vec<_>>())
        };
        let is_same = |other: &Compared<'_>| own.sha256.is_some() && other.sha256 == own.sha256;
        let whole = |one: &Compared<'_>| one.likeness.and_then(|likeness| likeness.whole);
        let same = names(&is_same);
        let alike =
            names(&|other| whole(own).is_some() && whole(other) == whole(own) && !is_same(other));
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
                let similar = listed(&similar.collect::<Vec<_>>())?;
                message!("similar to {similar}")
            }
            (Some(same), None) => message!("the same as {same}"),
            (None, Some(alike)) => message!("the same as {alike} except for blanks and comments"),
            (Some(same), Some(alike)) => {
                message!("the same as {same}, and as {alike} except for blanks and comments")
            }
        })
    };
    all.iter().enumerate().map(note).collect()
}

/// Returns the sources that the student probably wrote, in known languages, and all other files; both sorted by name.
fn files(hand_in: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_own = |path: &PathBuf| {
        let inner = path.strip_prefix(hand_in).unwrap_or(path).ancestors();
        let mut above = inner.filter(|part| *part != Path::new(""));
        !above.any(|part| is_generated_or_installed(&hand_in.join(part)))
    };
    let mut all = Vec::new();
    if hand_in.is_dir() {
        let files = Walk::of(hand_in).flatten();
        // Skips links, since their targets are in the hand-in, too.
        let files = files.filter(|(_, data)| data.is_file());
        all.extend(files.map(|(inner, _)| hand_in.join(inner)));
    } else {
        all.push(hand_in.to_owned());
    }
    all.sort();
    all.into_iter()
        .partition(|path| line_comment(path).is_some() && is_own(path))
}

/// Copies the sources of hand-ins: a folder for each in `hand-ins` for JPlag, and a list in `info.csv` for Dolos.
pub fn export<'a>(
    folder: &Path,
    hand_ins: impl Iterator<Item = (&'a Path, &'a str, Option<&'a Path>)>,
    stop: &Stop,
) -> io::Result<()> {
    let mut rows = Vec::new();
    for (key, name, path) in hand_ins {
        let Some(path) = path else { continue };
        let root = if path.is_dir() {
            path
        } else {
            path.parent().unwrap_or(path)
        };
        for source in files(path).0 {
            if stop.is_requested() {
                return Ok(());
            }
            let Ok(text) = read_regular(&source, LONGEST) else {
                continue;
            };
            // A table's cell must have no control characters; a label has none.
            let inner = label(source.strip_prefix(root).unwrap_or(&source).as_os_str());
            let inner = Path::new(HAND_INS).join(key).join(inner);
            let to = folder.join(&inner);
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            fs::write(to, text)?;
            rows.push([inner.to_string_lossy().into_owned(), name.to_owned()]);
        }
    }
    fs::create_dir_all(folder)?;
    let table = names_csv(["filename", "full_name"], &rows)?;
    replace(&folder.join("info.csv"), &table).map_err(io::Error::other)
}

/// Reads and hashes a hand-in. `hand_ins` is the number of hand-ins that share [`PRINTS_OF_CLASS`].
pub fn of(hand_in: &Path, hand_ins: usize) -> Likeness {
    let (mut sources, others) = files(hand_in);
    let length = |path: &PathBuf| path.metadata().map_or(u64::MAX, |data| data.len());
    sources.sort_by_key(length);
    let (mut rest, mut is_whole) = (MOST, true);
    let mut read = |path: &PathBuf| {
        let left = rest.checked_sub(length(path));
        let text = left.and_then(|_| read_regular(path, LONGEST).ok());
        match &text {
            Some(text) => rest = rest.saturating_sub(text.len() as u64),
            None => is_whole = false,
        }
        text
    };
    let is_manifest = |path: &&PathBuf| path.ends_with("bot.toml");
    let mut left_out = others.iter().filter(|path| !is_manifest(path)).count();
    let (mut wholes, mut prints) = (Vec::new(), Vec::new());
    for path in &sources {
        let (Some(text), Some(comment)) = (read(path), line_comment(path)) else {
            left_out += 1;
            continue;
        };
        if !is_plain(&text, comment) {
            left_out += 1;
            continue;
        }
        let text = String::from_utf8_lossy(&text);
        let tokens: Vec<&str> = tokens(&text, comment).collect();
        if !tokens.is_empty() {
            wholes.push(hash(&tokens));
        }
        let renamed: Vec<u64> = tokens
            .into_iter()
            .map(|token| hash(renamed(token)))
            .collect();
        let sequences: Vec<u64> = renamed.windows(SEQUENCE).map(hash).collect();
        let windows = sequences.windows(sequences.len().clamp(1, WINDOW));
        prints.extend(windows.filter_map(|window| window.iter().min()));
    }
    let has_source = !wholes.is_empty();
    for path in &others {
        wholes.extend(read(path).map(|bytes| hash(&bytes)));
    }
    prints.sort_unstable();
    prints.dedup();
    prints.truncate(PRINTS.min(PRINTS_OF_CLASS / hand_ins.max(1)));
    // File names do not matter.
    wholes.sort_unstable();
    Likeness {
        whole: (has_source && is_whole).then(|| hash(&wholes)),
        prints,
        left_out,
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns whether a source is plain text. Python also allows encodings, such as UTF-7, that would hide its words.
fn is_plain(text: &[u8], comment: &str) -> bool {
    const PLAIN: [&str; 6] = ["utf-8", "utf8", "gb", "latin", "ascii", "iso-8859"];
    let encoding = |line: &[u8]| {
        let line = String::from_utf8_lossy(line).to_lowercase();
        let (_, name) = line.trim_start().strip_prefix('#')?.split_once("coding")?;
        Some(name.strip_prefix([':', '='])?.trim_start().to_owned())
    };
    let lines = text.split(|&byte| byte == b'\n').take(2);
    let mut encodings = lines.filter_map(encoding);
    comment != "#" || encodings.all(|name| PLAIN.iter().any(|plain| name.starts_with(plain)))
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

/// Returns the length of a quoted text, which ends at the end of its line at the latest.
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

/// Replaces a token that a copyist can rename.
fn renamed(token: &str) -> &str {
    match token.chars().next() {
        Some('"' | '\'') => "\"",
        Some(first) if first.is_ascii_digit() => "1",
        Some(first) if first.is_alphabetic() || first == '_' => {
            if KEYWORDS.contains(token) {
                token
            } else {
                "x"
            }
        }
        _ => token,
    }
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "the texts of tests are short")]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_that_hides_words_is_known_by_its_declaration() {
        for (text, is_read) in [
            ("# -*- coding: utf-8 -*-\nx = 1", true),
            ("#!/usr/bin/python3\n# coding=gbk\nx = 1", true),
            ("# coding: utf-7\n+AHg- = 1", false),
            ("\n # vim: set fileencoding=UTF_7 :\n", false),
            ("x = 1\ny = 2\n# coding: utf-7", true),
            ("coding = 'utf-7'", true),
        ] {
            assert_eq!(is_plain(text.as_bytes(), "#"), is_read, "{text}");
        }
    }

    /// Each row: a file's path beside `main.py`, the number of left-out files, and whether the file is read.
    #[test]
    fn the_same_but_for_blanks_is_said_of_hand_ins_that_are_wholly_read() {
        for (inner, left_out, is_read) in [
            ("helper.py", 0, true),
            ("bot.toml", 0, true),
            ("engine.txt", 1, true),
            (".lib/engine.py", 1, true),
            ("node_modules/engine.js", 1, true),
            ("large.js", 1, false),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let copies = ["one", "two", "other"].map(|name| {
                let root = folder.path().join(name);
                let (file, engine) = (root.join(inner), if name == "other" { "b" } else { "a" });
                fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                fs::write(root.join("main.py"), "x = 1 # ".to_owned() + name).expect("a file");
                fs::write(&file, engine).expect("a file");
                if !is_read {
                    let hole = fs::File::create(&file).expect("a file");
                    hole.set_len(LONGEST + 1).expect("a hole");
                }
                of(&root, 3)
            });
            assert_eq!(copies[0].left_out, left_out, "{inner}");
            let all = ["one", "two", "other"].into_iter().zip(&copies);
            let all = all.map(|(name, likeness)| Compared {
                name,
                sha256: None,
                likeness: Some(likeness),
            });
            let all: Vec<Compared<'_>> = all.collect();
            let note = notes(&all, &[]).remove(0).map(|note| note.to_string());
            let expected =
                is_read.then(|| "the same as two except for blanks and comments".to_owned());
            assert_eq!(note, expected, "{inner}");
            let left = super::left_out(&all).map(|note| note.to_string());
            let files = format!(
                "similar.csv: files that were not compared: {}, in",
                3 * left_out
            );
            assert_eq!(left.is_some(), left_out > 0, "{inner}");
            assert!(left.is_none_or(|left| left.starts_with(&files)), "{inner}");
        }
    }

    /// In a large class, few fingerprints are kept of each hand-in, but copies still keep the same fingerprints.
    #[test]
    fn a_hand_in_of_random_signs_has_a_bounded_number_of_fingerprints() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut state = 1_u64;
        let signs: String = (0..1 << 16)
            .map(|_| {
                state = hash(&state);
                ["+", "-", "*", "(", ")", "[", "]", "<"][(state % 8) as usize]
            })
            .collect();
        let all: Vec<Likeness> = [signs.clone() + "1", signs, String::new()]
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let path = folder.path().join(format!("{at}.py"));
                fs::write(&path, text).expect("a file");
                let few = of(&path, PRINTS_OF_CLASS / 100);
                assert!(few.prints.len() <= 100);
                let likeness = of(&path, 1);
                assert!(likeness.prints.len() <= PRINTS);
                few
            })
            .collect();
        let all = all.iter().map(|likeness| Compared {
            name: "",
            sha256: None,
            likeness: Some(likeness),
        });
        let all: Vec<Compared<'_>> = all.collect();
        let stop = Stop::default();
        let found = pairs(&all, &stop).expect("not stopped");
        assert_eq!((found[0].one, found[0].other), (0, 1));
        assert!(found[0].similarity > 0.95, "{found:?}");
        stop.request();
        assert_eq!(pairs(&all, &stop), None);
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

    /// A bot, a copy with other names and one more line, and two other bots; all contain the given frame.
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
                of(&path, 4)
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
        let pairs = pairs(&all, &Stop::default()).expect("not stopped");
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
