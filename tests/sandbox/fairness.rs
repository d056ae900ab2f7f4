//! Whether cheating pays, over many games.

use super::common::{both, nobody_is_left, table};
use super::place::{machine_alone, some_places};

/// Games in each place, and the variable that sets another number.
const GAMES: u32 = 16;
const MORE: &str = "ARENA_FAIR_GAMES";
/// Two-sided 95 % of the normal distribution.
const Z: f64 = 1.96;

/// It plays at random as its opponent does, and where it is about to lose it provokes what used to be
/// taken for a fault of the machine. Its score may not be above what chance gives an honest bot.
#[test]
fn who_cheats_when_it_loses_gains_nothing() {
    let _machine = machine_alone();
    let games = std::env::var(MORE).map_or(GAMES, |games| games.parse().expect("a number"));
    for place in some_places() {
        let name = place.name();
        let marker = place.path("fair").display().to_string();
        let mode = "fair-children,reaped,spinners,idle-class,stop-arena";
        let cheat = place.bot("cheat", "cheat.py", &[mode, &marker], "");
        let count = games.to_string();
        let words = [
            "match",
            &cheat,
            "random",
            "-n",
            &count,
            "--move-ms",
            "300",
            "--out",
            "run",
        ];
        let mut output = place.arena(&[&words[..], &["-j", "2", "--openings", "none"]].concat());
        for _ in 0..3 {
            if output.status.code() == Some(4) {
                output = place.plainly(&["resume", "run"]);
            }
        }
        nobody_is_left(&marker);
        let said = both(&output);
        let rows = table(&place.path("run/games.csv"));
        assert_eq!(rows.len() as u32, games, "{name}: {said}");
        let (mut points, mut forfeits) = (0.0, 0);
        for row in &rows {
            let fault = (row["at_fault"].as_str(), row["reason"].as_str());
            let expected = fault == ("", "discs") || fault == ("cheat", "out-of-time");
            assert!(expected, "{name}: {row:?}");
            forfeits += u32::from(row["at_fault"] == "cheat");
            points += match row["result"].as_str() {
                "draw" => 0.5,
                colour if row[colour] == "cheat" => 1.0,
                _ => 0.0,
            };
        }
        let score = points / f64::from(games);
        let chance = Z * (0.25 / f64::from(games)).sqrt();
        println!("{name}: {score:.3} of {games} games, {forfeits} forfeits");
        assert!(score <= 0.5 + chance, "{name}: {score}: {said}");
        assert!(
            forfeits > 0,
            "{name}: it has cheated in none of {games} games"
        );
    }
}
