//! One game between two players: turns, time limits, rules, the end.
//!
//! [`play`] plays a game. A [`Player`] is a bot process, a script or a person; a [`Clock`] is the time of one side.
//! [`bot`] is a bot process and the dialogue with it, [`dialect`] the protocols, [`record`] the result of a game,
//! [`void`] the policy for interruptions, [`problem`] an error in a person's text. This crate knows no tournaments.

mod adjudication;
pub mod bot;
mod clock;
pub mod dialect;
mod game;
mod player;
pub mod problem;
pub mod record;
mod replay;
pub mod void;

pub use adjudication::{Adjudication, Agreement, Balance, SolveFrom, Solver};
pub use bot::Answer;
pub use clock::{Clock, Limits};
pub use game::{Contest, PlayedGame, TimeLeft, play};
pub use player::{Computing, HANDSHAKE, Player, ProcessPlayer, Retry, Turn, words};
pub use replay::{Contradiction, End, Terms, by_rules};

#[cfg(test)]
#[path = "../../protocol/tests/dialogues/mod.rs"]
mod dialogues;
