//! `arena new-bot`.

mod comments;
mod template;

use referee::problem;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{CliError, print, print_said};
use comments::in_language;
use message::{Lang, spoken};
use referee::bot::{check_name, is_plain};
use template::{SCHEMA, Template, commands};
use tournament::{Problem, bot_schema};

/// Create a bot: a folder with a program that plays both games, which you can change
///
/// The folder contains the program, bot.toml (how it is started), README.md with the next commands,
/// PROTOCOL.md, and bot.schema.json, with which editors check bot.toml. Existing files are not
/// overwritten.
#[derive(Debug, Args)]
pub struct NewBot {
    /// The folder to create; its last part is the bot's name
    folder: PathBuf,
    /// The language to write it in: python, python-course, javascript, c, cpp, java, shell or rust
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    lang: String,
    /// The language of its comments, en or zh [default: the system's]
    #[arg(long, value_name = "LANG")]
    lang_comments: Option<String>,
}

impl NewBot {
    pub fn run(self) -> Result<(), CliError> {
        let template = Template::find(&self.lang)?;
        let name = name_of(&self.folder)?;
        if self.folder.symlink_metadata().is_ok() {
            return Err(problem!("{} exists already", self.folder.display())
                .help("choose another name; existing files are not overwritten")
                .into());
        }
        let lang = match &self.lang_comments {
            None => spoken(),
            Some(code) => Lang::of(code).ok_or_else(|| {
                problem!("there are no comments in {code:?}").help("choose en or zh")
            })?,
        };
        for (path, text) in template.files(&name, lang) {
            write(&self.folder.join(path), &text)?;
        }
        let schema = format!("{:#}\n", bot_schema());
        write(&self.folder.join(SCHEMA), &schema)?;
        let shown = self.folder.display();
        print_said(&format!(
            "{shown}: a bot in {} that plays {}; change {shown}/{} as you like\n\nnext:\n",
            template.title,
            template.games(),
            template.main_file(),
        ))?;
        print(&in_language(&commands(&shown.to_string()), spoken()))
    }
}

/// The bot's name: the last part of its folder.
fn name_of(folder: &Path) -> Result<String, Problem> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    check_name(&name).map_err(|problem| {
        let plain = |c: char| if is_plain(c) { c } else { '_' };
        let near: String = name.trim().chars().map(plain).collect();
        let near = near.trim_start_matches(['.', '-', '_']);
        match check_name(near) {
            Ok(()) => problem.help(format!("did you mean {near:?}?")),
            Err(_) => problem,
        }
    })?;
    Ok(name.into_owned())
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| {
        let problem = problem!("cannot write {}: {error}", path.display());
        CliError::from(problem.help("choose a folder with write permission"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_name_gets_a_good_one() {
        let help = |folder: &str| name_of(Path::new(folder)).expect_err("it is bad").help;
        let meant = |name: &str| Some(format!("did you mean {name:?}?"));
        assert_eq!(help("my bot"), meant("my_bot"));
        assert_eq!(help("bots/größter bot"), meant("größter_bot"));
        assert_eq!(help("-x"), meant("x"));
        let rule = "use 1 to 64 letters, digits, dots, dashes and underscores";
        assert_eq!(help(".."), Some(rule.to_owned()));
        assert_eq!(name_of(Path::new("bots/my_bot/")).as_deref(), Ok("my_bot"));
    }
}
