//! Checks a hand-in before its first round: unpacks it, builds it, and starts its bot in the sandbox of the games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use host::LinkRule;
use message::{Message, ToValue, message};
use referee::bot::{Build, BuildError, DiskShare, is_kept};
use referee::record::error_lines;
use run::{RunError, Stop, Unusable, build, probe};
use tournament::{BotFile, Catalogue, Contestant, Problem, Tournament, TournamentFile, given};

use super::database::{League, Version, VersionState};
use crate::grade::{HandIn, Rehearsal, Snapshot, check_hand_in, likeness_of};

/// A refusal quotes this many lines from the end of standard error.
const LINES: usize = 12;

#[derive(Debug)]
pub enum Checked {
    /// The version can play. Contains the name and version that the bot reports.
    Ready(String),
    Refused(Message),
}

/// The bot that the arena found in the files of a version.
#[derive(Clone, Debug)]
pub(super) struct FoundBot {
    pub file: BotFile,
    pub contestant: Contestant,
    /// The file or the folder of the hand-in, unpacked.
    path: Option<PathBuf>,
}

impl FoundBot {
    /// Returns whether the cache still has the files, and marks them as used. A build makes its own copy again.
    fn is_kept(&self) -> bool {
        let copy = self.contestant.build.as_ref().and_then(Build::copied);
        copy.map(is_kept);
        let written = [&self.file.uses, &self.file.folder].into_iter().flatten();
        let own = self.contestant.launch.folder.as_deref();
        let is_read = |path: &&Path| copy.is_none_or(|copy| !path.starts_with(copy));
        written
            .map(|path| Path::new(path.get_ref()))
            .chain(own)
            .filter(is_read)
            .all(is_kept)
    }
}

impl League {
    /// Returns the bot of a checked version. Reads the files only if the cache has lost them since they were last read,
    /// because each round waits for this, and reading many files takes long.
    pub(super) fn find_bot(
        &self,
        version: &Version,
        file: &TournamentFile,
        catalogue: &Catalogue,
        share: &DiskShare,
        stop: &Stop,
    ) -> Result<FoundBot, Problem> {
        let found = self.found().get(&version.id).cloned();
        if let Some(found) = found.filter(FoundBot::is_kept) {
            return Ok(found);
        }
        let snapshot = self.snapshot(version, share, stop)?;
        Ok(self
            .alone(version, &snapshot, file, catalogue, share, stop)?
            .0)
    }

    fn found(&self) -> MutexGuard<'_, BTreeMap<i64, FoundBot>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the waiting versions, and calls `on` with each version and its result. `took` has the time spent for each
    /// owner. The owner with the least time is next, so that slow builds of one owner do not delay the others. If the
    /// arena or the machine fails, the version keeps waiting, and the error is returned after the checks of the others.
    pub(super) fn check_waiting(
        &mut self,
        file: &TournamentFile,
        catalogue: &Catalogue,
        stop: &Stop,
        took: &mut BTreeMap<Option<i64>, Duration>,
        mut on: impl FnMut(&Version, &Checked),
    ) -> Result<(), RunError> {
        let mut failures = BTreeMap::new();
        while !stop.is_requested() {
            let mut waiting = self.versions_in(VersionState::Waiting)?;
            waiting.retain(|version| !failures.contains_key(&version.id));
            let of_owner =
                |version: &&Version| took.get(&version.owner).copied().unwrap_or_default();
            let Some(version) = waiting.iter().min_by_key(of_owner) else {
                break;
            };
            // A version that has games was restored by the organiser, so it is checked although a later version waits.
            let is_later = |other: &Version| other.bot == version.bot && other.id > version.id;
            if version.score.games() == 0 && waiting.iter().any(is_later) {
                let why = "a later version was handed in before this one was checked".into();
                self.end_check(version.id, VersionState::SetAside, (Some(&why), ""))?;
                continue;
            }
            let began = Instant::now();
            let checked = self.check(version, file, catalogue, stop);
            *took.entry(version.owner).or_default() += began.elapsed();
            if stop.is_requested() {
                break;
            }
            let checked = match checked {
                Ok(checked) => checked,
                Err(error) => {
                    failures.insert(version.id, error);
                    continue;
                }
            };
            let (state, note) = match &checked {
                Checked::Ready(identity) => (VersionState::Ready, (None, identity.as_str())),
                Checked::Refused(why) => (VersionState::Refused, (Some(why), "")),
            };
            self.end_check(version.id, state, note)?;
            on(version, &checked);
        }
        failures.into_values().next().map_or(Ok(()), Err)
    }

