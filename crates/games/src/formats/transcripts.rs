//! Files of transcripts, one game per line.

use super::{SavedGame, SavedMove};
use crate::{Game, families, parse_transcript};
use message::{Message, message};

/// Reads one game per line; `#` begins a comment. A line belongs to the first game whose default board allows it.
pub fn transcripts(text: &str) -> Result<Vec<SavedGame>, Message> {
    let known = families().into_iter();
    let known: Vec<Game> = known
        .map(|family| Game::of_family(family, None, None).expect("it has a usual board"))
        .collect();
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let written = line.split('#').next().unwrap_or_default().trim();
        if written.is_empty() {
            continue;
        }
        let read = |&game: &Game| parse_transcript(game, written).map(|(moves, _)| (game, moves));
        let mut tried = Vec::new();
        let found = known.iter().find_map(|game| {
            read(game)
                .map_err(|bad| tried.push(message!("as {game}: {bad}")))
                .ok()
        });
        let (game, moves) = found
            .ok_or_else(|| message!("line {number} is not a game: {}", Message::list(tried)))?;
        games.push(SavedGame {
            moves: moves.into_iter().map(SavedMove::from).collect(),
            ..SavedGame::new(game.start())
        });
    }
    Ok(games)
}
