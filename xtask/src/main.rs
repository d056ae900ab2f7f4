//! Tasks for the whole arena: `cargo run -p xtask -- dist` makes a release, `cargo run -p xtask -- check` checks the
//! dependencies, and `cargo run -p xtask -- count` counts lines. `dist` and `count` need git; `dist` also needs Linux
//! and the tools that [`tools`] installs.

mod archive;
mod check;
mod commit;
mod compile;
mod count;
mod definitions;
mod dist;
mod licences;
mod packages;
mod target;
mod tools;

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use target::Target;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A task for the whole project.
#[derive(Parser)]
#[command(name = "cargo xtask", version)]
enum Task {
    /// Make the archives of a release, its wheels and their checksums
    ///
    /// The same commit gives the same bytes wherever it is built, with the same tools.
    Dist {
        /// The output folder
        #[arg(long, default_value = "target/dist")]
        out: PathBuf,
        /// Build only for these systems: linux, windows, macos-arm, macos-intel
        #[arg(value_parser = Target::named)]
        targets: Vec<&'static Target>,
        /// Make only the archives, no wheels
        #[arg(long)]
        no_wheels: bool,
        /// The address of the repository on GitHub to which the release will be uploaded: also make definitions for
        /// Homebrew, Scoop, winget and AUR, which need the archives of all systems
        #[arg(long, value_name = "URL")]
        repository: Option<String>,
    },
    /// Check the licences of all dependencies, and that each can be built with our rust-version
    Check,
    /// Count lines of code, tests and comments, and sentences that are hard to read
    Count,
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Dist {
            out,
            targets,
            no_wheels,
            repository,
        } => dist::make(
            &out,
            &Target::or_all(targets),
            !no_wheels,
            repository.as_deref(),
        ),
        Task::Check => check::all(),
        Task::Count => count::print(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn output_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    let why = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {why}", words.join(" ")).into())
}

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}
