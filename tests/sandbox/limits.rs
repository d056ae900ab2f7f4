//! What a bot may take, and who is charged if it takes more.

use std::collections::BTreeMap;

use super::common::{both, nobody_is_left, table};
use super::place::{Place, User, is_crowded, machine_alone, places};

/// Plays two games of such a bot against a healthy one; the rows of its games.
fn play(place: &Place, mode: &str, more: &str) -> Vec<(String, String)> {
    let marker = place.path(mode).display().to_string();
    let bot = place.bot(mode, "greedy_for_more.py", &[mode, &marker], more);
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
    let output = place.arena(&arguments);
    // 4: some games are void.
    let code = output.status.code();
    assert!(code == Some(0) || code == Some(4), "{}", both(&output));
    nobody_is_left(&marker);
    let games = table(&place.path(&out).join("games.csv"));
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

#[test]
fn limits_are_kept_and_charged_to_the_bot_alone() {
    let _machine = machine_alone();
    for place in places() {
        let context = place.name();
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
            let mut rows = play(&place, mode, limits);
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
    let _machine = machine_alone();
    for place in places() {
        play(&place, "spinners", "");
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
