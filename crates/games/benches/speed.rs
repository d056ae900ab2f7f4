//! `cargo bench -p games`: the speed of perft and of moves.
//!
//! Each figure is the best of many runs, because other work of the machine can only add time. In the output, "called"
//! means that code compiled for any processor calls the function; "inlined" means that the call is inside
//! [`Kernel::vectorize`]. `cargo bench -p games -- 13` runs perft to depth 13; the default is 12.

use std::hint::black_box;
use std::time::{Duration, Instant};

use games::gomoku::Rule;
use games::othello::{Kernel, Portable, Position, squares};
use games::{Board, Game, Move, Rules, Side, Square, perft};

fn main() {
    let deepest = std::env::args().find_map(|argument| argument.parse().ok());
    // `cargo test --benches` runs a smaller depth.
    let usual = if std::env::args().any(|argument| argument == "--bench") {
        12
    } else {
        8
    };
    let positions = othello_positions();
    kernel(Portable, &positions);
    #[cfg(target_arch = "x86_64")]
    {
        use games::othello::{Avx2, Avx512};
        Avx2::detect().inspect(|&avx2| kernel(avx2, &positions));
        Avx512::detect().inspect(|&avx512| kernel(avx512, &positions));
    }
    chosen_at_run_time(&positions);
    othello_perft(deepest.unwrap_or(usual));
    for rule in Rule::ALL {
        gomoku(rule);
    }
}

fn best(mut run: impl FnMut()) -> Duration {
    (0..25)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .min()
        .expect("there are 25 runs")
}

fn ns_each<T>(items: &[T], one: impl Fn(&T) -> u64) -> f64 {
    ns_each_inlined(Portable, items, one)
}

/// Like [`ns_each`], but with the loop inside [`Kernel::vectorize`].
fn ns_each_inlined<T>(kernel: impl Kernel, items: &[T], one: impl Fn(&T) -> u64) -> f64 {
    let time = best(|| {
        let all = || items.iter().map(&one).fold(0, |sum, value| sum ^ value);
        black_box(kernel.vectorize(all));
    });
    time.as_nanos() as f64 / items.len() as f64
}

fn random(state: &mut u64, bound: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 33) as usize % bound
}

fn othello_positions() -> Vec<Position> {
    let mut state = 1;
    let mut all = Vec::new();
    while all.len() < 4096 {
        let mut position = Position::START;
        while !position.is_over() {
            let moves: Vec<usize> = squares(position.legal_moves()).collect();
            if moves.is_empty() {
                position = position.pass();
            } else {
                all.push(position);
                position = position.play(moves[random(&mut state, moves.len())]);
            }
        }
    }
    all
}

fn othello_moves(positions: &[Position]) -> Vec<(Position, usize)> {
    let moves_of = |&position: &Position| {
        squares(position.legal_moves()).map(move |square| (position, square))
    };
    positions.iter().flat_map(moves_of).collect()
}

fn kernel<K: Kernel>(kernel: K, positions: &[Position]) {
    let moves = |p: &Position| kernel.legal_moves(p.own, p.opponent);
    let flips = |&(p, square): &(Position, usize)| kernel.flips(p.own, p.opponent, square);
    let tries = othello_moves(positions);
    println!(
        "othello {:9} legal_moves {:5.2} ns called {:5.2} ns inlined, flips {:5.2} ns called {:5.2} ns inlined",
        K::NAME,
        ns_each(positions, moves),
        ns_each_inlined(kernel, positions, moves),
        ns_each(&tries, flips),
        ns_each_inlined(kernel, &tries, flips),
    );
}

fn chosen_at_run_time(positions: &[Position]) {
    println!(
        "othello Position  legal_moves {:5.2} ns, flips {:5.2} ns, play {:5.2} ns",
        ns_each(positions, |position| position.legal_moves()),
        ns_each(&othello_moves(positions), |(position, square)| position
            .flips(*square)),
        ns_each(&othello_moves(positions), |(position, square)| position
            .play(*square)
            .own),
    );
}

fn othello_perft(deepest: u32) {
    for depth in deepest.saturating_sub(1)..=deepest {
        let start = Instant::now();
        let leaves = perft(&Game::OTHELLO.start(), depth);
        let seconds = start.elapsed().as_secs_f64();
        let rate = leaves as f64 / seconds / 1e6;
        println!("othello perft {depth} {leaves} leaves {seconds:.3} s {rate:.0} M leaves/s");
    }
}

fn gomoku_games(rule: Rule) -> (Vec<Vec<Move>>, Vec<Board>) {
    let mut state = 1;
    let (mut games, mut positions) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let mut board = Game::gomoku(15, rule).start();
        let mut moves = Vec::new();
        while board.ending().is_none() {
            let legal = board.legal_moves();
            let played = legal[random(&mut state, legal.len())];
            positions.push(board.clone());
            moves.push(played);
            board.play(played).expect("a legal move is legal");
        }
        games.push(moves);
    }
    (games, positions)
}

fn gomoku(rule: Rule) {
    let (games, positions) = gomoku_games(rule);
    let game = Game::gomoku(15, rule);
    let played = best(|| {
        for moves in &games {
            let mut board = game.start();
            for &played in moves {
                black_box(board.legal_squares());
                board.play(played).expect("it was played before");
                black_box(board.ending());
            }
        }
    });
    let plies: usize = games.iter().map(Vec::len).sum();
    println!(
        "gomoku 15 {:9} referee's ply (play, ending, legal_squares) {:5.0} ns over {:.0} plies a game, clone {:3.0} ns",
        rule.name(),
        played.as_nanos() as f64 / plies as f64,
        plies as f64 / games.len() as f64,
        ns_each(&positions, |board| u64::from(
            black_box(board.clone()).counts()[0]
        )),
    );
    if rule == Rule::Renju {
        let points: Vec<(games::gomoku::GomokuBoard, Square)> = positions
            .iter()
            .filter(|board| board.side_to_move() == Side::Black)
            .filter_map(|board| match board {
                Board::Gomoku(board) => Some(board.clone()),
                _ => None,
            })
            .flat_map(|board| {
                let empty: Vec<Square> = board.empty_squares().collect();
                empty.into_iter().map(move |square| (board.clone(), square))
            })
            .step_by(37)
            .collect();
        println!(
            "gomoku 15 renju     forbidden {:5.1} ns a point",
            ns_each(&points, |(board, square)| {
                u64::from(board.renju_forbids(*square).is_some())
            }),
        );
    }
}
