//! Grades a folder of hand-ins, several at a time. Each hand-in has its own run.

use std::fs;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::files::{self, HAND_INS};
use super::grading::{Grading, Prepared, error_chain, not_graded};
use super::layout::{Naming, Submission};
use super::likeness::{self, Compared, Likeness};
use super::list::{ClassList, ListedHandIn};
use super::parts::HandInFiles;
use super::{HandIn, Rehearsal, Snapshot, Suite};
use host::{Core, pin_to};
use message::{Message, message};
use referee::bot::{Build, DiskShare, Identity, digits};
use referee::record::label;
use run::report::grade::student::Student;
use run::report::grade::{ClassEntry, Similar, Similarity};
use run::{self, RunError, Stop};
use sha2::{Digest, Sha256};
use tournament::mark::{Card, GradeState};
use tournament::{Catalogue, Problem, given, plain};

const EARLIER: &str = "earlier";

pub struct Class<'a> {
    pub suite: &'a Suite,
    pub catalogue: &'a Catalogue,
    /// The form that the grader chose for the files; `None`: the arena recognises the form.
    pub frame: Option<&'a str>,
    pub naming: &'a Naming,
    pub opponents: &'a [Identity],
    pub out: &'a Path,
    /// The grading of a built-in bot as an example, before its first game.
    pub example: &'a Grading,
    pub workers: usize,
    pub stop: &'a Stop,
    /// The name of a run folder: grades only its hand-in. `None`: grades all.
    pub only: Option<&'a str>,
    /// If false, plays no games, so a hand-in without a grade stays unfinished.
    pub plays: bool,
    /// The folder for the sources of all hand-ins, for programs that compare them.
    pub sources: Option<&'a Path>,
}

#[derive(Debug)]
pub enum ClassEvent<'a> {
    Found(usize),
    Builds(&'a str),
    Begins(&'a str),
    Notes(Message),
    Warns(Message),
    Graded {
        entry: &'a ClassEntry,
        done: usize,
    },
    /// All marks are known, but the hand-ins are not compared yet.
    Marked(&'a [ClassEntry]),
}

struct Handed {
    name: String,
    title: String,
    /// The students who get this mark in a gradebook; uncertain if the title is not unique or does not identify them.
    students: Vec<Student>,
    files: HandInFiles,
    run: PathBuf,
}

enum Preparation {
    Bot(Box<Prepared>),
    Unusable(Problem),
    NotABot(Problem),
    /// The arena or the machine failed before the first game.
    Failed(Message),
}

struct ReadyHandIn<'a> {
    handed: &'a Handed,
    found: Preparation,
    same_as: Option<Message>,
}

impl ReadyHandIn<'_> {
    /// Returns whether the machine failed during the games, and not only in turns of this bot.
    fn may_try_again(&self, entry: &ClassEntry) -> bool {
        let failed = |state: &GradeState| match state {
            GradeState::NotGraded { only_its_turns, .. } => !only_its_turns,
            _ => false,
        };
        matches!(self.found, Preparation::Bot(_)) && failed(&entry.card.state)
    }
}

