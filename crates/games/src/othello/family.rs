//! Othello as a [`Family`].

use std::ops::RangeInclusive;

use message::Message;

use super::board::OthelloBoard;
use super::obf;
use super::origin::moves_to;
use super::position::SIZE;
use crate::transcript::{play_transcript, transcripts};
use crate::{DynRules, Family, Game, Move, Reason, Rules, Scene, Scoring, Side, Square, Theme};

pub(crate) struct Othello;

impl Game {
    /// Othello on 8×8.
    pub const OTHELLO: Game = Game::of(&Othello, 0, SIZE);
}

impl Family for Othello {
    fn name(&self) -> &'static str {
        "othello"
    }

    fn title(&self) -> &'static str {
        "Othello"
    }

    fn sizes(&self) -> RangeInclusive<u8> {
        SIZE..=SIZE
    }

    fn reasons(&self) -> &'static [Reason] {
        &[Reason::DISCS]
    }

    fn start(&self, _: Game) -> Box<dyn DynRules> {
        Box::new(OthelloBoard::START)
    }

    fn set_up(&self, _: Game, discs: &[(Square, Side)], to_move: Side) -> Box<dyn DynRules> {
        Box::new(OthelloBoard::with_discs(discs, to_move))
    }

    fn scoring(&self) -> Scoring {
        Scoring::Discs
    }

    fn has_passes(&self) -> bool {
        true
    }

    fn number(&self, _: Game) -> u64 {
        0
    }

    fn openings(&self, game: Game) -> Vec<Vec<Move>> {
        let text = include_str!("../../../../tournaments/openings/othello-balanced.txt");
        transcripts(text)
            .map(|line| {
                self.read_opening(game, line)
                    .expect("a test reads them all")
            })
            .collect()
    }

    fn read_positions(&self, text: &str) -> Option<Result<Vec<Vec<Move>>, String>> {
        obf::looks_like(text).then(|| {
            let positions = obf::read(text).map_err(|error| error.to_string())?;
            let origin = |(number, position): (usize, &obf::ObfPosition)| {
                moves_to(&position.board).map_err(|error| format!("position {number}: {error}"))
            };
            (1..).zip(&positions).map(origin).collect()
        })
    }

    fn scenes(&self, game: Game, _all: bool) -> Vec<(Game, Scene)> {
        SCENES
            .map(|(theme, transcript, questions)| (game, scene(theme, transcript, questions)))
            .into()
    }

    fn course(&self, _: Game, _all: bool) -> Message {
        self.title().into()
    }
}

/// Transcripts of random games, each with the number of moves that a bot is then asked for.
const SCENES: [(Theme, &str, u32); 7] = [
    (Theme::Beginning, "", 3),
    (Theme::Beginning, "f5", 2),
    // The only legal move is f7: for black in the first of these two, for white in the second.
    (Theme::OneMove, "f5f6c4g5g6h6g7g8h7e6d7f4g3h8h5h4", 1),
    (
        Theme::OneMove,
        "f5f4g3g6f3d6f6d3e3e6g5g4c6f2h7c5e7h4b4b6g2h6c3f8e8a3d7b2h5d8b3h3h2h1g7g8h8",
        1,
    ),
    // White has just passed in the first of these two, black in the second.
    (Theme::AfterPass, "d3c3c4c5b4e3c6a4a3c7a5", 2),
    (Theme::AfterPass, "d3c3e6d2d1e1b2c1", 2),
    (
        Theme::End,
        "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1c8b2h7\
         h8h2a3h3h1",
        30,
    ),
];

fn scene(theme: Theme, transcript: &str, questions: u32) -> Scene {
    let mut board = OthelloBoard::START;
    let mut moves = play_transcript(&mut board, transcript).expect("a prepared game");
    if board.must_pass() {
        moves.push(Move::Pass);
    }
    Scene {
        theme,
        moves,
        questions,
    }
}
