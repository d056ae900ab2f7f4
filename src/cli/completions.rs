//! `arena completions` and `arena man`, both made by clap from the commands themselves.
//!
//! The script that a shell gets asks this program for what fits at the cursor: `complete` answers.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_complete::env::Shells;
use referee::problem;

use super::complete::ASKS;
use super::output::print;
use super::{Cli, CliError};

/// Print a completion script for a shell
///
/// For bash: source <(arena completions bash), in ~/.bashrc. It completes the names of bots and their
/// options, games, suites, runs and files.
#[derive(Debug, Args)]
pub struct Completions {
    /// For this shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<(), CliError> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell.to_string())
            .ok_or_else(|| problem!("there is no completion for {}", self.shell))?;
        // In a shell, arena is found again in the way in which it was found now.
        let program = std::env::args().next().unwrap_or_default();
        let program = match std::path::absolute(&program) {
            Ok(path) if path.is_file() && program.contains(std::path::is_separator) => {
                path.display().to_string()
            }
            _ => "arena".to_owned(),
        };
        let mut script = Vec::new();
        shell.write_registration(ASKS, "arena", "arena", &program, &mut script)?;
        print(&String::from_utf8_lossy(&script))
    }
}

/// Print the manual page, or write one page per subcommand into a folder
#[derive(Debug, Args)]
pub struct Man {
    /// Write arena.1, arena-match.1, … into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<std::path::PathBuf>,
}

impl Man {
    pub fn run(self) -> Result<(), CliError> {
        let arena = Cli::command();
        if let Some(folder) = self.out {
            std::fs::create_dir_all(&folder)?;
            return Ok(clap_mangen::generate_to(arena, &folder)?);
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(arena).render(&mut page)?;
        print(&String::from_utf8_lossy(&page))
    }
}
