//! Stones as the manager tells them: whose they are, in any order.

use games::{BadRows, Board, Game, Move, Side, Square};

use crate::notation::gomocup::read_on;

/// Whose a stone is, seen from the brain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Own,
    Opponent,
}

/// The stones on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stones(Vec<(Square, Owner)>);

impl Stones {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a stone where there is none yet.
    pub(super) fn put(&mut self, square: Square, owner: Owner) -> Result<(), String> {
        if self.0.iter().any(|&(taken, _)| taken == square) {
            let (column, row) = (square.column(), square.row());
            return Err(format!("there is a stone on {column},{row} already"));
        }
        self.0.push((square, owner));
        Ok(())
    }

    /// Takes a stone off again.
    pub(super) fn take_back(&mut self, square: Square) -> Result<(), String> {
        let Some(at) = self.0.iter().rposition(|&(taken, _)| taken == square) else {
            let (column, row) = (square.column(), square.row());
            return Err(format!("there is no stone on {column},{row} to take back"));
        };
        self.0.remove(at);
        Ok(())
    }

    /// Takes in a line of `BOARD`, such as `7,3,1`. A square that only shows the line of a game
    /// already won (3) is ignored.
    pub(super) fn read_line(&mut self, line: &str, size: u8) -> Result<(), String> {
        let (square, owner) = line.rsplit_once(',').ok_or_else(|| {
            format!(
                "{line:?} is not a stone: send x,y,1 for the brain's own, x,y,2 for the opponent's"
            )
        })?;
        let square = read_on(square, size).map_err(|bad| bad.to_string())?;
        match owner.trim() {
            "1" => self.put(square, Owner::Own),
            "2" => self.put(square, Owner::Opponent),
            "3" => Ok(()),
            owner => Err(format!(
                "{line}: the last number is 1, 2 or 3, not {owner:?}"
            )),
        }
    }

    /// The position with the brain to move, and the moves that led there: the stones of each side
    /// in the order told, black's and white's in turn.
    pub(super) fn position(&self, game: Game) -> Result<(Board, Vec<Move>), String> {
        let of = |owner| {
            self.0
                .iter()
                .filter(move |stone| stone.1 == owner)
                .map(|stone| stone.0)
                .collect::<Vec<_>>()
        };
        let (own, theirs) = (of(Owner::Own), of(Owner::Opponent));
        let you = match theirs.len().checked_sub(own.len()) {
            Some(0) => Side::Black,
            Some(1) => Side::White,
            _ => {
                return Err(format!(
                    "{} own stones and {} of the opponent's: it cannot be the brain's turn",
                    own.len(),
                    theirs.len()
                ));
            }
        };
        let (black, white) = match you {
            Side::Black => (own, theirs),
            Side::White => (theirs, own),
        };
        let board = draw(game, &black, &white, you).map_err(|bad| bad.to_string())?;
        if let Board::Gomoku(board) = &board
            && let Some(winner) = board.winner()
        {
            return Err(format!("the game is over: {winner} has won"));
        }
        let mut white = white.into_iter();
        let moves = black
            .into_iter()
            .flat_map(|square| [Some(square), white.next()])
            .flatten()
            .map(Move::Place)
            .collect();
        Ok((board, moves))
    }
}

fn draw(game: Game, black: &[Square], white: &[Square], you: Side) -> Result<Board, BadRows> {
    let size = game.size();
    let mut rows = vec![vec![b'.'; usize::from(size)]; usize::from(size)];
    for (stones, symbol) in [(black, b'X'), (white, b'O')] {
        for square in stones {
            rows[usize::from(square.row())][usize::from(square.column())] = symbol;
        }
    }
    let rows: Vec<_> = rows
        .iter()
        .map(|row| String::from_utf8_lossy(row))
        .collect();
    game.position(&rows, you)
}
