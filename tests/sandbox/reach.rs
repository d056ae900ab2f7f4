//! What a bot reaches outside its box.

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;

use super::common::both;
use super::place::{Place, User, machine, places};

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
    let _machine = machine();
    for place in places() {
        let victim = Victim::of(&place);
        let bot = probe(&place, &victim);
        let context = place.name();
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
    let _machine = machine();
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
