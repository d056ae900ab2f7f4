//! Identifies the students of hand-ins, and finds their rows in a gradebook or a roster.

use std::collections::{BTreeSet, HashMap};

use message::{Message, message};
use unicode_normalization::UnicodeNormalization as _;

/// At most this many words of a name are tried as its first word.
const MOST_WORDS: usize = 6;

/// The kind of an identifier. It decides in which columns of a gradebook the identifier can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdKind {
    /// Any of the others: a person chose it.
    #[default]
    Any,
    /// Canvas's number of a user.
    Canvas,
    /// Moodle's number of a participant.
    Participant,
    Login,
    /// The school's number of a student.
    Number,
    Email,
    /// A number that no list has.
    Unlisted,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub IdKind, pub String);

impl Id {
    /// Returns the form in which identifiers are compared. Only Moodle's worksheets have numbers of participants, as
    /// "Participant 17". Such a number may be equal to another student's number in any other table.
    pub fn form(&self) -> Option<String> {
        match self.0 {
            IdKind::Participant => participant_form(&self.1),
            IdKind::Unlisted => None,
            _ => id_form(&self.1),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Student {
    /// Numbers, logins and addresses, each of which identifies the student.
    pub ids: Vec<Id>,
    pub names: Vec<String>,
    /// With a roster: the rows that may be this student's. A certain student has at most one. Without any, no row of a
    /// gradebook is found by the student's name, because a student may choose another's name.
    pub roster: Option<BTreeSet<usize>>,
    /// Whether the hand-in may belong to another student. Then the rows of this student get no mark, neither from this
    /// hand-in nor from another one.
    pub is_uncertain: bool,
}

impl Student {
    /// Returns a student with this word as the identifier and as the name, because it may be either.
    pub fn called(word: &str) -> Student {
        Student {
            ids: vec![Id(IdKind::Any, word.to_owned())],
            names: vec![word.to_owned()],
            ..Student::default()
        }
    }

    #[must_use]
    pub fn uncertain(self) -> Student {
        let is_uncertain = true;
        Student {
            is_uncertain,
            ..self
        }
    }

    pub fn title(&self) -> String {
        let words = self.names.first().into_iter();
        let mut words: Vec<&str> = words.map(String::as_str).collect();
        words.extend(self.ids.first().map(|id| id.1.as_str()));
        words.dedup();
        words.join("_")
    }
}

pub fn not_one_row(count: usize, student: &Student) -> Message {
    let student = student.title();
    message!("found {count} rows of student {student:?}, expected one")
}

/// The rows that a student's identifiers and names point at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointedRows {
    /// The rows that all identifiers and names fit, except for those that are in no row.
    pub fitting: BTreeSet<usize>,
    /// The rows that an identifier or a name fits.
    pub all: BTreeSet<usize>,
    /// Whether a name or an identifier is in no row.
    pub is_partial: bool,
}

impl PointedRows {
    /// Combines the rows of each identifier and of the names.
    pub fn of(fields: impl IntoIterator<Item = BTreeSet<usize>>) -> PointedRows {
        let (found, missing): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|rows| !rows.is_empty());
        let fitting = found.iter().cloned().reduce(|all, rows| &all & &rows);
        PointedRows {
            fitting: fitting.unwrap_or_default(),
            all: found.into_iter().flatten().collect(),
            is_partial: !missing.is_empty(),
        }
    }

    /// Returns the only row that everything fits.
    pub fn one(&self) -> Option<usize> {
        let row = self.fitting.first().copied();
        row.filter(|_| self.fitting.len() == 1)
    }
}

/// The rows of a table that have a word in a column.
#[derive(Clone, Debug, Default)]
pub struct Index(HashMap<String, BTreeSet<usize>>);

impl Index {
    pub fn add(&mut self, row: usize, words: impl IntoIterator<Item = String>) {
        for word in words {
            self.0.entry(word).or_default().insert(row);
        }
    }

