//! People as players: a person as a bot of a tournament file, and the file for a single pair of games with people.

use games::Game;
use toml::Spanned;

use super::{BotFile, TournamentFile, given};

const COMMAND: &str = "(a person)";

/// The names of people in tables: of one person, or of two people who share a screen, black first.
pub const NAMES: [&str; 2] = ["you", "friend"];

/// The name of a person who defends against bots in stages, in tables and on the command line.
pub const DEFENDER: &str = "human";

/// Returns a person with this name and this time limit of a move in ms; 0 for no limit.
pub fn person(name: &str, move_ms: i64) -> BotFile {
    BotFile {
        name: given(Some(name.to_owned())),
        command: given(Some(vec![COMMAND.to_owned()])),
        move_ms: given(Some(move_ms)),
        ..BotFile::default()
    }
}

pub fn people(file: &TournamentFile) -> Option<[bool; 2]> {
    let is_person = |bot: &Spanned<BotFile>| {
        let command = bot.get_ref().command.as_ref();
        command.is_some_and(|words| words.get_ref().as_slice() == [COMMAND])
    };
    let people = [0, 1].map(|seat| file.bot.get(seat).is_some_and(is_person));
    (people != [false; 2]).then_some(people)
}

/// Returns a match of one pair from the start position. The first of `seats` is black in the first game.
pub fn game_of(game: Game, seats: [BotFile; 2]) -> TournamentFile {
    TournamentFile {
        name: given(Some(format!("play-{}", game.name()))),
        game: given(Some(game.name().to_owned())),
        rules: given(Some(game.rules().to_owned())),
        size: given(Some(i64::from(game.size()))),
        opening: given(game.opening().map(|rule| rule.name().to_owned())),
        format: given(Some("match".to_owned())),
        games: given(Some(2)),
        openings: given(Some("none".to_owned())),
        pin: given(Some(false)),
        bot: seats.map(|bot| Spanned::new(0..0, bot)).into(),
        ..TournamentFile::default()
    }
}
