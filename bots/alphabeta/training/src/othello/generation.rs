//! One generation: games are played, and weights fitted to them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use alphabeta::othello::evaluation::Weights;

use super::example::Example;
use super::fit::{self, Fit, PhaseError};
use super::self_play::{self, SelfPlay};

/// One generation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How games are played.
    pub self_play: SelfPlay,
    /// How many.
    pub games: u64,
    /// How weights are fitted to what was played.
    pub fit: Fit,
    /// Threads that play and fit.
    pub threads: usize,
}

/// What a generation came to.
#[derive(Clone, Debug)]
pub struct Generation {
    /// The new weights.
    pub weights: Arc<Weights>,
    /// Positions learned from and positions held back for validation.
    pub examples: [usize; 2],
    /// Errors by phase, on positions held back.
    pub errors: Vec<PhaseError>,
    /// Time of play and of the fit.
    pub took: [Duration; 2],
}

/// Plays, and fits new weights to `kept` (examples of earlier generations) and what was played,
/// which is added to `kept`.
pub fn play_and_fit(
    settings: &Settings,
    weights: &Arc<Weights>,
    kept: &mut Vec<Example>,
    progress: &(dyn Fn(u64) + Sync),
) -> Generation {
    let began = Instant::now();
    let played = self_play::games(
        &settings.self_play,
        weights,
        settings.games,
        settings.threads,
        progress,
    );
    kept.extend(played);
    let playing = began.elapsed();
    let began = Instant::now();
    let fitted = fit::fit(kept, weights, &settings.fit, settings.threads);
    let held_back = kept.iter().filter(|example| example.held_back).count();
    Generation {
        weights: Arc::new(fitted.weights),
        examples: [kept.len() - held_back, held_back],
        errors: fitted.errors,
        took: [playing, began.elapsed()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::first_guess::first_guess;

    fn toy(threads: usize) -> Settings {
        Settings {
            self_play: SelfPlay {
                depth: 1,
                solve_from: 8,
                random_plies: [10, 40],
                seed: 7,
            },
            games: 300,
            fit: Fit {
                lambda: 0.8,
                ridge: 30.0,
                iterations: 5,
            },
            threads,
        }
    }

    #[test]
    fn training_on_a_toy_set_lowers_its_error_whatever_the_threads() {
        let guess = Arc::new(first_guess());
        let done = play_and_fit(&toy(1), &guess, &mut Vec::new(), &|_| ());
        let squares = |error: &PhaseError, value: f64| value * value * error.positions as f64;
        let before: f64 = done.errors.iter().map(|e| squares(e, e.before)).sum();
        let after: f64 = done.errors.iter().map(|e| squares(e, e.after)).sum();
        assert!(after < before, "from {before:.0} to {after:.0}");

        let again = play_and_fit(&toy(3), &guess, &mut Vec::new(), &|_| ());
        assert_eq!(done.examples, again.examples);
        assert!(
            done.weights == again.weights,
            "three threads, other weights"
        );
    }
}
