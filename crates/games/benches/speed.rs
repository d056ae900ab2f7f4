//! `cargo bench -p games`: perft, and nanoseconds a move generation, flip and ply.
use std::hint::black_box;
use std::time::{Duration, Instant};

use games::othello::{Kernel, Portable, Position, squares};
use games::{Game, perft};

/// Best of several timings: what else runs on the machine only ever adds.
fn best(mut run: impl FnMut()) -> Duration {
    (0..15)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .expect("there are several")
}

fn ns(time: Duration, items: usize) -> f64 {
    time.as_nanos() as f64 / items as f64
}

/// Positions of games played at random, from every phase.
fn positions() -> Vec<Position> {
    let mut state = 1u64;
    let mut all = Vec::new();
    while all.len() < 4096 {
        let mut position = Position::START;
        while !position.is_over() {
            let moves: Vec<usize> = squares(position.legal_moves()).collect();
            if moves.is_empty() {
                position = position.pass();
                continue;
            }
            all.push(position);
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            position = position.play(moves[(state >> 33) as usize % moves.len()]);
        }
    }
    all
}

fn kernel<K: Kernel>(kernel: K, positions: &[Position]) {
    let moves = |position: &Position| kernel.legal_moves(position.own, position.opponent);
    let called = best(|| {
        black_box(positions.iter().map(moves).fold(0, |a, b| a ^ b));
    });
    let inlined = best(|| {
        black_box(kernel.vectorize(|| positions.iter().map(moves).fold(0, |a, b| a ^ b)));
    });
    let tries: Vec<(Position, usize)> = positions
        .iter()
        .flat_map(|&p| squares(p.legal_moves()).map(move |square| (p, square)))
        .collect();
    let flips = |&(position, square): &(Position, usize)| {
        kernel.flips(position.own, position.opponent, square)
    };
    let flips_called = best(|| {
        black_box(tries.iter().map(flips).fold(0, |a, b| a ^ b));
    });
    let flips_inlined = best(|| {
        black_box(kernel.vectorize(|| tries.iter().map(flips).fold(0, |a, b| a ^ b)));
    });
    println!(
        "{:9} legal_moves {:5.2} ns called {:5.2} ns inlined   flips {:5.2} ns called {:5.2} ns inlined",
        K::NAME,
        ns(called, positions.len()),
        ns(inlined, positions.len()),
        ns(flips_called, tries.len()),
        ns(flips_inlined, tries.len()),
    );
}

fn main() {
    let positions = positions();
    kernel(Portable, &positions);
    #[cfg(target_arch = "x86_64")]
    {
        use games::othello::{Avx2, Avx512};
        if let Some(avx2) = Avx2::detect() {
            kernel(avx2, &positions);
        }
        if let Some(avx512) = Avx512::detect() {
            kernel(avx512, &positions);
        }
    }
    let moves = best(|| {
        black_box(
            positions
                .iter()
                .map(|p| p.legal_moves())
                .fold(0, |a, b| a ^ b),
        );
    });
    let tries: Vec<(Position, usize)> = positions
        .iter()
        .flat_map(|&p| squares(p.legal_moves()).map(move |square| (p, square)))
        .collect();
    let flips = best(|| {
        black_box(tries.iter().map(|t| t.0.flips(t.1)).fold(0, |a, b| a ^ b));
    });
    println!(
        "default legal_moves {:5.2} flips {:5.2}",
        ns(moves, positions.len()),
        ns(flips, tries.len())
    );
    for depth in [11, 12] {
        let start = Instant::now();
        let leaves = perft(&Game::Othello.start(), depth);
        println!(
            "perft {depth} {leaves} {:.3} s",
            start.elapsed().as_secs_f64()
        );
    }
}
