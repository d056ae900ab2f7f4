//! The error output of a compiler or a runtime: the error, and the line of the bot's own source that the error names.
//! Some errors have advice. The others are only quoted, since the kind of an error does not show its cause.

use std::path::{Path, PathBuf};

use super::evidence::{quoted, shortened};
use super::packages;
use message::{Message, message};
use referee::bot::{Launch, cache, read_named, read_regular};
use referee::record::{LastError, excerpt};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traceback {
    pub error: String,
    pub place: Option<SourceLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: String,
    pub line: usize,
    pub source: String,
}

impl Traceback {
    /// Returns the last error in `text`. `launch` tells where the bot's own files are.
    pub fn read(text: &str, launch: &Launch) -> Option<Traceback> {
        let lines: Vec<&str> = text.lines().collect();
        let LastError { line: at, error } = LastError::read(text)?;
        let folders = folders(launch);
        let mut places = lines
            .iter()
            .enumerate()
            .filter_map(|(number, line)| Some((number, place(line, &folders)?)));
        let is_python = |line: &&str| line.trim_start().starts_with("File \"");
        let place = if lines.iter().any(is_python) {
            // In Python, the most recent call comes last.
            places.take_while(|(number, _)| *number <= at).last()
        } else {
            let all: Vec<_> = places.by_ref().collect();
            let after = all.iter().find(|(number, _)| *number >= at);
            after.or(all.first()).cloned()
        };
        Some(Traceback {
            error,
            place: place.map(|(_, place)| place),
        })
    }

    pub fn before(&self, what: impl Into<Message>) -> Message {
        let error = message!("{}.", excerpt(self.error.trim_end_matches('.').as_bytes()));
        Message::sentences([error, what.into()])
    }

    pub fn source(&self) -> Option<Message> {
        let place = self.place.as_ref()?;
        Some(quoted(&format!(
            "{}:{}: {}",
            place.file, place.line, place.source
        )))
    }

    pub fn fix(&self) -> Option<Message> {
        let advice = packages::missing(&self.error).or_else(|| advice(&self.error));
        advice.or_else(|| {
            let place = self.place.as_ref()?;
            Some(message!(
                "Look at line {} of {}, where the error happened.",
                place.line,
                place.file
            ))
        })
    }
}

pub fn own_files(launch: &Launch) -> Vec<PathBuf> {
    let folder = launch.folder.clone().unwrap_or_default();
    let files = launch.arguments.iter().map(|word| folder.join(word));
    let ours = cache("frames");
    let is_own = |file: &PathBuf| file.is_file() && !file.starts_with(&ours);
    files.filter(is_own).collect()
}

fn folders(launch: &Launch) -> Vec<PathBuf> {
    let files = own_files(launch).into_iter();
    let beside = files.filter_map(|file| std::path::absolute(file.parent()?).ok());
    let folders: Vec<PathBuf> = launch.folder.iter().cloned().chain(beside).collect();
    let sources = folders.iter().map(|folder| folder.join("src"));
    folders.iter().cloned().chain(sources.clone()).collect()
}

/// Returns the line of the bot's source that a line of output names: `File "bot.py", line 3`, `bot.js:3`.
fn place(line: &str, folders: &[PathBuf]) -> Option<SourceLine> {
    let (file, number) = match line.trim_start().strip_prefix("File \"") {
        Some(rest) => {
            let (file, rest) = rest.split_once("\", line ")?;
            (file, leading_number(rest)?)
        }
        None => line.match_indices(':').find_map(|(colon, _)| {
            let number = leading_number(&line[colon + 1..])?;
            let begin = line[..colon].rfind([' ', '(', '\'', '"']);
            let file = &line[begin.map_or(0, |begin| begin + 1)..colon];
            let file = file.trim_start_matches("file://");
            file.contains('.').then_some((file, number))
        })?,
    };
    // The path comes from the bot's output, which could name any file. So only the bot's own folders are searched.
    let path = folders
        .iter()
        .filter_map(|folder| folder.join(file).canonicalize().ok())
        .find(|path| {
            let is_own = |folder: &PathBuf| {
                folder
                    .canonicalize()
                    .is_ok_and(|folder| path.starts_with(folder))
            };
            folders.iter().any(is_own)
                && !path
                    .components()
                    .any(|part| part.as_os_str() == "node_modules")
        })?;
    let text = read_named(&path).ok()?;
    let text = String::from_utf8_lossy(&text);
    let source = text.lines().nth(number.checked_sub(1)?)?.trim();
    Some(SourceLine {
        file: Path::new(file).file_name()?.to_string_lossy().into_owned(),
        line: number,
        source: shortened(source),
    })
}

