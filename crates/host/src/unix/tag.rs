//! A tag in a process's environment, by which whatever it has started is found and ended.
//!
//! A group of processes dies with its leader, but a process may leave the group, and once its parent
//! has ended nothing else says whose it was. Every program that a process starts inherits its
//! environment, though, and so [`NAME`] in it, which the system may show of every process as it was
//! when its program began. Only who starts a program with another environment loses it; what is done
//! on purpose to outlive us is the business of a sandbox.
//!
//! Looking for it reads something of every process of the machine (some 10 µs each), so it is done
//! when a process has ended, and never while a clock runs.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// The variable that holds the tag.
pub const NAME: &str = "ARENA_BOT";

/// Our part of all our tags.
static OURS: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!("{chance:016x}")
});

/// The tag of one process, or what the tags of all processes that one program started begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag(String);

impl Tag {
    /// One that no other process has. It does not tell a program how many were started before it.
    pub fn new() -> Tag {
        Tag(format!(
            "{}-{:016x}.",
            *OURS,
            RandomState::new().hash_one(0)
        ))
    }

    /// That of all processes that this program starts.
    pub fn of_all() -> Tag {
        Tag(format!("{}-", *OURS))
    }

    /// The one that another process was told.
    pub fn told(text: String) -> Tag {
        Tag(text)
    }

    /// The variable's value.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether an environment, `NAME=value` with a zero byte between two, has this tag.
    pub fn is_in(&self, environment: &[u8]) -> bool {
        environment.split(|&byte| byte == 0).any(|variable| {
            let value = variable.strip_prefix(NAME.as_bytes());
            let value = value.and_then(|rest| rest.strip_prefix(b"="));
            value.is_some_and(|value| value.starts_with(self.0.as_bytes()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_its_own_tag_and_that_of_its_program() {
        let (one, other) = (Tag::new(), Tag::new());
        let environment = format!("PATH=/bin\0{NAME}={}\0HOME=/\0", one.text());
        assert!(one.is_in(environment.as_bytes()));
        assert!(Tag::of_all().is_in(environment.as_bytes()));
        assert!(!other.is_in(environment.as_bytes()));
        let elsewhere = format!("X{NAME}={}\0", one.text());
        assert!(!one.is_in(elsewhere.as_bytes()));
        assert!(!one.is_in(b""));
    }
}
