//! What the tests that run the binary share: a folder to work in, the arena as a process, its
//! tables, and a look at the processes it leaves behind.

pub mod folders;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longer than anything here takes; reached only where something hangs.
pub const PATIENCE: Duration = Duration::from_mins(2);
/// Between two looks at a condition.
const LOOK: Duration = Duration::from_millis(2);

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
}

impl Desk {
    /// An empty folder.
    pub fn new() -> Desk {
        Desk {
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
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

    /// Starts the arena and does not wait for it; what it says goes to `arena.log`, and its input
    /// stays open and empty.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Running {
        let log = fs::File::create(self.path("arena.log")).expect("a log");
        let second = log.try_clone().expect("a second handle");
        let mut command = self.arena(arguments);
        let child = command
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(second)
            .spawn();
        Running {
            child: child.expect("the arena starts"),
            log: self.path("arena.log"),
        }
    }
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

/// An arena that is running.
pub struct Running {
    child: Child,
    log: PathBuf,
}

impl Running {
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

    /// What it has said so far.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Looks until there is an answer.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = look() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(LOOK);
    }
}

/// A table: a map from column to cell for each row.
pub fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let header = reader.headers().expect("a header").clone();
    let rows = reader.records().map(|row| {
        let row = row.expect("rows as long as the header");
        let cells = header.iter().zip(row.iter());
        cells
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    });
    rows.collect()
}

/// A table without the columns that may differ from run to run: times, when it began, how often a
/// game was played, warnings.
pub fn timeless(path: &Path) -> String {
    let keep = |name: &str| {
        let timing = ["started_unix_ms", "attempts", "warnings"].contains(&name);
        !timing && !name.ends_with("_ms")
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
    let start = Instant::now();
    loop {
        let left = processes(word);
        if left.is_empty() {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "still there: {left:?}"
        );
        thread::sleep(LOOK);
    }
}

/// `misbehave.py` in this mode as the words of a TOML list; `marker` finds its processes.
pub fn misbehave(mode: &str, marker: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/misbehave.py");
    let script = script.display().to_string();
    // Without the site's packages it starts three times as fast.
    let words = [&python(), "-ES", &script, mode, marker];
    words.map(|word| format!("{word:?}")).join(", ")
}

/// The interpreter itself, without the scripts that choose one.
pub fn python() -> String {
    let output = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("python3 is installed");
    String::from_utf8(output.stdout)
        .expect("a path")
        .trim()
        .to_owned()
}
