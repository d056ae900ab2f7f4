use clap::{Args, ValueEnum};

use super::{CliError, print};
use run::report::ResultsSchema;
use tournament::{bot_schema, manual, tournament_schema};

/// Print the JSON Schema of a file, for completion and checks in editors, or of the output of --json
///
/// Write it beside the file: arena schema tournament > tournament.schema.json, and let the file begin with
/// #:schema tournament.schema.json. docs/tournament-file.md explains every key. docs/schema has all schemas.
#[derive(Debug, Args)]
pub struct Schema {
    /// The file or the output
    #[arg(required_unless_present = "manual")]
    file: Option<SchemaFile>,
    /// Print the manual of tournament files and bot.toml instead, in Markdown
    #[arg(long, conflicts_with = "file")]
    manual: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaFile {
    /// A tournament file, for arena run and arena grade --suite
    Tournament,
    /// bot.toml, in the folder of a bot
    Bot,
    /// The output of arena report --json, and of the commands that play games
    Run,
    /// The output of arena stages --json
    Stages,
    /// grade.json, and the output of arena grade --json
    Grade,
    /// The output of arena grade --all --json
    Class,
}

impl Schema {
    pub fn run(self) -> Result<(), CliError> {
        let schema = match self.file {
            None => return print(&manual()),
            Some(SchemaFile::Tournament) => tournament_schema(),
            Some(SchemaFile::Bot) => bot_schema(),
            Some(SchemaFile::Run) => ResultsSchema::Run.value(),
            Some(SchemaFile::Stages) => ResultsSchema::Stages.value(),
            Some(SchemaFile::Grade) => ResultsSchema::Grade.value(),
            Some(SchemaFile::Class) => ResultsSchema::Class.value(),
        };
        print(&format!("{schema:#}\n"))
    }
}
