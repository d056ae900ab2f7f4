//! What a bot sees of the programs in the `PATH`.

use std::fs;
use std::process::Command;

use crate::common::both;
use crate::common::place::{Place, places};

/// Says in its version what it could import and read.
const BOT: &str = "
import json, os, sys
found = []
try:
    import installed
    found.append('installed')
except ImportError:
    pass
for name in sys.argv[1:]:
    try:
        open(name).read()
        found.append('read-' + os.path.basename(name))
    except OSError:
        pass
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'hello':
        print(json.dumps({'type': 'ready', 'name': 'bot', 'version': ' '.join(found)}), flush=True)
    elif message['type'] == 'turn':
        print(json.dumps({'move': message['legal'][0]}), flush=True)
";

/// A course whose folder is a virtual environment, as `python3 -m venv course` makes it, with hand-ins and a key
/// beside: `course/bin` is in the `PATH`.
fn course(place: &Place) {
    let mut venv = Command::new("/usr/bin/python3");
    let made = venv
        .args(["-m", "venv", "--without-pip"])
        .arg(place.path("course"));
    assert!(made.status().expect("Python is there").success());
    let lib = fs::read_dir(place.path("course/lib")).expect("a library");
    let lib = lib.flatten().next().expect("one version of Python").path();
    fs::write(lib.join("site-packages/installed.py"), "").expect("a module");
    fs::create_dir(place.path("course/submissions")).expect("a folder");
    fs::write(place.path("course/submissions/other"), "secret").expect("a file");
    fs::write(place.path("course/key"), "secret").expect("a file");
    place.make_folder("bot");
    place.write("bot/bot.py", BOT);
}

/// The run's file after a match of the bot; `use_name` makes it a hand-in's own `bot.toml`.
fn played(place: &Place, out: &str, is_foreign: bool) -> String {
    let files = ["course/submissions/other", "course/key"].map(|name| place.path(name));
    let words = ["python3", "bot.py"].map(str::to_owned);
    let words = words
        .into_iter()
        .chain(files.map(|file| file.display().to_string()));
    let words: Vec<String> = words.collect();
    let bot = if is_foreign {
        place.write("bot/bot.toml", &format!("command = {words:?}\n"));
        "use = \"bot\"".to_owned()
    } else {
        format!("command = {words:?}\nreadable = [\"bot\"]")
    };
    let folder = if is_foreign { "" } else { "bot/" };
    let text = format!(
        "game = \"othello\"\nformat = \"match\"\ngames = 2\nmove_ms = 2000\nsandbox = {:?}\n\
         [[bot]]\nname = \"bot\"\n{}\n[[bot]]\nuse = \"random\"\n",
        place.tier,
        bot.replace("\"bot.py\"", &format!("\"{folder}bot.py\"")),
    );
    place.write("course.toml", &text);
    let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
    let path = format!("{}:/usr/bin:/bin", place.path("course/bin").display());
    let output = arena
        .env("PATH", path)
        .args(["run", "course.toml", "--out", out])
        .output();
    let output = output.expect("the arena starts");
    assert!(
        output.status.success(),
        "{}: {}",
        place.name(),
        both(&output)
    );
    let run = fs::read_to_string(place.path(out).join("run.toml")).expect("a run");
    let said = both(&output);
    let library = place.path("course/lib").display().to_string();
    assert!(
        said.contains(&library),
        "{}: the first line names it: {said}",
        place.name()
    );
    assert!(run.contains(&library), "{}: {run}", place.name());
    run
}

#[test]
fn of_a_folder_in_the_path_only_the_runtime_is_open() {
    for place in places() {
        course(&place);
        for (out, is_foreign) in [("hand-in", true), ("own", false)] {
            let run = played(&place, out, is_foreign);
            // Its modules, but neither the key nor what others have handed in.
            assert!(
                run.contains("\"bot installed\""),
                "{}, {out}: {run}",
                place.name()
            );
        }
    }
}
