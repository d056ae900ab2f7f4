//! A game as it is stored: text with a checksum.

use super::stored::StoredGame;
use referee::record::{GameId, GameRecord, Outcome};

/// A game as it is stored, which has not been read: its text is the same in a database and in a file of
/// lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    /// Its number.
    pub id: GameId,
    /// JSON.
    pub text: String,
    /// Over the number and the text.
    pub(super) sum: u64,
}

impl RawGame {
    /// That of a record.
    pub fn of(record: &GameRecord) -> Result<RawGame, String> {
        let text = serde_json::to_string(&StoredGame::from(record));
        let text = text.map_err(|error| error.to_string())?;
        let (id, sum) = (record.id, checksum(record.id, &text));
        Ok(RawGame { id, text, sum })
    }

    /// What it says; `Err` says what is wrong.
    pub fn record(&self) -> Result<GameRecord, String> {
        let stored = serde_json::from_str::<StoredGame>(&self.text);
        let stored = stored.map_err(|error| error.to_string())?;
        let record = stored.into_record(self.id)?;
        if self.sum != checksum(self.id, &self.text) {
            return Err("its checksum does not match".to_owned());
        }
        // Other readers look at the text alone.
        if self.is_void() != (record.verdict.outcome() == Outcome::Void) {
            return Err("it says twice how the game ended".to_owned());
        }
        Ok(record)
    }

    /// Whether it does not count.
    pub fn is_void(&self) -> bool {
        verdict(self.text.as_bytes()) == Some("void")
    }
}

/// The kind of verdict of a game's text, as it is written, found without reading the rest: `rules`,
/// `forfeit`, `void`, … No name or message can look like one: quotes in it are escaped.
pub fn verdict(text: &[u8]) -> Option<&str> {
    const KEY: &[u8] = br#""verdict":{""#;
    // It stands behind the moves, which are most of the text.
    let from = memchr::memmem::rfind(text, KEY)? + KEY.len();
    let length = memchr::memchr(b'"', &text[from..])?;
    std::str::from_utf8(&text[from..from + length]).ok()
}

/// A checksum of a game, 64 bits of FNV-1a. Each byte goes through a one-to-one function, so every
/// change of a single byte is found; of other changes one in 2⁶⁴ is missed.
///
/// Source: G. Fowler, L. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
pub(super) fn checksum(id: GameId, text: &str) -> u64 {
    let number = id.0.to_le_bytes();
    let bytes = number.iter().chain(text.as_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