    pub fn rows(&self, words: impl IntoIterator<Item = String>) -> BTreeSet<usize> {
        let found = words.into_iter().filter_map(|word| self.0.get(&word));
        found.flatten().copied().collect()
    }
}

/// Returns the form in which identifiers are compared; nothing for an empty one. No spelling of a name begins like it.
pub fn id_form(word: &str) -> Option<String> {
    (!word.is_empty()).then(|| format!("={}", word.to_ascii_lowercase()))
}

pub fn participant_form(number: &str) -> Option<String> {
    id_form(&format!("participant {number}"))
}

/// Returns a name in Unicode's NFC, with é as one character. macOS writes e and an accent.
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Returns spellings by which names are compared: in lower case, without blanks and signs, and rotated to begin with
/// each of the words. So "Lovelace, Ada" and "Ada Lovelace" share the spelling "lovelaceada".
pub fn spellings_of(names: &[String]) -> BTreeSet<String> {
    let spellings = names.iter().flat_map(|name| {
        let name = composed(name);
        let words = name.split(|c: char| !c.is_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let orders = words
            .len()
            .min(MOST_WORDS)
            .max(usize::from(!words.is_empty()));
        (0..orders).map(move |first| [&words[first..], &words[..first]].concat().concat())
    });
    spellings.collect()
}

/// A list of students, one row each, with their identifiers and names in several programs.
///
/// Students may have chosen some cells themselves, such as a name at another service. So a column is compared with the
/// hand-ins, or with a column of a gradebook, only as a whole: the column that knows the most rows decides.
#[derive(Clone, Debug)]
pub struct Roster {
    rows: Vec<Vec<String>>,
    columns: Vec<Index>,
}

impl Roster {
    pub fn read(bytes: &[u8]) -> Result<Roster, Message> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
        let rows: Result<Vec<Vec<String>>, _> = reader
            .records()
            .map(|row| Ok(row?.iter().map(|cell| cell.trim().to_owned()).collect()))
            .collect();
        let mut rows =
            rows.map_err(|error: csv::Error| message!("it is not a CSV file: {error}"))?;
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        // First name and surname may be in two columns, so two neighbours are a column, too.
        for row in &mut rows {
            row.resize(width, String::new());
            let pairs: Vec<String> = row.windows(2).map(|pair| pair.join(" ")).collect();
            row.extend(pairs);
        }
        let mut columns = vec![Index::default(); (2 * width).saturating_sub(1)];
        for (at, row) in rows.iter().enumerate() {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.add(at, spellings_of(std::slice::from_ref(cell)));
                column.add(at, id_form(cell));
            }
        }
        let roster = Roster { rows, columns };
        if (0..width).all(|column| roster.own_cells(column).next().is_none()) {
            return Err("no column of it identifies the students".into());
        }
        Ok(roster)
    }

    /// Returns the rows whose cell in a column no other row has, each with this cell.
    fn own_cells(&self, column: usize) -> impl Iterator<Item = (usize, &str)> {
        let cells = self.rows.iter().enumerate();
        let cells = cells.filter_map(move |(row, cells)| Some((row, cells.get(column)?.as_str())));
        cells.filter(move |(_, cell)| self.columns[column].rows(id_form(cell)).len() == 1)
    }

    /// Returns for each row of the roster the rows of another table that its cells point at. `find` finds the rows of
    /// the other table, which has `students` rows, that have a text in one of its columns.
    /// Compares only the column of the roster that knows the most students, more than half of them.
    pub fn linked(
        &self,
        students: usize,
        find: impl Fn(&str) -> BTreeSet<usize>,
    ) -> Vec<BTreeSet<usize>> {
        let found = (0..self.columns.len()).map(|column| {
            let cells = self.own_cells(column);
            cells
                .map(|(row, cell)| (row, find(cell)))
                .collect::<Vec<_>>()
        });
        let found: Vec<_> = found.collect();
        let counts: Vec<usize> = found
            .iter()
            .map(|column| known(column.iter().map(|(_, rows)| rows)).len())
            .collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let mut linked = vec![BTreeSet::new(); self.rows.len()];
        if 2 * most > students.min(self.rows.len()) {
            let best = found.into_iter().zip(counts);
            let best = best.filter(|(_, count)| *count == most);
            for (row, rows) in best.flat_map(|(column, _)| column) {
                linked[row].extend(rows);
            }
        }
        linked
    }

    /// Finds the rows that all identifiers and names of a student fit, each in any column.
    pub fn pointed(&self, student: &Student) -> PointedRows {
        let rows = |words: BTreeSet<String>| {
            let columns = self.columns.iter();
            columns
                .flat_map(|column| column.rows(words.clone()))
                .collect()
        };
        let ids = student.ids.iter();
        let ids = ids.map(|id| rows(id.form().into_iter().collect()));
        let names = (!student.names.is_empty()).then(|| rows(spellings_of(&student.names)));
        PointedRows::of(ids.chain(names))
    }

