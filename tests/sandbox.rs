//! What a bot in a box can do to the machine, to the arena and to its opponent, and what its limits come
//! to: in every tier that this machine can hold, as root where the tests run as root, and as a user who
//! is nobody.
//!
//! What a tier leaves open stands in the expectations, and in `docs/grading.md`.
#![cfg(target_os = "linux")]

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use common::folders::folder_bots;
use common::{both, nobody_is_left, table};

/// The number of the user called nobody, and of the group.
const NOBODY: u32 = 65534;
const PYTHON: &str = "/usr/bin/python3";

/// Who runs the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    /// Who runs the tests.
    Ourselves,
    /// A user without any rights, for whom no cgroup can be made.
    Nobody,
}

/// A user, a box, and a folder that is the user's own.
struct Place {
    user: User,
    tier: &'static str,
    folder: tempfile::TempDir,
}

/// All places that this machine has.
fn places() -> Vec<Place> {
    let is_root = rustix::process::getuid().is_root();
    let users = if is_root {
        vec![User::Ourselves, User::Nobody]
    } else {
        vec![User::Ourselves]
    };
    let pairs = users
        .into_iter()
        .flat_map(|user| ["strict", "standard"].map(|tier| (user, tier)));
    let places = pairs.map(|(user, tier)| Place::new(user, tier));
    places.filter(Place::is_there).collect()
}

impl Place {
    fn new(user: User, tier: &'static str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place { user, tier, folder };
        fs::set_permissions(place.folder.path(), fs::Permissions::from_mode(0o755))
            .expect("it is ours");
        place.give(place.folder.path());
        place
    }

    /// Whether the machine can hold this box. Where it cannot, that is said past the test harness, and
    /// fails in `.ci/run`.
    fn is_there(&self) -> bool {
        let output = self.arena(&["match", "random", "greedy", "-n", "2", "--out", "tried"]);
        let is_there = output.status.success();
        if !is_there {
            let text = both(&output);
            let what = format!("NOT TESTED: {} for {:?}: {text}", self.tier, self.user);
            assert!(std::env::var_os("ARENA_ALL_LANGUAGES").is_none(), "{what}");
            let _ = writeln!(std::io::stderr(), "\n{what}\n");
        }
        is_there
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn give(&self, path: &Path) {
        if self.user == User::Nobody {
            chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
        }
    }

    fn make_folder(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir(&path).expect("a folder");
        self.give(&path);
        path
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        self.give(&path);
        path
    }

    /// A program as this user.
    fn command(&self, program: &str) -> Command {
        let mut command = match self.user {
            User::Ourselves => Command::new(program),
            User::Nobody => {
                let mut command = Command::new("setpriv");
                let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
                command.args([&user, &group, "--clear-groups", program]);
                command
            }
        };
        command
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("ARENA_TEST_SECRET", "not for bots")
            .stdin(Stdio::null());
        command
    }

    /// The arena with these arguments, in this box.
    fn arena(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(env!("CARGO_BIN_EXE_arena"));
        command.args(arguments).args(["--sandbox", self.tier]);
        command.output().expect("the arena starts")
    }

    /// A folder with a bot of this script and these arguments.
    fn bot(&self, name: &str, script: &str, arguments: &[&str], more: &str) -> String {
        let folder = self.make_folder(name);
        let text = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/bots")
            .join(script);
        let text = fs::read_to_string(text).expect("a script");
        self.write(&format!("{name}/{script}"), &text);
        let words = [&[PYTHON, "-ES", script], arguments].concat();
        self.write(
            &format!("{name}/bot.toml"),
            &format!("command = {words:?}\n{more}"),
        );
        folder.display().to_string()
    }

    /// Plays two games of such a bot against a healthy one; the rows of its games.
    fn play(&self, mode: &str, more: &str) -> Vec<(String, String)> {
        let marker = self.path(mode).display().to_string();
        let bot = self.bot(mode, "greedy_for_more.py", &[mode, &marker], more);
        let out = format!("run-{mode}");
        let arguments = [
            "match",
            &bot,
            "minimax:depth=3",
            "-n",
            "2",
            "--move-ms",
            "300",
            "--out",
            &out,
        ];
        let output = self.arena(&arguments);
        // 4: some games are void.
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(4), "{}", both(&output));
        nobody_is_left(&marker);
        let games = table(&self.path(&out).join("games.csv"));
        let fault = |row: &BTreeMap<String, String>| match row["at_fault"].as_str() {
            "" if row["result"] == "void" => "void".to_owned(),
            "" => String::new(),
            name => {
                assert_eq!(name, mode, "only the bot itself is charged");
                row["reason"].clone()
            }
        };
        let rows = games
            .iter()
            .map(|row| (fault(row), row["fault_detail"].clone()));
        rows.collect()
    }
}

