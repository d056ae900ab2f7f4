//! The start of a bot: program, arguments, folder, environment; and the reasons why it fails.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use host::{
    Process, ProcessGroup, Program, Refusal, Sandbox, StartError, Streams, TemporaryFolder,
    join_words, program_file,
};

use super::{ArenaError, Failure, cache};
use crate::dialect::{Protocol, ResourceLimits};
use crate::record::Fault;
use message::{Message, Value, message};

/// Environment variables of the arena that a bot may see. They locate interpreters and set the text encoding.
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
    // Some programs on Windows need these to start or to find a place for their files.
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

/// The variable that names the folder that is kept between games.
const KEPT: &str = "ARENA_FOLDER";

/// Further variables for a build. They locate the compiler and its files, but no cache: a sandbox has its own.
const BUILD_ENVIRONMENT: [&str; 6] = ["CARGO_HOME", "RUSTUP_HOME", "GOPATH", "GOROOT", "CC", "CXX"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// `None`: the arena's own folder.
    pub folder: Option<PathBuf>,
    /// The command that installs the program, for the message about a missing program.
    pub install: Option<String>,
    pub protocol: Protocol,
    /// Lines in the protocol that are sent before each game; none in the arena's own protocol.
    pub setup: Vec<String>,
    /// The greeting that worked, if it was not the usual one. Clones share it, so a run finds it only once.
    pub known_greeting: KnownGreeting,
    /// The process group of the bot, whose processes are killed together; by default the group of this program.
    pub process_group: ProcessGroup,
    pub own: Vec<PathBuf>,
    pub asks: Asks,
    /// Further environment variables of the arena that the bot asks for, such as the key of a service.
    pub environment: Vec<String>,
    /// Whether the command comes from a bot's manifest, not from the arena's user. In a sandbox, a user's command may
    /// name any program. A manifest's command must name a program in the bot's folder or in the `PATH`.
    pub is_from_manifest: bool,
    /// Whether the command is a script of the arena (a frame) that starts the bot's program for each turn.
    pub starts_turns: bool,
    /// `None`: the bot has the rights of the arena.
    pub sandbox: Option<Sandbox>,
    /// Whether Python must not write compiled modules into the bot's folder: they would change a hand-in.
    pub writes_no_bytecode: bool,
    pub kept: Option<PathBuf>,
    /// The number of cores for the bot; `None`: no restriction.
    pub cores: Option<usize>,
    /// The numbers of the cores on which the bot starts; empty: the cores of the thread that starts it.
    pub on: Vec<usize>,
}

/// The greeting that works with the bot: see [`crate::dialect::EngineAdapter::use_style`]. Comparisons ignore it.
#[derive(Clone, Debug, Default)]
pub struct KnownGreeting(Arc<OnceLock<(usize, Message)>>);

impl KnownGreeting {
    pub fn other(&self) -> Option<&Message> {
        self.0.get().map(|(_, about)| about)
    }

    pub(super) fn number(&self) -> Option<usize> {
        self.0.get().map(|&(number, _)| number)
    }

    pub(super) fn remember(&self, number: usize, about: Message) {
        // `set` fails if another process of the bot has already remembered a greeting.
        let _ = self.0.set((number, about));
    }
}

impl PartialEq for KnownGreeting {
    fn eq(&self, _: &KnownGreeting) -> bool {
        true
    }
}

impl Eq for KnownGreeting {}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    pub processes: Option<u64>,
    pub disk_mib: Option<u64>,
    pub keep_folder: bool,
}

impl Launch {
    pub(super) fn is_turn_by_turn(&self) -> bool {
        self.starts_turns || self.protocol.is_turn_by_turn()
    }

    pub(super) fn start(&self) -> Result<Process, Failure> {
        let mut program = self.program(&[]);
        program.variables.extend(self.environment.iter().cloned());
        if self.protocol.is_turn_by_turn() {
            if program.path.components().count() > 1 && !program.path.exists() {
                let why = self.explain(Refusal::NotFound, &io::ErrorKind::NotFound.into());
                return Err(Fault::StartFailed { why }.into());
            }
            program = program.turn_by_turn().map_err(ArenaError::Spawn)?;
        }
        let start = || Process::start(&program, Streams::Dialogue, &self.process_group);
        let process = host::on_cores(&self.on, start);
        process.map_err(|error| self.refused(error))
    }

