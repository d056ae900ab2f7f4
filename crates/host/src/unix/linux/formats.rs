//! Formats of programs that the kernel was taught, such as those of Wine or Java.

use std::fs;

/// Whether there are any (`Documentation/admin-guide/binfmt-misc.rst`).
pub fn has_other_formats() -> bool {
    let entries = fs::read_dir("/proc/sys/fs/binfmt_misc")
        .into_iter()
        .flatten();
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.any(|name| name != "register" && name != "status")
}
