//! A run on many machines: `plan`, `shard`, `merge`, `status`, `submit`.

mod calibrate;
mod merge;
mod plan;
mod shard;
mod status;
mod submit;
mod work;

pub use merge::Merge;
pub use plan::Plan;
pub use shard::Shard;
pub use status::Status;
pub use submit::Submit;
