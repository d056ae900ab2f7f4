//! The record of a block of a plan as lines of JSON. Lines are only appended, which is safe on a network file system.
//!
//! A line is a game, or the start of a session: the machine and the arena that play the following games. Each line has
//! a checksum. If the machine or the arena fails, the last line may be incomplete. Readers ignore such a line, and
//! opening the file for writing removes it. If the file system has locks, a lock keeps other arenas out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::stored::{RawGame, checksum};
use super::{RecordNote, StoreError, is_due};
use host::Lock;
use message::ToValue;
use referee::bot::size;
use referee::record::{GameId, GameRecord};

/// The number that replaces a game's number in the checksum of a session.
const SESSION: GameId = GameId(u64::MAX);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordEntry {
    /// The machine and arena that play the following games, as JSON.
    Session(String),
    Game(RawGame),
}

impl RecordEntry {
    fn line(&self) -> String {
        match self {
            RecordEntry::Session(text) => {
                let sum = checksum(SESSION, text);
                format!("{{\"sum\":\"{sum:016x}\",\"session\":{text}}}\n")
            }
            RecordEntry::Game(RawGame { id, text, sum }) => {
                let id = id.0;
                format!("{{\"sum\":\"{sum:016x}\",\"game\":{id},\"record\":{text}}}\n")
            }
        }
    }

    /// Parses a line. The error is the reason why the line is not valid.
    fn parse(line: &[u8]) -> Result<RecordEntry, &'static str> {
        let parse = || {
            let line = std::str::from_utf8(line).ok()?.strip_suffix("}\n")?;
            let line = line.strip_prefix("{\"sum\":\"")?;
            let sum = u64::from_str_radix(line.get(..16)?, 16).ok()?;
            let line = &line[16..];
            if let Some(text) = line.strip_prefix("\",\"session\":") {
                return Some((sum, SESSION, text));
            }
            let (id, text) = line.strip_prefix("\",\"game\":")?.split_once(',')?;
            let text = text.strip_prefix("\"record\":")?;
            Some((sum, GameId(id.parse().ok()?), text))
        };
        let (sum, id, text) = parse().ok_or("it is not a line of a shard")?;
        if checksum(id, text) != sum {
            return Err("its checksum does not match");
        }
        let text = text.to_owned();
        Ok(match id {
            SESSION => RecordEntry::Session(text),
            id => RecordEntry::Game(RawGame { id, text, sum }),
        })
    }
}

/// A line has at most this many bytes. A game of 484 half-moves with all data of the bots has about 100 KiB.
const LONGEST: u64 = 16 << 20;

/// Calls `take` with every line of a file, in order: its number from 1, its position in bytes, and its bytes with the
/// line break, which the last line may lack. Fails if the file is not regular, or a line has more than 16 MiB.
pub fn each_line<E: From<StoreError>>(
    path: &Path,
    mut take: impl FnMut(u64, u64, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let wrap = |source| StoreError::File {
        path: path.to_owned(),
        source,
    };
    let file = host::open_regular(path).map_err(wrap)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    let (mut line, mut at) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let mut bounded = (&mut file).take(LONGEST + 1);
        let length = bounded.read_until(b'\n', &mut line).map_err(wrap)? as u64;
        if length > LONGEST {
            let (path, why) = (
                path.to_owned(),
                format!("it has more than {}", size(LONGEST)),
            );
            return Err(StoreError::Line {
                path,
                line: number,
                why,
            }
            .into());
        }
        if length == 0 {
            break;
        }
        take(number, at, &line)?;
        at += length;
    }
    Ok(())
}

/// Calls `take` with the position, in bytes, and the entry of every line, in order, up to the first invalid line.
/// Returns the number of bytes from that line to the end of the file. Usually, they are an incomplete last line. Fails
/// if a valid line follows an invalid one; see also [`each_line`].
pub fn entries<E: From<StoreError>>(
    path: &Path,
    mut take: impl FnMut(u64, RecordEntry) -> Result<(), E>,
) -> Result<u64, E> {
    let (mut end, mut torn) = (0, None);
    each_line(path, |number, at, line| -> Result<(), E> {
        end = at + line.len() as u64;
        match (RecordEntry::parse(line), torn) {
            (Ok(_), Some((line, _, why))) => {
                let (path, why) = (path.to_owned(), String::from(why));
                return Err(StoreError::Line { path, line, why }.into());
            }
            (Ok(entry), None) => take(at, entry)?,
            (Err(why), torn_before) => torn = torn_before.or(Some((number, at, why))),
        }
        Ok(())
    })?;
    Ok(torn.map_or(0, |(_, start, _)| end - start))
}

#[derive(Clone, Copy, Debug)]
struct Extent {
    at: u64,
    length: usize,
    is_void: bool,
}

#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    /// `None` if the file system has no locks.
    _lock: Option<Lock>,
    end: u64,
    sessions: Vec<String>,
    games: BTreeMap<GameId, Extent>,
    /// Lines that are not in the file yet. `count` is their number; `since` is when the first of them was added.
    waiting: Vec<u8>,
    count: usize,
    since: Option<Instant>,
    notes: Vec<RecordNote>,
}

