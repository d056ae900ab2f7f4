//! A run on many machines: `arena plan`, `shard`, `merge`, `status` and `submit`.

use message::{message, spoken};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use referee::problem;

use super::bots::catalogue;
use super::error::Ending;
use super::grade::{ClassPlan, grade_block, merge_blocks};
use super::options::{GameCount, GameOptions};
use serde_json::json;

use super::new_run::announce_build;
use super::output::json_text;
use super::sandbox;
use super::speed::calibrate;
use super::tournament_file::Written;
use super::{CliError, print, print_said, stop_on_ctrl_c, width};
use crate::shard::submit::{self, Call, Job, Scheduler};
use crate::shard::{self, Ended, Merged, New, Overview, Verified};
use run::RunError;
use run::store::StoreError;
use tournament::{Catalogue, SandboxChoice, folder_of};

/// Cut a tournament into blocks that other machines play
///
/// The folder gets everything that is needed to play: share it with the other machines, or copy it.
/// docs/cluster.md describes each step, from a tournament file to the tables.
#[derive(Debug, Args)]
pub struct PlanCommand {
    /// The tournament file
    file: PathBuf,
    /// The folder of the plan; by default results/NAME
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Pairs of games per block; a block should last minutes
    #[arg(long, value_name = "PAIRS", default_value = "25", value_parser = clap::value_parser!(u64).range(1..))]
    block: u64,
    /// Leave bots and openings where they are: every machine sees them at the same place
    #[arg(long)]
    in_place: bool,
    /// Let other builds of this version of the arena play
    #[arg(long)]
    any_build: bool,
    /// Give slower machines more time, measured by a calibration: for bots that play by the clock
    #[arg(long)]
    scale_time: bool,
    #[command(flatten)]
    games: GameCount,
    #[command(flatten)]
    options: GameOptions,
}

impl PlanCommand {
    pub fn run(self) -> Result<(), CliError> {
        let written = Written::read(&self.file)?;
        let mut file = written.file.clone();
        self.games.apply(&mut file);
        self.options.apply(&mut file);
        sandbox::settle(&mut file, SandboxChoice::Off)?;
        let (catalogue, folder) = (catalogue()?, folder_of(&self.file));
        let tournament = file.validate(&catalogue, folder);
        let tournament = tournament.map_err(|problem| written.explain(problem))?;
        if let Some(out) = self.out.as_ref().filter(|out| out.exists()) {
            return Err(run::exists(out).into());
        }
        let new = New {
            file: &file,
            folder,
            catalogue: &catalogue,
            out: self.out.as_deref(),
            block: self.block,
            bots: if self.in_place {
                shard::Bots::InPlace
            } else {
                shard::Bots::Copied
            },
            any_build: self.any_build,
            scale_time: self.scale_time || tournament.scale_nps.is_some(),
            nodes_per_s: tournament.scale_nps.unwrap_or_else(calibrate),
        };
        let (plan, out) = new.write(&tournament, announce_build)?;
        let (folder, games, blocks) = (out.display(), plan.games(), plan.blocks);
        print_said(&message!(
            "{games} {games|game|games} in {blocks} {blocks|block|blocks}, planned in {folder}\n\
             arena submit {folder} --on slurm|kubernetes|parallel|ssh:HOSTS plays them"
        ))
    }
}

/// Play one block of a plan
///
/// A block that was begun continues where it stopped. After SIGTERM, the running games have a grace time to end.
///
/// Exit codes: 0 the block is complete, or the plan was stopped; 75 not complete: run it again; 2 the plan or the input
/// is wrong; 3 a bot could not be used; 4 the arena or the machine failed.
#[derive(Debug, Args)]
pub struct Shard {
    /// The folder of the plan
    plan: PathBuf,
    /// The block, counted from 0; by default from the scheduler's environment variables
    #[arg(long, value_name = "N")]
    index: Option<u64>,
    /// A list of blocks, separated by commas; --index is then a position in this list, from 0
    #[arg(long, value_name = "BLOCKS", value_delimiter = ',')]
    of: Vec<u64>,
    /// Games played at a time; by default as in the plan, but at most the number of cores
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
    /// Seconds in which running games may end after the shard is asked to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    grace: u64,
}

