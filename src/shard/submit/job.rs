//! What is to be played, what it may use, and what is called for it.

use std::path::PathBuf;

/// What a job may use. What is not given is the scheduler's default.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is played.
    pub name: String,
    /// The folder of its plan, absolute; for Kubernetes as it is mounted.
    pub folder: PathBuf,
    /// The arena as it is called there.
    pub arena: String,
    /// The blocks to be played, in order.
    pub blocks: Vec<u64>,
    /// Blocks at a time.
    pub at_once: u64,
    /// Cores of a block.
    pub cores: usize,
    /// The longest that a block may take, in minutes.
    pub minutes: Option<u64>,
    /// Memory of a block, in MiB.
    pub memory_mib: Option<u64>,
    /// Slurm's partition.
    pub partition: Option<String>,
    /// Kubernetes' image, which has the arena and what the bots need.
    pub image: Option<String>,
    /// Kubernetes' claim of the volume that the plan is on.
    pub claim: Option<String>,
}

/// A program that is started to submit the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Program and arguments.
    pub words: Vec<String>,
    /// What it reads.
    pub input: String,
}

impl Call {
    /// As it would be typed.
    pub fn text(&self) -> String {
        let words = self.words.iter().map(String::as_str);
        let line = shlex::try_join(words).unwrap_or_default();
        if self.input.is_empty() {
            return format!("{line}\n");
        }
        format!("{line} <<'END'\n{}END\n", self.input)
    }
}

impl Job {
    /// The arena plays the block that the scheduler's variable names.
    pub(super) fn command(&self, index: &[&str]) -> Vec<String> {
        let folder = self.folder.to_string_lossy().into_owned();
        let mut words = vec![self.arena.clone(), "shard".to_owned(), folder];
        words.extend(index.iter().map(|&word| word.to_owned()));
        words
    }

    pub(super) fn logs(&self) -> PathBuf {
        self.folder.join("logs")
    }
}
