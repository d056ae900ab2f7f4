use std::time::Duration;

use games::formats::{GameResult, How, SavedGame, psq};
use games::{Game, Rules};
use proptest::prelude::*;

fn held(game: SavedGame) -> SavedGame {
    let mut held = SavedGame {
        moves: game.moves,
        players: game.players,
        result: game.result.map(|result| GameResult {
            margin: None,
            how: match result.how {
                How::OutOfTime => How::OutOfTime,
                _ => How::Played,
            },
            ..result
        }),
        ..SavedGame::new(game.start)
    };
    for saved in &mut held.moves {
        let millis = saved
            .time
            .map(|time| time.as_micros().div_ceil(1000) as u64);
        saved.time = millis.filter(|&ms| ms > 0).map(Duration::from_millis);
        saved.evaluation = None;
    }
    for name in &mut held.players {
        *name = name.replace(',', " ");
        if name.is_empty() {
            "?".clone_into(name);
        }
    }
    if held.result.is_none() {
        // A file without a result gets the result of the final position.
        held.result = held.board().ending().map(|ending| GameResult {
            winner: ending.winner,
            margin: None,
            how: How::Played,
        });
    }
    held
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(game in crate::saved::of_any_game(false)) {
        let written = psq::write(&game);
        prop_assert_eq!(written.is_ok(), game.start.game() != Game::OTHELLO);
        if let Ok(text) = written {
            prop_assert_eq!(psq::parse(&text), Ok(held(game)));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(Piskvorky 15x15, 11:11, 0\n)?[-0-9,x \né]{0,40}") {
        let _ = psq::parse(&text);
    }
}
