//! A [`Place`] is a user, a tier of the sandbox, and a folder. Tests run in all places that this machine supports.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use crate::common::asked::{ALL_TOOLS, is_asked};
use crate::common::{TableRow, both, table};

const NOBODY: u32 = 65534;
/// The system's Python. Another Python may be in a folder that bots cannot read in a sandbox.
pub const PYTHON: &str = "/usr/bin/python3";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    Ourselves,
    /// A user without rights, for whom no cgroup can be made.
    Nobody,
}

pub struct Place {
    pub user: User,
    pub tier: &'static str,
    /// The only core of its programs, in the format of `taskset`.
    pub core: Option<String>,
    folder: tempfile::TempDir,
}

/// The users and tiers that this machine has.
static THERE: LazyLock<Vec<(User, &'static str)>> = LazyLock::new(|| {
    let is_root = rustix::process::getuid().is_root();
    let users = [User::Ourselves, User::Nobody]
        .into_iter()
        .take(1 + usize::from(is_root));
    let pairs = users.flat_map(|user| ["strict", "standard"].map(|tier| (user, tier)));
    pairs
        .filter(|&(user, tier)| Place::new(user, tier).is_there())
        .collect()
});

/// Returns each user in each tier. Unless all tests are asked for, leaves out one tier of each user.
pub fn places() -> Vec<Place> {
    chosen(is_asked(
        ALL_TOOLS,
        "each sandbox as root and as another user",
    ))
}

/// Returns two places that cover each user and each tier, for slow tests; with `ARENA_EVERY_PLACE=1`, all four.
pub fn some_places() -> Vec<Place> {
    chosen(std::env::var_os("ARENA_EVERY_PLACE").is_some())
}

fn chosen(is_every: bool) -> Vec<Place> {
    let is_every = is_every || THERE.len() < 4;
    let is_chosen = |(user, tier)| is_every || (tier == "strict") == (user == User::Ourselves);
    let chosen = THERE.iter().filter(|&&place| is_chosen(place));
    chosen.map(|&(user, tier)| Place::new(user, tier)).collect()
}

impl Place {
    pub fn new(user: User, tier: &'static str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place {
            user,
            tier,
            core: None,
            folder,
        };
        fs::set_permissions(place.folder.path(), fs::Permissions::from_mode(0o755))
            .expect("it is ours");
        place.give(place.folder.path());
        place
    }

    /// Returns whether the machine has this sandbox. Panics if it has none and all tests are asked for.
    pub fn is_there(&self) -> bool {
        let output = self.arena("match random greedy -n 2 --out tried");
        let is_there = output.status.success();
        if !is_there {
            let text = both(&output);
            let what = format!("{} for {:?}: {text}", self.tier, self.user);
            assert!(!is_asked(ALL_TOOLS, &what), "{what}");
        }
        is_there
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn give(&self, path: &Path) {
        if self.user == User::Nobody {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
    }

    pub fn make_folder(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir(&path).expect("a folder");
        self.give(&path);
        path
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        self.give(&path);
        path
    }

    pub fn command(&self, program: &str) -> Command {
        let mut words = Vec::new();
        if let Some(core) = &self.core {
            words.extend(["taskset", "-c", core].map(str::to_owned));
        }
        if self.user == User::Nobody {
            let ids = ["--reuid", "--regid"].map(|id| format!("{id}={NOBODY}"));
            words.push("setpriv".to_owned());
            words.extend(ids);
            words.push("--clear-groups".to_owned());
        }
        words.push(program.to_owned());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("ARENA_TEST_SECRET", "not for bots")
            .env_remove("CARGO_HOME")
            .stdin(Stdio::null());
        command
    }

    /// Runs the arena in this folder, with bots in this sandbox.
    pub fn arena(&self, words: &str) -> Output {
        self.plainly(&format!("{words} --sandbox {}", self.tier))
    }

    pub fn plainly(&self, words: &str) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_arena"));
        let command = command.args(words.split_whitespace());
        command.output().expect("the arena starts")
    }

    /// Grades the folder `class` by the suite `small.toml`. Returns the rows of the class's table, and the output.
    pub fn grade(&self, out: &str) -> (Vec<TableRow>, String) {
        let words = "grade --all class --suite small.toml -j 2 --out";
        let output = self.arena(&format!("{words} {out}"));
        let rows = table(&self.path(out).join("class.csv"));
        (rows, both(&output))
    }

    pub fn bot(&self, name: &str, script: &str, arguments: &[&str], more: &str) {
        self.make_folder(name);
        let text = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/attacks/python")
            .join(script);
        let text = fs::read_to_string(text).expect("a script");
        self.write(&format!("{name}/{script}"), &text);
        let words = [&[PYTHON, "-ES", script], arguments].concat();
        self.write(
            &format!("{name}/bot.toml"),
            &format!("command = {words:?}\n{more}"),
        );
    }

    pub fn name(&self) -> String {
        format!("{} for {:?}", self.tier, self.user)
    }
}

pub fn is_crowded() -> bool {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load
        .split(' ')
        .next()
        .and_then(|load| load.parse().ok())
        .unwrap_or(0.0);
    load > std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64)
}
