//! How the weights are made: games of the engine against itself, and two fits to them.
//!
//! [`selfplay`] writes games as transcripts with a result. [`samples`] replays them into quiet
//! positions. [`value`] fits what shapes are worth to the outcomes, by logistic regression;
//! [`policy`] fits how promising they look to the moves that were played, by softmax regression.
//! The example `gomoku_training` is the command; `docs/gomoku-training.md` says what was run.

pub mod policy;
pub mod samples;
pub mod selfplay;
mod sum;
pub mod value;

/// The classes of shape that the built-in weights know: a refinement keeps them all.
pub fn known_classes() -> Vec<u16> {
    super::weights::Weights::built_in().classes().collect()
}
