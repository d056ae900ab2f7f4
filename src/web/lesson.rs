//! What pruning saves, as the page draws it.

use games::Board;
use serde::Serialize;

/// What a search of each kind visits in a position, and a small tree; `None` where nobody knows the game.
pub type Teach = dyn Fn(&Board) -> Option<Lesson> + Send + Sync;

/// The lesson of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Lesson {
    /// The searches, the plainest first.
    pub methods: Vec<Course>,
    /// A tree of three plies and three moves in each position.
    pub tree: Branch,
}

/// A search by depth.
#[derive(Clone, Debug, Serialize)]
pub struct Course {
    /// The search, a key of the texts `method.…`.
    pub method: &'static str,
    /// Nodes to depth 1, 2, ….
    pub nodes: Vec<u64>,
}

/// A position of the tree.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Branch {
    /// The move that leads here; empty at the root.
    #[serde(rename = "move")]
    pub played: String,
    /// Its value for the side to move at the root; `None`: it was cut off and never looked at.
    pub value: Option<f64>,
    /// Whether it is on the line that both sides expect.
    pub best: bool,
    /// What follows.
    pub then: Vec<Branch>,
}
