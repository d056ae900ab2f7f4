//! Tests in every tier.

use crate::common::folders::folder_bots;
use crate::common::place::{User, places};
use crate::common::{both, table};

#[test]
fn every_language_plays_in_every_box() {
    let places = places();
    let ours = places.iter().filter(|place| place.user == User::Ourselves);
    let bots = folder_bots();
    for place in ours {
        for bot in &bots {
            let (name, folder) = (bot.name(), bot.folder.display().to_string());
            let mut arena = place.command(env!("CARGO_BIN_EXE_arena"));
            // Compilers and interpreters may be in the developer's own folders.
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
