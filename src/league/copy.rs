//! Copies of a league: a backup while it runs, and a new season with the same bots.

use std::fs;
use std::io;
use std::path::Path;

use host::Walk;
use referee::problem;
use run::{RunError, Stop};

use super::database::{FILE, League, NAME};
use super::hand_in::{Limits, Upload};

impl League {
    /// Copies the league as it is now into the folder `to`, even while other processes play or accept hand-ins.
    /// Hand-ins and counted rounds never change, so only those that `to` lacks are copied. Returns their number.
    pub fn back_up(&self, to: &Path) -> Result<u64, RunError> {
        let failed = || RunError::system("the backup cannot be written");
        let database = to.join(NAME);
        if to.exists() && !database.is_file() {
            return Err(problem!("{} is no backup of a league", to.display())
                .help("name a new folder, or that of an earlier backup")
                .into());
        }
        if to.join("play.lock").exists() {
            return Err(problem!(
                "{} was played after the backup, so it is not a copy any more",
                to.display()
            )
            .help("name another folder")
            .into());
        }
        for part in ["hand-ins", "rounds"] {
            fs::create_dir_all(to.join(part)).map_err(failed())?;
        }
        let new = to.join(".new-league.db");
        let _ = fs::remove_file(&new);
        drop(host::own_file(&new).map_err(failed())?);
        self.query(|tables| {
            tables
                .execute("VACUUM INTO ?1", (new.to_string_lossy(),))
                .map(drop)
        })?;
        let copy = League::at(to, &new)?;
        let mut copied = 0;
        for version in copy
            .versions()?
            .iter()
            .filter(|version| version.owner.is_some())
        {
            let (from, to) = (
                self.hand_in_folder(version.id),
                copy.hand_in_folder(version.id),
            );
            copied += u64::from(add(&from, &to).map_err(failed())?);
        }
        for round in copy.counted_rounds()? {
            copied += u64::from(
                add(&self.round_folder(round), &copy.round_folder(round)).map_err(failed())?,
            );
        }
        drop(copy);
        fs::copy(self.folder().join(FILE), to.join(FILE)).map_err(failed())?;
        fs::rename(&new, &database).map_err(failed())?;
        Ok(copied)
    }

    /// Begins a new season: copies the owners with their secrets, and hands in the version of each bot that plays.
    pub fn begin_with_bots_of(&mut self, old: &League, stop: &Stop) -> Result<usize, RunError> {
        for (name, secret) in old.secrets()? {
            self.add_owner(&name, secret.as_deref())?;
        }
        let (versions, owners) = (old.versions()?, old.owners()?);
        let mut handed_in = 0;
        for version in &versions {
            let owner = owners.iter().find(|owner| Some(owner.id) == version.owner);
            let Some(owner) = owner.filter(|_| version.plays()) else {
                continue;
            };
            let owner = self.owner(&owner.name)?;
            self.hand_in(
                &owner,
                &version.bot,
                Upload::Path(&old.files_of(version)),
                Limits::NONE,
                stop,
            )?;
            handed_in += 1;
        }
        Ok(handed_in)
    }
}

/// Copies a folder that never changes. Returns false if the copy exists or the organiser deleted the folder.
fn add(from: &Path, to: &Path) -> io::Result<bool> {
    if to.exists() || !from.exists() {
        return Ok(false);
    }
    let place = to.parent().unwrap_or(to);
    let new = host::TemporaryFolder::new(".new-", Some(place))?;
    for entry in Walk::of(from) {
        let (path, data) = entry?;
        let copy = new.path().join(&path);
        if data.is_dir() {
            fs::create_dir_all(&copy)?;
        } else if data.is_symlink() {
            host::copy_link(&from.join(&path), &copy)?;
        } else if data.is_file() {
            fs::copy(from.join(&path), &copy)?;
        }
    }
    new.keep_as(to)?;
    Ok(true)
}
