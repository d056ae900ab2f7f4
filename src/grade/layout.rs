//! Reads the names that platforms give to the hand-ins of a class.
//!
//! A platform's names follow patterns ([`PLATFORMS`]), in the notation of `--names`. `recognise` finds the platform of
//! a class. Gradescope's folder names have only a number; a separate file names the students. `known` decides which
//! student a name means, before files are grouped.

mod gradescope;
mod known;
mod pattern;
mod recognise;
mod references;
mod reuploads;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::HandIn;
use super::parts::HandInFiles;
use gradescope::METADATA;
use known::{Known, Owner};
use message::{Message, Value, message};
pub use pattern::Pattern;
use pattern::Values;
use recognise::chosen;
use referee::problem;
use referee::record::{harmless, label};
use references::are_apart;
use run::report::grade::gradebook::Gradebook;
use run::report::grade::roster::Roster;
use run::report::grade::student::{Id, IdKind, Student, composed};
use tournament::Problem;

/// Patterns: each of the beginnings with each of the ends.
type Patterns = (&'static [&'static str], &'static [&'static str]);

/// A platform: its name, the patterns of its hand-ins, and the patterns of its own files.
type Platform = (&'static str, Patterns, Patterns);

const MOODLE: [&str; 3] = ["_", "_{file}", ""];
const CANVAS: [&str; 5] = [
    "{name}_late_{canvas}",
    "{name}_LATE_{canvas}",
    "{name}_{canvas}",
    "anon_{anonymous}",
    "LATE_anon_{anonymous}",
];
const BLACKBOARD: [&str; 1] = ["{any}_{login}_attempt_{date}"];

/// Sources: Moodle's `mod/assign/locallib.php` (`download_submissions`), Canvas's `SubmissionsController` ("download
/// submissions"), Blackboard's "Download Assignments", Gradescope's "Export Submissions".
const PLATFORMS: [Platform; 4] = [
    (
        "Moodle",
        (&["{fullname}_{participant}_assignsubmission_file"], &MOODLE),
        (
            &["{fullname}_{participant}_assignsubmission_onlinetext"],
            &MOODLE,
        ),
    ),
    (
        "Canvas",
        (&CANVAS, &["_{order}_{copy}"]),
        (&CANVAS, &["_text.html", "_link.html"]),
    ),
    (
        "Blackboard",
        (&BLACKBOARD, &["_{file}"]),
        (&BLACKBOARD, &[".txt"]),
    ),
    (
        "Gradescope",
        (&["submission_"], &["{submission}"]),
        (&[METADATA], &[""]),
    ),
];

#[derive(Clone, Debug)]
pub struct Submission {
    /// The name in tables, before characters are replaced.
    pub title: String,
    /// The students in a gradebook; several for a group, uncertain if the name does not identify them.
    pub students: Vec<Student>,
    pub files: HandInFiles,
}

/// The hand-ins of a class folder, sorted by name.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub submissions: Vec<Submission>,
    pub notes: Vec<Message>,
    pub warnings: Vec<Message>,
}

/// The user's options for reading the names of a class: the scheme of the names, and lists of the students.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// `None`: the arena recognises the platform.
    pub scheme: Option<Scheme>,
    pub roster: Option<Roster>,
    pub gradebook: Option<Gradebook>,
}

impl Naming {
    pub fn read(&self, folder: &Path) -> Result<Layout, Problem> {
        let paths = HandIn::all(folder)
            .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
        let scheme = match &self.scheme {
            Some(scheme) => Some(scheme.clone()),
            None => Scheme::recognised(folder, &paths)?,
        };
        let mut layout = match scheme {
            Some(scheme) => scheme.read(folder, paths, self)?,
            None => Layout {
                submissions: paths.into_iter().map(plain).collect(),
                ..Layout::default()
            },
        };
        if layout.submissions.is_empty() {
            let shown = folder.display();
            return Err(problem!("the folder {shown} has no hand-ins")
                .help("each hand-in is a folder, an archive, or a file such as ada.py"));
        }
        if let Some(roster) = &self.roster {
            let (mut titles, mut students) = (Vec::new(), Vec::new());
            for one in &mut layout.submissions {
                titles.extend(one.students.iter().map(|_| harmless(&one.title)));
                students.extend(&mut one.students);
            }
            let failed = titles.iter().zip(roster.complete(&mut students));
            let warnings =
                failed.filter_map(|(title, why)| Some(message!("{title}: {why}", why = why?)));
            layout.warnings.extend(warnings);
        }
        Ok(layout)
    }
}

