//! How it went in one of the games.

use super::super::finding::Finding;
use super::super::scene::Theme;
use super::super::slip::Slip;
use super::super::subject::Course;

/// How it went in a game.
#[derive(Clone, Debug)]
pub struct Played {
    pub course: Course,
    /// The number of answered questions.
    pub asked: u32,
    /// The number of illegal answers.
    pub wrong: usize,
    pub passes: bool,
    /// Whether it had sent `ready` at all.
    pub started: bool,
    /// The last finding.
    pub title: String,
}

impl Played {
    /// Whether it gave no legal answer.
    pub fn is_in_vain(&self) -> bool {
        self.asked <= self.wrong as u32
    }
}

/// A game in which it gave no legal answer. Whether that is a fault depends on the other games.
#[derive(Clone, Debug)]
pub struct Failure {
    pub played: Played,
    pub findings: Vec<Finding>,
    pub slips: Vec<(Slip, Theme)>,
    pub stopped: bool,
}
