//! A run on many machines: a plan, blocks that any scheduler can play, and one merged record.
//!
//! A [`Plan`] cuts a tournament into blocks of pairs. [`Shard`] plays a block as a [`Run`](run::Run) that is recorded
//! in its own file. [`merge()`] makes the usual record from all files, at any time. [`Audit`] compares the shards with
//! each other, and [`verify()`] plays some of their games again. [`Overview`] reads and shows the progress. [`submit`]
//! builds the commands for a scheduler. This module itself has no server and no scheduler.
//!
//! Everything is a file in the plan's folder, which is shared or copied:
//!
//! | file | written by |
//! |---|---|
//! | `plan.json`, `tournament.toml`, `bots/`, `openings/` | `arena plan`, once |
//! | `shards/<block>.jsonl`, `shards/<block>/failures/` | the shard of that block alone |
//! | `STOP` | `merge` when a sequential test is decided, or the user |
//! | `jobs.txt`, `logs/` | `arena submit`, and the schedulers |
//! | `run.toml`, `arena.db`, the tables, `merged.json` | `merge` |

mod audit;
mod block;
mod last_merge;
mod merge;
mod overview;
mod pack;
mod plan;
mod play;
pub mod submit;
mod verify;

pub use audit::{Audit, Finding};
pub use block::{missing, stop, stop_reason};
pub use last_merge::remark;
pub use merge::{Merged, merge};
pub use overview::Overview;
pub use pack::{Bots, seen_from};
pub use plan::{LONGEST_PLAN, Maker, New, Plan, is_plan, read_text};
pub use play::{Ended, Shard};
pub use verify::{Verified, verify};
