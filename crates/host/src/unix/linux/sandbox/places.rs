//! The files that every program needs: the system's programs and libraries, and a few of its settings.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders with programs and libraries.
pub const SYSTEM: [&str; 7] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
];

/// Settings that runtimes need, and that everybody may know: no folder that may hold keys. A file that a
/// runtime only looks for must be absent rather than forbidden: Node, for one, ends where it may not read
/// `openssl.cnf`. The configuration of a Java version is in [`of_java`].
pub const SETTINGS: [&str; 10] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/nsswitch.conf",
];

/// The settings that Debian keeps there for each version of Java.
pub fn of_java() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let names = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"java"));
    names.map(|entry| entry.path()).collect()
}

/// Those that the network needs.
pub const NETWORK: [&str; 8] = [
    "/etc/ssl/certs",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/services",
    "/etc/protocols",
];

/// Devices that hold nothing.
pub const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The files of `/proc` that a program in a strict sandbox sees beside those of its own processes, because runtimes
/// read them. All else, such as the counters of `/proc/vmstat`, tells what others do, and by that what an earlier
/// game did.
pub const OF_PROC: [&str; 9] = [
    "cpuinfo",
    "filesystems",
    "loadavg",
    "meminfo",
    "stat",
    "sys",
    "tty",
    "uptime",
    "version",
];

/// The files about the machine that runtimes read, for a program that sees the machine's own `/sys`.
pub const OF_MACHINE: [&str; 2] = [
    "/sys/devices/system/cpu",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Whether it is among those that every program sees.
pub fn is_there_anyway(path: &Path) -> bool {
    let places = SYSTEM.iter().chain(&SETTINGS);
    places.into_iter().any(|place| path.starts_with(place))
}
