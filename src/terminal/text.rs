//! The sentences of the terminal's screens, in one place.

/// Keys of a replay.
pub const REPLAY_KEYS: &str = "<- -> step  PgUp PgDn ten  Home End ends  t turning point  q quit";
/// Keys of a watched run.
pub const WATCH_KEYS: &str = "<- -> other games  Home End first, latest  Enter replay  q quit";
/// Keys of a game that is played.
pub const PLAY_KEYS: &str = "arrows Enter, or d3 Enter  ? hint  U undo  R resign  Q quit";
/// Keys at the end of a game.
pub const OVER_KEYS: &str = "Q quit";
/// Says that the screen is too small.
pub const TOO_SMALL: &str = "this needs a terminal of 80 columns and 24 rows";
/// A run without a game.
pub const NO_GAME: &str = "no game has ended yet";
/// A run without faults.
pub const NO_FAULT: &str = "no fault so far";
/// Before a person resigns.
pub const RESIGN: &str = "press R again to resign";
