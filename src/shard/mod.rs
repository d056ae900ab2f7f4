//! A run on many machines: a plan, blocks that any scheduler plays, and one record made of them.
//!
//! A [`Plan`] cuts a tournament into blocks of pairs. [`Shard`] plays one of them through a
//! [`Run`](run::Run), like every other client, into a file of its own. [`merge()`] makes the usual
//! record of all that is there, at any time; [`Overview`] only looks. [`submit`] writes the calls of a
//! scheduler. There is no server and no scheduler here: another program decides when and where a block is played.
//!
//! Everything is a file in the plan's folder, which is shared or copied:
//!
//! | file | written by |
//! |---|---|
//! | `plan.json`, `tournament.toml`, `bots/`, `openings/` | `arena plan`, once |
//! | `shards/<block>.jsonl`, `shards/<block>/failures/` | the shard of that block alone |
//! | `STOP` | `merge` when a test has decided, or anybody |
//! | `run.toml`, `arena.db`, the tables, `merged.json` | `merge` |

mod block;
mod merge;
mod overview;
mod pack;
mod plan;
mod play;
pub mod submit;

pub use block::{missing, stop, stop_reason};
pub use merge::{Merged, merge, remark};
pub use overview::Overview;
pub use pack::{Bots, seen_from};
pub use plan::{LONGEST_PLAN, Maker, New, Plan, is_plan, read_text};
pub use play::{Ended, Shard};