impl Shard {
    pub fn run(self) -> Result<(), CliError> {
        let block = self.block()?;
        let folder = &self.plan;
        if let Some(why) = shard::stop_reason(folder) {
            say!("block {block} is not played: the plan was stopped: {why}");
            return Ok(());
        }
        if let Some(class) = ClassPlan::read(folder)? {
            return grade_block(&class, folder, block);
        }
        let (catalogue, stop) = (catalogue()?, stop_on_ctrl_c()?);
        sandbox::check(&shard::Plan::file(folder)?)?;
        let workers = self.concurrency.map(|workers| workers as usize);
        let opened = shard::Shard::open(
            folder,
            block,
            workers,
            &catalogue,
            calibrate(),
            stop.clone(),
        );
        let mut shard = match opened {
            Err(RunError::Store(StoreError::Locked { .. })) => {
                return Err(Ending::TryAgain.because(message!(
                    "block {block} is being played by another shard of {}",
                    folder.display()
                )));
            }
            opened => opened?,
        };
        for note in shard.notes() {
            say!("note: {note}");
        }
        let (before, games) = (shard.status().played(), shard.status().games());
        say!("block {block}: {games} {games|game|games}, {before} of them played before");
        let ended = shard.play(Duration::from_secs(self.grace))?;
        for warning in shard.warnings() {
            say!("warning: {warning}");
        }
        let played = shard.status().played();
        match ended {
            Ended::Whole => say!("block {block} is complete: {played} {played|game|games}"),
            Ended::Stopped(why) => {
                say!("block {block}: {played} of {games} games; the plan was stopped: {why}");
            }
            Ended::Unfinished => {
                return Err(Ending::TryAgain.because(message!(
                    "block {block} is not complete: {played} of {games} games; run it again"
                )));
            }
        }
        Ok(())
    }

    fn block(&self) -> Result<u64, CliError> {
        let named = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
        let index = self
            .index
            .or_else(|| named("SLURM_ARRAY_TASK_ID"))
            .or_else(|| named("JOB_COMPLETION_INDEX"))
            .or_else(|| named("PARALLEL_SEQ")?.checked_sub(1));
        let Some(index) = index else {
            return Err(problem!("the block to play is not given")
                .help("write --index N; Slurm, Kubernetes and GNU parallel set it")
                .into());
        };
        if self.of.is_empty() {
            return Ok(index);
        }
        let block = self.of.get(index as usize).copied();
        Ok(block.ok_or_else(|| problem!("there is no block number {index} in --of"))?)
    }
}

/// Make one record and the tables of all blocks played so far
///
/// Works while shards run. A match with a goal counts the pairs before the first missing one; once it is
/// decided, the file STOP in the plan's folder ends the shards. For a class, the tables are those of arena grade --all.
#[derive(Debug, Args)]
pub struct Merge {
    /// The folder of the plan
    plan: PathBuf,
    /// If the plan is stopped, also cancel its submitted jobs
    #[arg(long)]
    cancel: bool,
    /// Play this share of each shard's games again, such as 1%, and compare them move by move
    ///
    /// Only games whose bots always answer the same, as with a fixed depth or number of nodes, can be compared; other
    /// games show nothing. Exit code 1: a game comes out differently.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    verify: Option<f64>,
    /// Print the results as JSON; arena schema run describes them
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|text| text.parse().ok());
    let share = number.map(|percent: f64| percent / 100.0);
    share
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "expected a percentage above 0% and up to 100%, such as 1%".to_owned())
}

impl Merge {
    pub fn run(self) -> Result<(), CliError> {
        if let Some(class) = ClassPlan::read(&self.plan)? {
            if self.verify.is_some() {
                return Err(problem!(
                    "--verify compares games of a tournament, and this is the plan of a class"
                )
                .help("grade a hand-in again with arena grade, and compare the marks")
                .into());
            }
            return merge_blocks(&class, &self.plan);
        }
        let catalogue = catalogue()?;
        let merged = shard::merge(&self.plan, &catalogue)?;
        for note in &merged.notes {
            say!("note: {note}");
        }
        let [all, played] = merged.games;
        say!("{played} of {all} games are played");
        if merged.has_stopped {
            say!("the test has decided: STOP is written, and no shard begins another pair");
        }
        if self.cancel && shard::stop_reason(&self.plan).is_some() {
            for (scheduler, job) in submit::submitted(&self.plan) {
                cancel(&scheduler, &job);
            }
        }
        let findings = merged.audit.findings();
        for finding in &findings {
            say!("warning: {words}", words = finding.words);
        }
        let verified = self
            .verify
            .map(|share| verify(&self.plan, &catalogue, &merged, share));
        let verified = verified.transpose()?;
        let (run, summary) = (&merged.run, &merged.summary);
        print(&if self.json {
            let mut value = json!(summary.results(&run.tournament().name, run.folder()));
            let findings: Vec<_> = findings.into_iter().map(|finding| finding.json).collect();
            value["shards_that_differ"] = findings.into();
            value["verified"] = verified.as_ref().map(Verified::json).into();
            json_text(&value)
        } else {
            summary.text(run.folder(), width(), spoken())
        })?;
        match verified {
            Some(verified) if !verified.differences.is_empty() => Err(Ending::NotPassed.printed()),
            _ => Ok(()),
        }
    }
}

