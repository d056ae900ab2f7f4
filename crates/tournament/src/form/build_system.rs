//! A folder with a build system of its own: `Makefile`, `CMakeLists.txt`, `Cargo.toml`, `go.mod`. `build.sh` builds the
//! folder, then makes `arena-bot` a link to the program. Words in the sources show the protocol.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use host::Walk;
use referee::bot::{is_generated_or_installed, read_regular};
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::kind::Form;
use super::recognised::{Recognised, manifest};
use super::source::need;
use super::{frame, source};
use crate::file_kind::ending;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct System {
    file: &'static str,
    word: &'static str,
    tool: &'static str,
    /// The name of the package in Debian and Ubuntu that has the tool.
    package: &'static str,
}

const SYSTEMS: [System; 6] = [
    system("Makefile", "make", "make", "make"),
    system("makefile", "make", "make", "make"),
    system("GNUmakefile", "make", "make", "make"),
    system("CMakeLists.txt", "cmake", "cmake", "cmake"),
    system("Cargo.toml", "cargo", "cargo", "cargo"),
    system("go.mod", "go", "go", "golang-go"),
];

const fn system(
    file: &'static str,
    word: &'static str,
    tool: &'static str,
    package: &'static str,
) -> System {
    System {
        file,
        word,
        tool,
        package,
    }
}

/// To recognise the protocol, at most this many bytes of sources are read, from files with the endings `SOURCES`.
pub const MOST: u64 = 4 << 20;
const SOURCES: [&str; 14] = [
    "c", "cc", "cpp", "cxx", "h", "hpp", "hh", "rs", "go", "java", "kt", "cs", "py", "ts",
];

impl System {
    pub fn of(path: &Path) -> Option<System> {
        let name = path.file_name()?;
        SYSTEMS.into_iter().find(|system| name == system.file)
    }

    pub fn in_folder(folder: &Path) -> Option<PathBuf> {
        let mut files = SYSTEMS.iter().map(|system| folder.join(system.file));
        files.find(|file| file.is_file())
    }
}

pub fn recognised(
    system: System,
    path: &Path,
    own: &Path,
    form: Option<Form>,
    speaks: Option<Protocol>,
) -> Result<Recognised, Problem> {
    need(system.tool, system.package, system.file)?;
    // The build system may be in an inner folder of the bot's folder.
    let inner = path.parent().unwrap_or(own);
    let text = sources(inner);
    let form = form.or_else(|| Form::of_program(&text));
    let word = if form == Some(Form::Caltech) {
        "caltech"
    } else {
        system.word
    };
    let mut manifest = manifest(vec!["./arena-bot".to_owned()]);
    manifest.build = Some(vec![
        "sh".to_owned(),
        frame::file("build.sh")?,
        word.to_owned(),
    ]);
    let mut found = Recognised {
        manifest,
        folder: inner.to_owned(),
        note: None,
        form: None,
    };
    if let Some(form) = form {
        found.put_into(form, &text)?;
        return Ok(found);
    }
    let is_brain = || builds_brain(path).then_some(Protocol::Gomocup);
    let seems = source::spoken(&text).or_else(is_brain);
    found.speak(speaks, seems);
    Ok(found)
}

/// Returns whether a Makefile or a similar file contains a name with `pbrain-`, which Gomocup requires of engines.
pub fn builds_brain(path: &Path) -> bool {
    let text = read_regular(path, MOST).unwrap_or_default();
    String::from_utf8_lossy(&text).contains("pbrain-")
}

fn is_script(path: &Path) -> bool {
    let mut begin = [0; 2];
    let file = host::open_regular(path);
    file.is_ok_and(|mut file| file.read_exact(&mut begin).is_ok()) && begin == *b"#!"
}

pub fn sources(folder: &Path) -> String {
    let (mut text, mut walk) = (String::new(), Walk::of(folder));
    while let Some(Ok((inner, data))) = walk.next() {
        let path = folder.join(&inner);
        if is_generated_or_installed(&path) {
            walk.leave_out();
            continue;
        }
        let is_source = match ending(&path).as_str() {
            "" => is_script(&path),
            ending => SOURCES.contains(&ending),
        };
        let left = MOST.saturating_sub(text.len() as u64);
        if is_source && data.is_file() && data.len() <= left {
            let bytes = read_regular(&path, left).unwrap_or_default();
            text += &String::from_utf8_lossy(&bytes);
            text.push('\n');
        }
    }
    text
}

pub fn has_sources(folder: &Path) -> bool {
    let files = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let is_source = |path: &Path| source::Language::of(path).is_some();
    files(folder).any(|entry| {
        let path = entry.path();
        is_source(&path)
            || !is_generated_or_installed(&path)
                && path.is_dir()
                && files(&path).any(|entry| is_source(&entry.path()))
    })
}
