//! What a file is, by its name and its first bytes: a script, a program, source, a document.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use message::message;
use referee::problem;
use referee::problem::Problem;

pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns the folder of a file. A file name alone has an empty path as its parent, so its folder is `.`.
pub fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|&parent| parent != Path::new(""));
    parent.unwrap_or(Path::new("."))
}

pub fn interpreter(path: &Path) -> Option<&'static str> {
    match ending(path).as_str() {
        "py" => Some("python3"),
        "js" => Some("node"),
        _ => None,
    }
}

/// Languages that the arena does not build: the ending of the files, and the name of the language.
const SOURCES: [(&str, &str); 2] = [("hs", "Haskell"), ("swift", "Swift")];

pub fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.unwrap_or_default().to_ascii_lowercase()
}

/// Returns whether a file begins like a script (`#!`) or like a program of Linux, Windows or macOS.
pub fn begins_as_program(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    let begins = [
        b"#!".as_slice(),
        b"\x7fELF",
        b"MZ",
        b"\xcf\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
    ];
    read.is_ok() && begins.iter().any(|begin| start.starts_with(begin))
}

/// Fails for a document or picture that does not begin like a program. Permissions do not distinguish such a file from
/// a program, because some file systems let all files be executed.
pub fn not_document(path: &Path) -> Result<(), Problem> {
    let name = path.file_name().unwrap_or_default().display();
    let refused = match ending(path).as_str() {
        "ipynb" => problem!("{name} is a notebook, which cannot be started as a bot").help(
            "save it as a .py file (File, Save and Export as, Executable Script) and use that",
        ),
        "txt"
            if path
                .file_name()
                .is_some_and(|name| name == "CMakeLists.txt") =>
        {
            return Ok(());
        }
        "pdf" | "doc" | "docx" | "md" | "txt" | "html" | "csv" | "tex" | "odt" | "pages" => {
            problem!("{name} is a document, not a bot").help("use the program itself")
        }
        "png" | "jpg" | "jpeg" | "gif" | "mp4" | "mov" => {
            problem!("{name} is a picture, not a bot").help("use the program itself")
        }
        _ => return Ok(()),
    };
    if begins_as_program(path) {
        return Ok(());
    }
    Err(refused)
}

/// Fails for a file that cannot be started: source that the arena does not build, a document, an archive.
pub fn startable(path: &Path) -> Result<(), Problem> {
    not_source(path)?;
    not_document(path)?;
    not_archive(path)
}

fn not_archive(path: &Path) -> Result<(), Problem> {
    let shown = path.display();
    let refused = match ending(path).as_str() {
        "zip" | "tar" | "gz" | "tgz" | "rar" | "7z" | "xz" | "bz2" => {
            problem!("{shown} is an archive, not a bot").help(
                "unpack it and name what is in it; `arena grade` takes a .zip or .tar.gz by its path alone",
            )
        }
        "jar" => problem!("{shown} is not a program by itself")
            .help(message!("write the command that starts it: \"java -jar {shown}\"")),
        _ => return Ok(()),
    };
    if begins_as_program(path) {
        return Ok(());
    }
    Err(refused)
}

/// Fails for source that the arena does not build, and for a TOML file, which a shell might interpret as a script.
pub fn not_source(path: &Path) -> Result<(), Problem> {
    let ending = ending(path);
    if ending == "toml" && path.file_name().is_none_or(|name| name != "Cargo.toml") {
        let (shown, folder) = (path.display(), folder_of(path).display());
        return Err(problem!("{shown} is a text with settings, not a program").help(message!(
            "to play a tournament file, type arena run {shown}; to use a bot with a bot.toml, give its folder: {folder}"
        )));
    }
    let Some((_, language)) = SOURCES.iter().find(|(known, _)| *known == ending) else {
        return Ok(());
    };
    Err(
        problem!("{} is {language} source, not a program", path.display()).help(
            "build it: put it into a folder with a bot.toml that has build = [...] and command = [...]",
        ),
    )
}

pub fn is_script(path: &Path) -> bool {
    interpreter(path).is_some() && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn systems_without_upper_case_give_upper_case_endings() {
        assert_eq!(interpreter(Path::new("BOT.PY")), Some("python3"));
    }

    #[test]
    fn files_that_cannot_start_are_refused_by_their_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        // Each case has a file's name, its first bytes, and the expected refusal, which is empty if the file can start.
        for (name, begin, refusal) in cases::<(String, String, String)>("startable") {
            let file = folder.path().join(&name);
            std::fs::write(&file, begin).expect("a file");
            match startable(&file) {
                Err(problem) if !refusal.is_empty() => {
                    assert!(
                        problem.what.to_string().contains(&refusal),
                        "{name}: {problem:?}"
                    );
                }
                found => assert!(found.is_ok() && refusal.is_empty(), "{name}: {found:?}"),
            }
        }
    }
}
