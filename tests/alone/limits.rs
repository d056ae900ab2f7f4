//! Limits of bots, and the charge for exceeding them.

use std::collections::BTreeMap;

use crate::common::place::{Place, User, places};
use crate::common::{both, table, wait_for_no_process};

/// Plays two games of a bot with this `mode` against a healthy bot. Returns each game's fault and its detail.
fn play(place: &Place, mode: &str, more: &str) -> Vec<(String, String)> {
    let marker = place.path(mode).display().to_string();
    place.bot(mode, "greedy_for_more.py", &[mode, &marker], more);
    let out = format!("run-{mode}");
    let output = place.arena(&format!(
        "match {mode} minimax:depth=3 -n 2 -j 1 --move-ms 300 --out {out}"
    ));
    let code = output.status.code();
    assert!(code == Some(0) || code == Some(4), "{}", both(&output));
    wait_for_no_process(&marker);
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

/// One process plays both games. Only cgroups count how often the system refused a process.
#[test]
fn refusals_in_one_game_do_not_explain_the_next() {
    let _machine = crate::alone();
    for place in places() {
        if place.user != User::Ourselves {
            continue;
        }
        let rows = play(&place, "forks_in_one_game", "processes = 32\n");
        let faults: Vec<&str> = rows.iter().map(|(fault, _)| fault.as_str()).collect();
        assert_eq!(faults, ["", "out-of-time"], "{}: {rows:?}", place.name());
    }
}
