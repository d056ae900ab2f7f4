//! Command lines, and the file to which a program's name refers.
//!
//! A name may omit the extension: `bot` may mean `bot.exe`, `bot.bat` or `bot.py`; only our program adds `.py`, not the
//! system. `python3`, the usual name on other systems, is mostly called `python` or `py` (the launcher) here. A new
//! system has a `python3` that only offers to install Python.
//!
//! A program gets its arguments as one line. Most programs split it by the rules of Microsoft's C library: quotes hold
//! words together, and a backslash is special only before a quote. The shell, which runs batch files, has other rules;
//! words that cannot be passed to it safely are refused.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

const PROGRAMS: [&str; 4] = ["exe", "com", "bat", "cmd"];
const PYTHON: &str = "py";
/// Names of Python, best first, with the argument that the launcher needs.
const PYTHONS: [(&str, Option<&str>); 3] =
    [("python", None), ("python3", None), ("py", Some("-3"))];
/// The folder of small files that offer to install a program and, once it is installed, start it.
const OFFERS: &str = "WindowsApps";
const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;

#[derive(Debug, PartialEq, Eq)]
pub struct ProgramFile {
    pub file: PathBuf,
    pub first: Vec<OsString>,
}

pub fn is_program_name(path: &Path) -> bool {
    PROGRAMS.iter().any(|ending| has_ending(path, ending))
}

pub fn is_batch(path: &Path) -> bool {
    has_ending(path, "bat") || has_ending(path, "cmd")
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

pub fn find(program: &Path, folder: Option<&Path>) -> io::Result<ProgramFile> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    find_among(program, folder, &places)
}

fn find_among(
    program: &Path,
    folder: Option<&Path>,
    places: &[PathBuf],
) -> io::Result<ProgramFile> {
    let file = if program.components().count() > 1 {
        let program = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
        // The program starts in another folder, so the path must be absolute.
        first_file(&std::path::absolute(program)?)
    } else if let Some(words) = python(program, places) {
        return Ok(words);
    } else {
        in_places(program.as_os_str(), places).next()
    };
    let file = file.ok_or(io::ErrorKind::NotFound)?;
    if !has_ending(&file, PYTHON) {
        return Ok(ProgramFile {
            file,
            first: Vec::new(),
        });
    }
    let mut python = python(Path::new("python"), places).ok_or_else(|| {
        let why = "there is no python and no py in the PATH";
        io::Error::new(io::ErrorKind::NotFound, why)
    })?;
    python.first.push(file.into());
    Ok(python)
}

/// If `name` is a name of Python, returns an installed Python, preferably of this name, or else a file of [`OFFERS`].
fn python(name: &Path, places: &[PathBuf]) -> Option<ProgramFile> {
    let stem = if has_ending(name, "exe") {
        name.file_stem()?
    } else {
        name.as_os_str()
    };
    let is_meant = |(known, _): &&(&str, _)| stem.eq_ignore_ascii_case(known);
    let given = PYTHONS.iter().find(is_meant)?;
    // A user who writes `py` also writes the launcher's argument.
    let names = [(given.0, None)].into_iter().chain(PYTHONS);
    let all = names.flat_map(|(name, first)| {
        in_places(OsStr::new(name), places).map(move |file| ProgramFile {
            file,
            first: first.into_iter().map(OsString::from).collect(),
        })
    });
    let (offers, installed): (Vec<_>, Vec<_>) = all.partition(|found| is_offer(&found.file));
    installed.into_iter().chain(offers).next()
}

fn is_offer(file: &Path) -> bool {
    file.components()
        .any(|part| part.as_os_str().eq_ignore_ascii_case(OFFERS))
}

fn in_places<'a>(name: &'a OsStr, places: &'a [PathBuf]) -> impl Iterator<Item = PathBuf> + 'a {
    places
        .iter()
        .filter_map(move |place| first_file(&place.join(name)).filter(|file| file.is_absolute()))
        .filter(|file| is_program_name(file) || has_ending(file, PYTHON))
}

/// Returns the file at `path`; if the path has no program's extension, first tries to add each such extension.
pub fn first_file(path: &Path) -> Option<PathBuf> {
    let is_whole = is_program_name(path) || has_ending(path, PYTHON);
    let with = |ending| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".");
        longer.push(ending);
        PathBuf::from(longer)
    };
    let longer = PROGRAMS.into_iter().chain([PYTHON]).map(with);
    let longer = longer.filter(|_| !is_whole);
    longer.chain([path.to_owned()]).find(|file| is_there(file))
}

/// Does not follow links: a file that offers to install a program is a link that cannot be followed.
fn is_there(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|data| !data.is_dir())
}

