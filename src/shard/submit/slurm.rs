//! Slurm: array jobs.

use super::job::{Call, Job};

/// The most tasks of one array: Slurm's `MaxArraySize` is 1001 unless an administrator changes it.
const MOST: u64 = 1000;

/// One array for every thousand blocks, the next after the one before.
///
/// The batch shell becomes the arena, so a signal to the shell reaches it: 30 s before the time limit
/// (`--signal`), and when the job is cancelled. After a node failed Slurm plays the task again
/// (`--requeue`).
pub(super) fn calls(job: &Job) -> Vec<Call> {
    let mut calls = Vec::new();
    for chunk in job.blocks.chunk_by(|one, other| one / MOST == other / MOST) {
        let offset = chunk[0] / MOST * MOST;
        let at_once = job.at_once;
        let mut words = vec![
            "sbatch".to_owned(),
            "--parsable".to_owned(),
            format!("--job-name={}", job.name),
            format!(
                "--array={}%{at_once}",
                ranges(chunk.iter().map(|block| block - offset))
            ),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            "--signal=B:TERM@30".to_owned(),
            format!("--cpus-per-task={}", job.cores),
            format!("--output={}/slurm-%A_%a.log", job.logs().display()),
        ];
        words.extend(job.minutes.map(|minutes| format!("--time={minutes}")));
        words.extend(job.memory_mib.map(|memory| format!("--mem={memory}M")));
        let partition = job.partition.iter();
        words.extend(partition.map(|partition| format!("--partition={partition}")));
        if !calls.is_empty() {
            words.push("--dependency=afterany:{previous}".to_owned());
        }
        let command = job.command(&[]);
        let command = shlex::try_join(command.iter().map(String::as_str)).unwrap_or_default();
        words.push(format!(
            "--wrap=exec {command} --index $((SLURM_ARRAY_TASK_ID + {offset}))"
        ));
        let input = String::new();
        calls.push(Call { words, input });
    }
    calls
}

/// `0-3,7,9-10`.
fn ranges(numbers: impl Iterator<Item = u64>) -> String {
    let numbers: Vec<u64> = numbers.collect();
    let runs = numbers.chunk_by(|one, other| one + 1 == *other);
    let runs = runs.map(|run| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        for (numbers, text) in [
            (vec![0, 1, 2, 3, 7, 9, 10], "0-3,7,9-10"),
            (vec![5], "5"),
            (vec![], ""),
        ] {
            assert_eq!(ranges(numbers.into_iter()), text);
        }
    }
}
