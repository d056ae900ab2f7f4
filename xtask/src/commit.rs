use std::process::Command;

use crate::{Result, output_of, root};

pub struct Commit {
    /// The short hash, with `+changes` if the working tree has changes.
    pub name: String,
    pub day: String,
    /// The commit's time in seconds since 1970; all timestamps in a release use it.
    pub time: u64,
}

impl Commit {
    pub fn here() -> Result<Commit> {
        let listed = git(&[
            "log",
            "-1",
            "--format=%h %cd %ct",
            "--date=format-local:%Y-%m-%d",
            "--abbrev=10",
        ])?;
        let mut words = listed.split_whitespace().map(str::to_owned);
        let mut next = || words.next().ok_or("git finds no commit in this folder");
        let (name, day, time) = (next()?, next()?, next()?.parse()?);
        let changed = !git(&["status", "--porcelain"])?.is_empty();
        let name = name + if changed { "+changes" } else { "" };
        Ok(Commit { name, day, time })
    }
}

fn git(words: &[&str]) -> Result<String> {
    // The day is in UTC on every machine.
    let mut command = Command::new("git");
    command.args(words).env("TZ", "UTC").current_dir(root());
    Ok(String::from_utf8(output_of(&mut command)?)?
        .trim()
        .to_owned())
}
