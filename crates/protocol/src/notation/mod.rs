//! How the other standard protocols write squares.
//!
//! Both sides need it: a bot that speaks to a foreign manager, and the arena that speaks to a
//! foreign engine.

pub mod gomocup;
pub mod gtp;
