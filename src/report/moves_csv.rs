//! `moves.csv`: a row a half-move, the opening's and forced passes included.

use games::Rules;

use super::cell;
use referee::record::GameRecord;

pub(super) const HEADER: [&str; 11] = [
    "game", "ply", "side", "bot", "move", "by", "depth", "score", "nodes", "wall_ms", "cpu_ms",
];

/// The rows of a game. One that cannot be played again is shown as far as it can.
pub(super) fn rows(record: &GameRecord) -> impl Iterator<Item = [String; HEADER.len()]> {
    let given = record.opening.iter();
    let given = given.map(|&played| (played, "opening", None));
    let asked = record.plies.iter().map(|ply| match &ply.thought {
        Some(thought) => (ply.played, "bot", Some(thought)),
        None => (ply.played, "pass", None),
    });
    let mut board = Some(record.game.start());
    (1..)
        .zip(given.chain(asked))
        .map_while(move |(ply, (played, by, thought))| {
            let before = board.take()?;
            let side = before.side_to_move();
            let mut after = before;
            board = after.play(played).is_ok().then_some(after);
            Some([
                record.id.0.to_string(),
                u32::to_string(&ply),
                side.word().to_owned(),
                record.player(side).to_owned(),
                played.to_string(),
                by.to_owned(),
                cell::maybe(thought.and_then(|it| it.depth), |depth| depth.to_string()),
                cell::maybe(thought.and_then(|it| it.score), |score| score.to_string()),
                cell::maybe(thought.and_then(|it| it.nodes), |nodes| nodes.to_string()),
                cell::maybe(thought.map(|it| it.wall), cell::ms),
                cell::maybe(thought.and_then(|it| it.cpu), cell::ms),
            ])
        })
}
