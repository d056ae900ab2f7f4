//! The statistics of matches: from wins, draws and losses to ratings, intervals and tests.
//!
//! Reading order: [`Score`] counts games and [`Pentanomial`] counts colour-swapped pairs. Both are a [`Sample`], from
//! which [`Strength`] is computed; [`Sprt`] or [`Precision`] decides when a match can stop, and [`Forecast`] says how
//! long a match takes. [`wilson`] bounds a win rate. With a threshold for the rate, [`decided`] says whether a match
//! will reach it, [`reach`] gives the probability that further games reach it, and [`certain`] tests the expected rate.
//! [`bradley_terry`] rates a whole field. [`Mean`] averages measured values, and [`DurationSummary`] describes thinking
//! times. [`fisher`] and [`rank_sums`] test whether a part of a sample differs from the rest.
//!
//! Conventions: results are seen from the first bot, so positive means that the first bot is stronger. Elo is logistic
//! (400 points are odds of ten to one). An error is the half-width of a 95 % interval. **No function returns NaN or an
//! infinity for any counts**: if a sample does not determine a number (no games, a clean sweep), the function
//! regularises the sample or returns `None`, as its text says. Random numbers are the same in each call.

#![warn(missing_docs)]

mod betting;
pub mod bradley_terry;
mod cholesky;
mod curtailed;
mod duration_summary;
mod elo;
mod forecast;
mod homogeneity;
mod likelihood;
mod mean;
mod pentanomial;
mod precision;
mod repeatability;
mod sample;
mod score;
mod sprt;
mod wilson;

pub use betting::certain;
pub use bradley_terry::{Meeting, Rating, Ratings, bound_of_losses};
pub use curtailed::decided;
pub use duration_summary::DurationSummary;
pub use elo::{Elo, FEWEST_UNITS, Strength};
pub use forecast::Forecast;
pub use homogeneity::{Counts, fisher, rank_sums};
pub use mean::Mean;
pub use pentanomial::Pentanomial;
pub use precision::Precision;
pub use repeatability::reach;
pub use sample::{Moments, Sample};
pub use score::{Score, Wdl};
pub use sprt::{BadSprt, Bounds, Decision, Model, Sprt};
pub use wilson::{Interval, wilson};

/// The 97.5 % quantile of the normal distribution.
pub const Z_95: f64 = 1.959963984540054;
