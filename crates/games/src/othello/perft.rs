//! Othello's perft on bitboards. The moves of the last ply are counted, not played.

use super::kernel::{Kernel, Task, with_fastest};
use super::position::{Position, squares};

pub(crate) fn perft(position: Position, depth: u32) -> u64 {
    with_fastest(Perft { position, depth })
}

struct Perft {
    position: Position,
    depth: u32,
}

impl Task for Perft {
    type Output = u64;

    fn run<K: Kernel>(self, kernel: K) -> u64 {
        match self.depth {
            0 => 1,
            depth => leaves(kernel, self.position, depth),
        }
    }
}

/// Like [`perft`], but for a `depth` of at least 1.
fn leaves<K: Kernel>(kernel: K, position: Position, depth: u32) -> u64 {
    kernel.vectorize(
        #[inline(always)]
        || {
            let Position { own, opponent } = position;
            let moves = kernel.legal_moves(own, opponent);
            if moves == 0 {
                return match kernel.legal_moves(opponent, own) {
                    0 => 1,
                    _ if depth == 1 => 1,
                    _ => leaves(kernel, position.pass(), depth - 1),
                };
            }
            if depth == 1 {
                return u64::from(moves.count_ones());
            }
            let after = |square| position.play_flips(square, kernel.flips(own, opponent, square));
            if depth == 2 {
                // A position without moves is one leaf: a pass or the end.
                return squares(moves)
                    .map(|square| {
                        let Position { own, opponent } = after(square);
                        let replies = kernel.legal_moves(own, opponent).count_ones();
                        u64::from(replies).max(1)
                    })
                    .sum();
            }
            squares(moves)
                .map(|square| leaves(kernel, after(square), depth - 1))
                .sum()
        },
    )
}
