use games::Game;
use games::formats::offsets;
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        game in crate::played::any_game(), choices in crate::played::played_out(),
    ) {
        prop_assume!(game != Game::OTHELLO);
        let (moves, _) = crate::played::play(game, &choices);
        let line = offsets::write(game, &moves).expect("no passes");
        prop_assert!(moves.is_empty() || offsets::looks_like(&line));
        prop_assert_eq!(offsets::parse(game, &line), Ok(moves));
    }
}