impl LineFile {
    /// Opens or creates the file, and removes an incomplete last line. Fails if another arena has the file open.
    pub fn open(path: &Path) -> Result<LineFile, StoreError> {
        let wrap = |source| StoreError::File {
            path: path.to_owned(),
            source,
        };
        let is_new = path.symlink_metadata().is_err();
        if !is_new {
            // Fails for a link, because writing to it would change a file elsewhere.
            host::open_regular(path).map_err(wrap)?;
        }
        let mut options = File::options();
        options.read(true).append(true).create(true);
        let file = options.open(path).map_err(wrap)?;
        let mut notes = Vec::new();
        let lock = match Lock::take(file.try_clone().map_err(wrap)?) {
            Ok(lock) => Some(lock),
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(StoreError::Locked { path });
            }
            Err(TryLockError::Error(error)) => {
                let why = error.to_message();
                notes.push(RecordNote::NoLock { why });
                None
            }
        };
        if is_new && let Some(folder) = path.parent() {
            // Forces the new file's name in the folder to disk. Ignores an error, because not every system can do this.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        let (mut sessions, mut games) = (Vec::new(), BTreeMap::new());
        let torn = entries(path, |at, entry| -> Result<(), StoreError> {
            let length = entry.line().len();
            match entry {
                RecordEntry::Session(text) => sessions.push(text),
                RecordEntry::Game(game) => {
                    let is_void = game.is_void();
                    let place = Extent {
                        at,
                        length,
                        is_void,
                    };
                    let counts = |place: &Extent| !place.is_void;
                    if !games.get(&game.id).is_some_and(counts) {
                        games.insert(game.id, place);
                    }
                }
            }
            Ok(())
        })?;
        let end = file.metadata().map_err(wrap)?.len() - torn;
        if torn > 0 {
            file.set_len(end).map_err(wrap)?;
            file.sync_all().map_err(wrap)?;
            notes.push(RecordNote::Torn { bytes: torn });
        }
        Ok(LineFile {
            path: path.to_owned(),
            file,
            _lock: lock,
            end,
            sessions,
            games,
            waiting: Vec::new(),
            count: 0,
            since: None,
            notes,
        })
    }

    pub fn sessions(&self) -> &[String] {
        &self.sessions
    }

    pub fn games(&self) -> impl Iterator<Item = GameId> {
        self.games.keys().copied()
    }

    /// Begins a session. `session` is JSON without a line break.
    pub fn begin(&mut self, session: &str) -> Result<(), StoreError> {
        self.sessions.push(session.to_owned());
        self.waiting
            .extend(RecordEntry::Session(session.to_owned()).line().bytes());
        self.write()
    }

    pub(super) fn notes(&self) -> &[RecordNote] {
        &self.notes
    }

    pub(super) fn save(&mut self, record: &GameRecord, now: Instant) -> Result<(), StoreError> {
        let damaged = |why: String| self.damaged(record.id, why);
        let game = RawGame::of(record).map_err(damaged)?;
        if self.games.get(&game.id).is_some_and(|place| !place.is_void) {
            return Err(self.damaged(game.id, "it was played twice".to_owned()));
        }
        let (id, is_void) = (game.id, game.is_void());
        let line = RecordEntry::Game(game).line();
        let place = Extent {
            at: self.end + self.waiting.len() as u64,
            length: line.len(),
            is_void,
        };
        self.games.insert(id, place);
        self.waiting.extend(line.bytes());
        self.count += 1;
        self.since.get_or_insert(now);
        self.commit_if_due(now)
    }

    pub(super) fn commit_if_due(&mut self, now: Instant) -> Result<(), StoreError> {
        if is_due(self.count, self.since, now) {
            self.commit()
        } else {
            Ok(())
        }
    }

    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        if self.since.is_some() {
            self.write()?;
            (self.count, self.since) = (0, None);
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), StoreError> {
        let written = (self.file.write_all(&self.waiting)).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // Removes the incomplete line, even on a full disk. If this fails, the next `open` removes the line.
            let _ = self.file.set_len(self.end);
            let path = self.path.clone();
            return Err(StoreError::File { path, source });
        }
        self.end += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    pub(super) fn ids(&self) -> BTreeSet<GameId> {
        let games = self.games.iter().filter(|(_, place)| !place.is_void);
        games.map(|(&id, _)| id).collect()
    }

    pub fn each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        for (&id, &place) in &self.games {
            take(self.read(id, place)?)?;
        }
        Ok(())
    }

    pub(super) fn game(&self, id: GameId) -> Result<Option<GameRecord>, StoreError> {
        let place = self.games.get(&id);
        place.map(|&place| self.read(id, place)).transpose()
    }

    fn read(&self, id: GameId, place: Extent) -> Result<GameRecord, StoreError> {
        let line = match place.at.checked_sub(self.end) {
            Some(from) => self.waiting[from as usize..][..place.length].to_vec(),
            None => self.bytes(place).map_err(|source| StoreError::File {
                path: self.path.clone(),
                source,
            })?,
        };
        match RecordEntry::parse(&line) {
            Ok(RecordEntry::Game(game)) => game.record().map_err(|why| self.damaged(id, why)),
            Ok(RecordEntry::Session(_)) => Err(self.damaged(id, "it is a session".to_owned())),
            Err(why) => Err(self.damaged(id, why.to_owned())),
        }
    }

    fn bytes(&self, place: Extent) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; place.length];
        let mut file = host::open_regular(&self.path)?;
        file.seek(io::SeekFrom::Start(place.at))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn damaged(&self, id: GameId, why: String) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            id,
            why,
        }
    }
}
