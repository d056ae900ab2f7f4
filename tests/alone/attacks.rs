//! Runs the attacks of `tests/attacks/attacks.csv` in each tier of the sandbox. A new attack is a file and a row.
//!
//! Attacks exhaust limits of the machine and take minutes, so they run only if `ARENA_ATTACKS` is set. If the variable
//! is empty, all attacks run; with `fcntl,-lease`, only attacks whose name or family contains `fcntl` but not `lease`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::common::asked::is_asked;
use crate::common::place::{PYTHON, Place, User, is_crowded, some_places};
use crate::common::{TableRow, both, table, wait_for_no_process};

const VOID: i32 = 4;
/// If a bot uses more CPU time than this (in ms) during its opponent's turns, it was not stopped after its move.
const MOST_IDLE: (&str, f64) = ("idle_cpu_ms", 240.0);
/// On one core, a bot cannot use more CPU time in its own turns than this multiple of the time on its clock.
const MOST_SHARE: (&str, f64) = ("cpu_share", 1.25);
/// The time limit is long, because a slow runtime starts slowly on a busy machine.
const ATTEMPTS: &str = "move_ms = 20000\nmemory_mib = 512\nprocesses = 256\ndisk_mib = 4\n[[bot]]\nname = \"victim\"\n";
/// Attacking bots have little time and memory.
const BOTS: &str = "pin = true\nmove_ms = 300\nmemory_mib = 512\nprocesses = 256\ndisk_mib = 4\n[[bot]]\nname = \"victim\"\n";
const HONEST: usize = 6;
const SUITE: &str = "name = \"small\"\ngame = \"othello\"\ngames = 2\nopenings = \"none\"\nmove_ms = 5000\n\
                     build_ms = 8000\n[grade]\nthreshold = 0.5\n[[bot]]\nuse = \"random\"\n";

/// For each attack, its outcomes, each with an output line. The key `witness` lists the changes that the witness saw.
type Outcomes = BTreeMap<String, BTreeMap<String, String>>;

#[derive(Clone, serde::Deserialize)]
struct Attack {
    name: String,
    family: String,
    /// The program's file in `tests/attacks`, and its arguments.
    program: String,
    how: String,
    strict: String,
    standard: String,
    /// The expected outcome if no cgroup measures the whole sandbox; empty if a cgroup makes no difference.
    uncounted: String,
    /// `open`: the attack succeeds without a sandbox, for an ordinary user.
    off: String,
}

impl Attack {
    fn expects(&self, place: &Place) -> Vec<&str> {
        let is_counted = place.user == User::Ourselves && rustix::process::getuid().is_root();
        let cell = match place.tier {
            "off" => &self.off,
            _ if !is_counted && !self.uncounted.is_empty() => &self.uncounted,
            "strict" => &self.strict,
            _ => &self.standard,
        };
        cell.split('|').collect()
    }

    fn words(&self, folder: &Path) -> Vec<String> {
        let (file, arguments) = self.program.split_once(' ').unwrap_or((&self.program, ""));
        let path = folder.join(file).display().to_string();
        let starts = match file.rsplit('.').next().expect("an ending") {
            "c" => vec![file.trim_end_matches(".c").to_owned()],
            "py" => vec![PYTHON.to_owned(), "-ES".to_owned(), path],
            "js" => vec!["node".to_owned(), path],
            "java" => {
                let classes = folder.join("java").display().to_string();
                ["java", "-Xmx64m", "-cp", &classes, "Reach"]
                    .map(str::to_owned)
                    .into()
            }
            _ => vec!["sh".to_owned(), path],
        };
        let arguments = arguments.split_whitespace().map(str::to_owned);
        let name = format!("name={}", self.name);
        starts.into_iter().chain(arguments).chain([name]).collect()
    }
}

