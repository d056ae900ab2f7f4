//! The prepared positions: what each game is tried with.
//!
//! In some there is only one move, so that an illegal answer shows what was meant by it; in others a
//! side has just passed, the game ends, or the question is as long as one can be.

use games::{Board, Game, Move, Rules, Side, Square, gomoku::Rule, parse_transcript};

/// What a scene is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The game as it begins.
    Beginning,
    /// There is one legal move.
    OneMove,
    /// A side has just had to pass.
    AfterPass,
    /// The game is played to its end.
    End,
    /// A square in the middle may not be played.
    Forbidden,
    /// A large board, nearly full: the longest line there is.
    LongLine,
    /// A small board.
    SmallBoard,
}

/// A game that begins in a given position.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it is for.
    pub theme: Theme,
    /// What is played.
    pub game: Game,
    /// The moves that led to it.
    pub moves: Vec<Move>,
    /// The position; the side to move is the bot's.
    pub board: Board,
    /// How many questions are asked at most.
    pub questions: u32,
}

impl Scene {
    fn new(theme: Theme, game: Game, moves: Vec<Move>, questions: u32) -> Scene {
        let mut board = game.start();
        for &played in &moves {
            board
                .play(played)
                .expect("a prepared position is reached by legal moves");
        }
        Scene {
            theme,
            game,
            moves,
            board,
            questions,
        }
    }

    fn othello(theme: Theme, transcript: &str, questions: u32) -> Scene {
        let game = Game::OTHELLO;
        let (mut moves, board) = parse_transcript(game, transcript).expect("a prepared game");
        if board.must_pass() {
            moves.push(Move::Pass);
        }
        Scene::new(theme, game, moves, questions)
    }

    /// Whose side the bot is on.
    pub fn you(&self) -> Side {
        self.board.side_to_move()
    }
}

/// The scenes of one game. With `all`: on other boards and by other rules, too.
pub fn scenes(game: Game, all: bool) -> Vec<Scene> {
    match game {
        Game::OTHELLO => othello(),
        Game::Gomoku { size, rule } if all => {
            let mut scenes = gomoku(size, rule);
            scenes.extend(other_boards());
            scenes
        }
        Game::Gomoku { size, rule } => gomoku(size, rule),
    }
}

/// Transcripts of games played at random, cut where they are of use.
fn othello() -> Vec<Scene> {
    vec![
        Scene::othello(Theme::Beginning, "", 3),
        Scene::othello(Theme::Beginning, "f5", 2),
        // The only move is f7, for black and then for white.
        Scene::othello(Theme::OneMove, "f5f6c4g5g6h6g7g8h7e6d7f4g3h8h5h4", 1),
        Scene::othello(
            Theme::OneMove,
            "f5f4g3g6f3d6f6d3e3e6g5g4c6f2h7c5e7h4b4b6g2h6c3f8e8a3d7b2h5d8b3h3h2h1g7g8h8",
            1,
        ),
        // White had to pass, and black in the second.
        Scene::othello(Theme::AfterPass, "d3c3c4c5b4e3c6a4a3c7a5", 2),
        Scene::othello(Theme::AfterPass, "d3c3e6d2d1e1b2c1", 2),
        Scene::othello(
            Theme::End,
            "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1c8b2h7\
             h8h2a3h3h1",
            30,
        ),
    ]
}

fn gomoku(size: u8, rule: Rule) -> Vec<Scene> {
    let game = Game::gomoku(size, rule);
    let middle = Square::new(size / 2, size / 2);
    let mut scenes = vec![
        Scene::new(Theme::Beginning, game, Vec::new(), 3),
        Scene::new(Theme::Beginning, game, vec![Move::Place(middle)], 2),
    ];
    // Below the middle at the left, and above it at the right, beyond the letter i.
    for (column, row) in [(size / 3, 2 * size / 3), (4 * size / 5, size / 3 - 1)] {
        let last = last_square(size, column, row);
        scenes.push(nearly_full(Theme::OneMove, game, &[last]));
    }
    scenes
}

