//! The prepared positions of a game.

use games::{Board, Game, Move, Rules, Side};

pub use games::Theme;

/// A game that begins in a given position.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it tests.
    pub theme: Theme,
    /// The game.
    pub game: Game,
    /// The moves that led to it.
    pub moves: Vec<Move>,
    /// The position; the bot is to move.
    pub board: Board,
    /// The maximum number of questions.
    pub questions: u32,
}

impl Scene {
    fn new(game: Game, scene: games::Scene) -> Scene {
        let mut board = game.start();
        for &played in &scene.moves {
            board
                .play(played)
                .expect("a prepared position is reached by legal moves");
        }
        Scene {
            theme: scene.theme,
            game,
            moves: scene.moves,
            board,
            questions: scene.questions,
        }
    }

    /// The bot's side.
    pub fn you(&self) -> Side {
        self.board.side_to_move()
    }
}

/// The scenes of one game. With `all`: also on other boards and with other rules.
pub fn scenes(game: Game, all: bool) -> Vec<Scene> {
    let scenes = game.family().scenes(game, all).into_iter();
    scenes
        .map(|(game, scene)| Scene::new(game, scene))
        .collect()
}
