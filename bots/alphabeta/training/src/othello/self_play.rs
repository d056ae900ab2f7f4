//! Games of the program against itself, as training examples. A game begins with random moves, so that unusual
//! positions occur. Then a shallow search plays both sides.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use alphabeta::othello::ExactSolver;
use alphabeta::othello::evaluation::Weights;
use alphabeta::othello::{DISC, OthelloPosition, PASS};
use alphabeta::search::{Budget, Depth, Score, Search, TranspositionTable};
use games::othello::{Position, squares};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::fit::Example;

#[derive(Clone, Debug)]
pub struct SelfPlay {
    pub depth: Depth,
    /// The number of empty squares at which the end is solved.
    pub solve_from: u32,
    /// The minimum and maximum number of random moves at the beginning.
    pub drawn_plies: [u64; 2],
    /// The seed of all random choices; game k uses stream k.
    pub seed: u64,
}

/// The maximum loss of an opening move against the best move, by a search of two plies. Arbitrary random moves would
/// lead to positions that good players do not reach (`docs/othello-training.md`).
const NEARLY_BEST: Score = 5 * DISC;

/// One game out of this many is held back for validation.
const HELD_BACK: u64 = 20;

/// Plays `games` games on `threads` threads and returns the examples in the order of the games. After every game,
/// calls `progress` with the number of the game, from 1. Several threads may finish games in another order.
pub fn games(
    settings: &SelfPlay,
    weights: &Arc<Weights>,
    games: u64,
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Vec<Example> {
    let next = AtomicU64::new(0);
    let work = || {
        let mut player = Player::new(settings, weights);
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= games {
                return played;
            }
            played.push((number, player.game(number)));
            progress(number + 1);
        }
    };
    let mut played: Vec<(u64, Vec<Example>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| worker.join();
        workers
            .into_iter()
            .flat_map(|worker| join(worker).expect("a game does not panic"))
            .collect()
    });
    played.sort_unstable_by_key(|&(number, _)| number);
    played.into_iter().flat_map(|(_, game)| game).collect()
}

struct SearchedPosition {
    position: Position,
    /// The score of the search; `None` if the position was solved.
    opinion: Option<Score>,
    /// 1 if the side to move is the side that moved first, otherwise −1.
    sign: Score,
}

impl SearchedPosition {
    /// Converts to an example. `result` is the final score for the side that moved first.
    fn example(&self, result: i32, held_back: bool) -> Example {
        Example {
            position: self.position,
            result: (self.sign * result) as i8,
            opinion: self.opinion.map(|opinion| opinion as i16),
            held_back,
        }
    }
}

struct Player<'a> {
    settings: &'a SelfPlay,
    search: Search<OthelloPosition>,
    solver: ExactSolver,
}

impl Player<'_> {
    fn new<'a>(settings: &'a SelfPlay, weights: &Arc<Weights>) -> Player<'a> {
        let position = OthelloPosition::new(Position::START, Arc::clone(weights));
        Player {
            settings,
            search: Search::new(position, Arc::new(TranspositionTable::new(1))),
            solver: ExactSolver::with_weights(1, Arc::clone(weights)),
        }
    }

    fn game(&mut self, number: u64) -> Vec<Example> {
        let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
        random.set_stream(number);
        self.search.table.clear();
        let mut now = self.opening(&mut random);
        // `sign` converts between a score for the side to move in `now` and one for the side that moved first.
        let mut sign = 1;
        let mut seen = Vec::new();
        while now.empties().count_ones() > self.settings.solve_from && !now.is_over() {
            if now.legal_moves() == 0 {
                now = now.pass();
                sign = -sign;
            }
            let (opinion, best) = self.think(now, self.settings.depth);
            seen.push(SearchedPosition {
                position: now,
                opinion: Some(opinion),
                sign,
            });
            now = now.play(best);
            sign = -sign;
        }
        let (solution, _) = self.solver.solve(now);
        let result = sign * solution.score;
        // With perfect play, the score stays the same to the end.
        for &best in &solution.line {
            if best == PASS {
                now = now.pass();
            } else {
                seen.push(SearchedPosition {
                    position: now,
                    opinion: None,
                    sign,
                });
                now = now.play(best.index());
            }
            sign = -sign;
        }
        let held_back = number.is_multiple_of(HELD_BACK);
        let example = |seen: SearchedPosition| seen.example(result, held_back);
        seen.into_iter().map(example).collect()
    }

    fn think(&mut self, position: Position, depth: Depth) -> (Score, usize) {
        self.search.position.set(position);
        let budget = Budget::of_depth(depth);
        let report = self.search.deepen(budget, depth, &mut |_| ());
        let best = report.line.first().expect("there is a move");
        (report.score, best.index())
    }

    fn opening(&mut self, random: &mut ChaCha8Rng) -> Position {
        let [fewest, most] = self.settings.drawn_plies;
        let plies = fewest + below(random, most - fewest + 1);
        let mut position = Position::START;
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves == 0 {
                position = position.pass();
                continue;
            }
            let scored: Vec<(usize, Score)> = squares(moves)
                .map(|square| (square, -self.worth(position.play(square))))
                .collect();
            let best = scored.iter().map(|&(_, score)| score).max();
            let least = best.expect("there is a move") - NEARLY_BEST;
            let mut good = scored.iter().filter(|&&(_, score)| score >= least);
            let count = good.clone().count() as u64;
            let chosen = good.nth(below(random, count) as usize);
            position = position.play(chosen.expect("the index is below the count").0);
        }
        position
    }

    fn worth(&mut self, position: Position) -> Score {
        if position.legal_moves() != 0 {
            self.think(position, 1).0
        } else if position.pass().legal_moves() != 0 {
            -self.think(position.pass(), 1).0
        } else {
            position.final_score() * DISC
        }
    }
}

/// Returns a random number below `bound` by multiplication (D. Lemire, 2019). The bias is below 2⁻⁵⁸ here.
fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as u64
}