fn other_boards() -> Vec<Scene> {
    let game = |size, rule| Game::gomoku(size, rule);
    let renju = game(15, Rule::Renju);
    // h8 would make two open threes at once.
    let (double_three, _) = parse_transcript(renju, "h6a1h7a15f8o1g8o15").expect("a prepared game");
    let large = game(22, Rule::Standard);
    let last_rows: Vec<Square> = (19 * 22..22 * 22)
        .map(|index| Square::from_index(index, 22))
        .collect();
    vec![
        Scene::new(Theme::Forbidden, renju, double_three, 1),
        Scene::new(Theme::SmallBoard, game(5, Rule::Freestyle), Vec::new(), 2),
        nearly_full(Theme::LongLine, large, &last_rows),
    ]
}

/// A square of the row, not far right of the column, that would be black's on a full board and that
/// is another when rows and columns are swapped or counted from the other side.
fn last_square(size: u8, column: u8, row: u8) -> Square {
    let squares = (column..size)
        .chain(0..column)
        .map(|column| Square::new(column, row));
    let is_telling = |square: &Square| {
        is_black(*square) && square.column() != row && square.column() + row != size - 1
    };
    squares
        .clone()
        .find(is_telling)
        .unwrap_or(Square::new(column, row))
}

/// Whose stone would be on a full board: rows of two and two, each begun two squares further, so that
/// no line has more than two of a colour.
fn is_black(square: Square) -> bool {
    (square.column() + 2 * square.row()) % 4 < 2
}

/// A full board but for the squares `free` and perhaps one more, on which nobody has five in a row.
fn nearly_full(theme: Theme, game: Game, free: &[Square]) -> Scene {
    let size = game.size();
    let cells = u16::from(size) * u16::from(size);
    let taken = (0..cells)
        .map(|index| Square::from_index(index.into(), size))
        .filter(|square| !free.contains(square));
    let (black, white): (Vec<Square>, Vec<Square>) = taken.partition(|&square| is_black(square));
    let pairs = black.iter().zip(&white);
    let mut moves: Vec<Move> = pairs
        .flat_map(|(&black, &white)| [Move::Place(black), Move::Place(white)])
        .collect();
    if let Some(&odd) = black.get(white.len()) {
        moves.push(Move::Place(odd));
    }
    Scene::new(theme, game, moves, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Scene> {
        let gomoku = Game::new("gomoku", None, None).expect("a game");
        let mut scenes = scenes(Game::OTHELLO, true);
        scenes.extend(super::scenes(gomoku, true));
        scenes
    }

    #[test]
    fn every_scene_asks_for_a_move() {
        for scene in all() {
            assert_eq!(scene.board.ending(), None, "{scene:?}");
            assert!(!scene.board.legal_squares().is_empty(), "{scene:?}");
        }
    }

    #[test]
    fn scenes_are_what_they_are_for() {
        let of = |theme| all().into_iter().filter(move |scene| scene.theme == theme);
        for scene in of(Theme::OneMove) {
            assert_eq!(scene.board.legal_squares().len(), 1, "{scene:?}");
        }
        for scene in of(Theme::AfterPass) {
            assert_eq!(scene.moves.last(), Some(&Move::Pass), "{scene:?}");
        }
        for scene in of(Theme::Forbidden) {
            let h8: Square = "h8".parse().expect("a square");
            assert!(!scene.board.legal_squares().contains(&h8), "{scene:?}");
            assert_eq!(scene.board.at(h8), None, "{scene:?}");
        }
        for scene in of(Theme::LongLine) {
            assert_eq!(scene.board.game().size(), 22);
            assert!(scene.moves.len() > 400, "{}", scene.moves.len());
        }
    }

    #[test]
    fn both_colours_are_played() {
        for side in Side::BOTH {
            for theme in [Theme::Beginning, Theme::OneMove, Theme::AfterPass] {
                let mut scenes = all().into_iter();
                let found = scenes.any(|scene| scene.theme == theme && scene.you() == side);
                assert!(found, "{side} {theme:?}");
            }
        }
    }

    #[test]
    fn gomoku_is_prepared_on_every_board() {
        for size in 5..=22 {
            for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
                let scenes = scenes(Game::gomoku(size, rule), false);
                assert!(
                    scenes.iter().all(|scene| scene.board.ending().is_none()),
                    "{size}"
                );
            }
        }
    }
}