fn rows(how: &[&str]) -> Vec<Attack> {
    let filter = std::env::var("ARENA_ATTACKS").unwrap_or_default();
    let (without, with): (Vec<&str>, Vec<&str>) = filter
        .split_terminator(',')
        .partition(|word| word.starts_with('-'));
    let table = csv::Reader::from_path(source("attacks.csv")).expect("a table");
    let rows = table.into_deserialize().map(|row| row.expect("a row"));
    let is_asked = |row: &Attack| {
        let has = |word: &&str| row.name.contains(word) || row.family.contains(word);
        let is_left_out = without.iter().any(|word| has(&&word[1..]));
        row.name == "honest" || (with.is_empty() || with.iter().any(has)) && !is_left_out
    };
    rows.filter(|row: &Attack| how.contains(&row.how.as_str()) && is_asked(row))
        .collect()
}

fn source(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/attacks")
        .join(name)
}

struct Witness {
    child: Child,
    given: Vec<String>,
}

impl Witness {
    fn start(place: &Place, out: &str) -> Witness {
        let mut command = place.command(PYTHON);
        let folder = place.path(out).display().to_string();
        let command = command.arg(source("witness.py")).arg(folder);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("Python starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.as_mut().expect("a pipe"));
        output.read_line(&mut line).expect("a line");
        let given = line.split_whitespace().map(str::to_owned).collect();
        Witness { child, given }
    }

    fn ends(mut self) -> String {
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        if stat.contains(") T ") || stat.contains(") Z ") {
            return "the witness was stopped or killed\n".to_owned();
        }
        drop(self.child.stdin.take());
        let mut printed = String::new();
        let output = self.child.stdout.as_mut().expect("a pipe");
        output.read_to_string(&mut printed).expect("text");
        printed
            .strip_suffix("end\n")
            .unwrap_or("the witness was killed\n")
            .trim()
            .to_owned()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn programs(place: &Place) {
    let folder = place.make_folder("programs");
    let mut copy = place.command("cp");
    let parts = ["c", "python", "node", "java", "shell", "class", "player.c"].map(source);
    assert!(
        copy.arg("-r")
            .args(parts)
            .arg(&folder)
            .status()
            .expect("cp")
            .success()
    );
    let files = fs::read_dir(source("c")).expect("attacks").flatten();
    let names: BTreeSet<String> = files
        .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".c")?.to_owned()))
        .collect();
    let mut all = String::new();
    let mut list = String::new();
    for name in &names {
        let function = format!("attack_{}", name.replace('-', "_"));
        all += &format!("#define attack {function}\n#include \"c/{name}.c\"\n#undef attack\n");
        list += &format!("    {{\"c/{name}\", {function}}},\n");
    }
    all += &format!(
        "static const struct {{ const char *name; int (*attack)(void); }} ATTACKS[] = {{\n{list}}};\n"
    );
    place.write("programs/all.h", &all);
    let words = "-O1 -w -DATTACKS_IN_ONE -o player player.c -lrt -pthread";
    let mut compiler = place.command("cc");
    let compiled = compiler
        .current_dir(&folder)
        .args(words.split(' '))
        .output();
    let compiled = compiled.expect("a C compiler");
    assert!(compiled.status.success(), "{}", both(&compiled));
    // Without a Java compiler, this fails, and the attacks in Java are `untried`.
    let _ = place
        .command("javac")
        .current_dir(folder.join("java"))
        .arg("Reach.java")
        .output();
}

