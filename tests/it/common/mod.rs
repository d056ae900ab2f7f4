//! What the tests that run the binary share: a folder to work in, the arena as a process, its
//! tables, and a look at the processes it leaves behind.

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
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::{NamedTempFile, TempDir};

/// Longer than anything here takes; reached only where something hangs.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks at a condition.
const LOOK: Duration = Duration::from_millis(2);
/// How many looks at a condition come before each look at the programs.
const LOOKS_A_CHECK: u32 = 50;

/// Bots of Othello that always answer the same, weakest first.
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

/// A folder of a test's own, in which the arena is run.
pub struct Desk {
    folder: TempDir,
    program: PathBuf,
}

impl Desk {
    /// An empty folder.
    pub fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Desk::with(folder, env!("CARGO_BIN_EXE_arena").into())
    }

    /// This folder, with this program for an arena.
    pub fn with(folder: TempDir, program: PathBuf) -> Desk {
        Desk { folder, program }
    }

    /// A path in it.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file in the test's folder");
        path
    }

    /// The arena with these arguments, to be run in the folder.
    pub fn arena<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.command(&self.program);
        command.args(arguments);
        command
    }

    /// A shell for one line, in which `arena` is the arena.
    pub fn shell(&self, line: &str) -> Command {
        let mut command = self.command("sh");
        let folder = self.program.parent().expect("a folder").display();
        let path = PATH.to_string_lossy();
        command
            .args(["-c", line])
            .env("PATH", format!("{folder}:{path}"));
        command
    }

    /// A program, to be run in the folder as the arena is.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            // What is expected is English, whatever the system is set to.
            .env_remove("LC_ALL")
            .env_remove("LC_MESSAGES")
            .env("LANG", "C.UTF-8")
            .env("PATH", &*PATH)
            .env("ARENA_TEST_SECRET", "not for bots")
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null());
        command
    }

    /// Runs the arena to its end.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        self.arena(arguments).output().expect("the arena starts")
    }

    /// Runs the arena, which is to succeed, and returns its standard output.
    pub fn succeed<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", both(&output));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs the arena, which is to end with this exit status, and returns all that it said.
    pub fn exits<S: AsRef<OsStr>>(
        &self,
        code: i32,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        let output = self.run(arguments);
        let said = both(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        said
    }

    /// Starts the arena and does not wait for it.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Running {
        Running::of(self.arena(arguments))
    }
}

thread_local! {
    /// The programs that this test has started and that may still run, with their logs.
    static STARTED: RefCell<Vec<(u32, PathBuf)>> = const { RefCell::new(Vec::new()) };
}

/// Whether this test has started programs and all of them have ended by themselves: what it waits for will not come.
fn have_ended() -> bool {
    STARTED.with_borrow(|started| {
        !started.is_empty() && started.iter().all(|&(pid, _)| has_ended(pid))
    })
}

/// What the programs of this test wrote.
fn written() -> String {
    let log = |(pid, log): &(u32, PathBuf)| {
        let text = fs::read_to_string(log).unwrap_or_default();
        format!("process {pid} wrote:\n{text}\n")
    };
    STARTED.with_borrow(|started| started.iter().map(log).collect())
}

/// Whether this process, with all its threads, has ended while no test waited for its end.
#[cfg(unix)]
fn has_ended(pid: u32) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

/// The system is not asked: a process counts as running.
#[cfg(not(unix))]
fn has_ended(_: u32) -> bool {
    false
}

/// All that a process wrote.
pub fn both(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}

