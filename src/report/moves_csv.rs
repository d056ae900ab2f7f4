//! `moves.csv`: a row a half-move, the opening's and forced passes included.

use std::io::Write;

use games::{Board, Move, Rules, Side};

use super::cell;
use referee::record::{GameRecord, Thought};

const HEADER: [&str; 11] = [
    "game", "ply", "side", "bot", "move", "by", "depth", "score", "nodes", "wall_ms", "cpu_ms",
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
        let asked = record.plies.iter().map(|ply| match &ply.thought {
            Some(thought) => (ply.played, "bot", Some(thought)),
            None => (ply.played, "pass", None),
        });
        for (ply, (played, by, thought)) in given.chain(asked).enumerate() {
            let side = board.side_to_move();
            self.row(record, ply + 1, side, played, by, thought)?;
            let is_given = ply < record.opening.len();
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
        ply: usize,
        side: Side,
        played: Move,
        by: &str,
        thought: Option<&Thought>,
    ) -> csv::Result<()> {
        let of = |value: Option<String>| value.unwrap_or_default();
        self.0.write_record([
            record.id.0.to_string(),
            ply.to_string(),
            side.word().to_owned(),
            record.player(side).to_owned(),
            played.to_string(),
            by.to_owned(),
            of(thought
                .and_then(|thought| thought.depth)
                .map(|depth| depth.to_string())),
            of(thought
                .and_then(|thought| thought.score)
                .map(|score| score.to_string())),
            of(thought
                .and_then(|thought| thought.nodes)
                .map(|nodes| nodes.to_string())),
            of(thought.map(|thought| cell::ms(thought.wall))),
            of(thought.and_then(|thought| thought.cpu).map(cell::ms)),
        ])
    }

    pub fn finish(mut self) -> csv::Result<()> {
        Ok(self.0.flush()?)
    }
}
