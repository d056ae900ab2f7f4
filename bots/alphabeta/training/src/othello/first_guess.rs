//! The weights that the first generation of self-play starts from.

use alphabeta::othello::DISC;
use alphabeta::othello::evaluation::patterns::{OFFSETS, fillings};
use alphabeta::othello::evaluation::{MOVES, Weights};
use alphabeta::search::Score;

/// What a beginner is told: have moves, take corners, keep off the squares beside empty corners.
pub fn first_guess() -> Weights {
    let mut weights = Weights::zero();
    for phase in &mut weights.phases {
        for moves in 0..MOVES {
            let worth = (DISC * 3 / 4 * moves as Score) as i16;
            phase.mobility[0][moves] = worth;
            phase.mobility[1][moves] = -worth;
        }
        // The corner 3×3: digit 0 is the corner, 1 and 3 its neighbours, 4 the X-square.
        for filling in 0..fillings(0) {
            let disc = |digit: u32| (filling / 3usize.pow(digit) % 3) as i16 - 1;
            let worth = match disc(0) {
                0 => -(disc(1) + disc(3)) - 2 * disc(4),
                corner => 8 * corner + disc(1) + disc(3),
            };
            phase.patterns[OFFSETS[0] + filling] = worth * DISC as i16;
        }
    }
    weights
}