/// All of these words stand in what was said.
#[track_caller]
pub fn says(said: &str, words: &[&str]) {
    for words in words {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
}

/// An arena, or another program, that is running.
pub struct Running {
    child: Child,
    log: NamedTempFile,
}

impl Running {
    /// Starts a program; what it says goes to a log of its own, and its input stays open and empty.
    pub fn of(mut command: Command) -> Running {
        let log = NamedTempFile::new().expect("a log");
        let handle = || log.as_file().try_clone().expect("a handle");
        let child = command
            .stdin(Stdio::piped())
            .stdout(handle())
            .stderr(handle())
            .spawn();
        let child = child.expect("the program starts");
        STARTED.with_borrow_mut(|started| started.push((child.id(), log.path().to_owned())));
        Running { child, log }
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by its name: `INT`, `KILL`, `STOP`.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let status = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(status.expect("kill").success(), "signal {name}");
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child of ours")
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.signal("KILL");
        self.wait();
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        self.wait_and(|_| ())
    }

    /// Waits for its end and looks at it all the while.
    pub fn wait_and(&mut self, mut look: impl FnMut(u32)) -> ExitStatus {
        let pid = self.pid();
        until("the arena ends", || {
            look(pid);
            self.ended()
        })
    }

    /// Its output so far.
    pub fn said(&self) -> String {
        fs::read_to_string(self.log.path()).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let pid = self.pid();
        // A thread that ends has forgotten them.
        let _ = STARTED.try_with(|started| started.borrow_mut().retain(|(other, _)| *other != pid));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Looks until there is an answer. Fails with what the programs of this test wrote: after [`PATIENCE`], and at once when
/// all of them have ended.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    for looks in 1.. {
        // Once more after the end of all: the last that they did counts.
        let is_over = looks % LOOKS_A_CHECK == 0 && have_ended();
        if let Some(answer) = look() {
            return answer;
        }
        if is_over || start.elapsed() > PATIENCE {
            break;
        }
        thread::sleep(LOOK);
    }
    let how = if have_ended() {
        ": its programs have ended"
    } else {
        ""
    };
    panic!("waited in vain: {what}{how}\n{}", written());
}

/// Looks until it is so.
pub fn once(what: &str, mut is_so: impl FnMut() -> bool) {
    until(what, || is_so().then_some(()));
}

/// A row of a table: its cells by the names of their columns.
pub type Row = BTreeMap<String, String>;

/// The rows of a table.
pub fn table(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let rows = reader.deserialize();
    rows.map(|row| row.expect("rows as long as the header"))
        .collect()
}

/// What is wrong with a gauntlet in `run` of bots that misbehave: for each its name, what is charged
/// (`-`: nothing, its games end by `healthy`) and words that the detail holds.
pub fn misjudged<T: AsRef<str>>(run: &Path, healthy: &str, verdicts: &[(T, T, T)]) -> String {
    let games = table(&run.join("games.csv"));
    let mut wrong = String::new();
    for (bot, fault, detail) in verdicts {
        let (bot, fault, detail) = (bot.as_ref(), fault.as_ref(), detail.as_ref());
        let own = |game: &&Row| game["black"] == bot || game["white"] == bot;
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
                    "{bot}: {fault} {detail:?} was due, {reason} {at_fault:?} {came:?} came\n"
                );
            }
        }
    }
    wrong
}

/// A table without the columns that may differ from run to run: times, when it began, how often a
/// game was played, warnings.
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

/// The tables of a run's games and moves, without those columns.
pub fn timeless_tables(run: &Path) -> [String; 2] {
    ["games.csv", "moves.csv"].map(|name| timeless(&run.join(name)))
}

/// How many games the record of a run holds; 0 while there is no record.
pub fn games_kept(run: &Path) -> u64 {
    let count = || -> rusqlite::Result<i64> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let record = rusqlite::Connection::open_with_flags(run.join("arena.db"), flags)?;
        record.query_row("SELECT count(*) FROM game", (), |row| row.get::<_, i64>(0))
    };
    count().map_or(0, |games| games as u64)
}

/// Processes whose command line holds `word`. Those that have ended have none.
pub fn processes(word: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").expect("/proc").flatten();
    all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(word))
        .collect()
}

/// Waits until no process has `word` in its command line.
pub fn nobody_is_left(word: &str) {
    others_see_to_it(|| processes(word));
}

/// Waits until nothing is left of what others remove, although the programs of the test have ended.
pub fn others_see_to_it<T: std::fmt::Debug>(left: impl Fn() -> Vec<T>) {
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
        thread::sleep(LOOK);
    }
}

/// `misbehave.py` in this mode as the words of a TOML list; `marker` finds its processes.
pub fn misbehave(mode: &str, marker: &str) -> String {
    let script = misbehave_script();
    // Without the site's packages it starts three times as fast.
    let words = [&python(), "-ES", &script, mode, marker];
    words.map(|word| format!("{word:?}")).join(", ")
}

/// Where it lies.
pub fn misbehave_script() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/misbehave.py");
    script.display().to_string()
}

/// How many subjects are looked at at the same time: most of the time is waiting.
const LANES: usize = 4;

/// Looks at all subjects, some at the same time, for what is wrong with them.
pub fn nothing_is_wrong<T: Sync>(subjects: &[T], look: impl Fn(&T) -> Option<String> + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(String::new()));
    thread::scope(|scope| {
        for _ in 0..LANES {
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

/// How often a subject is examined on a busy machine. On an idle machine few are examined twice; on a
/// busy one three attempts were not enough.
const ATTEMPTS: usize = 12;

/// What the arena says of a bot; `None` where the machine is too busy. It cannot judge a bot then, and
/// exits with status 4: it tries again.
pub fn judged<'a>(desk: &Desk, words: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Output> {
    let mut attempts = (0..ATTEMPTS).map(|_| desk.run(words.clone()));
    attempts.find(|output| output.status.code() != Some(4))
}

/// The interpreter itself: a script that chooses one, such as pyenv's, takes ten times as long to start.
pub fn python() -> String {
    INTERPRETER.clone().expect("python3 is installed")
}

static INTERPRETER: LazyLock<Option<String>> = LazyLock::new(|| {
    let words = ["-c", "import sys; print(sys.executable)"];
    let output = Command::new("python3").args(words).output().ok()?;
    let path = String::from_utf8(output.stdout).expect("a path");
    Some(path.trim().to_owned())
});

/// The `PATH` of this process, with the folder of that interpreter before all others.
static PATH: LazyLock<OsString> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folder = INTERPRETER
        .as_ref()
        .and_then(|file| Path::new(file).parent());
    let folders = folder.map(Path::to_owned).into_iter();
    std::env::join_paths(folders.chain(std::env::split_paths(&path))).expect("folders")
});