fn leading_number(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text[..end.unwrap_or(text.len())].parse().ok()
}

/// Parts of errors that do not say what to do, with advice for each.
const ADVICE: &[(&str, &str)] = &[
    (
        "undefined reference to `main'",
        "It has no function main, with which a program begins: int main() { ... }.",
    ),
    (
        "undefined reference to",
        "It is declared or called, but defined nowhere: define it, spell it as it is defined, or add the file \
         or the library that has it to the build command (-lm at its end for the functions of math.h).",
    ),
    (
        "should be declared in a file named",
        "Rename the file or the class: in Java, a public class is in a file of its own name. The command in \
         bot.toml names the class, too.",
    ),
    (
        "Could not find or load main class",
        "Name the class as its file does, with the package if it has one, and the folder of the classes with -cp; \
         compile it with a build command in bot.toml.",
    ),
    (
        "UnsupportedClassVersionError",
        "It was compiled by a newer Java than the one that runs it: hand in its source with a build command, or \
         compile it with --release.",
    ),
    (
        "unmappable character",
        "Save the file as UTF-8, or write its comments in English.",
    ),
    (
        "error while loading shared libraries",
        "A library that it needs is not on this machine: link it statically (-static), or do without it.",
    ),
    (
        "no display name",
        "It opens a window, which cannot be seen here: leave the window out of what is handed in, or hand in a \
         class or function that the arena knows (docs/courses.md).",
    ),
    (
        "asks a person for its move",
        "No person is there to answer: let the program choose its move itself.",
    ),
    // The messages of `env` for `python3\r` in two locales, and those of shells.
    ("\\r’", WINDOWS),
    ("\\r'", WINDOWS),
    ("^M: ", WINDOWS),
    // Python's error, and Java's `OutOfMemoryError`.
    ("MemoryError", MEMORY),
    ("heap out of memory", MEMORY),
    ("std::bad_alloc", MEMORY),
    (
        "stack smashing detected",
        "It wrote beyond the end of an array: a line of the arena has up to 64 KiB, too long for a small buffer. \
         Compile with -g -fsanitize=address,undefined and check again: standard error then names the line.",
    ),
    ("buffer overflow detected", INVALID_MEMORY),
    ("free(): ", INVALID_MEMORY),
    ("malloc(): ", INVALID_MEMORY),
    ("corrupted", INVALID_MEMORY),
    ("double free", INVALID_MEMORY),
];

pub const INVALID_MEMORY: &str = "It accessed invalid memory: compile with -g -fsanitize=address,undefined \
    and check again; standard error then names the line.";

const MEMORY: &str = "It ran out of memory: store less, or limit its tables.";

const WINDOWS: &str = "Its first line ends with a carriage return (CR), which the system takes as part of the \
interpreter's name. Save the file with LF line ends, or run sed -i \
    's/\\r$//' FILE.";

fn advice(error: &str) -> Option<Message> {
    let known = ADVICE.iter().find(|(part, _)| error.contains(part));
    known.map(|(_, advice)| (*advice).into())
}

