//! Packs games and other data for the script of a page in a file: lines of JSON, compressed, in parts of bounded size.
//! A part is written in base64, so a bot's text cannot contain the end tag of its element.

use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use games::formats::SavedGame;
use referee::record::GameRecord;
use serde_json::{Value, json};

use super::game_view::GameView;
use super::list::{GameList, points};
use crate::report::Standings;

pub(super) const GAMES: u32 = 1000;
/// A part with this many compressed bytes is full: 1.6 MB as base64.
const BYTES: usize = 1_200_000;

#[derive(Debug)]
pub(super) struct Packed(GzEncoder<Vec<u8>>);

impl Default for Packed {
    fn default() -> Packed {
        Packed(GzEncoder::new(Vec::new(), Compression::default()))
    }
}

impl Packed {
    pub fn line(&mut self, value: &Value) {
        // The encoder clears 32 KB of memory for each piece that it gets.
        let line = format!("{value}\n");
        let written = self.0.write_all(line.as_bytes());
        written.expect("memory takes what it is given");
    }

    /// Returns the number of compressed bytes so far, without the bytes in the encoder's buffer.
    fn len(&self) -> usize {
        self.0.get_ref().len()
    }

    pub fn text(self) -> String {
        BASE64_STANDARD.encode(self.0.finish().expect("memory takes what it is given"))
    }
}

#[derive(Debug, Default)]
pub(super) struct PagePart {
    pub games: Packed,
    pub list: Packed,
    pub known: GameList,
    count: u32,
    numbers: Option<(u64, u64)>,
}

impl PagePart {
    /// Adds a game that `standings` have already counted.
    pub fn add(&mut self, record: &GameRecord, view: GameView, standings: &Standings) {
        self.known.add(record, standings);
        self.games.line(&with_sgf(view.packed(), record));
        self.list.line(&entry(record));
        self.count += 1;
        let id = record.id.0;
        self.numbers = Some((self.numbers.map_or(id, |(first, _)| first), id));
    }

    pub fn is_full(&self) -> bool {
        self.count >= GAMES || self.games.len() >= BYTES
    }

    pub fn numbers(&self) -> Option<(u64, u64)> {
        self.numbers
    }
}

/// Adds the beginning of the SGF text, without the moves, and the number of half-moves before the first saved one.
fn with_sgf(mut packed: Value, record: &GameRecord) -> Value {
    let saved = record.saved();
    let count = saved.moves.len();
    let before = (record.opening.len() + record.counted().len()).saturating_sub(count);
    let head = SavedGame {
        moves: Vec::new(),
        ..saved
    };
    if let Ok(head) = games::formats::sgf::write(&head) {
        packed["sgf"] = json!([head.trim_end_matches(")\n"), before]);
    }
    packed
}

pub(super) fn entry(record: &GameRecord) -> Value {
    json!([
        record.id.0,
        record
            .players
            .each_ref()
            .map(|name| referee::record::harmless(name)),
        points(record.verdict.outcome()),
        record.verdict.reason(),
        games::Side::BOTH.map(|side| u8::from(record.verdict.fault_of(side).is_some())),
        record.opening.len() + record.plies.len(),
        games::format_transcript(&record.opening),
    ])
}
