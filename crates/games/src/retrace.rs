//! The course of a game with an opening rule: the side that made each half-move, and the half-moves that put a stone.

use crate::gomoku::Choice;
use crate::{Board, Game, Move, Rules, Side};

/// The course of a game. Without an opening rule, sides alternate and every half-move counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retraced {
    /// The player of each half-move, then the player to move; each as the colour that this player has at the end.
    pub movers: Vec<Side>,
    /// For each half-move, true for a disc, a stone or a pass, and false for a choice or the offer of a fifth move.
    pub counts: Vec<bool>,
    /// Whether the first player, who begins with black, has white at the end.
    pub is_swapped: bool,
}

/// Returns whether the players have exchanged their colours an odd number of times.
pub fn is_swapped<'a>(moves: impl IntoIterator<Item = &'a Move>) -> bool {
    let swaps = moves.into_iter();
    let swaps = swaps.filter(|&&played| played == Move::Choose(Choice::Swap));
    swaps.count() % 2 == 1
}

/// Returns the moves that count: see [`Retraced::counts`].
pub fn counted(game: Game, moves: &[Move]) -> Vec<Move> {
    let counts = retrace(&game.start(), moves).counts;
    let moves = moves.iter().zip(counts);
    moves
        .filter_map(|(&played, counts)| counts.then_some(played))
        .collect()
}

/// Returns the course of a game with these moves. With an opening rule, the course ends before the first illegal move.
pub fn retrace(start: &Board, moves: &[Move]) -> Retraced {
    if start.opening().is_none() {
        let first = start.side_to_move();
        let sides = [first, !first].into_iter().cycle();
        return Retraced {
            movers: sides.take(moves.len() + 1).collect(),
            counts: vec![true; moves.len()],
            is_swapped: false,
        };
    }
    let is_swapped_at_end = is_swapped(moves);
    let (mut board, mut is_swapped) = (start.clone(), false);
    let (mut movers, mut counts) = (Vec::new(), Vec::new());
    for played in moves.iter().map(Some).chain([None]) {
        let (side, before) = (board.side_to_move(), board.counts());
        let is_other = is_swapped != is_swapped_at_end;
        movers.push(if is_other { !side } else { side });
        let Some(&played) = played.filter(|&&played| board.play(played).is_ok()) else {
            break;
        };
        counts.push(board.counts() != before);
        is_swapped ^= played == Move::Choose(Choice::Swap);
    }
    Retraced {
        movers,
        counts,
        is_swapped: is_swapped_at_end,
    }
}
