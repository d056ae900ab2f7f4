//! Reads a file of games in any format, and writes the formats that are text.

use super::wthor::{BadWthor, WthorFiles};
use super::{BadFile, CannotHold, SavedGame, ggf, obf, psq, sgf, text, wthor};
use crate::{Move, format_transcript};

/// A file of games that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadGames {
    /// An error in a text.
    #[error(transparent)]
    Text(#[from] BadFile),
    /// An error in a WTHOR database.
    #[error(transparent)]
    Wthor(#[from] BadWthor),
}

/// Reads a file in GGF, SGF, PSQ or WTHOR, and recognises the format by the content; `None` for other files.
pub fn read(bytes: &[u8]) -> Option<Result<Vec<SavedGame>, BadGames>> {
    if is_wthor(bytes) {
        let files = WthorFiles {
            games: bytes.to_owned(),
            ..WthorFiles::default()
        };
        return Some(wthor::read(&files).map_err(BadGames::from));
    }
    // Old programs write names in other encodings than UTF-8. Letters outside ASCII are lost; the games can be read.
    let text = String::from_utf8_lossy(bytes);
    let text = &*text::plain(&text);
    let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit());
    let is_tree = begins
        .strip_prefix('(')
        .is_some_and(|rest| rest.trim_start().starts_with(';'));
    let games = if text.starts_with("Piskvorky ") {
        psq::parse(text).map(|game| vec![game])
    } else if !is_tree {
        return None;
    } else if begins.to_ascii_lowercase().contains("gm[othello]") {
        ggf::read(text)
    } else {
        sgf::read(text)
    };
    Some(games.map_err(BadGames::from))
}

/// Writes a game in the format of the extension `ending`: `sgf`, `ggf`, `psq`, `obf` or `txt`; `None` for others.
pub fn write(ending: &str, game: &SavedGame) -> Option<Result<String, CannotHold>> {
    Some(match ending {
        "sgf" => sgf::write(game),
        "ggf" => ggf::write(game),
        "psq" => psq::write(game),
        "obf" => obf::write(game),
        "txt" => {
            let moves: Vec<Move> = game.plies().collect();
            Ok(format_transcript(&moves) + "\n")
        }
        _ => return None,
    })
}

/// Recognises WTHOR, which has no signature, by the file length that follows from the header.
fn is_wthor(bytes: &[u8]) -> bool {
    let Some(header) = bytes.get(..16) else {
        return false;
    };
    let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    games
        .checked_mul(68)
        .is_some_and(|length| length + 16 == bytes.len())
}
