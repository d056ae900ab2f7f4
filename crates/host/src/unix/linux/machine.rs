//! Data in `/proc` on the machine and on our own process.

use std::fs;
use std::path::Path;

use procfs::{CpuInfo, Current, LoadAverage};

/// Our own program, even where its file has been replaced since.
pub fn ourselves() -> &'static Path {
    Path::new("/proc/self/exe")
}

pub fn processor_name() -> Option<String> {
    let processors = CpuInfo::current().ok()?;
    Some(processors.model_name(0)?.trim().to_owned())
}

pub fn system_name() -> String {
    let version = fs::read_to_string("/proc/version").unwrap_or_default();
    version.trim().to_owned()
}

/// As it is called in its network.
pub fn machine_name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned())
}

pub fn load() -> Option<f32> {
    Some(LoadAverage::current().ok()?.one)
}

/// Whether this is so by the `cpu.max` of a control group, as a container sees it
/// (Documentation/admin-guide/cgroup-v2.rst).
pub fn shares_cores() -> bool {
    let quota = fs::read_to_string("/sys/fs/cgroup/cpu.max");
    quota.is_ok_and(|quota| is_share(&quota))
}

fn is_share(quota: &str) -> bool {
    !quota.is_empty() && !quota.starts_with("max")
}

/// How many files we have open, the list of them not counted.
pub fn open_now() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, |list| list.count().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_share_of_all_cores() {
        let quotas = ["", "max 100000\n", "300000 100000\n"];
        assert_eq!(quotas.map(is_share), [false, false, true]);
    }
}
