//! One game between two players: whose turn, how long, what is allowed, when it is over.
//!
//! [`play`] is the whole of it. The rules are `games`', the players are behind [`Player`]; files,
//! tables and tournaments are not known here.

mod adjudication;
mod clock;
mod game;
mod patience;
mod player;

pub use adjudication::{Adjudication, Agreement, SolveFrom};
pub use clock::{Clock, Limits};
pub use game::{Contest, Played, play};
pub use patience::Patience;
pub use player::{Answer, HANDSHAKE, Player, ProcessPlayer, Turn};
