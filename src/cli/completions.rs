//! `arena completions` and `arena man`, both made by clap from the commands themselves.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::output::print;
use super::{Cli, CliError};

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct Completions {
    /// For this shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "arena", &mut script);
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