/// A process of the same user that is the victim.
struct Victim(Child);

impl Victim {
    fn of(place: &Place) -> Victim {
        let mut command = place.command("sleep");
        Victim(command.arg("600").spawn().expect("sleep is there"))
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the machine has much else to do.
fn is_crowded() -> bool {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load
        .split(' ')
        .next()
        .and_then(|load| load.parse().ok())
        .unwrap_or(0.0);
    load > std::thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64)
}

/// What the probe could do.
fn probed(place: &Place, out: &str, bot: &str) -> BTreeSet<String> {
    let output = place.arena(&["match", bot, "random", "-n", "2", "--out", out]);
    assert!(output.status.success(), "{}", both(&output));
    let run = fs::read_to_string(place.path(out).join("run.toml")).expect("a run");
    let line = run
        .lines()
        .find_map(|line| line.strip_prefix("says_it_is = \"probe"));
    let words = line
        .expect("the probe has answered")
        .trim_end_matches('"')
        .split_whitespace();
    words.map(str::to_owned).collect()
}

fn probe(place: &Place, victim: &Victim) -> String {
    place.make_folder("victim");
    place.write("victim/secret", "secret");
    let arguments = [
        victim.0.id().to_string(),
        place.path("victim").display().to_string(),
        place.path("victim/secret").display().to_string(),
    ];
    let arguments = arguments.each_ref().map(String::as_str);
    place.bot("probe", "probe.py", &arguments, "restart = \"always\"\n")
}

/// The attempts that succeed by design: in a standard box the names of other processes are seen.
fn open(place: &Place) -> &'static [&'static str] {
    match place.tier {
        "standard" => &["name"],
        _ => &[],
    }
}

#[test]
fn a_bot_reaches_nothing_outside_its_box() {
    for place in places() {
        let victim = Victim::of(&place);
        let bot = probe(&place, &victim);
        let context = format!("{} for {:?}", place.tier, place.user);
        // The second run would find what the first has left.
        for out in ["first", "second"] {
            let could = probed(&place, out, &bot);
            let expected = open(&place).iter().map(|&name| name.to_owned()).collect();
            assert_eq!(could, expected, "{context}, {out} run");
        }
        assert!(!place.path("victim/written").exists(), "{context}");
        assert!(!place.path("probe/written").exists(), "{context}");
    }
}

#[test]
fn the_probe_finds_what_is_open() {
    let mut place = Place::new(User::Ourselves, "off");
    place.tier = "off";
    let victim = Victim::of(&place);
    let could = probed(&place, "run", &probe(&place, &victim));
    // Without a box any process of the same user can do this, as kill(2), proc(5), socket(2) say.
    for attempt in [
        "signal",
        "environment",
        "read",
        "write",
        "own-folder",
        "tcp",
        "unix",
    ] {
        assert!(could.contains(attempt), "{attempt}: {could:?}");
    }
}

