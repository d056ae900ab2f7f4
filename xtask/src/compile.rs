//! Builds programs and wheels whose bytes do not depend on the machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::commit::Commit;
use crate::target::Target;
use crate::tools::{self, run};
use crate::{Result, root};

pub struct Compiler<'a> {
    pub commit: &'a Commit,
    tools: PathBuf,
}

impl Compiler<'_> {
    pub fn new(commit: &Commit) -> Result<Compiler<'_>> {
        Ok(Compiler {
            commit,
            tools: tools::folder()?,
        })
    }

    pub fn program(&self, target: &Target) -> Result<PathBuf> {
        let build = if target.macos.is_some() {
            "zigbuild"
        } else {
            "build"
        };
        let mut cargo = self.command("cargo", target);
        cargo.args([
            build,
            "--release",
            "--locked",
            "--bin",
            "arena",
            "--target",
            target.triple,
        ]);
        run(&mut cargo)?;
        Ok(root()
            .join("target")
            .join(target.triple)
            .join("release")
            .join(target.program()))
    }

    /// Builds the wheels for `target` into the folder `out`: one has the program, the other the Python environments.
    pub fn wheels(&self, target: &Target, out: &Path) -> Result<()> {
        self.wheel("package", target.triple, target, out)?;
        // Python loads the environments, so they need the C library that Python uses.
        let triple = target.triple.replace("linux-musl", "linux-gnu");
        self.wheel("environments", &triple, target, out)
    }

    fn wheel(&self, folder: &str, triple: &str, target: &Target, out: &Path) -> Result<()> {
        let mut maturin = self.command("maturin", target);
        maturin
            .current_dir(root().join("bots/python").join(folder))
            .args(["build", "--quiet", "--release", "--locked"])
            .args(["--target", triple])
            .args([
                "--compatibility",
                if target.name == "linux" {
                    "manylinux_2_17"
                } else {
                    "off"
                },
            ])
            .arg("--out")
            .arg(out);
        if target.macos.is_some() || triple.ends_with("linux-gnu") {
            maturin.arg("--zig");
        }
        run(&mut maturin)
    }

    fn command(&self, program: &str, target: &Target) -> Command {
        let mut path = OsString::from(&self.tools);
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = std::env::var_os("HOME")
            .map(PathBuf::from)
            .unwrap_or_default();
        let cargo_home = cargo_home.unwrap_or_else(|| home.join(".cargo"));
        // Panic messages contain paths, which must be the same on every machine.
        let places = [(root(), "/arena"), (cargo_home.as_path(), "/cargo")];
        let flags =
            places.map(|(place, name)| format!("--remap-path-prefix={}={name}", place.display()));
        let c = places.map(|(place, name)| format!("-ffile-prefix-map={}={name}", place.display()));
        let mut command = Command::new(program);
        command
            .current_dir(root())
            .env("PATH", path)
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
            .env("CFLAGS", c.join(" "))
            .env("SOURCE_DATE_EPOCH", self.commit.time.to_string())
            .env(
                "ARENA_BUILD",
                format!("{} {}", self.commit.name, self.commit.day),
            )
            .env("CARGO_INCREMENTAL", "0")
            .envs(
                target
                    .macos
                    .map(|first| ("MACOSX_DEPLOYMENT_TARGET", first)),
            )
            // A user's own settings would change the folder or the bytes.
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTFLAGS");
        command
    }
}
