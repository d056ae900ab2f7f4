//! One game between two players: whose turn, how long, what is allowed, when it is over.
//!
//! [`play`] is the whole of it; a player is behind [`Player`]: a bot process, a script, a person.
//! [`bot`] is one bot process and the dialogue with it, [`dialect`] the protocols it may speak,
//! [`record`] what is known of a game when it is over, [`problem`] what may be wrong in what a
//! person wrote. Tournaments, tables and the files of a run are not known here.

mod adjudication;
pub mod bot;
mod clock;
pub mod dialect;
mod game;
mod player;
pub mod problem;
pub mod record;
mod retry;

pub use adjudication::{Adjudication, Agreement, SolveFrom, Solver};
pub use bot::Answer;
pub use clock::{Clock, Limits};
pub use game::{Contest, Played, TimeLeft, play};
pub use player::{Computing, HANDSHAKE, Player, ProcessPlayer, Turn};
pub use retry::Retry;
