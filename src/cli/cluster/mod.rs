//! A run on many machines: `plan`, `shard`, `merge`, `status`, `submit`.

mod merge;
mod plan;
mod shard;
mod status;
mod submit;

pub use merge::Merge;
pub use plan::Plan;
pub use shard::Shard;
pub use status::Status;
pub use submit::Submit;

/// Nodes per second of a fixed search on this machine, on one core, by the processor's time, so that
/// other work on the machine changes little; it takes some 50 ms.
fn calibrate() -> u64 {
    const DEPTH: i32 = 7;
    let before = host::thread_cpu_time();
    let bench = alphabeta::othello::bench::midgame(DEPTH);
    let took = host::thread_cpu_time().saturating_sub(before);
    let took = if took.is_zero() { bench.time } else { took };
    (bench.nodes as f64 / took.as_secs_f64().max(1e-6)) as u64
}
