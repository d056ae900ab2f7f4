use games::Game;
use games::formats::{SavedGame, ggf};
use proptest::prelude::*;
use proptest::sample::Index;

proptest! {
    #[test]
    fn what_is_written_is_read_back(game in crate::saved::game(Game::OTHELLO, true)) {
        prop_assert_eq!(ggf::parse(&ggf::write(&game).unwrap()), Ok(game));
    }

    #[test]
    fn gomoku_is_refused_with_the_formats_that_hold_it(game in crate::played::any_game()) {
        let written = ggf::write(&SavedGame::new(game.start()));
        prop_assert_eq!(written.is_ok(), game == Game::OTHELLO);
        if let Err(error) = written {
            let refusal = format!("GGF is not a format for {game}: use sgf or psq");
            prop_assert_eq!(error.to_string(), refusal);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(at in any::<Index>(), noise in "[ -~é\n]{0,8}") {
        let mut text = crate::texts::defined("ggf.txt", "SAIO_1200");
        text.insert_str(at.index(text.len()), &noise);
        let _ = ggf::read(&text);
    }
}