impl Class<'_> {
    /// Grades all hand-ins in `folder`; broken hand-ins get rows, too. Also returns how similar the hand-ins are, if
    /// they were compared. Builds all bots before the first game, so that no game shares its core with a compiler.
    pub fn grade(
        &self,
        folder: &Path,
        on: impl Fn(ClassEvent<'_>) + Sync,
    ) -> Result<(Vec<ClassEntry>, Option<Similarity>), RunError> {
        let handed = self.handed_in(folder, &on)?;
        on(ClassEvent::Found(handed.len()));
        let mut suite = self.suite.clone();
        suite.file.concurrency = given(Some(1));
        let mut ready: Vec<ReadyHandIn<'_>> = Vec::new();
        let all = handed.len();
        for handed in &handed {
            let share = DiskShare::in_cache(all - ready.len());
            let found = guarded(|| self.prepare(handed, &suite, &share, &on));
            let found = found.unwrap_or_else(Preparation::Failed);
            if self.stop.is_requested() {
                break;
            }
            ready.push(ReadyHandIn {
                handed,
                found,
                same_as: None,
            });
        }
        let equal: Vec<Compared<'_>> = ready.iter().map(|one| one.compared(None)).collect();
        let notes = likeness::notes(&equal, &[]);
        for (one, note) in ready.iter_mut().zip(notes) {
            one.same_as = note;
        }
        self.list(&ready, &[])?;
        let bots = ready.iter().filter_map(|ready| match &ready.found {
            Preparation::Bot(prepared) => Some((
                ready.handed.name.as_str(),
                &prepared.grading.tournament.contestants[0].launch,
            )),
            _ => None,
        });
        if let Some(warning) = run::shared_users(bots) {
            on(ClassEvent::Warns(warning));
        }
        let workers = self.workers.clamp(1, handed.len().max(1));
        let tournament = &self.example.tournament;
        let (cores, without) = run::cores(tournament, workers)?;
        if let Some(why) = without {
            on(ClassEvent::Warns(why));
        }
        let mut cores = cores.into_iter();
        let sets: Vec<Vec<Core>> = (0..workers)
            .map(|_| cores.by_ref().take(tournament.cores_a_game()).collect())
            .collect();
        let sets = Mutex::new(sets);
        let graded_so_far = Mutex::new(0);
        let grade = |ready: &ReadyHandIn<'_>| -> Option<ClassEntry> {
            if self.stop.is_requested() {
                return None;
            }
            let handed = ready.handed;
            let cores = locked(&sets).pop().unwrap_or_default();
            pin_to(&cores);
            on(ClassEvent::Begins(&handed.name));
            let graded = guarded(|| self.grade_one(handed, &suite, &ready.found, &on));
            locked(&sets).push(cores);
            let (card, is_unchanged) =
                graded.unwrap_or_else(|why| (self.ungraded(handed, not_graded(why)), false));
            let entry = ClassEntry {
                is_unchanged,
                same_as: ready.same_as.clone(),
                taken_for: ready.found.taken_for(),
                ..row(handed, card)
            };
            let mut done = locked(&graded_so_far);
            *done += 1;
            on(ClassEvent::Graded {
                entry: &entry,
                done: *done,
            });
            Some(entry)
        };
        let workers = NonZero::new(workers).expect("at least 1");
        // If the system refuses a thread, grades one by one. Hand-ins that are graded already are not played again.
        let mut entries = host::side_by_side(workers, &ready, grade)
            .unwrap_or_else(|_| ready.iter().map(grade).collect());
        // Another hand-in may have caused the failure, such as a full disk. Now no other hand-in is graded beside it.
        for (entry, ready) in entries.iter_mut().zip(&ready) {
            if entry
                .as_ref()
                .is_some_and(|entry| ready.may_try_again(entry))
            {
                *locked(&graded_so_far) -= 1;
                *entry = grade(ready).or(entry.take());
            }
        }
        let mut graded = entries.into_iter();
        // After a stop, hand-ins without a grade still get a row.
        let entry = |handed: &Handed| {
            let entry = graded.next().flatten();
            entry.unwrap_or_else(|| row(handed, self.ungraded(handed, GradeState::Unfinished)))
        };
        let mut entries: Vec<ClassEntry> = handed.iter().map(entry).collect();
        on(ClassEvent::Marked(&entries));
        let similarity = self.compare(&mut ready, &on);
        for (entry, one) in entries.iter_mut().zip(&ready) {
            entry.same_as.clone_from(&one.same_as);
        }
        let pairs = similarity.as_ref().map_or(&[][..], |found| &found.pairs);
        self.list(&ready, pairs)?;
        Ok((entries, similarity))
    }

    /// Writes the list of all hand-ins. Called before the first game, and again after the hand-ins have been compared.
    fn list(&self, ready: &[ReadyHandIn<'_>], similar: &[Similar]) -> Result<(), RunError> {
        if self.only.is_some() || self.stop.is_requested() {
            return Ok(());
        }
        let hand_in = |ready: &ReadyHandIn<'_>| {
            ListedHandIn::of(&ClassEntry {
                same_as: ready.same_as.clone(),
                taken_for: ready.found.taken_for(),
                ..row(ready.handed, self.example.card.clone())
            })
        };
        let hand_ins = ready.iter().map(hand_in).collect();
        ClassList::new(&self.example.card, hand_ins, similar).write(self.out)
    }

    /// Compares the hand-ins, notes which are equal or similar, and exports the sources. Runs after all hand-ins are
    /// marked, so no mark waits for it. A failure is only a warning. Returns `None` if the comparison failed, if a
    /// stop was requested, or if only one hand-in is graded.
    fn compare(
        &self,
        ready: &mut [ReadyHandIn<'_>],
        on: &impl Fn(ClassEvent<'_>),
    ) -> Option<Similarity> {
        if self.only.is_some() || self.stop.is_requested() {
            return None;
        }
        let compared = guarded(|| Ok(self.compared(ready))).unwrap_or_else(|why| {
            on(ClassEvent::Warns(message!(
                "the hand-ins were not compared: {why}"
            )));
            None
        });
        if let Some(folder) = self.sources {
            let named = ready.iter().map(|one| {
                let key = one.handed.run.file_name().map_or(Path::new(""), Path::new);
                (key, one.handed.name.as_str(), one.path())
            });
            if let Err(error) = likeness::export(folder, named, self.stop) {
                let shown = folder.display();
                on(ClassEvent::Warns(message!(
                    "cannot copy the sources to {shown}: {error}"
                )));
            }
        }
        let (similarity, notes) = compared?;
        for (one, note) in ready.iter_mut().zip(notes) {
            one.same_as = note;
        }
        if let Some(note) = similarity.left_out.clone() {
            on(ClassEvent::Notes(note));
        }
        Some(similarity)
    }

    fn compared(&self, ready: &[ReadyHandIn<'_>]) -> Option<(Similarity, Vec<Option<Message>>)> {
        let mut all = Vec::new();
        for one in ready {
            if self.stop.is_requested() {
                return None;
            }
            all.push(one.path().map(|path| likeness::of(path, ready.len())));
        }
        let with = ready.iter().zip(&all);
        let compared: Vec<Compared<'_>> =
            with.map(|(one, own)| one.compared(own.as_ref())).collect();
        let pairs = likeness::pairs(&compared, self.stop)?;
        let notes = likeness::notes(&compared, &pairs);
        let similar = pairs.iter().map(|pair| Similar {
            submission: compared[pair.one].name.to_owned(),
            other: compared[pair.other].name.to_owned(),
            similarity: pair.similarity,
        });
        let similarity = Similarity {
            pairs: similar.collect(),
            left_out: likeness::left_out(&compared),
        };
        Some((similarity, notes))
    }

    fn ungraded(&self, handed: &Handed, state: GradeState) -> Card {
        Card {
            bot: handed.name.clone(),
            state,
            ..self.example.card.clone()
        }
    }

    fn prepare(
        &self,
        handed: &Handed,
        suite: &Suite,
        share: &DiskShare,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<Preparation, RunError> {
        let rehearsed = |snapshot: Snapshot| {
            Rehearsal::of_hand_in(&snapshot, self.frame, &suite.file, &suite.folder, share)
                .run(self.stop)
                .map(|()| snapshot)
        };
        let found = handed.files.gather(&handed.title, share, self.stop);
        let found = found.and_then(rehearsed);
        let hand_in = match found.and_then(|snapshot| HandIn::at(&snapshot, share, self.stop)) {
            Ok(mut hand_in) => {
                hand_in.name = plain(&handed.title);
                hand_in.put_into(self.frame);
                hand_in
            }
            Err(problem) if problem.is_machine => {
                return Ok(Preparation::Failed(problem.with_help()));
            }
            Err(problem) => return Ok(Preparation::NotABot(problem)),
        };
        let mut grading = match Grading::new(suite, &hand_in, self.catalogue) {
            Ok(grading) => grading,
            Err(problem) if problem.is_machine => return Err(problem.into()),
            Err(problem) => return Ok(Preparation::Unusable(problem)),
        };
        // Hides the class's folder from bots, because it has the marks of other students.
        for bot in &mut grading.tournament.contestants {
            bot.launch.hide(self.out);
        }
        let build = grading.tournament.contestants[0].build.as_ref();
        if build.is_some_and(Build::is_due) {
            on(ClassEvent::Builds(&handed.name));
        }
        let prepared = grading.prepared(suite, &hand_in, share, self.stop);
        match prepared {
            Err(_) if self.stop.is_requested() => {
                Ok(Preparation::NotABot(Problem::new("interrupted")))
            }
            prepared => Ok(Preparation::Bot(Box::new(prepared?))),
        }
    }

    /// Returns the card, and whether it comes from an earlier grading.
    fn grade_one(
        &self,
        handed: &Handed,
        suite: &Suite,
        found: &Preparation,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<(Card, bool), RunError> {
        let state = match found {
            Preparation::Bot(prepared) => return self.grade_bot(handed, suite, prepared, on),
            Preparation::Unusable(problem) => GradeState::Unusable {
                why: problem.what.clone(),
                stderr: problem.help_text().into(),
            },
            Preparation::NotABot(problem) => GradeState::NotABot {
                why: problem.what.clone(),
                fix: problem.help.clone().unwrap_or_else(|| "".into()),
            },
            Preparation::Failed(why) => not_graded(why.clone()),
        };
        Ok((self.without_games(handed, state)?, false))
    }

    fn grade_bot(
        &self,
        handed: &Handed,
        suite: &Suite,
        prepared: &Prepared,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<(Card, bool), RunError> {
        let now = &prepared.grading.card;
        let is_same = |earlier: &Card| {
            earlier.submission_sha256 == now.submission_sha256
                && earlier.suite_sha256 == now.suite_sha256
                && now.plays_on_from(earlier)
        };
        match files::read(&handed.run).filter(is_same) {
            // A failure is a final grade, too: otherwise a bot that fails at random would be retried until it plays.
            Some(earlier) if earlier.is_final() && earlier.plan() == now.plan() => {
                if earlier.state != GradeState::Graded && !handed.run.join("arena.db").exists() {
                    return Ok((earlier, true));
                }
                // The record decides the mark. The card is only a copy, which could have been changed.
                let counted = prepared.grading.counted(&handed.run)?;
                match earlier.contradicts(&counted) {
                    None if earlier.state != GradeState::Graded => return Ok((earlier, true)),
                    None => {}
                    Some(why) => {
                        let name = &handed.name;
                        on(ClassEvent::Warns(message!(
                            "{name}: {why}; the arena wrote the mark again from the games"
                        )));
                        files::write(&handed.run, &counted)?;
                    }
                }
                if counted.is_final() || !self.plays {
                    return Ok((counted, true));
                }
            }
            Some(earlier) if !self.plays => return Ok((earlier, true)),
            None if !self.plays => {
                return Ok((self.ungraded(handed, GradeState::Unfinished), false));
            }
            None if handed.run.exists() => self.move_away(&handed.run)?,
            _ => {}
        }
        create(&handed.run)?;
        let card = prepared.grade(suite, self.opponents, &handed.run, self.stop, None)?;
        Ok((card, false))
    }

    fn without_games(&self, handed: &Handed, state: GradeState) -> Result<Card, RunError> {
        if handed.run.join("arena.db").exists() {
            self.move_away(&handed.run)?;
        }
        create(&handed.run)?;
        let card = self.ungraded(handed, state);
        files::write(&handed.run, &card)?;
        Ok(card)
    }

    fn handed_in(
        &self,
        folder: &Path,
        on: &impl Fn(ClassEvent<'_>),
    ) -> Result<Vec<Handed>, RunError> {
        let layout = self.naming.read(folder)?;
        if self.only.is_none() {
            for note in layout.notes {
                on(ClassEvent::Notes(note));
            }
            for warning in layout.warnings {
                on(ClassEvent::Warns(warning));
            }
        }
        let lower = |submission: &Submission| submission.title.to_lowercase();
        let titles: Vec<String> = layout.submissions.iter().map(lower).collect();
        let whole = |submission: &Submission| match &submission.files {
            HandInFiles::Whole(path) => whole_name(path).to_lowercase(),
            HandInFiles::Parts(_) => String::new(),
        };
        let wholes: Vec<String> = layout.submissions.iter().map(whole).collect();
        // `ada.py.zip` without its ending is `ada.py`, which may also be the whole name of another hand-in.
        let alone = |title: &String| {
            let same = |(other, whole): &(&String, &String)| *other == title || *whole == title;
            titles.iter().zip(&wholes).filter(same).count() == 1
        };
        let all = titles
            .iter()
            .zip(layout.submissions)
            .map(|(lower, submission)| {
                let is_alone = alone(lower);
                Handed {
                    name: shown_name(&submission, is_alone),
                    run: Class::run(self.out, &key(&submission)),
                    students: if is_alone {
                        submission.students
                    } else {
                        let students = submission.students.into_iter();
                        students.map(Student::uncertain).collect()
                    },
                    title: submission.title,
                    files: submission.files,
                }
            });
        let is_asked = |handed: &Handed| self.only.is_none_or(|key| handed.run.ends_with(key));
        Ok(all.filter(is_asked).collect())
    }

    /// Returns the run folder `key` of the class in `out`.
    pub fn run(out: &Path, key: &str) -> PathBuf {
        out.join(HAND_INS).join(key)
    }

    pub fn keys(folder: &Path, naming: &Naming) -> Result<Vec<String>, RunError> {
        Ok(naming.read(folder)?.submissions.iter().map(key).collect())
    }

    /// Moves the old run of a changed hand-in to [`EARLIER`], where it is the evidence for the old mark.
    fn move_away(&self, run: &Path) -> Result<(), RunError> {
        let folder = self.out.join(EARLIER);
        create(&folder)?;
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let free = (1..u32::MAX)
            .map(|number| folder.join(format!("{name}-{number}")))
            .find(|path| !path.exists())
            .expect("there is always a next number");
        let what = message!("cannot move the old run {}", run.display());
        fs::rename(run, &free).map_err(RunError::system(what))
    }
}

fn row(handed: &Handed, card: Card) -> ClassEntry {
    ClassEntry {
        submission: handed.name.clone(),
        students: handed.students.clone(),
        card,
        run: handed.run.display().to_string(),
        is_unchanged: false,
        same_as: None,
        taken_for: None,
    }
}

impl ReadyHandIn<'_> {
    fn path(&self) -> Option<&Path> {
        match &self.found {
            Preparation::Bot(prepared) => prepared.path.as_deref(),
            _ => None,
        }
    }

    fn compared<'a>(&'a self, likeness: Option<&'a Likeness>) -> Compared<'a> {
        Compared {
            name: &self.handed.name,
            // A hand-in whose build failed may have no hash.
            sha256: match &self.found {
                Preparation::Bot(prepared) => Some(&*prepared.grading.card.submission_sha256),
                _ => None,
            }
            .filter(|hash| !hash.is_empty()),
            likeness,
        }
    }
}

impl Preparation {
    fn taken_for(&self) -> Option<Message> {
        let Preparation::Bot(prepared) = self else {
            return None;
        };
        prepared.grading.tournament.contestants[0].taken_for.clone()
    }
}

fn whole_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let slash = if path.is_dir() { "/" } else { "" };
    format!("{name}{slash}")
}

/// Returns a hand-in's unique label in tables: its title, or its file name if another hand-in has that title.
fn shown_name(submission: &Submission, is_alone: bool) -> String {
    let HandInFiles::Whole(path) = &submission.files else {
        return label(submission.title.as_ref());
    };
    let name = path.file_name().unwrap_or_default();
    match is_alone {
        // Names that are not text may differ only in their bytes.
        true if name.to_str().is_some() => label(submission.title.as_ref()),
        _ if path.is_dir() => label(name) + "/",
        _ => label(name),
    }
}

/// Returns the name of a hand-in's run folder, which does not depend on other hand-ins. A folder with a plain name
/// keeps its name. A file with a plain name gets its ending after a `~`, which no plain name has. All other names end
/// with a hash. Plain names have only ASCII and Han, since every system stores these in the same way.
fn key(submission: &Submission) -> String {
    let is_plain = |c: &char| c.is_ascii() || ('\u{4e00}'..='\u{9fff}').contains(c);
    let hashed = |title: &str, bytes: &[&[u8]]| {
        let plain: String = plain(title).chars().filter(is_plain).collect();
        let mut hash = Sha256::new();
        for part in bytes {
            hash.update(part);
        }
        let plain = if plain.is_empty() { "bot" } else { &plain };
        // The hash has 128 bits. With 48 bits, two names that share a run could be found in minutes.
        format!("{plain}~{}", &digits(hash)[..32])
    };
    let HandInFiles::Whole(path) = &submission.files else {
        // A file's name never begins with a slash, so no file gets the same hash. Students may have the same title.
        let words = submission.students.iter().flat_map(|student| {
            let ids = student.ids.iter().map(|id| &id.1);
            ids.chain(&student.names)
        });
        let words = words.map(|word| word.escape_default().to_string() + "/");
        return hashed(
            &submission.title,
            &[b"/", words.collect::<String>().as_bytes()],
        );
    };
    let (whole, title) = (whole_name(path), HandIn::title(path));
    let ending = whole.strip_prefix(&title).unwrap_or_default();
    let ending = ending.trim_start_matches('.').trim_end_matches('/');
    let name: String = HandIn::name_of(path).chars().filter(is_plain).collect();
    let is_plain = name == title
        && ending
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '.');
    match (is_plain, ending.is_empty()) {
        (true, true) => title,
        (true, false) => format!("{title}~{}", ending.replace('.', "-")),
        (false, _) => {
            // Hashes bytes instead of text: different names that are not UTF-8 may have the same text.
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let slash: &[u8] = if path.is_dir() { b"/" } else { b"" };
            hashed(&title, &[name, slash])
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the work for one hand-in. A failure or a panic becomes a note in its row, and the others are still graded.
fn guarded<T>(work: impl FnOnce() -> Result<T, RunError>) -> Result<T, Message> {
    let panicked = |panic: Box<dyn std::any::Any + Send>| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        message!(
            "the arena failed: {panic}",
            panic = text.unwrap_or("a panic")
        )
    };
    let done = catch_unwind(AssertUnwindSafe(work)).map_err(panicked)?;
    done.map_err(|error| error_chain(&error))
}

fn create(folder: &Path) -> Result<(), RunError> {
    let what = message!("cannot create the folder {}", folder.display());
    fs::create_dir_all(folder).map_err(RunError::system(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_panic_is_the_note_of_one_row() {
        let rows = [1, 2, 0, 3].map(|number| {
            let row = guarded(|| match 6_u32.checked_div(number) {
                Some(2) => Err(RunError::system("no room")(io::Error::other("disk full"))),
                Some(share) => Ok(share),
                None => panic!("{number} is no divisor"),
            });
            row.map_err(|why| why.to_string())
        });
        let noted = |why: &str| Err(why.to_owned());
        let panicked = noted("the arena failed: 0 is no divisor");
        assert_eq!(rows, [Ok(6), Ok(3), panicked, noted("no room: disk full")]);
    }

    #[test]
    fn two_hand_ins_never_have_one_label() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let at = |name: &str| Submission {
            title: name.trim_end_matches(".py").to_owned(),
            students: Vec::new(),
            files: HandInFiles::Whole(path(name)),
        };
        let shown = |name| shown_name(&at(name), true);
        assert_eq!(shown("e\u{301}"), "e\\u{301}");
        assert_eq!(
            shown("e\\u{301}"),
            "e\\\\u{301}",
            "a name that looks like an escape"
        );
        assert_eq!(shown("a\r\n\u{1b}"), "a\\r\\n\\u{1b}");
        fs::create_dir(path("one")).expect("a folder");
        assert_eq!(
            [
                shown_name(&at("one"), false),
                shown_name(&at("one.py"), false)
            ],
            ["one/", "one.py"]
        );
    }

    #[test]
    fn every_hand_in_has_a_folder_that_no_other_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = [
            "one.py",
            "one.tar.gz",
            "作业一.py",
            "ベスト一.py",
            "my bot.py",
            "class.csv",
        ];
        let paths = names.map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, "").expect("a file");
            path
        });
        let plain = folder.path().join("one");
        fs::create_dir(&plain).expect("a folder");
        let submissions = paths.into_iter().chain([plain]).map(|path| Submission {
            title: HandIn::title(&path),
            students: Vec::new(),
            files: HandInFiles::Whole(path),
        });
        let mut keys: Vec<String> = submissions.map(|submission| key(&submission)).collect();
        assert_eq!(keys[0], "one~py");
        assert_eq!(keys[1], "one~tar-gz");
        assert_eq!(keys[2], "作业一~py");
        assert!(keys[3].starts_with("一~"), "{}", keys[3]);
        assert_eq!(keys[5], "class~csv");
        assert_eq!(keys[6], "one");
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 7, "{keys:?}");
    }
}