fn plain(path: PathBuf) -> Submission {
    let title = composed(&HandIn::title(&path));
    Submission {
        students: vec![Student::called(&title)],
        title,
        files: HandInFiles::Whole(path),
    }
}

/// Returns the name of a file as a line of output shows it.
fn shown(path: &Path) -> Value {
    Value::name(&label(path.file_name().unwrap_or_default()))
}

fn text_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

#[derive(Clone, Debug)]
pub struct Scheme {
    platform: Option<&'static str>,
    hand_ins: Vec<Pattern>,
    own: Vec<Pattern>,
}

struct SubmissionEntry {
    path: PathBuf,
    students: Vec<Student>,
    /// The date of the attempt, and the number of the upload. The entry with the greatest order is the last one.
    order: (Vec<u64>, u64),
    /// The student's name for the file; `None`: the entry is a whole hand-in.
    file: Option<String>,
    /// Whether the platform may have added a number to the file's name.
    may_be_copy: bool,
}

impl Scheme {
    /// Returns whether the name may be that of a file of the platform itself, none of which can be a bot.
    fn is_own(&self, name: &str) -> bool {
        let mut own = self.own.iter();
        own.any(|pattern| !pattern.fits(name).is_empty())
    }

    /// Returns every way in which the name fits a pattern. The platform writes the beginning of a name and the student
    /// chooses the end, so the ways that give the student's part the greatest length come first.
    fn fits<'a>(&self, name: &'a str) -> Vec<Values<'a>> {
        let patterns = self.hand_ins.iter();
        let mut found: Vec<_> = patterns.flat_map(|pattern| pattern.fits(name)).collect();
        if self.platform.is_none() {
            found.retain(|ways| ways.get("date").is_none_or(|text| date(text).is_some()));
        } else {
            found.sort_by_key(|ways| Reverse(chosen(ways).len()));
            // A displayed name may end with `_late`, but the platform's own word comes first.
            found.dedup_by_key(|ways| (ways.get("login").copied(), chosen(ways).len()));
        }
        found
    }

    fn read(&self, folder: &Path, paths: Vec<PathBuf>, naming: &Naming) -> Result<Layout, Problem> {
        let exported = self.is_own(METADATA).then(|| gradescope::students(folder));
        let mut exported = exported.transpose()?.unwrap_or_default();
        let mut layout = Layout::default();
        let has_file = self
            .hand_ins
            .iter()
            .any(|pattern| pattern.has("file") || pattern.has("copy"));
        let named = paths.into_iter().map(|path| match self.platform {
            None if !has_file => (HandIn::title(&path), path),
            _ => (text_name(&path).to_owned(), path),
        });
        let (own, named): (Vec<_>, Vec<_>) = named.partition(|(name, _)| self.is_own(name));
        let mut ways: Vec<_> = named.iter().map(|(name, _)| self.fits(name)).collect();
        let usual = usual_orders(&ways);
        let known = Known::of(naming, &ways);
        let mut owners = Vec::new();
        for ways in &mut ways {
            owners.push(known.owner(ways, &usual));
            // A list decides by itself; without one, the shortest beginning counts.
            if self.platform.is_some() {
                let longest = ways.first().map(|ways| chosen(ways).len());
                ways.retain(|ways| Some(chosen(ways).len()) == longest);
            }
        }
        keep_common(&mut ways, "any");
        let mut by_student: BTreeMap<(Owner, Vec<Student>), Vec<SubmissionEntry>> = BTreeMap::new();
        for (((name, path), ways), owner) in named.iter().zip(&ways).zip(owners) {
            let shown = shown(path);
            let readings: BTreeSet<Student> = ways.iter().map(student).collect();
            if owner == Owner::Doubtful || readings.len() > 1 {
                layout.warnings.push(message!(
                    "{shown} can be read as more than one student's, so no gradebook gets its mark"
                ));
            }
            if owner == Owner::Doubtful {
                layout.submissions.push(Submission {
                    students: Vec::new(),
                    ..plain(path.clone())
                });
                continue;
            }
            let Some(values) = ways.first() else {
                layout.submissions.push(plain(path.clone()));
                layout.warnings.push(match self.platform {
                    None if self.hand_ins[0].has("date") => message!(
                        "{shown} is not named like the other hand-ins, or its date is not like 2026-11-09, with the year first"
                    ),
                    _ => message!("{shown} is not named like the other hand-ins"),
                });
                continue;
            };
            let value = |field| values.get(field).copied().unwrap_or_default();
            let students = exported.remove(name);
            let students = students.unwrap_or_else(|| vec![student(values)]);
            // Students who choose the whole name may write their own name in several ways.
            let is_one =
                matches!(&owner, Owner::Whole(rows) | Owner::Partial(rows) if rows.len() == 1);
            let is_same = self.platform.is_none() && is_one;
            let named = students.iter().filter(|_| !is_same).cloned().collect();
            let group = by_student.entry((owner, named)).or_default();
            group.push(SubmissionEntry {
                path: path.clone(),
                students,
                order: (date(value("date")).unwrap_or_default(), order(values)),
                file: Some(chosen(values).to_owned())
                    .filter(|file| !file.is_empty() && !path.is_dir()),
                may_be_copy: values.contains_key("copy"),
            });
        }
        if let Some(name) = self.platform {
            let count = by_student.len();
            layout
                .notes
                .push(message!("hand-ins named by {name}: {count}"));
            if let [(_, first), ..] = own.as_slice() {
                let (count, first) = (own.len(), shown(first));
                let what =
                    message!("files that {name} added (not hand-ins): {count}, such as {first}");
                layout.notes.push(what);
            }
        }
        for ((owner, _), entries) in by_student {
            layout.add(&owner, entries);
        }
        layout.submissions.sort_by(|a, b| a.title.cmp(&b.title));
        Ok(layout)
    }
}

