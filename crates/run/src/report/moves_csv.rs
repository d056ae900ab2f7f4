//! `moves.csv`: one row per ply, with those of the opening and forced passes.

use std::borrow::Cow;

use games::{Board, Rules};

use super::cell;
use referee::record::GameRecord;

pub(super) const HEADER: [&str; 12] = [
    "game", "ply", "side", "bot", "move", "by", "depth", "score", "nodes", "wall_ms", "cpu_ms",
    "pv",
];

/// The rows of a game. If the game cannot be replayed, the rows up to that point.
pub(super) fn rows(record: &GameRecord) -> impl Iterator<Item = [Cow<'_, str>; HEADER.len()]> {
    let given = record.opening.iter();
    let given = given.map(|&given| (given, "opening", None));
    let asked = record.plies.iter().map(|ply| match ply.effort {
        Some(_) => (ply.played, "bot", Some(ply)),
        None => (ply.played, "pass", None),
    });
    let mut board = Some(record.game.start());
    (1..)
        .zip(given.chain(asked))
        .map_while(move |(number, (played, by, ply))| {
            let before = board.take()?;
            let side = before.side_to_move();
            let mut after = before;
            let put = if by == "opening" {
                Board::give
            } else {
                Board::play
            };
            board = put(&mut after, played).is_ok().then_some(after);
            let thought = ply.map(|ply| &ply.thought);
            let effort = ply.and_then(|ply| ply.effort);
            Some([
                record.id.0.to_string().into(),
                u32::to_string(&number).into(),
                side.word().into(),
                record.player(side).into(),
                played.to_string().into(),
                by.into(),
                cell::maybe(thought.and_then(|it| it.depth), |depth| depth.to_string()).into(),
                cell::maybe(thought.and_then(|it| it.score), |score| score.to_string()).into(),
                cell::maybe(thought.and_then(|it| it.nodes), |nodes| nodes.to_string()).into(),
                cell::maybe(effort.map(|it| it.wall), cell::ms).into(),
                cell::maybe(effort.and_then(|it| it.cpu), cell::ms).into(),
                cell::maybe(thought, |it| cell::moves(&it.pv)).into(),
            ])
        })
}
