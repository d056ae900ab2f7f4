use std::time::Duration;

use games::formats::{How, SavedGame, sgf};
use proptest::prelude::*;

fn held(mut game: SavedGame) -> SavedGame {
    let [black, white] = game.clocks;
    if black != white {
        game.clocks = [None; 2];
    }
    for clock in game.clocks.iter_mut().flatten() {
        clock.grace = Duration::ZERO;
    }
    if let Some(result) = &mut game.result {
        match result.how {
            How::Agreed => result.how = How::Played,
            _ if result.winner.is_none() => result.how = How::Played,
            How::Resigned | How::OutOfTime => result.margin = None,
            _ => {}
        }
    }
    game
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        game in crate::saved::of_any_game(true), same in any::<bool>(), comment in "[ -~é]{0,12}",
    ) {
        let mut game = game;
        if same {
            game.clocks[1] = game.clocks[0];
        }
        comment.trim().clone_into(&mut game.comment);
        prop_assert_eq!(sgf::parse(&sgf::write(&game).unwrap()), Ok(held(game)));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(\\(;GM\\[4\\])?[\\]\\[()\\\\;BWaAbB:é \n]{0,40}") {
        let _ = sgf::read(&text);
    }
}

/// A recursive reader or a recursive drop would overflow the stack.
#[test]
fn a_very_deep_tree_is_read() {
    let depth = 200_000;
    let nodes = "(;GM[4]SZ[15]".to_owned() + &"(;C[a]".repeat(depth) + &")".repeat(depth + 1);
    assert_eq!(sgf::parse(&nodes).map(|game| game.moves.len()), Ok(0));
}