fn verify(
    plan: &Path,
    catalogue: &Catalogue,
    merged: &Merged,
    share: f64,
) -> Result<Verified, CliError> {
    let stop = stop_on_ctrl_c()?;
    let parts = (&merged.run, &merged.audit);
    let Some(verified) = shard::verify(plan, catalogue, parts, share, &stop)? else {
        return Err(Ending::Interrupted.because(message!(
            "interrupted: no games were compared, but the merge is complete"
        )));
    };
    let (same, shards) = (verified.same, verified.shards);
    let (other, unknown) = (verified.differences.len(), verified.unrepeatable);
    say!(
        "verified on {shards} {shards|shard|shards}: {same} {same|game is|games are} the same here, {other} {other|is|are} not"
    );
    if unknown > 0 {
        say!(
            "note: {unknown} more games show nothing: two replays on this machine differ from each other, as is \
             usual with time limits"
        );
    }
    if verified.in_time > 0 {
        say!(
            "note: {} more games were lost on time in the record, and not on this machine",
            verified.in_time
        );
    }
    for difference in &verified.differences {
        say!("difference: {words}", words = difference.words());
    }
    if other > 0 {
        say!(
            "these shards had another build or other bots, a bot keeps something from game to game, or their files were \
             changed: move the files of these shards out of {folder}, and play them again: arena submit --missing",
            folder = plan.join("shards").display()
        );
    }
    Ok(verified)
}

/// Cancels a job. A failure is only printed, since a job that has ended cannot be cancelled.
fn cancel(scheduler: &str, job: &str) {
    let Some(words) = submit::cancel(scheduler, job) else {
        return;
    };
    let program = &words[0];
    match Command::new(program).args(&words[1..]).status() {
        Ok(status) if status.success() => say!("{scheduler}: {job} is cancelled"),
        Ok(status) => {
            let note = format!("{program} {job}: {status}");
            say!("note: {note}");
        }
        Err(error) => {
            let note = message!("{program} cannot be started: {error}");
            say!("note: {note}");
        }
    }
}

/// Show how far a plan has come: blocks, rate, faults, machines, verdict
#[derive(Debug, Args)]
pub struct Status {
    /// The folder of the plan
    plan: PathBuf,
}

impl Status {
    pub fn run(self) -> Result<(), CliError> {
        if let Some(class) = ClassPlan::read(&self.plan)? {
            return print_said(&class.status(&self.plan));
        }
        for line in Overview::of(&self.plan)?.text(&self.plan) {
            print_said(&line)?;
        }
        Ok(())
    }
}

/// Give the blocks of a plan to a scheduler: Slurm, Kubernetes, or GNU parallel here or over ssh
///
/// Blocks that failed are not submitted again automatically: --missing submits the blocks that are not complete.
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
    /// Only the blocks that are not complete
    #[arg(long)]
    missing: bool,
    /// Blocks played at a time; over ssh on each host. By default 64; with GNU parallel and over ssh, this machine's
    /// cores divided by the cores of a block
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    at_once: Option<u64>,
    /// Cores of a block; by default as in the plan
    #[arg(long, value_name = "N")]
    cores: Option<usize>,
    /// The longest that a block may take, in minutes
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..))]
    minutes: Option<u64>,
    /// Memory of a block; by default as in the plan
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
    /// Kubernetes: the folder of the plan on that volume, if it is not the volume's root
    #[arg(long, value_name = "FOLDER")]
    sub_path: Option<PathBuf>,
    /// The command that starts the arena where the blocks are played; default: this program; on Kubernetes: arena
    #[arg(long, value_name = "PROGRAM")]
    arena: Option<String>,
}

impl Submit {
    /// Returns the command for the incomplete blocks of a plan.
    pub fn rest(plan: &Path, on: String, partition: Option<String>) -> Submit {
        Submit {
            plan: plan.to_owned(),
            on,
            print: false,
            missing: true,
            at_once: None,
            cores: None,
            minutes: None,
            memory_mib: None,
            partition,
            image: None,
            claim: None,
            sub_path: None,
            arena: None,
        }
    }