/// Parses a date, such as 2026-11-9 or 20261109, which may have a time behind it. With the day or the month first, one
/// could be taken for the other, so only a date with the year first is one.
fn date(text: &str) -> Option<Vec<u64>> {
    let (first, rest) = text.split_once('-').unwrap_or((text, ""));
    let text = match first.len() {
        8.. => format!(
            "{}-{}-{}-{rest}",
            first.get(..4)?,
            first.get(4..6)?,
            &first[6..]
        ),
        _ => text.to_owned(),
    };
    let parts: Vec<u64> = text
        .split('-')
        .filter(|part| !part.is_empty())
        .map(number)
        .collect();
    let part = |at: usize| parts.get(at).copied().unwrap_or(1);
    let [year, month, day] = [*parts.first()?, part(1), part(2)];
    let is_date =
        (1000..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then_some(parts)
}

fn order(values: &Values<'_>) -> u64 {
    number(values.get("order").copied().unwrap_or_default())
}

/// Returns the usual numbers of uploads. A platform numbers all uploads, so those of a class are near each other. Only
/// names with one way count, because a student may choose a name with several.
fn usual_orders(all: &[Vec<Values<'_>>]) -> RangeInclusive<u64> {
    let certain = all.iter().filter(|ways| ways.len() == 1);
    let orders: BTreeSet<u64> = certain.map(|ways| order(&ways[0])).collect();
    match (orders.first(), orders.last()) {
        (Some(first), Some(last)) => first / 2..=last.saturating_mul(2),
        _ => 0..=u64::MAX,
    }
}

/// Finds the values that a field, such as the assignment's title, can have in all names. Keeps only the ways with the
/// longest such value. This is safe because a student may choose the end of one name, but not of all names.
fn keep_common(all: &mut [Vec<Values<'_>>], field: &str) {
    let values = |ways: &Vec<Values<'_>>| -> BTreeSet<String> {
        let values = ways.iter().filter_map(|values| values.get(field));
        values.map(|&value| value.to_owned()).collect()
    };
    let fitting = all.iter().filter(|ways| !ways.is_empty()).map(values);
    let common = fitting.reduce(|common, other| common.intersection(&other).cloned().collect());
    let common = common.unwrap_or_default();
    let Some(longest) = common.iter().max_by_key(|value| value.len()) else {
        return;
    };
    for ways in all {
        ways.retain(|values| values.get(field) == Some(&longest.as_str()));
    }
}

/// Returns the number that digits stand for; 0 without digits.
fn number(digits: &str) -> u64 {
    let digit = |c: char| c.to_digit(10).map(u64::from);
    let digits = digits.chars().filter_map(digit);
    digits.fold(0, |all, digit| all.saturating_mul(10).saturating_add(digit))
}

fn student(values: &Values<'_>) -> Student {
    let all = |fields: &[&str]| {
        let found = fields.iter().filter_map(|field| values.get(field));
        found.map(|value| composed(value)).collect::<Vec<_>>()
    };
    let ids = [
        ("id", IdKind::Any),
        ("number", IdKind::Any),
        ("login", IdKind::Login),
        ("email", IdKind::Email),
        ("participant", IdKind::Participant),
        ("canvas", IdKind::Canvas),
        ("submission", IdKind::Unlisted),
        ("anonymous", IdKind::Unlisted),
    ];
    let ids = ids
        .into_iter()
        .filter_map(|(field, kind)| Some(Id(kind, composed(values.get(field)?))));
    Student {
        ids: ids.collect(),
        names: all(&["name", "fullname"]),
        ..Student::default()
    }
}

impl Layout {
    /// Adds the last hand-in of a student: the files of the last attempt, each in its last version.
    fn add(&mut self, owner: &Owner, mut entries: Vec<SubmissionEntry>) {
        entries.sort_by(|a, b| a.order.cmp(&b.order));
        let Some(last) = entries.last() else { return };
        let (last_date, students) = (last.order.0.clone(), last.students.clone());
        let titles: Vec<String> = students.iter().map(Student::title).collect();
        let title = titles.join(" + ");
        let shown_title = harmless(&title);
        let (attempt, mut earlier): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| entry.order.0 == last_date);
        let is_mixed = attempt.iter().any(|entry| entry.students != students);
        let mut kept: Vec<SubmissionEntry> = Vec::new();
        for entry in attempt {
            let is_old = |old: &SubmissionEntry| {
                old.file == entry.file && (entry.file.is_some() || old.order != entry.order)
            };
            let replaced = kept.iter().position(is_old).filter(|_| !is_mixed);
            earlier.extend(replaced.map(|at| kept.remove(at)));
            kept.push(entry);
        }
        let (kept, renamed) = reuploads::own_names(kept, &mut earlier);
        if !renamed.is_empty() {
            self.notes.push(message!(
                "{shown_title}: the number of a repeated upload was removed: {renamed}"
            ));
        }
        if !earlier.is_empty() {
            let earlier: Vec<_> = earlier.iter().map(|entry| shown(&entry.path)).collect();
            self.notes.push(message!(
                "{shown_title}: the last hand-in counts, not {earlier}"
            ));
        }
        let is_nameless = kept.len() > 1 && kept.iter().any(|entry| entry.file.is_none());
        let has_ids = students.iter().any(|student| !student.ids.is_empty());
        let is_many = matches!(owner, Owner::Whole(rows) | Owner::Partial(rows) if rows.len() > 1);
        if is_nameless || is_mixed || !has_ids && (is_many && kept.len() > 1 || are_apart(&kept)) {
            let names: Vec<_> = kept.iter().map(|entry| shown(&entry.path)).collect();
            self.warnings.push(message!(
                "{shown_title} has several hand-ins, and no name says which is the last, or whether they are of one student, so no \
                 gradebook gets a mark: {names}"
            ));
            let submissions = kept.into_iter().map(|entry| Submission {
                students: students.iter().cloned().map(Student::uncertain).collect(),
                ..plain(entry.path)
            });
            self.submissions.extend(submissions);
            return;
        }
        let parts = kept
            .iter()
            .filter_map(|entry| Some((entry.path.clone(), entry.file.clone()?)));
        let files = match kept.as_slice() {
            [
                SubmissionEntry {
                    path, file: None, ..
                },
            ] => HandInFiles::Whole(path.clone()),
            _ => HandInFiles::Parts(parts.collect()),
        };
        self.submissions.push(Submission {
            title,
            students,
            files,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use run::report::grade::gradebook::Headings;

    #[derive(serde::Deserialize)]
    struct Case {
        class: String,
        names: String,
        /// The name of a file; the name of a folder ends with a slash.
        entry: String,
        title: String,
        /// `ids:names`, separated by semicolons for a group.
        students: String,
        /// The expected file name; `-`: the entry does not count; empty: the entry is used where it is.
        file: String,
        said: String,
    }

    const EXPORT: &str = "---\nsubmission_401:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '4711'\n    \
                          :email: ada@example.org\n  :created_at: 2026-11-20 10:11:12.000000000 Z\n  :score: 0.0\n\
                          submission_402:\n  :submitters:\n  - :name: Alan Turing\n    :sid: 04712\n    \
                          :email: alan@example.org\n  - :name: 李明\n    :sid: '4713'\n    :email:\n";

    fn class_folder(entries: &[&str], text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for entry in entries {
            let path = folder.path().join(entry);
            match entry.strip_suffix('/') {
                Some(_) => fs::create_dir(path).expect("a folder"),
                None if *entry == METADATA => fs::write(path, EXPORT).expect("a file"),
                None => fs::write(path, text).expect("a file"),
            }
        }
        folder
    }

    fn shown(students: &[Student]) -> String {
        let ids = |student: &Student| {
            let words = student.ids.iter().map(|id| id.1.as_str());
            let words = words.filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join(" ")
        };
        let one = |student: &Student| format!("{}:{}", ids(student), student.names.join(" "));
        let certain = students.iter().filter(|student| !student.is_uncertain);
        certain.map(one).collect::<Vec<_>>().join(";")
    }

    #[test]
    fn every_name_of_a_class_is_read_as_its_platform_writes_it() {
        let cases: Vec<Case> = cases::cases("class-layouts");
        for class in cases.chunk_by(|a, b| a.class == b.class) {
            let entries: Vec<&str> = class.iter().map(|case| case.entry.as_str()).collect();
            // Every file contains only the class's name, so all files refer to a file of this name.
            let folder = class_folder(&entries, &class[0].class);
            let pattern = Some(&class[0].names).filter(|names| !names.is_empty());
            let naming = Naming {
                scheme: pattern.map(|names| Scheme::parse(names).expect("a pattern")),
                ..Naming::default()
            };
            let layout = naming.read(folder.path()).expect("a class");
            let all_notes = layout.notes.iter().chain(&layout.warnings);
            let all_notes: Vec<String> = all_notes.map(ToString::to_string).collect();
            for case in class {
                let entry = &case.entry;
                assert!(
                    all_notes.iter().any(|note| note.contains(&case.said)) || case.said.is_empty(),
                    "{entry}: {all_notes:?}"
                );
                let path = folder.path().join(entry);
                let found =
                    layout
                        .submissions
                        .iter()
                        .find_map(|submission| match &submission.files {
                            HandInFiles::Whole(whole) => {
                                (*whole == path).then(|| (submission, String::new()))
                            }
                            HandInFiles::Parts(parts) => {
                                let part = parts.iter().find(|(part, _)| *part == path)?;
                                Some((submission, part.1.clone()))
                            }
                        });
                match found {
                    None => assert_eq!(case.file, "-", "{entry}"),
                    Some((submission, file)) => {
                        assert_eq!(
                            (&submission.title, &file),
                            (&case.title, &case.file),
                            "{entry}"
                        );
                        assert_eq!(shown(&submission.students), case.students, "{entry}");
                    }
                }
            }
        }
    }

    /// The cases are in `tests/classes.txt`, which describes their notation.
    #[test]
    fn no_mark_of_a_class_goes_to_another_student() {
        let cases = include_str!("../../tests/classes.txt");
        let mut failed = Vec::new();
        for case in cases.split("\n### ").skip(1) {
            let values = |name: &'static str| {
                let lines = case.lines();
                lines.filter_map(move |line| line.strip_prefix(name))
            };
            let entries: Vec<&str> = values("file: ").collect();
            let folder = class_folder(&entries, &entries.join(" ").replace('-', " "));
            let submitters = values("submitter: ").map(|line| {
                let [submission, name, number, address] =
                    line.split('|').collect::<Vec<_>>()[..] else {
                        panic!("{line}");
                    };
                format!("{submission}:\n  :submitters:\n  - :name: {name}\n    :sid: {number}\n    :email: {address}\n")
            });
            let submitters: String = submitters.collect();
            if !submitters.is_empty() {
                fs::write(folder.path().join(METADATA), submitters).expect("a file");
            }
            let rows: Vec<_> = values(" ").map(|row| row.rsplit_once(',')).collect();
            let emptied = rows.iter().flatten().map(|(row, x)| match *x {
                "x" => format!("{row},x\n"),
                _ => format!("{row},\n"),
            });
            let emptied: String = emptied.collect();
            let headings = Headings {
                marks: "x",
                students: values("students: ").next(),
                ..Headings::default()
            };
            let mut book = Gradebook::new(emptied.into(), headings).expect("a gradebook");
            let roster = values("roster: ").map(|text| text.replace('|', "\n"));
            let mut roster = roster.map(|text| Roster::read(text.as_bytes()).expect("a roster"));
            let mut schemes =
                values("names: ").map(|names| Scheme::parse(names).expect("a pattern"));
            let naming = Naming {
                scheme: schemes.next(),
                roster: roster.next(),
                gradebook: Some(book.clone()),
            };
            let layout = naming.read(folder.path()).expect("a class");
            let numbers = |submission: &Submission| {
                let is_its = |entry: &str| match &submission.files {
                    HandInFiles::Whole(path) => *path == folder.path().join(entry),
                    HandInFiles::Parts(parts) => {
                        let mut parts = parts.iter();
                        // A folder is never a part.
                        parts.any(|(path, _)| path.is_file() && *path == folder.path().join(entry))
                    }
                };
                let own = (1..).zip(&entries).filter(|(_, entry)| is_its(entry));
                let own = own.map(|(number, _)| number.to_string());
                own.collect::<Vec<_>>().join("+")
            };
            if let Some(roster) = &naming.roster {
                book.link(roster);
            }
            let mut marks: Vec<(&Student, String)> = Vec::new();
            for submission in &layout.submissions {
                let students = submission.students.iter();
                marks.extend(students.map(|student| (student, numbers(submission))));
            }
            marks.sort_by_key(|(student, _)| !student.is_uncertain);
            for (student, mark) in marks {
                let _ = book.set(student, Some(&mark), "");
            }
            let mut hand_ins: Vec<String> = layout.submissions.iter().map(numbers).collect();
            hand_ins.sort();
            let said = layout.notes.iter().chain(&layout.warnings);
            let said: Vec<String> = said.map(Message::to_string).collect();
            let said = said.join("\n");
            let found = format!("{}{} {said}", book.filled(), hand_ins.join(", "));
            let expected: Vec<&str> = values(" ").collect();
            let is_right = found.starts_with(&(expected.join("\n") + "\n"))
                && values("hand-ins: ").all(|all| all == hand_ins.join(", "))
                && values("said: ").all(|part| said.contains(part));
            failed.extend((!is_right).then(|| format!("{case}\n found {found}")));
        }
        assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    }

    #[test]
    fn a_pattern_that_cannot_be_read_says_why() {
        for (pattern, why) in [
            ("{id}{name}", "a text between"),
            ("{who}", "has the fields"),
            ("{id", "has the fields"),
            ("{file}", "needs {id}"),
        ] {
            let error = Pattern::parse(pattern).expect_err(pattern);
            assert!(error.contains(why), "{pattern}: {error}");
        }
    }
}
