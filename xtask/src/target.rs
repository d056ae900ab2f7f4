//! The systems for which there are releases.

#[derive(Debug)]
pub struct Target {
    pub name: &'static str,
    pub triple: &'static str,
    /// The oldest macOS that the program supports; `None` for other systems. Programs for macOS are linked with zig.
    pub macos: Option<&'static str>,
}

/// All targets. The program for Linux needs no system library, so it runs on every Linux with this kind of processor.
pub const ALL: [Target; 4] = [
    Target {
        name: "linux",
        triple: "x86_64-unknown-linux-musl",
        macos: None,
    },
    Target {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        macos: None,
    },
    Target {
        name: "macos-arm",
        triple: "aarch64-apple-darwin",
        macos: Some("11.0"),
    },
    Target {
        name: "macos-intel",
        triple: "x86_64-apple-darwin",
        macos: Some("10.12"),
    },
];

impl Target {
    pub fn named(name: &str) -> Result<&'static Target, String> {
        let names = ALL.each_ref().map(|target| target.name);
        let target = ALL.iter().find(|target| target.name == name);
        target.ok_or_else(|| format!("expected one of {}", names.join(", ")))
    }

    pub fn or_all(chosen: Vec<&'static Target>) -> Vec<&'static Target> {
        if chosen.is_empty() {
            return ALL.iter().collect();
        }
        chosen
    }

    pub fn folder(&self) -> String {
        format!("arena-{}-{}", env!("CARGO_PKG_VERSION"), self.triple)
    }

    pub fn archive(&self) -> String {
        let ending = if self.is_windows() { "zip" } else { "tar.gz" };
        format!("{}.{ending}", self.folder())
    }

    pub fn is_windows(&self) -> bool {
        self.triple.contains("windows")
    }

    pub fn program(&self) -> &'static str {
        if self.is_windows() {
            "arena.exe"
        } else {
            "arena"
        }
    }
}
