//! Shared parts of tests that run the program: folders, processes, and tables.

pub mod asked;
pub mod browser;
pub mod cross;
pub mod folders;
pub mod http;
#[cfg(target_os = "linux")]
pub mod place;
pub mod plan;
pub mod served;
pub mod wine;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{NamedTempFile, TempDir};

pub const PATIENCE: Duration = Duration::from_secs(120);

/// Deterministic bots of Othello, weakest first.
pub const OTHELLO_BOTS: &str = r#"
[[bot]]
use = "random"
[[bot]]
use = "greedy"
[[bot]]
use = "weights"
[[bot]]
use = "mobility"
[[bot]]
use = "minimax-ab"
options = { depth = 2 }
"#;

pub struct Workdir {
    folder: TempDir,
    program: PathBuf,
}

impl Workdir {
    pub fn new() -> Workdir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Workdir::with(folder, env!("CARGO_BIN_EXE_arena").into())
    }

    pub fn with(folder: TempDir, program: PathBuf) -> Workdir {
        Workdir { folder, program }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file in the test's folder");
        path
    }

    pub fn arena<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.command(&self.program);
        command.args(arguments);
        command
    }

    pub fn shell(&self, line: &str) -> Command {
        let mut command = self.command("sh");
        let folder = self.program.parent().expect("a folder").display();
        let path = PATH.to_string_lossy();
        command
            .args(["-c", line])
            .env("PATH", format!("{folder}:{path}"));
        command
    }

    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            // The expected output is English, whatever the system's language.
            .env_remove("LC_ALL")
            .env_remove("LC_MESSAGES")
            .env("LANG", "C.UTF-8")
            .env("PATH", &*PATH)
            .env("ARENA_TEST_SECRET", "not for bots")
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null());
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        self.arena(arguments).output().expect("the arena starts")
    }

    pub fn succeed<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", both(&output));
        String::from_utf8(output.stdout).expect("text")
    }

    pub fn exits<S: AsRef<OsStr>>(
        &self,
        code: i32,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        let output = self.run(arguments);
        let printed = both(&output);
        assert_eq!(output.status.code(), Some(code), "{printed}");
        printed
    }

    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> RunningProgram {
        RunningProgram::of(self.arena(arguments))
    }
}

thread_local! {
    static STARTED: RefCell<Vec<(u32, PathBuf)>> = const { RefCell::new(Vec::new()) };
}

/// Returns whether all programs of this test have ended, so that waiting is useless.
fn have_ended() -> bool {
    STARTED.with_borrow(|started| {
        !started.is_empty() && started.iter().all(|&(pid, _)| has_ended(pid))
    })
}

fn written() -> String {
    let log = |(pid, log): &(u32, PathBuf)| {
        let text = fs::read_to_string(log).unwrap_or_default();
        format!("process {pid} wrote:\n{text}\n")
    };
    STARTED.with_borrow(|started| started.iter().map(log).collect())
}

#[cfg(unix)]
fn has_ended(pid: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

/// This system does not show whether the process has ended, so the process counts as running.
#[cfg(not(unix))]
fn has_ended(_: u32) -> bool {
    false
}

pub fn both(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}

#[track_caller]
pub fn assert_contains(printed: &str, words: &[&str]) {
    for words in words {
        assert!(printed.contains(words), "{words:?} is not in: {printed}");
    }
}

pub struct RunningProgram {
    child: Child,
    log: NamedTempFile,
}

impl RunningProgram {
    pub fn of(mut command: Command) -> RunningProgram {
        let log = NamedTempFile::new().expect("a log");
        let handle = || log.as_file().try_clone().expect("a handle");
        let child = command
            .stdin(Stdio::piped())
            .stdout(handle())
            .stderr(handle())
            .spawn();
        let child = child.expect("the program starts");
        STARTED.with_borrow_mut(|started| started.push((child.id(), log.path().to_owned())));
        RunningProgram { child, log }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let status = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(status.expect("kill").success(), "signal {name}");
    }

    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child of ours")
    }

    pub fn kill(&mut self) {
        self.signal("KILL");
        self.wait();
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.wait_and(|_| ())
    }

    /// Waits for the end of the program, and calls `look` with the process number until then.
    pub fn wait_and(&mut self, mut look: impl FnMut(u32)) -> ExitStatus {
        let pid = self.pid();
        until("the arena ends", || {
            look(pid);
            self.ended()
        })
    }

    pub fn printed(&self) -> String {
        fs::read_to_string(self.log.path()).unwrap_or_default()
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        let pid = self.pid();
        // The thread may have dropped its list already.
        let _ = STARTED.try_with(|started| started.borrow_mut().retain(|(other, _)| *other != pid));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Calls `look` until it returns an answer. Panics after [`PATIENCE`], or when all programs of this test have ended.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        // Checks again after the end, so that the programs' last actions count.
        let is_over = have_ended();
        if let Some(answer) = look() {
            return answer;
        }
        if is_over || start.elapsed() > PATIENCE {
            break;
        }
        pause(start);
    }
    let how = if have_ended() {
        ": its programs have ended"
    } else {
        ""
    };
    panic!("waited in vain: {what}{how}\n{}", written());
}

