//! Builds the commands with which a scheduler plays the blocks of a plan. Blocks are played in order, a few at a time,
//! because games that are played after a sequential test is decided are wasted.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::plan::{LONGEST_PLAN, read_text};
use referee::problem;
use tournament::Problem;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheduler {
    Slurm,
    Kubernetes,
    /// GNU parallel on this machine.
    Parallel,
    /// GNU parallel on these machines.
    Ssh(Vec<String>),
}

impl Scheduler {
    pub fn from_word(word: &str) -> Result<Scheduler, Problem> {
        match word.split_once(':') {
            None if word == "slurm" => Ok(Scheduler::Slurm),
            None if word == "kubernetes" => Ok(Scheduler::Kubernetes),
            None if word == "parallel" => Ok(Scheduler::Parallel),
            Some(("ssh", hosts)) if !hosts.is_empty() => Ok(Scheduler::Ssh(
                hosts.split(',').map(str::to_owned).collect(),
            )),
            _ => Err(problem!("there is no scheduler {word:?}")
                .help("write slurm, kubernetes, parallel or ssh:HOST,HOST")),
        }
    }
}

/// The blocks to play, and their resources; `None` stands for the scheduler's default.
#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    /// The absolute path of the plan's folder; for Kubernetes, a relative path, which starts at the volume's root.
    pub folder: PathBuf,
    pub arena: String,
    pub blocks: Vec<u64>,
    pub at_once: u64,
    pub cores: usize,
    pub minutes: Option<u64>,
    pub memory_mib: Option<u64>,
    pub partition: Option<String>,
    pub image: Option<String>,
    pub claim: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub words: Vec<String>,
    pub input: String,
}

impl Call {
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
    /// Returns the calls in order. `{previous}` stands for the job number that the previous call printed.
    pub fn calls(&self, place: &Scheduler) -> Result<Vec<Call>, Problem> {
        match place {
            Scheduler::Slurm => Ok(slurm(self)),
            Scheduler::Kubernetes => kubernetes(self),
            Scheduler::Parallel => Ok(vec![parallel(self, &[])]),
            Scheduler::Ssh(hosts) => Ok(vec![parallel(self, hosts)]),
        }
    }

