//! A league: a run that never ends. Each hand-in is a version of a bot and a separate player in the ratings.
//!
//! A league is a folder:
//!
//! | file | contents |
//! |---|---|
//! | `league.toml` | a tournament file: the conditions of all games, and the anchors as its bots |
//! | `league.db` | owners, versions, rounds, results ([`database`]) |
//! | `hand-ins/N` | the files of version N as they were handed in, never changed |
//! | `rounds/N` | the run of round N: an ordinary run of the format `pairings` |
//!
//! Reading order: [`database`] and [`results`]; [`hand_in`], from files to a version; [`pairing`], the pure function
//! that chooses a round; [`rounds`], from the choice to the counted results; [`play`], the loop; [`table`].

mod checking;
mod copy;
mod database;
mod elsewhere;
mod hand_in;
mod marks;
mod pages;
mod pairing;
mod play;
mod results;
mod rounds;
mod table;

pub use database::{League, Owner, Settings, Version, VersionState};
pub use hand_in::{Limits, Upload};
pub use marks::{Goals, MarkRow};
pub use pages::{HistoryPoint, PlayedGame};
pub use play::Played;
pub use rounds::Playing;
pub use table::{Figures, LeagueTable, TableRow};
