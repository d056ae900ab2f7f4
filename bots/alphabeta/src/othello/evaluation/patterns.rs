//! The patterns: small sets of squares with a weight for every filling.
//!
//! The symmetries of the board map the thirteen shapes to 62 different sets of squares, called places. Eleven shapes
//! are those of Logistello (M. Buro, "From simple features to sophisticated evaluation functions", 1998): 3×3 and 2×5
//! corners, the edge with both X-squares, the inner rows and columns, and the diagonals of four and more squares. The
//! other two are 3×3 squares, one at the middle of an edge and one a row further in.
//!
//! A filling is a number in balanced ternary: +1 for an own disc, −1 for the opponent's, 0 for an empty square. So a
//! placed or flipped disc adds a constant, and a change of the side to move changes the sign.

use games::{Square, Symmetry};

pub const LONGEST: usize = 10;

/// The shapes, each at one place. Squares are numbered row by row from a1 = 0.
pub const SHAPES: [&[u8]; 13] = [
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
    &[2, 3, 4, 10, 11, 12, 18, 19, 20],
    &[10, 11, 12, 18, 19, 20, 26, 27, 28],
];

#[derive(Clone, Copy, Debug)]
pub struct PlacedPattern {
    pub shape: usize,
    squares: [u8; LONGEST],
    length: usize,
}

impl PlacedPattern {
    pub const fn squares(&self) -> &[u8] {
        self.squares.split_at(self.length).0
    }
}

pub const COUNT: usize = 62;

pub static PLACES: [PlacedPattern; COUNT] = places();

const fn turned(symmetry: Symmetry, square: u8) -> u8 {
    symmetry
        .apply(Square::from_index(square as usize, 8), 8)
        .index(8) as u8
}

const fn places() -> [PlacedPattern; COUNT] {
    let mut places = [PlacedPattern {
        shape: 0,
        squares: [0; LONGEST],
        length: 0,
    }; COUNT];
    let mut sets = [0u64; COUNT];
    let mut count = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut number = 0;
        while number < 8 {
            let mut place = PlacedPattern {
                shape,
                squares: [0; LONGEST],
                length: SHAPES[shape].len(),
            };
            let mut set = 0u64;
            let mut digit = 0;
            while digit < place.length {
                place.squares[digit] = turned(Symmetry::ALL[number], SHAPES[shape][digit]);
                set |= 1 << place.squares[digit];
                digit += 1;
            }
            let mut is_new = true;
            let mut earlier = 0;
            while earlier < count {
                is_new &= sets[earlier] != set;
                earlier += 1;
            }
            if is_new {
                places[count] = place;
                sets[count] = set;
                count += 1;
            }
            number += 1;
        }
        shape += 1;
    }
    assert!(count == COUNT, "the number of places is known");
    places
}

pub const fn fillings(shape: usize) -> usize {
    3usize.pow(SHAPES[shape].len() as u32)
}

/// The offset of each shape's weights in one table of all weights. The last element is the length of that table.
pub const OFFSETS: [usize; SHAPES.len() + 1] = {
    let mut offsets = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        offsets[shape + 1] = offsets[shape] + fillings(shape);
        shape += 1;
    }
    offsets
};

pub const WEIGHTS: usize = OFFSETS[SHAPES.len()];

/// For each place, the index of the weight of its empty filling. Add a filling to get the index of its weight.
pub static CENTRES: [u32; COUNT] = {
    let mut centres = [0; COUNT];
    let mut index = 0;
    while index < COUNT {
        let shape = PLACES[index].shape;
        centres[index] = (OFFSETS[shape] + fillings(shape) / 2) as u32;
        index += 1;
    }
    centres
};

/// Returns the order of a shape's squares after a symmetry that maps the shape onto itself, if there is one.
fn mirrored_order(shape: usize) -> Option<Vec<usize>> {
    let squares = SHAPES[shape];
    let digit_of = |square| squares.iter().position(|&other| other == square);
    Symmetry::ALL.iter().skip(1).find_map(|&symmetry| {
        let digits = squares
            .iter()
            .map(|&square| digit_of(turned(symmetry, square)));
        digits.collect()
    })
}

/// Returns for each weight the first weight that equals it by the symmetry of their shape.
pub fn canonical_weights() -> Vec<u32> {
    let mut canonical = Vec::with_capacity(WEIGHTS);
    for (shape, &offset) in OFFSETS[..SHAPES.len()].iter().enumerate() {
        let mirrored = mirrored_order(shape).map(|order| mirrored_fillings(&order));
        for filling in 0..fillings(shape) {
            let least = mirrored
                .as_ref()
                .map_or(filling, |mirrored| filling.min(mirrored[filling] as usize));
            canonical.push((offset + least) as u32);
        }
    }
    canonical
}

/// Returns for each filling its mirror image: digit i moves to `order[i]`.
fn mirrored_fillings(order: &[usize]) -> Vec<u32> {
    let mut mirrored = vec![0];
    for &digit in order {
        let worth = 3u32.pow(digit as u32);
        let shorter = mirrored.len();
        for filling in 0..2 * shorter {
            mirrored.push(mirrored[filling] + worth);
        }
    }
    mirrored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_seen_by_several_patterns() {
        for square in 0..64 {
            let seen = PLACES
                .iter()
                .filter(|place| place.squares().contains(&square))
                .count();
            assert!(seen >= 4, "square {square} is in {seen} patterns");
        }
    }

    #[test]
    fn shapes_with_a_symmetry_share_weights_and_others_do_not() {
        let canonical = canonical_weights();
        let distinct = |shape: usize| {
            (OFFSETS[shape]..OFFSETS[shape + 1])
                .filter(|&weight| canonical[weight] as usize == weight)
                .count()
        };
        // The expected number is (3^n + fixed points) / 2. A fixed point is a filling that is its own mirror image.
        for (shape, weights) in [
            (0, usize::midpoint(19683, 729)),
            (1, 59049),
            (2, usize::midpoint(59049, 243)),
            (3, usize::midpoint(6561, 81)),
            (6, usize::midpoint(6561, 81)),
            (7, usize::midpoint(2187, 81)),
        ] {
            assert_eq!(distinct(shape), weights, "{shape}");
        }
    }
}