/// Plays two games of each bot. It makes one attack, or all attacks of a family if `how` is `attempt`.
fn play(place: &Place, out: &str, rows: &[Attack], head: &str, more: &str) -> Outcomes {
    let programs = place.path("programs").display().to_string();
    let witness = Witness::start(place, &format!("{out}-victim"));
    let rival = place
        .write("rival.py", include_str!("../attacks/python/cheat.py"))
        .display()
        .to_string();
    let run = place.path(out).display().to_string();
    let more_given = [("run", &run), ("source", &rival), ("own", &programs)];
    let more_given = more_given.map(|(key, value)| format!("{key}={value}"));
    let given = [&witness.given[..], &more_given].concat();
    let mut bots: BTreeMap<String, Vec<&Attack>> = BTreeMap::new();
    for row in rows {
        let bot = if row.how == "attempt" {
            &row.family
        } else {
            &row.name
        };
        bots.entry(bot.replace(' ', "-")).or_default().push(row);
    }
    let text = tournament(&programs, &rival, &given, &bots, head);
    place.write(&format!("{out}.toml"), &text);
    // The bots are not pinned while another arena has the cores.
    let is_pinned = !host::claim_cores(&[], 2).is_empty();
    let mut arena = arena(place);
    let words = format!("run {out}.toml --out {out} --sandbox {}", place.tier);
    arena.args(words.split(' '));
    let mut output = arena
        .args(more.split_whitespace())
        .output()
        .expect("the arena starts");
    // On a busy machine, games may become void; they are then played again.
    for _ in 0..3 {
        if output.status.code() == Some(VOID) {
            output = place.plainly(&format!("resume {out}"));
        }
    }
    wait_for_no_process(&programs);
    assert!(
        place.path(out).join("games.csv").exists(),
        "{}",
        both(&output)
    );
    let bounds = match head {
        BOTS if is_pinned => vec![MOST_IDLE, MOST_SHARE],
        BOTS => vec![MOST_IDLE],
        _ => Vec::new(),
    };
    let mut outcomes = outcomes(place, out, &bots, &bounds);
    let source = fs::read_to_string(&rival).unwrap_or_default();
    let mut seen = witness.ends();
    if source != include_str!("../attacks/python/cheat.py") {
        seen += "the source of the rival has changed\n";
    }
    outcomes.insert(
        "witness".to_owned(),
        BTreeMap::from([(seen, String::new())]),
    );
    outcomes
}

fn tournament(
    programs: &str,
    rival: &str,
    given: &[String],
    bots: &BTreeMap<String, Vec<&Attack>>,
    head: &str,
) -> String {
    let player = format!("{programs}/player");
    let mut text = format!(
        "game = \"othello\"\nformat = \"gauntlet\"\ngames = 2\nopenings = \"none\"\n{head}"
    );
    text += &match head {
        ATTEMPTS => format!("command = [{player:?}]\nreadable = [{programs:?}]\n"),
        _ => format!(
            "command = [{PYTHON:?}, \"-ES\", {rival:?}, \"thinker\", \"name=rival\"]\nreadable = [{rival:?}]\n"
        ),
    };
    for (bot, attacks) in bots {
        let words = match attacks[..] {
            [row] if head == BOTS && row.how != "honest" => {
                [row.words(Path::new(programs)), given.to_vec()].concat()
            }
            _ => {
                let mut words = [&[player.clone(), "attempt".to_owned()], given].concat();
                for row in attacks {
                    words.push("--".to_owned());
                    words.extend(row.words(Path::new(programs)));
                }
                words
            }
        };
        text += &format!(
            "[[bot]]\nname = {bot:?}\nrestart = \"always\"\ncommand = {words:?}\nreadable = [{programs:?}]\n"
        );
    }
    text
}

fn outcomes(
    place: &Place,
    out: &str,
    bots: &BTreeMap<String, Vec<&Attack>>,
    bounds: &[(&str, f64)],
) -> Outcomes {
    let games = table(&place.path(out).join("games.csv"));
    let standings = table(&place.path(out).join("standings.csv"));
    let figure = |bot: &str, column: &str| {
        let row = standings.iter().find(|row| row["bot"] == bot);
        row.and_then(|row| row[column].parse::<f64>().ok())
    };
    let of = |bot: &str| {
        games
            .iter()
            .filter(|game| game["black"] == bot || game["white"] == bot)
            .collect::<Vec<_>>()
    };
    let honest = of("honest");
    let mut outcomes = Outcomes::new();
    for (bot, attacks) in bots {
        for (game, honest) in of(bot).into_iter().zip(&honest) {
            let colour = if game["black"] == *bot {
                "black"
            } else {
                "white"
            };
            let evidence = place
                .path(out)
                .join(format!("failures/{}/{colour}.stderr.txt", game["game"]));
            let evidence = fs::read(evidence).unwrap_or_default();
            let evidence = String::from_utf8_lossy(&evidence);
            for row in attacks {
                let printed = evidence
                    .lines()
                    .find_map(|line| line.strip_prefix(&format!("= {} ", row.name)));
                let printed =
                    printed.filter(|_| ["crashed", "discs"].contains(&game["reason"].as_str()));
                let end = printed.map_or_else(|| end(bot, game, honest), str::to_owned);
                let detail = evidence
                    .lines()
                    .find(|line| line.starts_with(&format!("ATTACK {} ", row.name)));
                outcomes
                    .entry(row.name.clone())
                    .or_default()
                    .insert(end, detail.unwrap_or_default().to_owned());
            }
        }
        for &(column, most) in bounds {
            if let Some(figure) = figure(bot, column).filter(|&figure| figure > most) {
                let end = format!("its {column} is {figure}");
                outcomes
                    .entry(bot.clone())
                    .or_default()
                    .insert(end, String::new());
            }
        }
    }
    outcomes
}

