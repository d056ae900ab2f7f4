//! Data in `/proc` on the machine and on our own process.

use std::fs;

use procfs::{CpuInfo, Current};

/// Our own program, even where its file has been replaced since.
pub const OURSELVES: &str = "/proc/self/exe";

pub fn processor_name() -> Option<String> {
    let processors = CpuInfo::current().ok()?;
    Some(processors.model_name(0)?.trim().to_owned())
}

pub fn system_name() -> String {
    let version = fs::read_to_string("/proc/version").unwrap_or_default();
    version.trim().to_owned()
}

/// How many files we have open, the list of them not counted.
pub fn open_now() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, |list| list.count().saturating_sub(1))
}