    /// Finds the rows of the students of hand-ins. Returns a message for each certain one without exactly one row.
    pub fn complete(&self, students: &mut [&mut Student]) -> Vec<Option<Message>> {
        let words: Vec<BTreeSet<String>> = students
            .iter()
            .map(|student| {
                let ids = student.ids.iter().filter_map(Id::form);
                spellings_of(&student.names)
                    .into_iter()
                    .chain(ids)
                    .collect()
            })
            .collect();
        let columns: Vec<Vec<BTreeSet<usize>>> = self
            .columns
            .iter()
            .map(|index| {
                words
                    .iter()
                    .map(|words| index.rows(words.iter().cloned()))
                    .collect()
            })
            .collect();
        let counts: Vec<usize> = columns.iter().map(|column| known(column).len()).collect();
        // Reversed, because `max_by_key` takes the last of equal columns.
        let main = (0..columns.len()).rev().max_by_key(|&at| counts[at]);
        let main = main.unwrap_or_default();
        let taken = columns.get(main).map(known).unwrap_or_default();
        let row_of = |student: usize, is_uncertain: bool| -> BTreeSet<usize> {
            let others = columns.iter().map(|column| &column[student]);
            let rows = columns
                .get(main)
                .map_or_else(BTreeSet::new, |column| column[student].clone());
            if is_uncertain {
                return others.flatten().copied().collect();
            }
            if rows.is_empty() {
                let single = others.filter(|rows| rows.len() == 1);
                return single.flatten().copied().collect();
            }
            // A column that knows more than half as many students may be the right one, too.
            let rivals = others
                .zip(&counts)
                .filter(|(_, count)| 2 * *count > counts[main]);
            let apart = rivals.filter(|(other, _)| other.is_disjoint(&rows));
            apart
                .flat_map(|(other, _)| other)
                .chain(&rows)
                .copied()
                .collect()
        };
        let completed = students.iter_mut().enumerate().map(|(at, student)| {
            let was_certain = !student.is_uncertain;
            let rows = row_of(at, student.is_uncertain);
            let count = rows.len();
            // A row that another hand-in has by the main column may be this one's, too.
            let is_others = columns
                .get(main)
                .is_some_and(|column| column[at].is_empty())
                && !rows.is_disjoint(&taken);
            student.is_uncertain |= count > 1 || is_others;
            student.roster = Some(rows);
            let why = not_one_row(count, student);
            (was_certain && count != 1).then(|| message!("the roster: {why}"))
        });
        completed.collect()
    }
}

/// Returns the rows to which a column leads without a doubt. Many hand-ins that lead to one row count once, because a
/// student may hand in many.
fn known<'a>(column: impl IntoIterator<Item = &'a BTreeSet<usize>>) -> BTreeSet<usize> {
    let single = column.into_iter().filter(|rows| rows.len() == 1);
    single.flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_every_order_and_writing() {
        for (name, cell, is_theirs) in [
            ("lovelaceada", "Lovelace, Ada", true),
            ("Zhang San", "San Zhang", true),
            ("zhangsan", "Zhang San", true),
            ("张三", "张三", true),
            ("O'Neil Mary Ann", "Mary Ann O'Neil", true),
            ("zoe\u{308}", "Zoë", true),
            ("lovelaceada", "Lovelace, Adam", false),
            ("", "", false),
        ] {
            let [name, cell] = [name, cell].map(|name| spellings_of(&[name.to_owned()]));
            assert_eq!(!name.is_disjoint(&cell), is_theirs, "{name:?} {cell:?}");
        }
    }

    /// Each case has a roster, hand-ins, and the ID of the row of each hand-in (`-`: none).
    #[test]
    fn a_cell_that_a_student_writes_costs_nobody_else() {
        let roster = "id,section,login,name\n17,1,ada,Ada Lovelace\n18,1,alan,Alan Turing\n";
        for (more, hand_ins, ids) in [
            ("", "Turing Alan,17,1", "18,17,-"),
            ("19,1,ada,Eve\n", "ada,alan", "-,18"),
            ("19,1,eve,Ada alan\n", "alan,eve", "18,19"),
            ("19,1,18,Eve\n", "17,18,19", "17,18,19"),
            ("19,1,eve,17\n", "ada,alan,eve", "17,18,19"),
            ("", "alan,alan-turing", "18,-"),
            (
                "19,1,Alan Turing,Eve\n20,1,zed,Zoe\n",
                "Ada Lovelace,Alan Turing,zed,ZED,z-ed,zed!",
                "17,-,20,20,20,20",
            ),
        ] {
            let roster = Roster::read(format!("{roster}{more}").as_bytes()).expect("a roster");
            let mut students: Vec<Student> = hand_ins.split(',').map(Student::called).collect();
            let mut all: Vec<&mut Student> = students.iter_mut().collect();
            let failed = roster.complete(&mut all);
            let found = students.iter().zip(failed).map(|(student, failed)| {
                let mut rows = student.roster.iter().flatten();
                let row = rows
                    .next()
                    .filter(|_| failed.is_none() && !student.is_uncertain);
                row.map_or("-", |&row| roster.rows[row][0].as_str())
            });
            assert_eq!(
                found.collect::<Vec<_>>().join(","),
                ids,
                "{more} {hand_ins}"
            );
        }
    }
}