fn end(bot: &str, game: &TableRow, honest: &TableRow) -> String {
    let counts = ["black_interruptions", "white_interruptions"];
    let is_excused = is_crowded() && counts.iter().any(|&column| game[column] != "0");
    match game["at_fault"].as_str() {
        // The game is void because the machine was too busy.
        _ if game["result"] == "void" && is_crowded() => "untried".to_owned(),
        _ if game["result"] == "void" => "void".to_owned(),
        "" if is_excused => "untried".to_owned(),
        "" if game["moves"] == honest["moves"] => "held".to_owned(),
        "" => "its game is another".to_owned(),
        fault if fault != bot => format!("{fault} is charged with {}", game["reason"]),
        _ => game["reason"].clone(),
    }
}

fn arena(place: &Place) -> Command {
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    let path = place.path("course/bin").display().to_string();
    arena.env("PATH", format!("/usr/local/bin:/usr/bin:/bin:{path}"));
    arena
}

fn furnished(place: &Place) {
    for folder in "course course/bin course/submissions .ssh .cargo".split(' ') {
        place.make_folder(folder);
    }
    for secret in "course/submissions/key .ssh/id_rsa .cargo/config.toml".split(' ') {
        place.write(secret, "secret\n");
    }
    programs(place);
}

/// Returns the differences between outcomes and the table. Writes the untried attacks to the uncaptured standard error.
fn judge(place: &Place, rows: &[Attack], outcomes: &Outcomes) -> String {
    let (mut wrong, mut untried, mut counts) = (String::new(), Vec::new(), BTreeMap::new());
    for row in rows {
        let expected = row.expects(place);
        let is_open = expected.contains(&"open");
        let ends = &outcomes[&row.name];
        if never_succeeds(place, row, outcomes) {
            wrong += &format!("{}, {}: it never succeeds\n", place.name(), row.name);
        }
        for (end, detail) in ends {
            *counts.entry(end).or_insert(0) += 1;
            let is_right = match end.as_str() {
                "untried" => true,
                "succeeded" => is_open,
                "held" => expected.contains(&"held") || is_open,
                // On a busy machine, a bot may run out of time before it commits its own fault.
                "out-of-time" => expected.iter().any(|end| !["held", "open"].contains(end)),
                other => expected.contains(&other),
            };
            if end == "untried" {
                untried.push(row.name.as_str());
            }
            if !is_right {
                wrong += &format!(
                    "{}, {}: {end}, not {}: {detail}\n",
                    place.name(),
                    row.name,
                    expected.join(" or ")
                );
            }
        }
    }
    let name = place.name();
    let _ = writeln!(
        std::io::stderr(),
        "{name}: {} attacks, {counts:?}; NOT TRIED: {untried:?}",
        rows.len()
    );
    for seen in outcomes["witness"].keys() {
        if place.tier != "off" && !seen.is_empty() {
            wrong += &format!("{name}, the witness: {seen}\n");
        }
    }
    wrong
}

/// Single attempts. With `alone`, each attack has its own sandbox, and its games run one at a time, so that the
/// attack can find the traces of an earlier game.
const SINGLE: [(&str, &str, &str); 2] =
    [("attempt", ATTEMPTS, "-j 2"), ("alone", ATTEMPTS, "-j 1")];
