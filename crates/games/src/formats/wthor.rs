//! WTHOR, the database of the French Othello Federation: `.wtb` games, `.jou` names of players, `.trn` of tournaments.
//!
//! Each file begins with a header of 16 bytes, with little-endian numbers: the date of the file as century, year, month
//! and day; the number of games (4 bytes); the number of names (2 bytes); the year of the games (2 bytes); the size of
//! the board (0 also means 8); the type of the file; the depth of the theoretical scores; an unused byte.
//!
//! A game has 68 bytes: the numbers of its tournament, of black and of white (2 bytes each); black's final discs as
//! played and with best play (1 byte each), where empty squares count for the winner; and 60 moves. A move is ten times
//! its row plus its column, both counted from 1; unused moves are 0. Passes are not stored. A name is in Latin-1, ends
//! with a 0, and has 20 bytes (players) or 26 (tournaments).
//!
//! Source: Fédération Française d'Othello, "Format de la base Wthor".

use super::replay::Replay;
use super::{CannotHold, GameResult, How, Mistake, SavedGame};
use crate::{Game, Move, Rules, Side, Square};

const HEADER_BYTES: usize = 16;
const GAME_BYTES: usize = 68;
const PLAYER_BYTES: usize = 20;
const TOURNAMENT_BYTES: usize = 26;
const UNKNOWN: &str = "???";
const ALL_DISCS: f64 = 64.0;

/// The date in the headers of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The year, such as 2026.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

/// The three files of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorFiles {
    /// The games: `.wtb`.
    pub games: Vec<u8>,
    /// The players' names: `.jou`. Empty if there is no such file.
    pub players: Vec<u8>,
    /// The tournaments' names: `.trn`. Empty if there is no such file.
    pub tournaments: Vec<u8>,
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadWthor {
    /// A file that is shorter than its header requires.
    #[error(
        "the {file} file has {bytes} bytes, but needs {needed} for the {records} records in its header"
    )]
    Short {
        /// The extension of the file.
        file: &'static str,
        /// The size of the file in bytes.
        bytes: usize,
        /// The least size in bytes.
        needed: usize,
        /// The number of records in the header.
        records: usize,
    },
    /// A board of another size.
    #[error("byte 12: the games are on a board of size {size}, but Othello is played on 8×8")]
    Size {
        /// The size of the board.
        size: u8,
    },
    /// A game with an illegal move.
    #[error("game {number}, byte {byte}: {fault}")]
    Game {
        /// The number of the game, from 1.
        number: usize,
        /// The byte of the move in the file, from 0.
        byte: usize,
        /// The error.
        fault: Mistake,
    },
}

/// Reads the games of a database. A name that is not in the other files becomes its number, such as `#17`.
pub fn read(files: &WthorFiles) -> Result<Vec<SavedGame>, BadWthor> {
    let (header, records) = records(".wtb", &files.games, 4, GAME_BYTES)?;
    if !matches!(header[12], 0 | 8) {
        return Err(BadWthor::Size { size: header[12] });
    }
    let players = names(".jou", &files.players, PLAYER_BYTES)?;
    let tournaments = names(".trn", &files.tournaments, TOURNAMENT_BYTES)?;
    let year = u16::from_le_bytes([header[10], header[11]]);
    let games = records.enumerate().map(|(index, record)| {
        let mut game = SavedGame::new(Game::OTHELLO.start());
        let number = |at: usize| usize::from(u16::from_le_bytes([record[at], record[at + 1]]));
        game.event = name(&tournaments, number(0));
        game.players = [name(&players, number(2)), name(&players, number(4))];
        if year != 0 {
            game.date = year.to_string();
        }
        game.result = Some(result(record[6]));
        let mut replay = Replay::new(&game.start);
        for (at, &code) in (8..).zip(record[8..].iter().take_while(|&&code| code != 0)) {
            play(&mut replay, code).map_err(|fault| BadWthor::Game {
                number: index + 1,
                byte: HEADER_BYTES + index * GAME_BYTES + at,
                fault,
            })?;
        }
        game.moves = replay.moves;
        Ok(game)
    });
    games.collect()
}

/// Returns the header and the records of a file. `width` is the size of the record count in the header, `record` the
/// size of a record; both are in bytes.
fn records<'a>(
    file: &'static str,
    bytes: &'a [u8],
    width: usize,
    record: usize,
) -> Result<(&'a [u8], std::slice::ChunksExact<'a, u8>), BadWthor> {
    let short = |needed, records| BadWthor::Short {
        file,
        bytes: bytes.len(),
        needed,
        records,
    };
    if bytes.len() < HEADER_BYTES {
        return Err(short(HEADER_BYTES, 0));
    }
    let (header, rest) = bytes.split_at(HEADER_BYTES);
    let count = match width {
        4 => u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize,
        _ => usize::from(u16::from_le_bytes([header[8], header[9]])),
    };
    let needed = count.saturating_mul(record);
    match rest.get(..needed) {
        Some(records) => Ok((header, records.chunks_exact(record))),
        None => Err(short(needed.saturating_add(HEADER_BYTES), count)),
    }
}

