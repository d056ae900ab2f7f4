//! The prepared positions of a game, as the doctor plays them.

use games::{Board, Game, Move, Rules, Side};

pub use games::Theme;

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

    /// Whose side the bot is on.
    pub fn you(&self) -> Side {
        self.board.side_to_move()
    }
}

/// The scenes of one game. With `all`: on other boards and by other rules, too.
pub fn scenes(game: Game, all: bool) -> Vec<Scene> {
    let scenes = game.family().scenes(game, all).into_iter();
    scenes
        .map(|(game, scene)| Scene::new(game, scene))
        .collect()
}