/// Bots that attack in games with a clock. With `one-game`, only one game is played at a time, so another core is free.
const WHOLE: [(&str, &str, &str); 2] = [("bot", BOTS, "-j 2"), ("one-game", BOTS, "-j 1")];

#[test]
fn no_attack_succeeds() {
    assert_nothing_is_wrong(|place| {
        let _machine = crate::in_company();
        let _user = the_only_one(place);
        in_games(place, &SINGLE)
    });
}

#[test]
fn play_is_not_changed_by_a_bot_that_attacks() {
    assert_nothing_is_wrong(|place| {
        let _machine = crate::alone();
        in_games(place, &WHOLE)
    });
}

/// Serialises the tests whose sandboxes share one user: a sandbox sets its process limit from the number of processes
/// that this user has when the sandbox starts.
fn the_only_one(place: &Place) -> Option<MutexGuard<'static, ()>> {
    static NOBODY: Mutex<()> = Mutex::new(());
    let is_shared = place.user != User::Ourselves;
    is_shared.then(|| NOBODY.lock().unwrap_or_else(PoisonError::into_inner))
}

fn assert_nothing_is_wrong(look: impl Fn(&Place) -> String) {
    if !is_asked("ARENA_ATTACKS", "attacks on the sandbox") {
        return;
    }
    let wrong: String = some_places().iter().map(look).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// Proves that the attacks work, because the other tests would otherwise prove nothing.
#[test]
fn without_a_sandbox_attacks_succeed() {
    if !is_asked("ARENA_ATTACKS", "attacks on the sandbox") {
        return;
    }
    // Successful attacks may reach the witness of another test.
    let _machine = crate::alone();
    let is_root = rustix::process::getuid().is_root();
    let user = if is_root {
        User::Nobody
    } else {
        User::Ourselves
    };
    let wrong = in_games(&Place::new(user, "off"), &SINGLE);
    assert!(wrong.is_empty(), "{wrong}");
}

/// An attack that should succeed has this many attempts, because some depend on timing, and the machine may be busy.
const TRIES: usize = 4;

fn in_games(place: &Place, hows: &[(&str, &str, &str)]) -> String {
    furnished(place);
    let mut wrong = String::new();
    for &(how, head, more) in hows {
        let mut rows = rows(&[how, "honest"]);
        rows.retain(|row| place.tier != "off" || !row.off.is_empty());
        let mut outcomes = play(place, how, &rows, head, more);
        for again in 1..TRIES {
            let failed =
                |row: &&Attack| row.name == "honest" || never_succeeds(place, row, &outcomes);
            let failed: Vec<Attack> = rows.iter().filter(failed).cloned().collect();
            if failed.len() == 1 {
                break;
            }
            for (name, ends) in play(place, &format!("{how}-{again}"), &failed, head, more) {
                outcomes.entry(name).or_default().extend(ends);
            }
        }
        wrong += &judge(place, &rows, &outcomes);
    }
    wrong
}

fn never_succeeds(place: &Place, row: &Attack, outcomes: &Outcomes) -> bool {
    let ends = &outcomes[&row.name];
    let is_tried = ["succeeded", "untried"]
        .iter()
        .any(|&end| ends.contains_key(end));
    place.tier == "off" && row.expects(place).contains(&"open") && !is_tried
}

/// Returns the outcome of a hand-in, and the note in its row of `class.csv`.
fn end_in_class(row: Option<&TableRow>) -> (String, String) {
    let Some(row) = row else {
        return ("has no row".to_owned(), String::new());
    };
    let end = match row["state"].as_str() {
        _ if row["note"].contains("exit status 77") => "untried",
        _ if row["note"].contains("exit status 7") => "succeeded",
        "passed" | "not passed" if row["faults"] == "0" => "held",
        state => state,
    };
    (end.to_owned(), row["note"].clone())
}

/// Hand-ins attack by names, files, archives, `bot.toml` and builds. Each must get a row and must change nothing else.
#[test]
fn no_hand_in_changes_what_is_not_its_own() {
    assert_nothing_is_wrong(|place| {
        let _machine = crate::in_company();
        let _user = the_only_one(place);
        in_a_class(place)
    });
}

fn in_a_class(place: &Place) -> String {
    furnished(place);
    place.make_folder("class");
    place.write("small.toml", SUITE);
    for number in 0..HONEST {
        place.make_folder(&format!("class/honest-{number}"));
        place.write(
            &format!("class/honest-{number}/bot.py"),
            include_str!("../attacks/class/honest.py"),
        );
        let toml = format!("command = [{PYTHON:?}, \"-ES\", \"bot.py\", \"{number}\"]\n");
        place.write(&format!("class/honest-{number}/bot.toml"), &toml);
    }
    let (before, printed) = place.grade("before");
    assert_eq!(before.len(), HONEST, "{printed}");
    let witness = Witness::start(place, "class-victim");
    let (programs, rows) = (place.path("programs"), rows(&["class"]));
    let run = place.path("graded").display().to_string();
    let honest = place.path("class/honest-0/bot.py").display().to_string();
    let mut shown = BTreeMap::new();
    for row in &rows {
        let words = row.words(&programs);
        let mut maker = place.command(&words[0]);
        let maker = maker.current_dir(place.path("class")).args(&words[1..]);
        let maker = maker
            .args(&witness.given)
            .arg(format!("run={run}"))
            .arg(format!("source={honest}"));
        let made = maker.output().expect("it starts");
        assert!(made.status.success(), "{}: {}", row.name, both(&made));
        let name = String::from_utf8_lossy(&made.stdout)
            .trim_end_matches('\n')
            .to_owned();
        shown.insert(
            &row.name,
            if name.is_empty() {
                row.name.clone()
            } else {
                name
            },
        );
    }
    let entries = fs::read_dir(place.path("class")).expect("a class").count();
    let (graded, printed) = place.grade("graded");
    let seen = witness.ends();
    wait_for_no_process(&place.path("class-victim").display().to_string());
    // In the table, an apostrophe precedes a name that looks like a formula.
    let cell = |row: &TableRow| row["submission"].trim_start_matches('\'').to_owned();
    let of = |name: &str| {
        let endings = ["", ".zip", ".py"].map(|ending| format!("{name}{ending}"));
        let exact = graded.iter().find(|row| endings.contains(&cell(row)));
        exact.or_else(|| graded.iter().find(|row| cell(row).contains(name)))
    };
    let mut outcomes = Outcomes::new();
    for row in &rows {
        let (end, note) = end_in_class(of(&shown[&row.name]));
        outcomes.insert(row.name.clone(), BTreeMap::from([(end, note)]));
    }
    outcomes.insert(
        "witness".to_owned(),
        BTreeMap::from([(seen, String::new())]),
    );
    let mut wrong = judge(place, &rows, &outcomes);
    for row in &before {
        let mark = |row: &TableRow| {
            ["state", "points", "random_win_rate", "faults"].map(|column| row[column].clone())
        };
        let after = of(&row["submission"]).map(mark);
        if after.as_ref() != Some(&mark(row)) {
            wrong += &format!("{}: {:?} was {:?}\n", row["submission"], after, mark(row));
        }
    }
    let source = fs::read_to_string(honest).unwrap_or_default();
    if source != include_str!("../attacks/class/honest.py") {
        wrong += "the bot of another hand-in has changed\n";
    }
    let mut find = place.command("find");
    let find = find.args([".", "(", "-name", "attack*", "-o", "-name", "outside", ")"]);
    let left = both(
        &find
            .args(["-not", "-path", "./programs/*"])
            .output()
            .expect("find"),
    );
    if left.lines().filter(|line| line.starts_with("./")).count() > 0 {
        wrong += &format!("left: {left}\n");
    }
    if printed.contains('\u{1b}') || graded.len() != entries {
        wrong += &format!("{} rows of {entries} hand-ins: {printed:?}\n", graded.len());
    }
    wrong
}
