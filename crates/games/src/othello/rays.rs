//! The eight rays from every square. The flips of a move lie on these rays.

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Rays {
    /// Towards higher bits, by rising shift: east 1, south-west 7, south 8, south-east 9.
    pub(super) up: [u64; 4],
    /// Towards lower bits, by the same shifts: west 1, north-east 7, north 8, north-west 9.
    pub(super) down: [u64; 4],
}

/// The steps (columns, rows) of the four rays up; the rays down have the opposite steps.
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

pub(super) static RAYS: [Rays; 64] = {
    let mut all = [Rays {
        up: [0; 4],
        down: [0; 4],
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let (right, below) = STEPS[axis];
            all[square as usize].up[axis] = ray(square, right, below);
            all[square as usize].down[axis] = ray(square, -right, -below);
            axis += 1;
        }
        square += 1;
    }
    all
};

const fn ray(square: i32, right: i32, below: i32) -> u64 {
    let (mut column, mut row) = (square % 8 + right, square / 8 + below);
    let mut set = 0;
    while 0 <= column && column < 8 && 0 <= row && row < 8 {
        set |= 1 << (row * 8 + column);
        column += right;
        row += below;
    }
    set
}
