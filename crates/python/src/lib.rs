//! The rules of all games for Python: a position, its legal moves as numbers, its contents as planes.
//!
//! The comments of [`State`] and its methods are its help in Python; `arena_env/_native.pyi` has its types. Nothing
//! here depends on other packages of Python.

use std::fmt::Display;

use games::{Board, Game, Move, Rules, Side, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// The number of planes of an observation: own discs or stones, the opponent's, and a plane of 1 if black observes.
const PLANES: usize = 3;

/// A position of a game, its legal moves and its end.
///
///     state = State("gomoku", rules="renju", size=15)
///     while not state.over:
///         state.play(random.choice(state.legal()))
///     print(state, state.winner)
///
/// Rules of Gomoku: "freestyle", "standard", "renju", "caro". With `rows` (X black, O white, . empty), the state is
/// that position, and `to_move` is the side to move. Raises `ValueError` if there is no such game.
///
/// An action is the index of a square, row by row from a1: row * size + column. In games with passes, size * size is
/// the pass, which is legal only if no other action is.
#[pyclass(module = "arena_env")]
#[derive(Clone)]
struct State {
    game: Game,
    board: Board,
}

fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn side_of(word: &str) -> PyResult<Side> {
    let side = Side::BOTH.into_iter().find(|side| side.word() == word);
    side.ok_or_else(|| {
        value_error(format!(
            "{word:?} is not a side: write \"black\" or \"white\""
        ))
    })
}

impl State {
    fn squares(&self) -> usize {
        usize::from(self.game.size()).pow(2)
    }

    fn action_of(&self, played: Move) -> usize {
        let square = played.square();
        square.map_or(self.squares(), |square| square.index(self.game.size()))
    }

    fn move_of(&self, action: usize) -> PyResult<Move> {
        if action < self.squares() {
            return Ok(Move::Place(Square::from_index(action, self.game.size())));
        }
        if action < self.actions() {
            return Ok(Move::Pass);
        }
        let last = self.actions() - 1;
        Err(value_error(format!(
            "{action} is not an action of {}: they are 0 to {last}",
            self.game
        )))
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (game, rules=None, size=None, *, rows=None, to_move="black"))]
    fn new(
        game: &str,
        rules: Option<&str>,
        size: Option<i64>,
        rows: Option<Vec<String>>,
        to_move: &str,
    ) -> PyResult<State> {
        let game = Game::new(game, rules, size).map_err(value_error)?;
        let board = match rows {
            None => game.start(),
            Some(rows) => game
                .position(&rows, side_of(to_move)?)
                .map_err(value_error)?,
        };
        Ok(State { game, board })
    }

    /// The number of rows of the board, and of its columns.
    #[getter]
    fn size(&self) -> u8 {
        self.game.size()
    }

    /// The number of all actions, legal or not.
    #[getter]
    fn actions(&self) -> usize {
        self.squares() + usize::from(self.game.family().has_passes())
    }

    /// The side to move: "black" or "white".
    #[getter]
    fn to_move(&self) -> &'static str {
        self.board.side_to_move().word()
    }

    #[getter]
    fn over(&self) -> bool {
        self.board.ending().is_some()
    }

    /// "black" or "white"; None for a draw, and before the end.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.board.ending()?.winner.map(Side::word)
    }

    /// The reason for the end, such as "five" or "double-three"; None before the end.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.board.ending().map(|ending| ending.reason.word())
    }

    /// The discs or stones of black and of white.
    #[getter]
    fn counts(&self) -> (u16, u16) {
        self.board.counts().into()
    }

    /// The board from the top: X black, O white, . empty.
    #[getter]
    fn rows(&self) -> Vec<String> {
        self.board.rows()
    }

    /// Returns the legal actions, without forbidden points; empty at the end only.
    fn legal(&self) -> Vec<usize> {
        let legal = self.board.legal_moves().into_iter();
        legal.map(|played| self.action_of(played)).collect()
    }

    /// Plays an action; a forbidden point loses. Raises `ValueError` and changes nothing if the action is illegal.
    fn play(&mut self, action: usize) -> PyResult<()> {
        let played = self.move_of(action)?;
        self.board.play(played).map_err(value_error)
    }

    /// Returns a byte for each action, 1 if it is legal. The bytes are writable, so an array can share their memory.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        PyByteArray::new_with(py, self.actions(), |mask| {
            for played in self.board.legal_moves() {
                mask[self.action_of(played)] = 1;
            }
            Ok(())
        })
    }

    /// Returns the observation of a side, by default the side to move. It has three bytes for each square: whether the
    /// side has a disc or stone there, whether the opponent has one there, and whether the side is black.
    #[pyo3(signature = (side=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        side: Option<&str>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let own = side.map_or(Ok(self.board.side_to_move()), side_of)?;
        let size = self.game.size();
        PyByteArray::new_with(py, self.squares() * PLANES, |planes| {
            for (row, cells) in (0..).zip(planes.chunks_exact_mut(usize::from(size) * PLANES)) {
                let bits = [own, !own].map(|side| self.board.row(row, side));
                for (column, cell) in cells.chunks_exact_mut(PLANES).enumerate() {
                    cell[0] = (bits[0] >> column & 1) as u8;
                    cell[1] = (bits[1] >> column & 1) as u8;
                    cell[2] = u8::from(own == Side::Black);
                }
            }
            Ok(())
        })
    }

    fn name(&self, action: usize) -> PyResult<String> {
        Ok(self.move_of(action)?.to_string())
    }

    fn action(&self, name: &str) -> PyResult<usize> {
        let played: Move = name.parse().map_err(value_error)?;
        let is_off = |square: Square| !square.is_on(self.game.size());
        if played.square().is_some_and(is_off) {
            let game = self.game;
            return Err(value_error(format!("{name} is off the board of {game}")));
        }
        Ok(self.action_of(played))
    }

    fn copy(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }
}

/// Returns the names of all games.
#[pyfunction(name = "games")]
fn names() -> Vec<&'static str> {
    games::names()
}

/// The compiled part of `arena_env`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{State, names};
}
