//! What a scheduler is told, so that it plays the blocks of a plan.
//!
//! Blocks are handed out in their order, and a limited number at a time: a sequential test looks at the
//! first pairs first, so what is played far ahead of them is played for nothing once it decides.

mod job;
mod kubernetes;
mod parallel;
mod slurm;

use referee::problem;
use std::path::Path;

pub use job::{Call, Job};

use super::folder::{LONGEST_PLAN, read_text};
use tournament::Problem;

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

impl Job {
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

/// Jobs that were submitted, by the scheduler's name and the job's. Lines whose job could be an option of the
/// scheduler's program are left out.
pub fn submitted(folder: &Path) -> Vec<(String, String)> {
    let text = read_text(&folder.join("jobs.txt"), LONGEST_PLAN).unwrap_or_default();
    let jobs = text.lines().filter_map(|line| line.split_once(' '));
    jobs.filter(|(_, job)| is_job(job))
        .map(|(scheduler, job)| (scheduler.to_owned(), job.to_owned()))
        .collect()
}

/// Whether schedulers name jobs like this: letters and digits, and within them `.`, `_` and `-`.
fn is_job(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
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
