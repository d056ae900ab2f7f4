//! Grades a bot or a class against the opponents of a suite, by playing runs.
//!
//! A [`Suite`] has the opponents, a [`HandIn`] the bot. [`Grading`] grades one bot and writes its files, [`Class`]
//! grades a folder of bots. [`mark`](tournament::mark) makes marks from games, [`report`](run::report) shows marks.

mod accuracy;
mod archive;
mod audit;
mod class;
pub mod files;
mod grading;
mod hand_in;
pub mod layout;
mod likeness;
mod list;
mod parts;
mod rehearsal;
mod suite;

pub use audit::{Audit, Doubt};
pub use class::{Class, ClassEvent};
pub use grading::{Grading, Prepared, error_chain};
pub use hand_in::{HandIn, Snapshot, check as check_hand_in, copy as copy_hand_in};
pub use likeness::of as likeness_of;
pub use list::{ClassList, ListedHandIn, NAME as CLASS_LIST};
pub use rehearsal::{Rehearsal, take_role_if_asked as read_if_asked};
pub use suite::Suite;