/// Waits before the next look of a wait that began at `start`: the longer, the longer it has waited. A look can cost
/// some milliseconds, which the awaited program needs.
pub fn pause(start: Instant) {
    let least = Duration::from_millis(2);
    thread::sleep((start.elapsed() / 10).clamp(least, 50 * least));
}

pub fn once(what: &str, mut is_so: impl FnMut() -> bool) {
    until(what, || is_so().then_some(()));
}

pub type TableRow = BTreeMap<String, String>;

pub fn table(path: &Path) -> Vec<TableRow> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let rows = reader.deserialize();
    rows.map(|row| row.expect("rows as long as the header"))
        .collect()
}

/// A file in a script, whose lines follow the line `-- NAME --`.
pub struct ScriptFile {
    pub path: PathBuf,
    is_hex: bool,
}

impl ScriptFile {
    /// Makes the file that this line begins, if any. `+x` after its name makes it a program, `+hex` marks lines of bytes.
    pub fn begin(line: &str, folder: &Path) -> Option<ScriptFile> {
        let name = line.strip_prefix("-- ")?.strip_suffix(" --")?;
        let (name, kind) = name.split_once(" +").unwrap_or((name, ""));
        let path = folder.join(name);
        fs::create_dir_all(path.parent()?).expect("a folder");
        fs::write(&path, "").expect("a file");
        let mode = if kind.starts_with('x') { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("our own file");
        let is_hex = kind.ends_with("hex");
        Some(ScriptFile { path, is_hex })
    }

    pub fn add(&self, line: &str) {
        let more = if self.is_hex {
            let bytes = line.split_whitespace();
            let bytes = bytes.map(|byte| u8::from_str_radix(byte, 16).expect("two digits"));
            bytes.collect()
        } else {
            format!("{line}\n").into_bytes()
        };
        let before = fs::read(&self.path).expect("a file");
        fs::write(&self.path, [before, more].concat()).expect("a file");
    }
}

/// Compares a gauntlet of misbehaving bots with the expected verdicts, and returns the differences. A verdict is a
/// bot's name, its fault, and words of the fault's detail; with the fault `-`, the games end by the reason `healthy`.
pub fn misjudged<T: AsRef<str>>(run: &Path, healthy: &str, verdicts: &[(T, T, T)]) -> String {
    let games = table(&run.join("games.csv"));
    let mut wrong = String::new();
    for (bot, fault, detail) in verdicts {
        let (bot, fault, detail) = (bot.as_ref(), fault.as_ref(), detail.as_ref());
        let own = |game: &&TableRow| game["black"] == bot || game["white"] == bot;
        for game in games.iter().filter(own) {
            let (at_fault, reason) = (game["at_fault"].as_str(), game["reason"].as_str());
            let is_right = if fault == "-" {
                at_fault.is_empty() && reason == healthy
            } else {
                at_fault == bot && reason == fault && game["fault_detail"].contains(detail)
            };
            if !is_right {
                let came = &game["fault_detail"];
                wrong += &format!(
                    "{bot}: expected {fault} {detail:?}, found {reason} {at_fault:?} {came:?}\n"
                );
            }
        }
    }
    wrong
}

/// Returns a table without columns that vary: times, the start, attempts, interruptions, and warnings.
pub fn timeless(path: &Path) -> String {
    let keep = |name: &str| {
        let timing = ["started_unix_ms", "attempts", "warnings"].contains(&name);
        !timing && !name.ends_with("_ms") && !name.ends_with("_interruptions")
    };
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let header = reader.headers().expect("a header").clone();
    let columns: Vec<usize> = (0..header.len()).filter(|&at| keep(&header[at])).collect();
    let mut text = String::new();
    for row in std::iter::once(header).chain(reader.records().map(|row| row.expect("a row"))) {
        let cells: Vec<&str> = columns.iter().map(|&at| &row[at]).collect();
        text += &format!("{cells:?}\n");
    }
    text
}

pub fn timeless_tables(run: &Path) -> [String; 2] {
    ["games.csv", "moves.csv"].map(|name| timeless(&run.join(name)))
}

pub fn games_kept(run: &Path) -> u64 {
    let count = || -> rusqlite::Result<i64> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let record = rusqlite::Connection::open_with_flags(run.join("arena.db"), flags)?;
        record.query_row("SELECT count(*) FROM game", (), |row| row.get::<_, i64>(0))
    };
    count().map_or(0, |games| games as u64)
}

