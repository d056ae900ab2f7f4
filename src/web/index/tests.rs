//! A record that grows while it is read, on a real disk.

use std::time::Instant;

use games::{Game, Move, Side, Square};
use tempfile::TempDir;

use super::*;
use referee::record::{Fault, Verdict};

/// A record that is written, and what a reader has of it.
struct Reading {
    folder: TempDir,
    written: Store,
    index: Index,
}

impl Reading {
    fn start() -> Reading {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Reading {
            written: Store::open(folder.path()).expect("a new record"),
            index: Index::new(folder.path(), &Catalogue::empty()),
            folder,
        }
    }

    fn write(&mut self, games: impl IntoIterator<Item = GameRecord>) {
        for game in games {
            let saved = self.written.save(&game, Instant::now());
            saved.expect("there is room");
        }
        self.written.commit().expect("there is room");
    }

    /// Reads all that is new; the numbers of these games.
    fn read(&mut self) -> Vec<u64> {
        let store = Store::read(self.folder.path()).expect("a record");
        let mut read = Vec::new();
        loop {
            let news = self.index.news(&store).expect("a whole record");
            assert!(news.games.len() <= AT_ONCE, "a bounded part at a time");
            read.extend(news.games.iter().map(|(game, _)| game.id.0));
            self.index.take(&news);
            if !news.more {
                return read;
            }
        }
    }
}

/// Black wins, in Gomoku; each game has an opening of its own, as far as two stones go.
fn game(id: u64) -> GameRecord {
    let size = 15;
    let square = |at: u64| Move::Place(Square::from_index(at as usize % 225, size));
    let gomoku = Game::new("gomoku", None, Some(i64::from(size))).expect("a game");
    GameRecord {
        counts: [1, 1],
        opening: vec![square(id), square(id + 1 + id / 225)],
        ..GameRecord::new(
            GameId(id),
            gomoku,
            ["one", "other"],
            Verdict::Forfeit {
                by: Side::White,
                fault: Fault::ClosedOutput,
            },
        )
    }
}

fn void(id: u64) -> GameRecord {
    let why = "the machine stalled".to_owned();
    GameRecord {
        verdict: Verdict::Void { why },
        ..game(id)
    }
}

/// A void game from long ago is played again, games end out of order, others go on: each is read once.
#[test]
fn what_is_new_is_read_once_wherever_it_stands() {
    let mut reading = Reading::start();
    reading.write((0..3000).map(|id| if id == 5 { void(id) } else { game(id) }));
    assert_eq!(reading.read(), (0..3000).collect::<Vec<_>>());
    assert_eq!(reading.read(), [0; 0], "nothing is new");
    let outcome = |reading: &Reading| reading.index.lines.get(5).map(|line| line.outcome);
    assert_eq!(outcome(&reading), Some(Outcome::Void));
    reading.write([game(5), game(3000), game(3003)]);
    let mut read = reading.read();
    read.sort_unstable();
    assert_eq!(read, [5, 3000, 3003]);
    assert_eq!(outcome(&reading), Some(Outcome::Win(Side::Black)));
    reading.write([game(3002), void(3001)]);
    assert_eq!(reading.read(), [3001, 3002]);
    assert_eq!(reading.read(), [0; 0]);
    reading.write([game(3001)]);
    assert_eq!(reading.read(), [3001]);
    assert_eq!(reading.index.lines.iter().count(), 3004);
    assert_eq!(reading.index.standings.games(), 3004);
    assert_eq!(
        reading.index.lines.reasons().collect::<Vec<_>>(),
        ["closed-output"]
    );
}

/// A run may have an opening for each pair: only the first ones are kept.
#[test]
fn openings_take_no_memory_without_end() {
    let mut reading = Reading::start();
    reading.write((0..1000).map(game));
    reading.read();
    assert_eq!(reading.index.openings.len(), OPENINGS);
    let opening = |id: u64| reading.index.lines.get(id).expect("a line").opening;
    assert_eq!([opening(0), opening(199)], [Some(0), Some(199)]);
    assert_eq!([opening(200), opening(999)], [None, None]);
    assert_eq!(reading.index.openings[1], "b1c1");
}
