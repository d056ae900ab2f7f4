//! The files that every program needs: the system's programs and libraries, and a few of its settings.

use std::path::Path;

/// Folders with programs and libraries.
pub const SYSTEM: [&str; 7] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
];

/// Settings that runtimes need. A file that a runtime only looks for must be absent rather than
/// forbidden: Node, for one, ends where it may not read `openssl.cnf`.
pub const SETTINGS: [&str; 22] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/ssl",
    "/etc/pki",
    "/etc/ca-certificates",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/default/locale",
    "/etc/java",
    "/etc/java-8-openjdk",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/nsswitch.conf",
    "/etc/python3",
    "/etc/magic",
    "/etc/mime.types",
];

/// Those that the network needs.
pub const NETWORK: [&str; 5] = [
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

/// Whether it is among those that every program sees.
pub fn is_there_anyway(path: &Path) -> bool {
    let places = SYSTEM.iter().chain(&SETTINGS);
    places.into_iter().any(|place| path.starts_with(place))
}
