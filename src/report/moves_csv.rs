//! `moves.csv`: a row a half-move, the opening's and forced passes included.

use std::io::Write;

use games::{Board, Move, Rules, Side};

use super::cell;
use referee::record::{GameRecord, Ply};

const HEADER: [&str; 12] = [
    "game", "ply", "side", "bot", "move", "by", "depth", "score", "nodes", "wall_ms", "cpu_ms",
    "pv",
];

/// Writes rows one game at a time.
pub(super) struct MovesCsv<W: Write>(csv::Writer<W>);

impl<W: Write> MovesCsv<W> {
    pub fn new(output: W) -> csv::Result<MovesCsv<W>> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(HEADER)?;
        Ok(MovesCsv(writer))
    }

    pub fn add(&mut self, record: &GameRecord) -> csv::Result<()> {
        let mut board = record.game.start();
        let given = record.opening.iter().map(|&given| (given, "opening", None));
        let asked = record.plies.iter().map(|ply| match ply.effort {
            Some(_) => (ply.played, "bot", Some(ply)),
            None => (ply.played, "pass", None),
        });
        for (number, (played, by, ply)) in given.chain(asked).enumerate() {
            let side = board.side_to_move();
            self.row(record, number + 1, side, played, by, ply)?;
            let is_given = number < record.opening.len();
            let put = if is_given { Board::give } else { Board::play };
            // A record that cannot be played again is shown as far as it can.
            if put(&mut board, played).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        record: &GameRecord,
        number: usize,
        side: Side,
        played: Move,
        by: &str,
        ply: Option<&Ply>,
    ) -> csv::Result<()> {
        let thought = ply.map(|ply| &ply.thought);
        let effort = ply.and_then(|ply| ply.effort);
        self.0.write_record([
            record.id.0.to_string(),
            number.to_string(),
            side.word().to_owned(),
            record.player(side).to_owned(),
            played.to_string(),
            by.to_owned(),
            cell::maybe(thought.and_then(|thought| thought.depth), |n| n.to_string()),
            cell::maybe(thought.and_then(|thought| thought.score), |n| n.to_string()),
            cell::maybe(thought.and_then(|thought| thought.nodes), |n| n.to_string()),
            cell::maybe(effort.map(|effort| effort.wall), cell::ms),
            cell::maybe(effort.and_then(|effort| effort.cpu), cell::ms),
            cell::maybe(thought, |thought| cell::moves(&thought.pv)),
        ])
    }

    pub fn finish(mut self) -> csv::Result<()> {
        Ok(self.0.flush()?)
    }
}
