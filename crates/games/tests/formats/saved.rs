//! Random games with random players, clocks, results and evaluations.

use std::time::Duration;

use games::formats::{GameResult, How, SavedGame, SavedMove, TimeControl};
use games::{Game, Move, Rules, Side};
use proptest::prelude::*;
use proptest::sample::select;

use crate::played::{any_game, play, play_on, played_out};

/// Names with characters that are difficult in some of the formats.
pub fn name() -> impl Strategy<Value = String> {
    select(vec![
        "",
        "edax 4.6",
        "Émile Zola",
        "a, b; c",
        "back\\slash",
        "50 % (x)",
        "王",
        "?",
        "C:1",
    ])
    .prop_map(str::to_owned)
}

fn clock() -> impl Strategy<Value = TimeControl> {
    (0..100_000u64, 0..200u64, 0..200u64).prop_map(|times| {
        let [main, increment, grace] = [times.0, times.1, times.2].map(Duration::from_secs);
        TimeControl {
            main,
            increment,
            grace,
        }
    })
}

pub fn scored() -> impl Strategy<Value = Option<GameResult>> {
    let how = select(vec![
        How::Played,
        How::Resigned,
        How::OutOfTime,
        How::Agreed,
    ]);
    proptest::option::of((-64..=64i32, how).prop_map(|(margin, how)| GameResult {
        winner: match margin {
            0 => None,
            margin if margin > 0 => Some(Side::Black),
            _ => Some(Side::White),
        },
        margin: Some(f64::from(margin)),
        how,
    }))
}

fn known(moves: Vec<Move>, facts: &[(Option<i32>, Option<u32>)]) -> Vec<SavedMove> {
    let facts = facts.iter().copied().chain(std::iter::repeat((None, None)));
    let known = moves
        .into_iter()
        .zip(facts)
        .map(|(played, (evaluation, time))| SavedMove {
            played,
            evaluation: evaluation.map(|evaluation| f64::from(evaluation) / 100.0),
            time: time.map(|time| Duration::from_micros(time.into())),
        });
    known.collect()
}

pub fn of_any_game(cut: bool) -> impl Strategy<Value = SavedGame> {
    any_game().prop_flat_map(move |kind| game(kind, cut))
}

/// Returns games of random moves. If `cut`, they start from a position of another random game.
pub fn game(game: Game, cut: bool) -> impl Strategy<Value = SavedGame> {
    let facts = (
        proptest::option::of(any::<i32>()),
        proptest::option::of(any::<u32>()),
    );
    (
        played_out(),
        played_out(),
        proptest::collection::vec(facts, 0..80),
        [name(), name()],
        [proptest::option::of(clock()), proptest::option::of(clock())],
        scored(),
        [name(), name()],
    )
        .prop_map(
            move |(before, after, facts, players, clocks, result, [event, date])| {
                let before = if cut {
                    &before[..before.len() / 2]
                } else {
                    &[]
                };
                let (_, reached) = play(game, before);
                // The position is set up from its rows, as when a file is read.
                let start = match reached.ending() {
                    None => game.position(&reached.rows(), reached.side_to_move()),
                    Some(_) => Ok(game.start()),
                };
                let start = start.expect("its own rows");
                let mut board = start.clone();
                let moves = play_on(&mut board, &after);
                SavedGame {
                    moves: known(moves, &facts),
                    players,
                    clocks,
                    result,
                    event,
                    date,
                    ..SavedGame::new(start)
                }
            },
        )
}
