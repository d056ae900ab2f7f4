use clap::{Args, ValueEnum};

use super::{CliError, print};
use tournament::{bot_schema, manual, tournament_schema};

/// Print the JSON Schema of a tournament file or bot.toml, for completion and checks in editors
///
/// Write it beside the file: arena schema tournament > tournament.schema.json, and let the file begin with
/// #:schema tournament.schema.json. docs/tournament-file.md explains every key.
#[derive(Debug, Args)]
pub struct Schema {
    /// The file
    #[arg(required_unless_present = "manual")]
    file: Option<SchemaFile>,
    /// Print the manual of both files instead, in Markdown
    #[arg(long, conflicts_with = "file")]
    manual: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaFile {
    /// A tournament file, for arena run and arena grade --suite
    Tournament,
    /// bot.toml, in the folder of a bot
    Bot,
}

impl Schema {
    pub fn run(self) -> Result<(), CliError> {
        let schema = match self.file {
            None => return print(&manual()),
            Some(SchemaFile::Tournament) => tournament_schema(),
            Some(SchemaFile::Bot) => bot_schema(),
        };
        print(&format!("{schema:#}\n"))
    }
}
