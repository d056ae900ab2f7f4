//! Tournaments for tests that use the crates without the command line.

use std::path::Path;

use tournament::{Catalogue, Tournament, TournamentFile};

/// Returns the tournament of a file with this text and these bots, which are never started.
pub fn tournament(text: &str, bots: &[&str]) -> Tournament {
    let bot = |name| format!("[[bot]]\nname = '{name}'\ncommand = ['never started']\n");
    let bots: String = bots.iter().map(bot).collect();
    let file = TournamentFile::parse(&format!("{text}\nopenings = 'none'\n{bots}"));
    let tournament = file
        .expect("TOML")
        .validate(&Catalogue::empty(), Path::new("."));
    tournament.expect("a tournament")
}
