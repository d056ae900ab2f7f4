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

/// Nodes per second of a fixed search on this machine, on one core; it takes some 50 ms.
fn calibrate() -> u64 {
    const DEPTH: i32 = 7;
    let bench = alphabeta::othello::bench::midgame(DEPTH);
    (bench.nodes as f64 / bench.time.as_secs_f64().max(1e-6)) as u64
}