pub fn processes(word: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").expect("/proc").flatten();
    all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(word))
        .collect()
}

pub fn wait_for_no_process(word: &str) {
    wait_for_cleanup(|| processes(word));
}

/// Waits until other programs have cleaned up after the end of this test's programs.
pub fn wait_for_cleanup<T: std::fmt::Debug>(left: impl Fn() -> Vec<T>) {
    let start = Instant::now();
    loop {
        let left = left();
        if left.is_empty() {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "still there: {left:?}\n{}",
            written()
        );
        pause(start);
    }
}

/// Returns the command of `misbehave.py` in this mode as words of a TOML list. `marker` is an argument of the bot.
pub fn misbehave(mode: &str, marker: &str) -> String {
    let script = misbehave_script();
    // Without site packages, Python starts three times as fast.
    let words = [&python(), "-ES", &script, mode, marker];
    words.map(|word| format!("{word:?}")).join(", ")
}

pub fn misbehave_script() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/misbehave.py");
    script.display().to_string()
}

/// The number of subjects that are tested at the same time. The tests mostly wait.
const WORKERS: usize = 4;

pub fn assert_nothing_is_wrong<T: Sync>(
    subjects: &[T],
    look: impl Fn(&T) -> Option<String> + Sync,
) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(String::new()));
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = look(subject).unwrap_or_default();
                    *wrong.lock().unwrap_or_else(PoisonError::into_inner) += &found;
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_default();
    assert!(wrong.is_empty(), "{wrong}");
}

/// The number of attempts per subject. Three are not enough on a busy machine; on an idle machine, one usually is.
const ATTEMPTS: usize = 12;

/// Returns the arena's judgement of a bot. Tries again after status 4 (a busy machine); `None` if it stays busy.
pub fn judged<'a>(
    workdir: &Workdir,
    words: &(impl Iterator<Item = &'a str> + Clone),
) -> Option<Output> {
    let mut attempts = (0..ATTEMPTS).map(|_| workdir.run(words.clone()));
    attempts.find(|output| output.status.code() != Some(4))
}

/// Returns the path of a Python interpreter that starts fast.
pub fn python() -> String {
    INTERPRETER.clone().expect("python3 is installed")
}

/// An environment without site packages. A script such as pyenv's, and packages that are imported at each start, take
/// ten times as long as the interpreter itself, and the tests start it thousands of times.
static INTERPRETER: LazyLock<Option<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let words = ["-m", "venv", "--without-pip"];
    let made = Command::new("python3").args(words).arg(&folder).status();
    let python = folder.join("bin/python3");
    let made = made.ok()?.success();
    made.then(|| python.to_string_lossy().into_owned())
});

/// The `PATH` of this process, with the folder of the Python interpreter first.
static PATH: LazyLock<OsString> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folder = INTERPRETER
        .as_ref()
        .and_then(|file| Path::new(file).parent());
    let folders = folder.map(Path::to_owned).into_iter();
    std::env::join_paths(folders.chain(std::env::split_paths(&path))).expect("folders")
});