/// Describes the first file that is not UTF-8: it is UTF-16, or a line of it has another encoding. Ignores files of 1
/// MiB or more, and binary files: they contain NUL bytes and are not UTF-16.
pub fn foreign_text(files: &[PathBuf]) -> Option<Message> {
    files.iter().find_map(|path| {
        let bytes = read_regular(path, (1 << 20) - 1).ok()?;
        let valid = match std::str::from_utf8(&bytes) {
            Ok(_) if !bytes.contains(&0) => return None,
            Ok(text) => text.find('\0').unwrap_or_default(),
            Err(error) => error.valid_up_to(),
        };
        let zeros = bytes.split(|&byte| byte == 0).count() - 1;
        if zeros > 0 && zeros < bytes.len() / 3 {
            return None;
        }
        let file = path.file_name()?.to_string_lossy();
        let line = bytes[..valid].split(|&byte| byte == b'\n').count();
        Some(if bytes.contains(&0) {
            message!("{file} is UTF-16: save it as UTF-8.")
        } else {
            message!(
                "{file} is not UTF-8: line {line} has text in another encoding, such as GBK or Latin-1. Save it as \
                 UTF-8."
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use cases::cases;

    #[test]
    fn a_picture_is_no_text_in_another_encoding() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).expect("a file");
            path
        };
        let picture = file(
            "board.png",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xfe\x80 and more data",
        );
        assert_eq!(foreign_text(std::slice::from_ref(&picture)), None);
        let text = file("bot.py", b"i\0m\0p\0o\0r\0t\0");
        let found = foreign_text(&[picture, text]).map(|found| found.to_string());
        assert_eq!(
            found.as_deref(),
            Some("bot.py is UTF-16: save it as UTF-8.")
        );
    }

    /// Each row of the table has the output, the error in it, and the line of source: its file, number and text.
    #[test]
    fn the_error_and_its_place_are_found() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("bot");
        fs::create_dir(&folder).expect("a folder");
        let files = ["bot.py", "bot.js", "Bot.java", "bot.c", "bot.cpp", "bot.rs"];
        for file in files.into_iter().chain(["../other.py"]) {
            fs::write(folder.join(file), "one\n two\nthree\n").expect("a file");
        }
        let launch = Launch {
            program: "./bot".into(),
            folder: Some(folder),
            ..Launch::default()
        };
        for [output, error, place] in cases::<[String; 3]>("doctor-traceback") {
            let found = Traceback::read(&output, &launch);
            let text = found.as_ref().map_or("", |found| &found.error);
            assert_eq!(text, error, "{output}");
            let found = found.and_then(|found| found.place);
            let found = found.map_or(String::new(), |found| {
                format!("{}:{} {}", found.file, found.line, found.source)
            });
            assert_eq!(found, place, "{output}");
        }
    }

    /// Each row of the table has the output of a failed program, and words of the advice for it.
    #[test]
    fn each_known_error_has_its_advice() {
        let mut untested: Vec<_> = ADVICE.iter().collect();
        for (output, advice) in cases::<(String, String)>("doctor-advice") {
            let found = Traceback::read(&output, &Launch::default());
            let error = found.as_ref().map_or("", |found| &found.error);
            let used = ADVICE.iter().find(|(part, _)| error.contains(part));
            untested.retain(|row| Some(*row) != used);
            let fix = found
                .as_ref()
                .and_then(Traceback::fix)
                .map(|fix| fix.to_string());
            assert!(
                fix.as_ref().is_some_and(|fix| fix.contains(&advice)),
                "{output}: {fix:?}"
            );
        }
        assert!(untested.is_empty(), "no row of the table has {untested:?}");
    }

    #[test]
    fn a_source_in_another_encoding_is_named_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let found_in = |bytes: &[u8]| {
            let file = folder.path().join("bot.py");
            fs::write(&file, bytes).expect("a file");
            foreign_text(&[file]).map(|finding| finding.to_string())
        };
        assert_eq!(found_in("# 黑白棋\n".as_bytes()), None);
        let gbk = found_in(b"import sys\n# \xba\xda\xb0\xd7\xc6\xe5\n").expect("a finding");
        assert!(gbk.starts_with("bot.py is not UTF-8: line 2 "), "{gbk}");
        let utf16 = found_in(b"\xff\xfei\0m\0p\0").expect("a finding");
        assert!(utf16.starts_with("bot.py is UTF-16"), "{utf16}");
    }
}
