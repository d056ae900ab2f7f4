//! What `arena --version` says: the version, the commit and its day, the system.
//!
//! `cargo run -p xtask -- dist` sets the variable `ARENA_BUILD` to the commit and its day. Other builds do not know
//! theirs: to ask git would build the arena anew after every commit.

use std::env::consts::{ARCH, OS};
use std::sync::LazyLock;

/// Such as `0.1.0 (3f2c1ab579 2026-11-22, x86_64-linux-musl)`.
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let build = option_env!("ARENA_BUILD").unwrap_or("built from source");
        let library = if cfg!(target_env = "musl") {
            "-musl"
        } else if cfg!(target_env = "msvc") {
            "-msvc"
        } else if cfg!(target_env = "gnu") {
            "-gnu"
        } else {
            ""
        };
        let version = env!("CARGO_PKG_VERSION");
        format!("{version} ({build}, {ARCH}-{OS}{library})")
    });
    &TEXT
}