    pub(super) fn start_build(&self) -> Result<Process, Failure> {
        let program = self.program(&BUILD_ENVIRONMENT);
        let process = Process::start(&program, Streams::Report, &self.process_group);
        process.map_err(|error| self.refused(error))
    }

    fn program(&self, further: &[&'static str]) -> Program {
        Program {
            path: self.resolved_program(),
            arguments: self.arguments.clone(),
            folder: self.folder.clone(),
            variables: ENVIRONMENT
                .iter()
                .chain(further)
                .map(ToString::to_string)
                .collect(),
            settings: self.settings(),
            sandbox: self.sandbox.clone(),
            is_turn_by_turn: self.starts_turns,
        }
    }

    /// Returns the file or folder that forces the bot to run as the arena's user: see [`host::closed_for`].
    pub fn closed(&self) -> Option<PathBuf> {
        host::closed_for(&self.program(&[]))
    }

    pub fn keep(&mut self, folder: PathBuf) {
        if let Some(sandbox) = &mut self.sandbox {
            sandbox.writable.push(folder.clone());
        }
        self.kept = Some(folder);
    }

    /// Outside a run, a bot that asks for a kept folder gets a temporary one, which is removed with the returned value.
    pub(super) fn keep_for_now(&mut self) -> Result<Option<TemporaryFolder>, Failure> {
        if !self.asks.keep_folder || self.kept.is_some() {
            return Ok(None);
        }
        let folder = TemporaryFolder::new("arena-", None).map_err(ArenaError::Spawn)?;
        self.keep(folder.path().to_owned());
        Ok(Some(folder))
    }

    fn settings(&self) -> Vec<(&'static str, OsString)> {
        let kept = self.kept.iter().map(|folder| (KEPT, folder.into()));
        let mut settings: Vec<_> = kept.collect();
        if self.writes_no_bytecode {
            settings.push(("PYTHONDONTWRITEBYTECODE", "1".into()));
        }
        settings
    }

    pub(super) fn limits(&self) -> ResourceLimits {
        let sandbox = self.sandbox.as_ref();
        ResourceLimits {
            processes: sandbox.and_then(|sandbox| sandbox.processes),
            disk_mib: sandbox.and_then(|sandbox| sandbox.disk_mib),
            cores: sandbox.and(self.cores).map(|cores| cores as u64),
        }
    }

    /// Hides this folder from the sandbox. Also hides its siblings (other runs), unless the bot needs one of them.
    pub fn hide(&mut self, folder: &Path) {
        let Some(sandbox) = &mut self.sandbox else {
            return;
        };
        let mut folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if folder.iter().any(|part| part == "..") {
            // The parent of `a/..` is not `a`.
            folder = folder.canonicalize().unwrap_or(folder);
        }
        let parent = folder.parent().map(Path::to_owned);
        sandbox.hidden.push(folder);
        let seen = sandbox.readable.iter().chain(&sandbox.writable);
        if let Some(parent) = parent
            && !seen
                .chain(&self.folder)
                .any(|path| path.starts_with(&parent))
        {
            sandbox.hidden.push(parent);
        }
    }

    pub fn move_to(&mut self, original: &Path, copy: &Path) {
        let moved = |path: &Path| {
            let inner = path.strip_prefix(original).ok()?;
            Some(if inner == Path::new("") {
                copy.to_owned()
            } else {
                copy.join(inner)
            })
        };
        let folders = self.folder.iter_mut().chain(&mut self.own);
        for path in folders.chain([&mut self.program]) {
            *path = moved(path).unwrap_or_else(|| path.clone());
        }
        for word in &mut self.arguments {
            *word = moved(Path::new(word)).map_or_else(|| word.clone(), Into::into);
        }
    }

    pub fn enclose(&mut self, sandbox: &Sandbox) {
        let mut sandbox = sandbox.clone();
        sandbox.readable.extend(self.own.iter().cloned());
        if !self.is_from_manifest {
            sandbox.programs.push(self.resolved_program());
        }
        self.sandbox = Some(sandbox);
    }

    pub(super) fn enclose_build(&mut self, sandbox: &Sandbox) {
        self.enclose(sandbox);
        if let Some(sandbox) = &mut self.sandbox {
            sandbox.writable.extend(self.folder.clone());
            sandbox.builds = true;
            sandbox.network = false;
        }
    }

    pub(super) fn refused(&self, error: StartError) -> Failure {
        match error {
            StartError::Refused(refusal, error) => {
                let why = self.explain(refusal, &error);
                Fault::StartFailed { why }.into()
            }
            StartError::Exhausted(error) => ArenaError::Spawn(error).into(),
            StartError::GroupKilled => ArenaError::Aborted.into(),
            StartError::NoBox(why) => ArenaError::NoBox(why).into(),
            StartError::NotSupported => ArenaError::NotSupported.into(),
        }
    }

    /// Returns whether the arguments include a script of the arena, such as the frame of a course's player.
    pub fn has_frame(&self) -> bool {
        let mut words = self.arguments.iter().map(Path::new);
        words.any(|word| word.starts_with(cache("frames")))
    }

    pub fn display(&self) -> String {
        join_words(self.words().iter().map(String::as_str))
    }

    pub fn words(&self) -> Vec<String> {
        let words = std::iter::once(self.program.as_os_str())
            .chain(self.arguments.iter().map(OsString::as_os_str));
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    /// Returns the files in this command, for the hash of a bot's version: the program, and files in its arguments.
    pub fn files(&self) -> Vec<PathBuf> {
        let folder = self.folder.clone().unwrap_or_default();
        let file = |word: &OsString| {
            let text = word.to_str().filter(|text| text.starts_with('-'));
            let value = text.and_then(|text| Some(folder.join(text.split_once('=')?.1)));
            [Some(folder.join(word)), value]
        };
        let words = self.arguments.iter().flat_map(file).flatten();
        let all = std::iter::once(self.resolved_program()).chain(words);
        all.filter(|path| path.is_file()).collect()
    }

    /// Returns the program's path. A path with a slash is relative to the bot's folder; the system would resolve it in
    /// the arena's folder. A name is also looked up in the system's folder of games, which not every `PATH` has.
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

    fn explain(&self, refusal: Refusal, error: &io::Error) -> Message {
        let program = self.program.display();
        if let Some(folder) = self.folder.as_deref().filter(|folder| !folder.is_dir()) {
            return message!("there is no folder {}", folder.display());
        }
        let is_looked_for = self.program.components().count() == 1;
        let is_inside = || {
            // Dots and links may lead out of the folder.
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let own = self.folder.as_deref();
            own.is_some_and(|own| real(&self.resolved_program()).starts_with(real(own)))
        };
        if self.sandbox.is_some() && self.is_from_manifest && !is_looked_for && !is_inside() {
            return message!(
                "{program} is missing in the sandbox, which contains only the bot's own files and the programs of \
                 the system"
            );
        }
        let exists = !is_looked_for && self.resolved_program().exists();
        match refusal {
            Refusal::NotFound if exists && self.begins_with_windows_line() => message!(
                "{program}: its first line ends with a carriage return (CR), which the system takes as \
                 part of the interpreter's name. Save the file with LF line ends, or run sed -i \
                 's/\\r$//' {program}"
            ),
            // Windows ignores a script's first line, and finds the interpreter by the extension.
            Refusal::NotFound if exists && cfg!(windows) => message!("{program}: {error}"),
            Refusal::NotFound if exists => {
                message!("{program}: the interpreter in the first line of this file does not exist")
            }
            Refusal::NotFound if is_looked_for && self.lies_in_its_folder() => message!(
                "the PATH has no program {program}: write ./{program} for the program in the bot's folder"
            ),
            Refusal::NotFound => match &self.install {
                Some(how) => message!(
                    "there is no program {program}; its bot.toml says: {}",
                    Value::name(how)
                ),
                None => message!("there is no program {program}"),
            },
            Refusal::NotAllowed if exists => {
                message!("{program} is not executable: try chmod +x {program}")
            }
            Refusal::NotAProgram if cfg!(windows) => message!(
                "{program} is not a program for this machine: begin the command with its interpreter, such as \
                 python3 or node"
            ),
            Refusal::NotAProgram => message!(
                "{program} is not a program for this machine, or a script without a first line such \
                 as #!/usr/bin/env python3"
            ),
            _ => message!("{program}: {error}"),
        }
    }
}

/// The number of bytes of a script's first line that a system reads.
const FIRST_LINE: u64 = 256;

const GAMES: &str = "/usr/games";

/// Returns the path of `program` in the system's folder of games, if the `PATH` has no such program.
fn among_games(program: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_known = program.components().count() != 1
        || std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let game = Path::new(GAMES).join(program);
    (!is_known && game.is_file()).then_some(game)
}