#[test]
fn limits_are_kept_and_charged_to_the_bot_alone() {
    for place in places() {
        let context = format!("{} for {:?}", place.tier, place.user);
        let counted = place.user == User::Ourselves && rustix::process::getuid().is_root();
        let memory: &[&str] = if counted {
            &["out-of-memory"]
        } else {
            // Each process has its own limit where no cgroup counts them together.
            &["out-of-time"]
        };
        let processes: &[&str] = if counted {
            &["too-many-processes"]
        } else {
            &["crashed"]
        };
        let mut wrong = Vec::new();
        for (mode, limits, faults) in [
            ("memory", "memory_mib = 128\n", &["out-of-memory"][..]),
            ("memory_of_children", "memory_mib = 128\n", memory),
            ("forks", "processes = 32\n", processes),
            ("disk", "disk_mib = 4\n", &[""]),
            ("core", "", &["crashed"]),
            ("daemon", "", &[""]),
            ("late_with_spinners", "", &["out-of-time"]),
            ("late_with_children", "", &["out-of-time"]),
        ] {
            let mut rows = place.play(mode, limits);
            if faults.contains(&"out-of-time") && is_crowded() {
                // Others did take the core of a bot that was late: that is for nobody to lose.
                rows.retain(|(fault, _)| fault != "void");
            }
            if rows
                .iter()
                .any(|(fault, _)| !faults.contains(&fault.as_str()))
            {
                wrong.push(format!("{mode}, {context}: {rows:?}, not {faults:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn who_is_not_asked_gets_no_core() {
    for place in places() {
        place.play("spinners", "");
        let standings = table(&place.path("run-spinners").join("standings.csv"));
        let bot = standings
            .iter()
            .find(|row| row["bot"].starts_with("spinners"));
        let idle: f64 = bot.expect("it has played")["idle_cpu_ms"]
            .parse()
            .unwrap_or(0.0);
        // It has three processes that would take three quarters of two games; what it took before it was
        // stopped is a few ms a move.
        assert!(
            idle < 400.0,
            "{} for {:?}: {idle} ms",
            place.tier,
            place.user
        );
    }
}

#[test]
fn every_language_plays_in_every_box() {
    let places = places();
    let ours = places.iter().filter(|place| place.user == User::Ourselves);
    let bots = folder_bots();
    for place in ours {
        for bot in &bots {
            let (name, folder) = (bot.name(), bot.folder.display().to_string());
            let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
            // Compilers and interpreters may be anywhere that the developer has them.
            for variable in ["PATH", "HOME"] {
                arena.env(variable, std::env::var_os(variable).unwrap_or_default());
            }
            let words = [
                "match",
                &folder,
                "random",
                "-n",
                "2",
                "--move-ms",
                "300",
                "--margin-ms",
                "9000",
                "--out",
                &name,
            ];
            arena.args(words).args(["--sandbox", place.tier]);
            let output = arena.output().expect("the arena starts");
            assert!(output.status.success(), "{}", both(&output));
            let games = table(&place.path(&name).join("games.csv"));
            let faults: Vec<_> = games.iter().map(|row| row["at_fault"].as_str()).collect();
            assert_eq!(faults, ["", ""], "{name}, {}", place.tier);
        }
    }
}

#[test]
fn a_build_changes_its_folder_and_nothing_else() {
    for place in places() {
        let context = format!("{} for {:?}", place.tier, place.user);
        let marker = place.path("built-by").display().to_string();
        let folder = place.make_folder("made");
        let script = "echo 'import random' > made.py; echo x > ../outside; echo x > /tmp/arena-build-left; \
                      setsid sleep 600 & exit 0";
        let toml = format!(
            "command = [{PYTHON:?}, \"bot.py\", {marker:?}]\nbuild = [\"sh\", \"-c\", {script:?}, {marker:?}]\n"
        );
        place.write("made/bot.toml", &toml);
        place.write(
            "made/bot.py",
            "import json, sys\nimport made\nfor line in sys.stdin:\n    said = json.loads(line)\n    \
             if said['type'] == 'hello':\n        print('{\"type\":\"ready\"}', flush=True)\n    \
             elif said['type'] == 'turn':\n        print(json.dumps({'move': said['legal'][0]}), flush=True)\n",
        );
        let bot = folder.display().to_string();
        let output = place.arena(&["match", &bot, "random", "-n", "2", "--out", "run"]);
        assert!(output.status.success(), "{context}: {}", both(&output));
        assert!(place.path("made/made.py").exists(), "{context}");
        assert!(!place.path("outside").exists(), "{context}");
        assert!(!Path::new("/tmp/arena-build-left").exists(), "{context}");
        nobody_is_left(&marker);
    }
}

/// `bwrap` is looked for in the `PATH`.
#[test]
fn a_machine_that_cannot_hold_a_box_says_so() {
    let place = Place::new(User::Ourselves, "strict");
    if !place.is_there() {
        return;
    }
    let without = |words: &str| {
        let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
        // What a box needs to be tried is there, but not bubblewrap.
        let programs = place.path("programs");
        let _ = std::os::unix::fs::symlink("/usr/bin/true", programs.join("true"));
        arena.args(words.split(' ')).env("PATH", programs);
        let output = arena.output().expect("the arena starts");
        (output.status.code(), both(&output))
    };
    place.make_folder("programs");
    let (code, said) = without("match random greedy -n 2 --sandbox strict --out one");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("apt-get install bubblewrap"), "{said}");
    let (code, said) = without("match random greedy -n 2 --sandbox auto --out two");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("sandbox: standard") && said.contains("not strict, because"),
        "{said}"
    );
    let run = fs::read_to_string(place.path("two/run.toml")).expect("a run");
    assert!(run.contains("sandbox = \"standard\""), "{run}");
    // A run goes on in the box that it began in, or not at all.
    let (code, said) = without("resume tried");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot hold a strict sandbox"), "{said}");
}

#[test]
fn a_grade_is_in_a_box_unless_told_otherwise() {
    let places = places();
    let Some(place) = places.first() else { return };
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    place.write(
        "small.toml",
        "game = \"othello\"\ngames = 2\nmove_ms = 5000\n[grade]\nthreshold = 0.5\n[[bot]]\nuse = \"random\"\n",
    );
    let words = "grade greedy --suite small.toml --out grade";
    let output = arena.args(words.split(' ')).output().expect("it starts");
    let said = both(&output);
    assert!(
        said.contains("sandbox: strict") || said.contains("sandbox: standard"),
        "{said}"
    );
    let run = fs::read_to_string(place.path("grade/run.toml")).expect("a run");
    assert!(run.contains("sandbox = \"s"), "{run}");
}
