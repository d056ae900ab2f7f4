use games::gomoku::Rule;
use games::{Board, Family, Game, Move, Rules, Scene, Side, Square, Theme};

fn played(game: Game, all: bool) -> Vec<(Scene, Board)> {
    let scenes = game.family().scenes(game, all).into_iter();
    let play = |(game, scene): (Game, Scene)| {
        let mut board = game.start();
        for &played in &scene.moves {
            board.play(played).expect("a legal move");
        }
        (scene, board)
    };
    scenes.map(play).collect()
}

fn usual(family: &&'static dyn Family) -> Game {
    Game::of_family(*family, None, None).expect("the usual game")
}

fn all() -> Vec<(Scene, Board)> {
    let families = games::families();
    families
        .iter()
        .flat_map(|family| played(usual(family), true))
        .collect()
}

fn of(theme: Theme) -> impl Iterator<Item = (Scene, Board)> {
    all()
        .into_iter()
        .filter(move |(scene, _)| scene.theme == theme)
}

#[test]
fn every_scene_asks_for_a_move() {
    for (scene, board) in all() {
        assert_eq!(board.ending(), None, "{scene:?}");
        assert!(!board.legal_squares().is_empty(), "{scene:?}");
    }
}

#[test]
fn scenes_are_what_they_are_for() {
    for (scene, board) in of(Theme::OneMove) {
        assert_eq!(board.legal_squares().len(), 1, "{scene:?}");
    }
    for (scene, _) in of(Theme::AfterPass) {
        assert_eq!(scene.moves.last(), Some(&Move::Pass), "{scene:?}");
    }
    for (scene, board) in of(Theme::Forbidden) {
        let h8: Square = "h8".parse().expect("a square");
        assert!(!board.legal_squares().contains(&h8), "{scene:?}");
        assert_eq!(board.at(h8), None, "{scene:?}");
    }
    for (scene, board) in of(Theme::LongLine) {
        assert_eq!(board.size(), 22);
        assert!(scene.moves.len() > 400, "{}", scene.moves.len());
    }
}

#[test]
fn both_colours_are_played() {
    for side in Side::BOTH {
        for theme in [Theme::Beginning, Theme::OneMove, Theme::AfterPass] {
            let mut scenes = of(theme);
            let found = scenes.any(|(_, board)| board.side_to_move() == side);
            assert!(found, "{side} {theme:?}");
        }
    }
}

#[test]
fn gomoku_is_prepared_on_every_board() {
    for size in 5..=22 {
        for rule in Rule::ALL {
            let scenes = played(Game::gomoku(size, rule), false);
            assert!(
                scenes.iter().all(|(_, board)| board.ending().is_none()),
                "{size}"
            );
        }
    }
}
