//! The speed of this machine, and time limits that are scaled by it.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use message::{Message, message};
use run::RunError;
use serde_json::json;
use tournament::{Problem, Tournament};

use super::output::json_text;
use super::tournament_file::Written;
use super::{CliError, print, print_said};

/// Measure the speed of this machine, by which time limits can be scaled
///
/// The speed is that of alphabeta's bench, a fixed search of Othello positions, in nodes per second of CPU time. With a
/// tournament file, also prints the factor for its time limits on this machine.
#[derive(Debug, Args)]
pub struct Speed {
    /// The tournament file whose limits are scaled
    file: Option<PathBuf>,
    /// Print the speed as JSON
    #[arg(long)]
    json: bool,
}

impl Speed {
    pub fn run(self) -> Result<(), CliError> {
        let reference = self.file.as_deref().map(reference).transpose()?;
        let one = calibrate();
        let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let each = host::side_by_side(cores, &vec![(); cores.get()], |()| calibrate());
        let each = each.map_err(RunError::system("the system refused to start a thread"))?;
        let all: u64 = each.iter().sum();
        let factor = reference.map(|reference| factor(reference, one));
        if self.json {
            return print(&json_text(&json!({
                "nodes_per_s": one,
                "cores": cores.get(),
                "nodes_per_s_on_all_cores": all,
                "factor": factor,
            })));
        }
        let (mega, all_mega) = (one as f64 / 1e6, all as f64 / 1e6);
        let (cores, per_core) = (cores.get(), all_mega / cores.get() as f64);
        print_said(&message!(
            "one core: {mega:.2} Mnodes/s (scale_nps = {one})"
        ))?;
        print_said(&message!(
            "all {cores} cores: {all_mega:.2} Mnodes/s, {per_core:.2} on each"
        ))?;
        match factor {
            Some(factor) => print_said(&message!(
                "on this machine, time limits are multiplied by {factor:.2}"
            )),
            None => Ok(()),
        }
    }
}

fn reference(file: &std::path::Path) -> Result<u64, CliError> {
    let file = Written::read(file)?.file;
    let reference = file.scale_nps.map(|nps| *nps.get_ref() as u64);
    Ok(reference.ok_or_else(|| {
        let what: Message =
            "the tournament has no scale_nps, so its time limits are the same on every machine"
                .into();
        Problem::new(what).help(
            "write scale_nps = N; `arena speed` prints N on the machine that the limits are \
                                 meant for",
        )
    })?)
}

fn factor(reference: u64, here: u64) -> f64 {
    reference as f64 / here.max(1) as f64
}

/// Scales the time limits of a tournament with `scale_nps` to the speed of this machine: multiplies them by `scale_nps`
/// and divides them by this machine's speed. Prints and returns the factor; `None` without `scale_nps`.
pub fn scale_here(tournament: &mut Tournament) -> Result<Option<f64>, CliError> {
    let Some(reference) = tournament.scale_nps else {
        return Ok(None);
    };
    let here = calibrate();
    let factor = factor(reference, here);
    tournament.scale(factor)?;
    let mega = here as f64 / 1e6;
    say!("note: time limits × {factor:.2}: this machine has {mega:.2} Mnodes/s");
    Ok(Some(factor))
}

/// Measures the speed of this machine: nodes per second of a fixed search on one core. Measures CPU time, which other
/// processes hardly affect. Takes about 50 ms.
pub fn calibrate() -> u64 {
    const DEPTH: i32 = 7;
    let before = host::thread_cpu_time();
    let bench = alphabeta::othello::bench::midgame(DEPTH);
    let took = host::thread_cpu_time().saturating_sub(before);
    let took = if took.is_zero() { bench.time } else { took };
    (bench.nodes as f64 / took.as_secs_f64().max(1e-6)) as u64
}