    /// Returns the arena's command. `index` has the words that choose the block.
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

/// The most tasks of an array: Slurm's default `MaxArraySize` is 1001.
const LARGEST_ARRAY: u64 = 1000;

/// Returns one job array per thousand blocks. Each array starts after the end of the previous one. The arena replaces
/// the batch shell and receives its signals: 30 s before the time limit (`--signal`), and at cancellation. After a node
/// failure, Slurm plays the task again (`--requeue`).
fn slurm(job: &Job) -> Vec<Call> {
    let mut calls = Vec::new();
    for chunk in job
        .blocks
        .chunk_by(|one, other| one / LARGEST_ARRAY == other / LARGEST_ARRAY)
    {
        let offset = chunk[0] / LARGEST_ARRAY * LARGEST_ARRAY;
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

fn ranges(numbers: impl Iterator<Item = u64>) -> String {
    let numbers: Vec<u64> = numbers.collect();
    let runs = numbers.chunk_by(|one, other| one + 1 == *other);
    let runs = runs.map(|run| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    runs.collect::<Vec<_>>().join(",")
}

const MOUNT: &str = "/plan";

/// Returns the call of `kubectl create`, with the job's manifest as JSON. A pod that is evicted with its node does not
/// count as a failure. An unusable bot or plan (status 2 or 3) ends the job. After another failure, such as an
/// incomplete block (75), the block is tried three more times.
fn kubernetes(job: &Job) -> Result<Vec<Call>, Problem> {
    let manifest =
        serde_json::to_string_pretty(&manifest(job)?).map_err(|error| problem!("{error}"))?;
    let words = ["kubectl", "create", "--output=name", "--filename=-"];
    Ok(vec![Call {
        words: words.map(str::to_owned).to_vec(),
        input: format!("{manifest}\n"),
    }])
}

fn manifest(job: &Job) -> Result<Value, Problem> {
    let Some(image) = &job.image else {
        return Err(problem!(
            "Kubernetes needs an image that has the arena and what the bots need"
        )
        .help("--image REGISTRY/NAME:TAG; docs/cluster.md has a Dockerfile"));
    };
    let Some(claim) = &job.claim else {
        return Err(problem!("Kubernetes needs a volume with the plan")
            .help("--claim NAME, of a PersistentVolumeClaim with ReadWriteMany"));
    };
    let mut resources = json!({ "cpu": job.cores.to_string() });
    if let Some(memory) = job.memory_mib {
        resources["memory"] = json!(format!("{memory}Mi"));
    }
    let blocks: Vec<String> = job.blocks.iter().map(u64::to_string).collect();
    let all = job.blocks.iter().copied().eq(0..job.blocks.len() as u64);
    let mut command = vec![job.arena.clone(), "shard".to_owned(), MOUNT.to_owned()];
    if !all {
        // The job counts its pods from 0, so the command needs the list of blocks.
        command.extend(["--of".to_owned(), blocks.join(",")]);
    }
    let mut spec = json!({
        "completionMode": "Indexed",
        "completions": job.blocks.len(),
        "parallelism": job.at_once.min(job.blocks.len() as u64),
        "backoffLimitPerIndex": 3,
        "podFailurePolicy": { "rules": [
            { "action": "Ignore", "onPodConditions": [{ "type": "DisruptionTarget", "status": "True" }] },
            { "action": "FailJob", "onExitCodes": { "containerName": "shard", "operator": "In", "values": [2, 3] } },
        ]},
        "template": { "spec": {
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": 30,
            "containers": [{
                "name": "shard",
                "image": image,
                "command": command,
                "env": [{
                    "name": "ARENA_MACHINE",
                    "valueFrom": { "fieldRef": { "fieldPath": "spec.nodeName" } },
                }],
                "resources": { "requests": resources, "limits": resources },
                "volumeMounts": [{ "name": "plan", "mountPath": MOUNT }],
            }],
            "volumes": [{ "name": "plan", "persistentVolumeClaim": { "claimName": claim } }],
        }},
    });
    if let Some(minutes) = job.minutes {
        spec["template"]["spec"]["activeDeadlineSeconds"] = json!(60 * minutes);
    }
    if let Some(path) = job.folder.to_str().filter(|path| !path.starts_with('/')) {
        spec["template"]["spec"]["containers"][0]["volumeMounts"][0]["subPath"] = json!(path);
    }
    Ok(json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": { "generateName": format!("arena-{}-", dns(&job.name)) },
        "spec": spec,
    }))
}

/// Makes a name that Kubernetes allows (RFC 1123), in at most 40 characters.
fn dns(name: &str) -> String {
    let name = name.to_lowercase();
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(allowed).take(40).collect();
    name.trim_matches('-').to_owned()
}

/// Returns the call of GNU parallel, with one line of input per block. A failing block is tried three times.
fn parallel(job: &Job, hosts: &[String]) -> Call {
    let mut words: Vec<String> = ["parallel", "--jobs"].map(str::to_owned).to_vec();
    words.push(job.at_once.to_string());
    words.extend(["--retries", "3", "--termseq", "TERM,30000,KILL,25"].map(str::to_owned));
    words.push("--joblog".to_owned());
    words.push(
        job.logs()
            .join("parallel.log")
            .to_string_lossy()
            .into_owned(),
    );
    for host in hosts {
        words.extend(["--sshlogin".to_owned(), host.clone()]);
    }
    // GNU parallel passes the words to a shell.
    let command = job.command(&["--index", "{}"]);
    let quoted = command.iter().map(|word| match word.as_str() {
        "{}" => word.clone(),
        word => shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into),
    });
    words.extend(quoted);
    let blocks: Vec<String> = job.blocks.iter().map(u64::to_string).collect();
    Call {
        words,
        input: blocks.join("\n") + "\n",
    }
}

pub fn cancel(scheduler: &str, job: &str) -> Option<Vec<String>> {
    let words: &[&str] = match scheduler {
        "slurm" => &["scancel", job],
        "kubernetes" => &["kubectl", "delete", "job", job, "--wait=false"],
        _ => return None,
    };
    Some(words.iter().map(|&word| word.to_owned()).collect())
}

/// Returns the submitted jobs as scheduler and name. Skips names that could be mistaken for options.
pub fn submitted(folder: &Path) -> Vec<(String, String)> {
    let text = read_text(&folder.join("jobs.txt"), LONGEST_PLAN).unwrap_or_default();
    let jobs = text.lines().filter_map(|line| line.split_once(' '));
    jobs.filter(|(_, job)| is_job(job))
        .map(|(scheduler, job)| (scheduler.to_owned(), job.to_owned()))
        .collect()
}

/// Returns whether a word can name a job: a letter or digit, then letters, digits, `.`, `_` and `-`.
fn is_job(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

pub fn note(folder: &Path, scheduler: &str, job: &str) -> io::Result<()> {
    let mut options = File::options();
    let mut file = options
        .append(true)
        .create(true)
        .open(folder.join("jobs.txt"))?;
    writeln!(file, "{scheduler} {job}")
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