pub fn for_program(file: &Path, arguments: &[OsString]) -> OsString {
    // The first word has its own rules: nothing between its quotes is special.
    let mut line = vec![QUOTE];
    line.extend(file.as_os_str().encode_wide());
    line.push(QUOTE);
    for argument in arguments {
        line.push(u16::from(b' '));
        append(&mut line, argument);
    }
    OsString::from_wide(&line)
}

/// Returns the command line of the shell that runs a batch file. Refuses words with a quote, a line end, or a `%`,
/// which begins a variable: the shell interprets these even between quotes.
pub fn for_batch(shell: &Path, file: &Path, arguments: &[OsString]) -> io::Result<OsString> {
    // `/d` turns off AutoRun commands, and `/v:OFF` variables with `!`. The shell removes the outermost pair of quotes.
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
                "cannot pass {} to a batch file: the shell interprets quotes, % and line ends",
                word.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        line.push(if number == 0 { "\"" } else { " \"" });
        line.push(word);
        // Doubles the backslashes at the end. Otherwise the program would take the quote as a part of the word.
        line.push("\\".repeat(trailing_backslashes(word)));
        line.push("\"");
    }
    line.push("\"");
    Ok(line)
}

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
            // Backslashes before a quote are doubled; one more makes the quote an ordinary character.
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

fn trailing_backslashes(word: &OsStr) -> usize {
    let count = |run, unit| if unit == BACKSLASH { run + 1 } else { 0 };
    word.encode_wide().fold(0, count)
}

/// Quotes of either kind hold a word together. A backslash is an ordinary letter, as in paths.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| !letter.is_whitespace() && !['"', '\''].contains(&letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // A word with both kinds of quotes is written as several quoted pieces.
    let pieces = word
        .split_inclusive('"')
        .map(|piece| match piece.strip_suffix('"') {
            Some("") => "'\"'".to_owned(),
            Some(rest) => format!("\"{rest}\"'\"'"),
            None => format!("\"{piece}\""),
        });
    match word {
        "" => "\"\"".to_owned(),
        _ => pieces.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        folder
    }

    fn found(program: &str, files: &[&str], places: &[&str]) -> Option<Vec<String>> {
        let folder = folder(files);
        let places: Vec<_> = places.iter().map(|at| folder.path().join(at)).collect();
        let found = find_among(Path::new(program), Some(folder.path()), &places).ok()?;
        let short = |word: OsString| {
            let word = PathBuf::from(word);
            let word = word.strip_prefix(folder.path()).unwrap_or(&word).to_owned();
            word.to_string_lossy().replace('\\', "/")
        };
        let words = std::iter::once(found.file.into_os_string()).chain(found.first);
        Some(words.map(short).collect())
    }

    #[test]
    fn a_name_without_an_ending_gets_one() {
        let files = ["bot", "bot.bat", "bot.exe", "own/tool.cmd", "own/text"];
        for (program, file) in [
            ("./bot", Some("bot.exe")),
            ("./bot.bat", Some("bot.bat")),
            ("bot", None),
            ("tool", Some("own/tool.cmd")),
            ("text", None),
            ("./own/text", Some("own/text")),
            ("./nothing", None),
        ] {
            let file = file.map(|file| vec![file.to_owned()]);
            assert_eq!(found(program, &files, &["own"]), file, "{program}");
        }
    }

    #[test]
    fn python_is_found_by_any_of_its_names() {
        let offer = "WindowsApps/python3.exe";
        let places = ["WindowsApps", "a", "b"];
        for (program, files, words) in [
            ("python3", vec![offer, "a/python.exe"], vec!["a/python.exe"]),
            ("python3", vec![offer, "a/py.exe"], vec!["a/py.exe", "-3"]),
            ("python3", vec![offer], vec![offer]),
            (
                "python3",
                vec!["a/python.exe", "b/python3.exe"],
                vec!["b/python3.exe"],
            ),
            ("py", vec!["a/python.exe", "b/py.exe"], vec!["b/py.exe"]),
            (
                "./x",
                vec!["x.py", "a/py.exe"],
                vec!["a/py.exe", "-3", "x.py"],
            ),
        ] {
            let words = words.into_iter().map(str::to_owned).collect();
            assert_eq!(
                found(program, &files, &places),
                Some(words),
                "{program} {files:?}"
            );
        }
        assert_eq!(found("./x.py", &["x.py"], &places), None);
    }

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    /// The first four are examples from Microsoft's "Parsing C command-line arguments".
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

    #[test]
    fn backslashes_are_letters() {
        let command = r#""C:\my bots\bot.exe" --book C:\book.txt "" '"'"#;
        let words = [r"C:\my bots\bot.exe", "--book", r"C:\book.txt", "", "\""];
        assert_eq!(split_words(command).expect("quotes end"), words);
    }
}
