//! A hash that is equal for symmetric positions: the smallest hash of the position's eight symmetric forms.
//!
//! ```
//! use games::{Game, Symmetry, canonical_hash, parse_transcript};
//!
//! // Othello's four first moves are equivalent.
//! let (_, f5) = parse_transcript(Game::OTHELLO, "f5d6")?;
//! let (_, e6) = parse_transcript(Game::OTHELLO, "e6f4")?;
//! assert_eq!(canonical_hash(&f5), canonical_hash(&e6));
//! assert!(Symmetry::ALL.iter().any(|&symmetry| f5.turned(symmetry) == e6));
//! # Ok::<(), games::BadTranscript>(())
//! ```

use crate::{Board, Rules, Side, Square, Symmetry};

/// Returns a hash of the stones, the side to move, and the game with its rules and size; the earlier moves have no
/// effect. The hash is equal for symmetric positions. It must never change, because hashes may be stored.
pub fn canonical_hash(board: &Board) -> u64 {
    canonical(board).0
}

/// Returns the [`canonical_hash`], and the first of [`Symmetry::ALL`] that turns `board` into the form with this hash.
pub fn canonical(board: &Board) -> (u64, Symmetry) {
    Symmetry::ALL
        .map(|symmetry| (hash(board, symmetry), symmetry))
        .into_iter()
        .min_by_key(|&(hash, _)| hash)
        .expect("there are eight symmetries")
}

fn hash(board: &Board, symmetry: Symmetry) -> u64 {
    let game = board.game();
    let size = game.size();
    let cells = usize::from(size) * usize::from(size);
    let side = board.side_to_move().index() as u64;
    let seed = mix(game.family().number(game) << 6 | u64::from(size) << 1 | side);
    (0..cells).fold(seed, |sum, index| {
        let square = Square::from_index(index, size);
        match board.at(square) {
            None => sum,
            Some(stone) => {
                let place = symmetry.apply(square, size).index(size) as u64;
                sum.wrapping_add(mix(2 * place + u64::from(stone == Side::White) + 1000))
            }
        }
    })
}

/// Applies the finaliser of `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
