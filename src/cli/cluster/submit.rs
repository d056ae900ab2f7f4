//! `arena submit`.

use referee::problem;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use super::super::error::Ending;
use super::super::{CliError, print};
use super::work::Work;
use crate::shard::submit::{Call, Job, Place, note};
use run::RunError;

/// Give the blocks of a plan to a scheduler: Slurm, Kubernetes, or GNU parallel here or over ssh
///
/// What died is not played again by itself: --missing submits the blocks that are not whole.
#[derive(Debug, Args)]
pub struct Submit {
    /// The folder of the plan
    plan: PathBuf,
    /// slurm, kubernetes, parallel, or ssh:HOST,HOST
    #[arg(long, value_name = "WHERE")]
    on: String,
    /// Show the commands, and start nothing
    #[arg(long)]
    print: bool,
    /// Only the blocks that are not whole
    #[arg(long)]
    missing: bool,
    /// Blocks played at a time; over ssh on each host. By default 64, and as many as there are cores with
    /// GNU parallel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    at_once: Option<u64>,
    /// Cores of a block; by default what the plan says
    #[arg(long, value_name = "N")]
    cores: Option<usize>,
    /// The longest that a block may take, in minutes
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..))]
    minutes: Option<u64>,
    /// Memory of a block; by default what the plan says
    #[arg(long, value_name = "MIB")]
    memory_mib: Option<u64>,
    /// Slurm: the partition
    #[arg(long)]
    partition: Option<String>,
    /// Kubernetes: the image, which has the arena and what the bots need
    #[arg(long)]
    image: Option<String>,
    /// Kubernetes: the claim of the persistent volume that the plan is on
    #[arg(long)]
    claim: Option<String>,
    /// Kubernetes: the folder of the plan on that volume, where it is not the volume's root
    #[arg(long, value_name = "FOLDER")]
    sub_path: Option<PathBuf>,
    /// The arena as it is called where the blocks are played; by default this program, in Kubernetes arena
    #[arg(long, value_name = "PROGRAM")]
    arena: Option<String>,
}

impl Submit {
    pub fn run(self) -> Result<(), CliError> {
        let place = Place::from_word(&self.on)?;
        let work = Work::read(&self.plan)?;
        let blocks = if self.missing {
            work.missing(&self.plan)?
        } else {
            (0..work.blocks()).collect()
        };
        if blocks.is_empty() {
            let folder = self.plan.display();
            say!("every block is whole: arena merge {folder} makes the tables");
            return Ok(());
        }
        let job = self.job(&work, &place, blocks)?;
        let calls = job.calls(&place)?;
        if self.print {
            let text: Vec<String> = calls.iter().map(Call::text).collect();
            return print(&text.concat());
        }
        let logs = self.plan.join("logs");
        std::fs::create_dir_all(&logs).map_err(RunError::system("no folder for logs"))?;
        let mut previous = String::new();
        for call in calls {
            let printed = start(&call, &previous)?;
            printed.trim().clone_into(&mut previous);
            let scheduler = match place {
                Place::Slurm => "slurm",
                Place::Kubernetes => "kubernetes",
                Place::Parallel | Place::Ssh(_) => continue,
            };
            // Slurm prints the number, and the cluster where there are several.
            let job = previous.split(';').next().unwrap_or_default();
            let job = job.trim_start_matches("job.batch/").to_owned();
            note(&self.plan, scheduler, &job).map_err(RunError::system("the job is not noted"))?;
            say!("submitted: {scheduler} {job}");
            previous = job;
        }
        Ok(())
    }

    fn job(&self, work: &Work, place: &Place, blocks: Vec<u64>) -> Result<Job, CliError> {
        let here = std::env::current_exe()?.to_string_lossy().into_owned();
        let in_pods = *place == Place::Kubernetes;
        let folder = match &self.sub_path {
            Some(path) if in_pods => path.clone(),
            _ => std::path::absolute(&self.plan)?,
        };
        let cores = self.cores.unwrap_or(work.cores()).max(1);
        let at_once = self.at_once.unwrap_or_else(|| match place {
            Place::Slurm | Place::Kubernetes => 64,
            Place::Parallel | Place::Ssh(_) => here_at_once(cores),
        });
        let arena = if in_pods { "arena".to_owned() } else { here };
        Ok(Job {
            name: work.name().to_owned(),
            folder,
            arena: self.arena.clone().unwrap_or(arena),
            blocks,
            at_once,
            cores,
            minutes: self.minutes,
            memory_mib: self.memory_mib.or(work.memory_mib()),
            partition: self.partition.clone(),
            image: self.image.clone(),
            claim: self.claim.clone(),
        })
    }
}

/// As many blocks as this machine has cores for.
fn here_at_once(cores: usize) -> u64 {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    (all / cores).max(1) as u64
}

/// Starts it, gives it its input, and returns what it printed.
fn start(call: &Call, previous: &str) -> Result<String, CliError> {
    let mut words = call
        .words
        .iter()
        .map(|word| word.replace("{previous}", previous));
    let program = words.next().unwrap_or_default();
    let failed = |error| {
        problem!("{program} cannot be started: {error}")
            .help(format!("install {}, or see --print", install(&program)))
    };
    let mut command = Command::new(Path::new(&program));
    command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        // Who does not read its input says why itself.
        let _ = input.write_all(call.input.as_bytes());
    }
    let output = child.wait_with_output()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    print(&printed)?;
    let what = format!(
        "{program} failed ({}): see what it said; --missing submits the rest",
        output.status
    );
    Err(Ending::ArenaFailed.because(what))
}

fn install(program: &str) -> &str {
    match program {
        "sbatch" => "slurm-client",
        "kubectl" => "kubernetes-client",
        other => other,
    }
}