    pub fn run(self) -> Result<(), CliError> {
        let place = Scheduler::from_word(&self.on)?;
        let work = Work::read(&self.plan, self.missing)?;
        if work.blocks.is_empty() {
            let folder = self.plan.display();
            say!("every block is complete: arena merge {folder} makes the tables");
            return Ok(());
        }
        let job = self.job(work, &place)?;
        let calls = job.calls(&place)?;
        if self.print {
            let text: Vec<String> = calls.iter().map(Call::text).collect();
            return print(&text.concat());
        }
        let logs = self.plan.join("logs");
        std::fs::create_dir_all(&logs).map_err(RunError::system("cannot create logs/"))?;
        let mut previous = String::new();
        for call in calls {
            let printed = start(&call, &previous)?;
            printed.trim().clone_into(&mut previous);
            let scheduler = match place {
                Scheduler::Slurm => "slurm",
                Scheduler::Kubernetes => "kubernetes",
                Scheduler::Parallel | Scheduler::Ssh(_) => continue,
            };
            // Slurm prints the number of the job, and the name of the cluster if there are several clusters.
            let job = previous.split(';').next().unwrap_or_default();
            let job = job.trim_start_matches("job.batch/").to_owned();
            submit::note(&self.plan, scheduler, &job)
                .map_err(RunError::system("cannot record the job"))?;
            say!("submitted: {scheduler} {job}");
            previous = job;
        }
        Ok(())
    }

    fn job(&self, work: Work, place: &Scheduler) -> Result<Job, CliError> {
        let here = std::env::current_exe()?.to_string_lossy().into_owned();
        let in_pods = *place == Scheduler::Kubernetes;
        let folder = match &self.sub_path {
            Some(path) if in_pods => path.clone(),
            _ => std::path::absolute(&self.plan)?,
        };
        let cores = self.cores.unwrap_or(work.cores).max(1);
        let at_once = self.at_once.unwrap_or_else(|| match place {
            Scheduler::Slurm | Scheduler::Kubernetes => 64,
            Scheduler::Parallel | Scheduler::Ssh(_) => here_at_once(cores),
        });
        let arena = if in_pods { "arena".to_owned() } else { here };
        Ok(Job {
            name: work.name,
            folder,
            arena: self.arena.clone().unwrap_or(arena),
            blocks: work.blocks,
            at_once,
            cores,
            minutes: self.minutes,
            memory_mib: self.memory_mib.or(work.memory_mib),
            partition: self.partition.clone(),
            image: self.image.clone(),
            claim: self.claim.clone(),
        })
    }
}

fn here_at_once(cores: usize) -> u64 {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    (all / cores).max(1) as u64
}

/// Runs a scheduler's command with its input, and returns its output.
fn start(call: &Call, previous: &str) -> Result<String, CliError> {
    let mut words = call
        .words
        .iter()
        .map(|word| word.replace("{previous}", previous));
    let program = words.next().unwrap_or_default();
    let failed = |error| {
        problem!("{program} cannot be started: {error}").help(message!(
            "install {}, or print the commands with --print",
            install(&program)
        ))
    };
    let mut command = Command::new(Path::new(&program));
    command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        // Ignores the error: a program that does not read its input prints the reason itself.
        let _ = input.write_all(call.input.as_bytes());
    }
    let output = child.wait_with_output()?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    print(&printed)?;
    let what = message!(
        "{program} failed ({}): see its output; --missing submits the rest",
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

/// The blocks of a plan that are submitted. The plan is for a tournament or for a class.
struct Work {
    name: String,
    blocks: Vec<u64>,
    cores: usize,
    memory_mib: Option<u64>,
}

impl Work {
    fn read(folder: &Path, only_missing: bool) -> Result<Work, CliError> {
        if let Some(class) = ClassPlan::read(folder)? {
            let blocks = if only_missing {
                class.missing(folder)
            } else {
                (0..class.hand_ins.len() as u64).collect()
            };
            return Ok(Work {
                name: class.name,
                blocks,
                cores: 1,
                memory_mib: None,
            });
        }
        let (plan, _) = shard::Plan::read(folder)?;
        let blocks = if only_missing {
            shard::missing(folder, &plan)?
        } else {
            (0..plan.blocks).collect()
        };
        Ok(Work {
            name: plan.name,
            blocks,
            cores: plan.cores,
            memory_mib: plan.memory_mib,
        })
    }
}
