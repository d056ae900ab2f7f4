//! What to start for a bot: program, arguments, folder, environment.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use host::{Crew, Process, Program, Refusal, StartError, Streams, join_words, program_file};

use super::{ArenaError, Failure};
use crate::dialect::Protocol;
use crate::problem::without_numbers;
use crate::record::Fault;

/// Variables of the arena's environment that a bot may see: those that find interpreters and set the
/// text encoding. All others are hidden.
const ENVIRONMENT: [&str; 26] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "JAVA_HOME",
    "NODE_PATH",
    "NO_COLOR",
    // Without these some programs of Windows do not start, or find no place for their files.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
];

/// Additional variables for a build: those that find its compiler and the compiler's files.
const BUILD_ENVIRONMENT: [&str; 8] = [
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "XDG_CACHE_HOME",
    "CC",
    "CXX",
];

/// How a bot's process is started, and in which protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it starts in; `None`: the arena's own.
    pub folder: Option<PathBuf>,
    /// How to install the program, for the message that it is missing.
    pub install: Option<String>,
    /// Its protocol.
    pub protocol: Protocol,
    /// Lines in that protocol that are sent before each game; none in the arena's own.
    pub setup: Vec<String>,
    /// Whom its process ends with; by default every other that is not told otherwise.
    pub crew: Crew,
}

impl Launch {
    /// Starts the process with pipes on its three standard streams.
    pub(super) fn start(&self) -> Result<Process, Failure> {
        let program = self.program(&[]);
        let process = Process::start(&program, Streams::Dialogue, &self.crew);
        process.map_err(|error| self.refused(error))
    }

    /// Starts the process as that of a build, which has no input.
    pub(super) fn start_build(&self) -> Result<Process, Failure> {
        let program = self.program(&BUILD_ENVIRONMENT);
        let process = Process::start(&program, Streams::Report, &self.crew);
        process.map_err(|error| self.refused(error))
    }

    fn program(&self, further: &[&'static str]) -> Program {
        Program {
            path: self.resolved_program(),
            arguments: self.arguments.clone(),
            folder: self.folder.clone(),
            variables: [&ENVIRONMENT, further].concat(),
        }
    }

    /// Who is responsible if the system did not start the program.
    pub(super) fn refused(&self, error: StartError) -> Failure {
        match error {
            StartError::Refused(refusal, error) => {
                let why = self.explain(refusal, &error);
                Fault::StartFailed { why }.into()
            }
            StartError::Exhausted(error) => ArenaError::Spawn(error).into(),
            StartError::GivenUp => ArenaError::Aborted.into(),
            StartError::NotSupported => ArenaError::NotSupported.into(),
        }
    }

    /// The command as it would be typed in a shell.
    pub fn display(&self) -> String {
        let words = std::iter::once(self.program.as_os_str())
            .chain(self.arguments.iter().map(OsString::as_os_str))
            .map(|word| word.to_string_lossy().into_owned());
        join_words(words.collect::<Vec<_>>().iter().map(String::as_str))
    }

    /// The files named by this command, for the hash that says which version of a bot played:
    /// the program and every argument that is a file.
    pub fn files(&self) -> Vec<PathBuf> {
        let folder = self.folder.clone().unwrap_or_default();
        let words = std::iter::once(self.resolved_program())
            .chain(self.arguments.iter().map(|word| folder.join(word)));
        words.filter(|path| path.is_file()).collect()
    }

    /// A program with a slash is meant from the bot's folder; the system would look from ours. One
    /// without is looked for among the games, too, which not everybody has in the `PATH`.
    pub(super) fn resolved_program(&self) -> PathBuf {
        match &self.folder {
            Some(folder) if self.program.components().count() > 1 => {
                program_file(&folder.join(&self.program))
            }
            Some(_) | None => among_games(&self.program).unwrap_or_else(|| self.program.clone()),
        }
    }

    fn lies_in_its_folder(&self) -> bool {
        let folder = self.folder.as_deref().unwrap_or(Path::new("."));
        folder.join(&self.program).is_file()
    }

    /// Whether the program is a script whose first line names an interpreter and ends with CR LF.
    fn begins_with_windows_line(&self) -> bool {
        let mut start = Vec::new();
        let file = std::fs::File::open(self.resolved_program());
        let read = file.and_then(|file| file.take(FIRST_LINE).read_to_end(&mut start));
        let line = start
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        read.is_ok() && line.starts_with(b"#!") && line.ends_with(b"\r")
    }

    fn explain(&self, refusal: Refusal, error: &io::Error) -> String {
        let program = self.program.display();
        if let Some(folder) = self.folder.as_deref().filter(|folder| !folder.is_dir()) {
            return format!("there is no folder {}", folder.display());
        }
        let is_looked_for = self.program.components().count() == 1;
        let exists = !is_looked_for && self.resolved_program().exists();
        match refusal {
            Refusal::NotFound if exists && self.begins_with_windows_line() => format!(
                "{program}: its first line ends with a carriage return (CR), as on Windows, which is \
                 taken for a part of the interpreter's name: save the file with LF line ends, or \
                 type sed -i 's/\\r$//' {program}"
            ),
            Refusal::NotFound if exists => {
                format!("{program}: the interpreter named in its first line is not there")
            }
            Refusal::NotFound if is_looked_for && self.lies_in_its_folder() => format!(
                "there is no program {program} in the PATH: ./{program} is the one in its \
                 folder"
            ),
            Refusal::NotFound => match &self.install {
                Some(how) => format!("there is no program {program}: try {how}"),
                None => format!("there is no program {program}"),
            },
            Refusal::NotAllowed if exists => {
                format!("{program} is not executable: try chmod +x {program}")
            }
            Refusal::NotAProgram => format!(
                "{program} is not a program for this machine, or a script without a first line such \
                 as #!/usr/bin/env python3"
            ),
            _ => without_numbers(&format!("{program}: {error}")),
        }
    }
}

/// The most bytes of a script's first line that a system reads.
const FIRST_LINE: u64 = 256;

/// Where Debian keeps its games.
const GAMES: &str = "/usr/games";

/// The game called `program`, where the `PATH` has no such program.
fn among_games(program: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_known = program.components().count() != 1
        || std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let game = Path::new(GAMES).join(program);
    (!is_known && game.is_file()).then_some(game)
}
