//! What a scheduler is told, so that it plays the blocks of a plan.
//!
//! Blocks are handed out in their order, and a limited number at a time: a sequential test looks at the
//! first pairs first, so what is played far ahead of them is played for nothing once it decides.

mod kubernetes;
mod parallel;
mod slurm;

use std::path::{Path, PathBuf};

use super::Plan;
use crate::tournament::Problem;

/// Where blocks are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An array job.
    Slurm,
    /// An indexed job.
    Kubernetes,
    /// GNU parallel on this machine.
    Parallel,
    /// GNU parallel on these machines.
    Ssh(Vec<String>),
}

impl Place {
    /// `slurm`, `kubernetes`, `parallel` or `ssh:HOST,HOST`.
    pub fn from_word(word: &str) -> Result<Place, Problem> {
        match word.split_once(':') {
            None if word == "slurm" => Ok(Place::Slurm),
            None if word == "kubernetes" => Ok(Place::Kubernetes),
            None if word == "parallel" => Ok(Place::Parallel),
            Some(("ssh", hosts)) if !hosts.is_empty() => {
                Ok(Place::Ssh(hosts.split(',').map(str::to_owned).collect()))
            }
            _ => Err(
                problem!("nothing is called {word:?} that could play the blocks")
                    .help("write slurm, kubernetes, parallel or ssh:HOST,HOST"),
            ),
        }
    }
}

/// What a job may use. What is not given is the scheduler's default.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its folder, absolute; for Kubernetes as it is mounted.
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

impl Job<'_> {
    /// What is to be called, one after the other. In the words of a call, `{previous}` stands for the
    /// number of the job that the call before it printed.
    pub fn calls(&self, place: &Place) -> Result<Vec<Call>, Problem> {
        match place {
            Place::Slurm => Ok(slurm::calls(self)),
            Place::Kubernetes => kubernetes::calls(self),
            Place::Parallel => Ok(vec![parallel::call(self, &[])]),
            Place::Ssh(hosts) => Ok(vec![parallel::call(self, hosts)]),
        }
    }

    /// The arena plays the block that the scheduler's variable names.
    fn command(&self, index: &[&str]) -> Vec<String> {
        let folder = self.folder.to_string_lossy().into_owned();
        let mut words = vec![self.arena.clone(), "shard".to_owned(), folder];
        words.extend(index.iter().map(|&word| word.to_owned()));
        words
    }

    fn logs(&self) -> PathBuf {
        self.folder.join("logs")
    }
}

/// What ends jobs that were submitted, by the scheduler's name and the job's.
pub fn cancel(scheduler: &str, job: &str) -> Option<Vec<String>> {
    let words: &[&str] = match scheduler {
        "slurm" => &["scancel", job],
        "kubernetes" => &["kubectl", "delete", "job", job, "--wait=false"],
        _ => return None,
    };
    Some(words.iter().map(|&word| word.to_owned()).collect())
}

/// Jobs that were submitted, by the scheduler's name and the job's.
pub fn submitted(folder: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder.join("jobs.txt")).unwrap_or_default();
    let jobs = text.lines().filter_map(|line| line.split_once(' '));
    jobs.map(|(scheduler, job)| (scheduler.to_owned(), job.to_owned()))
        .collect()
}

/// Notes that this job was submitted.
pub fn note(folder: &Path, scheduler: &str, job: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::File::options();
    let mut file = options
        .append(true)
        .create(true)
        .open(folder.join("jobs.txt"))?;
    writeln!(file, "{scheduler} {job}")
}