fn names(file: &'static str, bytes: &[u8], record: usize) -> Result<Vec<String>, BadWthor> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let (_, records) = records(file, bytes, 2, record)?;
    let text = |record: &[u8]| {
        let letters = record.iter().take_while(|&&letter| letter != 0);
        letters.map(|&letter| char::from(letter)).collect()
    };
    Ok(records.map(text).collect())
}

fn name(names: &[String], number: usize) -> String {
    let name = names.get(number).cloned();
    name.unwrap_or_else(|| format!("#{number}"))
}

fn result(black_discs: u8) -> GameResult {
    let margin = 2.0 * f64::from(black_discs) - ALL_DISCS;
    GameResult {
        winner: match margin {
            margin if margin > 0.0 => Some(Side::Black),
            margin if margin < 0.0 => Some(Side::White),
            _ => None,
        },
        margin: Some(margin),
        how: How::Played,
    }
}

fn play(replay: &mut Replay, code: u8) -> Result<(), Mistake> {
    let (row, column) = (code / 10, code % 10);
    if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
        return Err(Mistake::Found {
            found: code.to_string(),
            wanted: "a move is ten times its row plus its column, 11 to 88",
        });
    }
    let played = Move::Place(Square::new(column - 1, row - 1));
    replay.play(None, played.into())
}

/// Writes the files of a database. `made` is their date; `year` is the year of the games, or 0. WTHOR cannot hold start
/// positions, clocks, times, evaluations, comments, void games, the reasons of endings, or dates of games. Names are
/// cut to 19 and 25 letters; letters that Latin-1 lacks become `?`. A missing result becomes that of the last position.
pub fn write(games: &[SavedGame], made: Day, year: u16) -> Result<WthorFiles, CannotHold> {
    let mut players = NameList::new(PLAYER_BYTES);
    let mut tournaments = NameList::new(TOURNAMENT_BYTES);
    let mut records = Vec::new();
    for game in games {
        let kind = game.start.game();
        if kind != Game::OTHELLO {
            return Err(CannotHold::Game {
                format: "WTHOR",
                game: kind,
                instead: "sgf or psq",
            });
        }
        if game.start != kind.start() {
            return Err(CannotHold::Start {
                format: "WTHOR",
                instead: "ggf or sgf",
            });
        }
        let [black, white] = &game.players;
        let numbers = [
            tournaments.number(&game.event),
            players.number(black),
            players.number(white),
        ];
        records.extend(numbers.into_iter().flat_map(u16::to_le_bytes));
        let score = black_discs(game)?;
        records.extend([score, score]);
        let mut codes = [0; 60];
        let squares = game.plies().filter_map(Move::square);
        for (code, square) in codes.iter_mut().zip(squares) {
            *code = 10 * (square.row() + 1) + square.column() + 1;
        }
        records.extend(codes);
    }
    let header = |games: usize, names: usize, year: u16| {
        let mut header = vec![
            (made.year / 100) as u8,
            (made.year % 100) as u8,
            made.month,
            made.day,
        ];
        header.extend((games as u32).to_le_bytes());
        header.extend((names as u16).to_le_bytes());
        header.extend(year.to_le_bytes());
        header.extend([8, 0, 0, 0]);
        header
    };
    let names = |list: NameList| [header(0, list.names.len(), 0), list.bytes()].concat();
    Ok(WthorFiles {
        games: [header(games.len(), 0, year), records].concat(),
        players: names(players),
        tournaments: names(tournaments),
    })
}

/// Returns black's final discs; empty squares count for the winner. A win without a margin counts as 64 to 0.
fn black_discs(game: &SavedGame) -> Result<u8, CannotHold> {
    let margin = match game.result {
        Some(GameResult { how: How::Void, .. }) => {
            return Err(CannotHold::Void { format: "WTHOR" });
        }
        Some(GameResult {
            margin: Some(margin),
            ..
        }) => margin,
        Some(GameResult { winner, .. }) => match winner {
            Some(Side::Black) => ALL_DISCS,
            Some(Side::White) => -ALL_DISCS,
            None => 0.0,
        },
        None => {
            let [black, white] = game.board().counts().map(f64::from);
            let empties = ALL_DISCS - black - white;
            let difference = black - white;
            match difference {
                difference if difference > 0.0 => difference + empties,
                difference if difference < 0.0 => difference - empties,
                _ => 0.0,
            }
        }
    };
    Ok((margin.clamp(-ALL_DISCS, ALL_DISCS) / 2.0 + ALL_DISCS / 2.0) as u8)
}

/// Names by number; number 0 is the unknown name.
struct NameList {
    bytes: usize,
    names: Vec<Vec<u8>>,
}

impl NameList {
    fn new(bytes: usize) -> NameList {
        NameList {
            bytes,
            names: vec![UNKNOWN.into()],
        }
    }

    fn number(&mut self, name: &str) -> u16 {
        if name.is_empty() {
            return 0;
        }
        let letter = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?').max(b' ');
        let name: Vec<u8> = name.chars().take(self.bytes - 1).map(letter).collect();
        let known = self.names.iter().position(|known| *known == name);
        let number = known.unwrap_or(self.names.len());
        if known.is_none() {
            self.names.push(name);
        }
        number as u16
    }

    fn bytes(&self) -> Vec<u8> {
        let padded = self.names.iter().flat_map(|name| {
            let mut record = name.clone();
            record.resize(self.bytes, 0);
            record
        });
        padded.collect()
    }
}
