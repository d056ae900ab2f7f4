//! The costs of a sandbox: starting a process, each ply, and stopping a process while its opponent thinks.

use std::path::Path;
use std::time::{Duration, Instant};

use host::{Process, ProcessGroup, Program, Sandbox, Streams, Tier};

use super::{OverheadResult, TURNS, Watching, launch, play, us};

const LONG: Duration = Duration::from_secs(10);

pub fn measure(bot: &Path, games: u64) -> OverheadResult<()> {
    let look = host::look();
    let here = |tier: &Tier| look.lack(*tier).is_none();
    let tiers = [Tier::Standard, Tier::Strict].into_iter().filter(here);
    let kinds: Vec<Option<Tier>> = std::iter::once(None).chain(tiers.map(Some)).collect();
    let mut best = vec![[Duration::MAX; 3]; kinds.len()];
    for _ in 0..TURNS {
        for (&tier, best) in kinds.iter().zip(&mut best) {
            let mut launch = launch(bot, &[]);
            launch.own = vec![bot.to_owned()];
            if let Some(tier) = tier {
                launch.enclose(&Sandbox {
                    memory_mib: Some(1024),
                    processes: Some(256),
                    disk_mib: Some(64),
                    ..Sandbox::new(tier)
                });
            }
            let sandbox = launch.sandbox.as_ref();
            let figures = [
                started(sandbox)?,
                play(&launch, games, 1, Watching::Listener)?.0.a_ply,
                stopped(sandbox)?,
            ];
            for (best, figure) in best.iter_mut().zip(figures) {
                *best = figure.min(*best);
            }
        }
    }
    let [plain, unboxed, _] = best[0];
    for (tier, [start, ply, stop]) in kinds.iter().zip(&best) {
        println!(
            "{:>10}: a start {:6.2} ms ({:+.2}), a ply {:6.2} µs ({:+.1} %), stopping and continuing {:6.2} µs",
            tier.map_or("off", Tier::word),
            us(*start) / 1e3,
            (us(*start) - us(plain)) / 1e3,
            us(*ply),
            (us(*ply) / us(unboxed) - 1.0) * 100.0,
            us(*stop),
        );
    }
    Ok(())
}

fn start(path: &str, sandbox: Option<&Sandbox>) -> OverheadResult<Process> {
    let program = Program {
        path: path.into(),
        variables: vec!["PATH".to_owned()],
        sandbox: sandbox.cloned(),
        ..Program::default()
    };
    Ok(Process::start(
        &program,
        Streams::Dialogue,
        &ProcessGroup::new(),
    )?)
}

fn started(sandbox: Option<&Sandbox>) -> OverheadResult<Duration> {
    const STARTS: usize = 21;
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let begin = Instant::now();
        let mut process = start("cat", sandbox)?;
        answer(&mut process)?;
        times.push(begin.elapsed());
    }
    times.sort();
    Ok(times[STARTS / 2])
}

/// Returns the mean time that it takes to stop and continue a waiting process.
fn stopped(sandbox: Option<&Sandbox>) -> OverheadResult<Duration> {
    const TIMES: u32 = 200;
    let mut process = start("cat", sandbox)?;
    answer(&mut process)?;
    let begin = Instant::now();
    for _ in 0..TIMES {
        process.freeze();
        process.thaw();
    }
    Ok(begin.elapsed() / TIMES)
}

fn answer(process: &mut Process) -> OverheadResult<()> {
    process.write(b"x");
    let until = Instant::now() + LONG;
    while !process.wait(Some(until), Instant::now(), false)?.output {
        if Instant::now() > until {
            return Err("the process does not answer".into());
        }
    }
    Ok(())
}
