//! Gomoku as a [`Family`].

use std::ops::RangeInclusive;

use message::{Message, message};

use super::board::GomokuBoard;
use super::opening::OpeningRule;
use super::rule::{MAX_SIZE, MIN_SIZE, Rule};
use super::scenes::{other_boards, scenes};
use crate::formats::offsets;
use crate::transcript::{play_transcript, transcripts};
use crate::{DynRules, Family, Game, Move, Reason, Scene, Side, Square};

pub(crate) struct Gomoku;

/// The default size, for which the openings are written.
const USUAL_SIZE: u8 = 15;

impl Game {
    /// Returns Gomoku by `rule` on a board of `size`. Panics if the size is not from 5 to 22.
    pub const fn gomoku(size: u8, rule: Rule) -> Game {
        assert!(
            MIN_SIZE <= size && size <= MAX_SIZE,
            "the board size must be 5 to 22"
        );
        Game::of(&Gomoku, rule as u8, size)
    }
}

impl Rule {
    /// Returns the rule of a game of Gomoku; `None` for other games.
    pub fn of(game: Game) -> Option<Rule> {
        (game.name() == Gomoku.name()).then(|| Rule::ALL[game.rules_index()])
    }

    /// Returns the word in tournament files and on the wire.
    pub fn name(self) -> &'static str {
        Gomoku.rules()[self as usize]
    }
}

impl Family for Gomoku {
    fn name(&self) -> &'static str {
        "gomoku"
    }

    fn title(&self) -> &'static str {
        "Gomoku"
    }

    fn rules(&self) -> &'static [&'static str] {
        &["freestyle", "standard", "renju", "caro"]
    }

    fn sizes(&self) -> RangeInclusive<u8> {
        MIN_SIZE..=MAX_SIZE
    }

    fn usual_size(&self) -> u8 {
        USUAL_SIZE
    }

    fn reasons(&self) -> &'static [Reason] {
        &[
            Reason::FIVE,
            Reason::BOARD_FULL,
            Reason::DOUBLE_THREE,
            Reason::DOUBLE_FOUR,
            Reason::OVERLINE,
        ]
    }

    fn opening_rules(&self) -> &'static [OpeningRule] {
        &OpeningRule::ALL
    }

    fn start(&self, game: Game) -> Box<dyn DynRules> {
        Box::new(match game.opening() {
            None => start(game),
            Some(rule) => start(game).with_opening(rule),
        })
    }

    fn set_up(&self, game: Game, stones: &[(Square, Side)], to_move: Side) -> Box<dyn DynRules> {
        let mut board = start(game).with_side_to_move(to_move);
        for &(square, side) in stones {
            board.set(square, Some(side));
        }
        Box::new(board)
    }

    fn number(&self, game: Game) -> u64 {
        1 + game.rules_index() as u64
    }

    /// Returns the openings that fit on the board, moved to its centre.
    fn openings(&self, game: Game) -> Vec<Vec<Move>> {
        let text = include_str!("../../../../tournaments/openings/gomoku-balanced.txt");
        let size = game.size();
        let shift = i16::from(size) / 2 - i16::from(USUAL_SIZE) / 2;
        let mut openings: Vec<Vec<Move>> = transcripts(text)
            .filter_map(|line| {
                let mut written = GomokuBoard::new(USUAL_SIZE, Rule::Freestyle);
                let moves = play_transcript(&mut written, line).expect("a test reads them all");
                moves
                    .into_iter()
                    .map(|played| shifted(played, shift, size))
                    .collect()
            })
            .collect();
        if openings.is_empty() {
            openings.push(Vec::new());
        }
        openings
    }

    fn read_opening(&self, game: Game, line: &str) -> Result<Vec<Move>, String> {
        if offsets::looks_like(line) {
            return offsets::parse(game, line)
                .map_err(|error| format!("column {}: {}", error.column, error.fault));
        }
        play_transcript(&mut start(game), line).map_err(|error| error.to_string())
    }

    fn scenes(&self, game: Game, all: bool) -> Vec<(Game, Scene)> {
        let own = scenes(game.size()).map(|scene| (game, scene));
        let others = other_boards().map(|(size, rule, scene)| (Game::gomoku(size, rule), scene));
        own.into_iter()
            .chain(others.into_iter().filter(|_| all))
            .collect()
    }

    fn course(&self, game: Game, all: bool) -> Message {
        if all {
            message!("Gomoku on {}, 5×5, 22×22, renju", squares_of(game))
        } else {
            message!("{game}")
        }
    }
}

fn squares_of(game: Game) -> String {
    format!("{0}×{0}", game.size())
}

fn start(game: Game) -> GomokuBoard {
    GomokuBoard::new(game.size(), Rule::ALL[game.rules_index()])
}

fn shifted(played: Move, shift: i16, size: u8) -> Option<Move> {
    let place = |coordinate: u8| {
        let moved = i16::from(coordinate) + shift;
        u8::try_from(moved).ok().filter(|&moved| moved < size)
    };
    let square = played.square()?;
    Some(Move::Place(Square::new(
        place(square.column())?,
        place(square.row())?,
    )))
}