    fn check(
        &mut self,
        version: &Version,
        file: &TournamentFile,
        catalogue: &Catalogue,
        stop: &Stop,
    ) -> Result<Checked, RunError> {
        let share = DiskShare::in_cache(self.versions_in(VersionState::Waiting)?.len());
        let alone = self.snapshot(version, &share, stop).and_then(|snapshot| {
            Rehearsal::of_hand_in(&snapshot, None, file, self.folder(), &share).run(stop)?;
            self.alone(version, &snapshot, file, catalogue, &share, stop)
        });
        let (found, mut tournament) = match alone {
            Ok(alone) => alone,
            Err(problem) if problem.is_machine => return Err(problem.into()),
            Err(problem) => return Ok(Checked::Refused(problem.with_help())),
        };
        // Otherwise, an owner could hand in the same bot until chance gives it a good mark.
        if let Some(code) = found.path.and_then(|path| likeness_of(&path, 1).whole)
            && let Some(name) = self.same_code(version, code)?
        {
            return Ok(Checked::Refused(message!(
                "it is the same as {name} except for blanks and comments: hand in a changed bot"
            )));
        }
        tournament.contestants[0].allow(share);
        let bot = &tournament.contestants[0];
        let tried = build(bot)
            .map_err(Refusal::from)
            .and_then(|()| check_outputs(bot, stop).map_err(Refusal::Problem))
            .and_then(|()| probe(bot, &tournament).map_err(Refusal::from));
        match tried {
            Ok(identity) => Ok(Checked::Ready(
                format!("{} {}", identity.name, identity.version)
                    .trim()
                    .to_owned(),
            )),
            Err(Refusal::Problem(problem)) if problem.is_machine => Err(problem.into()),
            Err(Refusal::Problem(problem)) => Ok(Checked::Refused(problem.with_help())),
            Err(Refusal::Unusable(unusable)) => reason(*unusable).map(Checked::Refused),
        }
    }

    fn snapshot(
        &self,
        version: &Version,
        share: &DiskShare,
        stop: &Stop,
    ) -> Result<Snapshot, Problem> {
        Snapshot::of(&self.files_of(version), LinkRule::Refuse, share, stop)
    }

    /// Reads the files of a version. Returns its bot, and a tournament of this bot and the anchors.
    fn alone(
        &self,
        version: &Version,
        snapshot: &Snapshot,
        file: &TournamentFile,
        catalogue: &Catalogue,
        share: &DiskShare,
        stop: &Stop,
    ) -> Result<(FoundBot, Tournament), Problem> {
        let mut file = file.clone();
        let hand_in = HandIn::at(snapshot, share, stop)?;
        let bot = BotFile {
            name: given(Some(version.name())),
            ..hand_in.bot
        };
        file.bot.insert(0, toml::Spanned::new(0..0, bot.clone()));
        file.name = given(Some("check".to_owned()));
        let tournament = file.validate(catalogue, self.folder())?;
        let found = FoundBot {
            file: bot,
            contestant: tournament.contestants[0].clone(),
            path: hand_in.path,
        };
        self.found().insert(version.id, found.clone());
        Ok((found, tournament))
    }
}

enum Refusal {
    Problem(Problem),
    Unusable(Box<Unusable>),
}

impl From<Unusable> for Refusal {
    fn from(unusable: Unusable) -> Refusal {
        Refusal::Unusable(Box::new(unusable))
    }
}

/// Checks the files that a build left, in the same way as the files of a hand-in.
fn check_outputs(bot: &Contestant, stop: &Stop) -> Result<(), Problem> {
    let copy = bot.build.as_ref().and_then(Build::copied);
    copy.map_or(Ok(()), |copy| {
        Rehearsal::of_outputs(copy).run(stop)?;
        check_hand_in(copy, stop)
    })
}

/// Returns the text for the owner of a bot that cannot play. Fails if the arena or the machine is at fault.
fn reason(unusable: Unusable) -> Result<Message, RunError> {
    let with_lines = |what: Message, lines: &str| {
        if lines.is_empty() {
            what
        } else {
            message!("{what}; it wrote: {lines}")
        }
    };
    match unusable {
        Unusable::Arena(_)
        | Unusable::Unbuilt {
            error: BuildError::Arena(_) | BuildError::System { .. } | BuildError::NoRoom(_),
            ..
        } => Err(unusable.into()),
        Unusable::Unbuilt { error, .. } => {
            let BuildError::Failed { output, .. } = &error else {
                return Ok(error.to_message());
            };
            let lines = error_lines(output).join("\n");
            Ok(with_lines(message!("the bot {what}", what = error), &lines))
        }
        Unusable::Bot { fault, stderr, .. } => {
            // The bot's author needs the whole traceback.
            let lines: Vec<&str> = stderr.trim_end().lines().collect();
            let last = &lines[lines.len().saturating_sub(LINES)..];
            Ok(with_lines(
                message!("the bot {what}", what = fault),
                &last.join("\n"),
            ))
        }
        other @ (Unusable::Opening { .. } | Unusable::StartOnly { .. }) => Ok(other.to_message()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::hand_in::{Limits, Upload};
    use super::*;

    #[test]
    fn a_version_is_read_again_only_if_its_files_are_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "game = 'othello'\n[[bot]]\nname = 'anchor'\ncommand = ['never']\n";
        let file = TournamentFile::parse(text).expect("a file");
        let league = League::create(&folder.path().join("new"), &file, false);
        let mut league = league.expect("a league");
        let owner = league.owner("ada").expect("an owner");
        let bot = folder.path().join("bot.py");
        std::fs::write(&bot, "print('hello')").expect("a file");
        let upload = Upload::Path(&bot);
        let handed_in = league.hand_in(&owner, "ada", upload, Limits::NONE, &Stop::new());
        handed_in.expect("a version");
        let version = league.versions().expect("versions").remove(1);
        let (catalogue, share, stop) = (Catalogue::empty(), DiskShare::in_cache(1), Stop::new());
        let find = || league.find_bot(&version, &file, &catalogue, &share, &stop);
        let found = find().expect("a bot").file.uses.expect("a file");
        // Reading an empty file would fail.
        std::fs::write(league.files_of(&version), "").expect("a file");
        find().expect("the bot that was read before");
        std::fs::remove_file(found.get_ref()).expect("a file");
        find().expect_err("no bot");
    }
}
