//! How the opponent of a bot is stopped.

/// Stops a player until it is asked again.
#[derive(Clone, Copy)]
pub struct Hold<'a>(pub &'a dyn Fn());

impl Hold<'_> {
    /// For a player without an opponent.
    pub const NONE: Hold<'static> = Hold(&|| {});
}

impl std::fmt::Debug for Hold<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hold")
    }
}
