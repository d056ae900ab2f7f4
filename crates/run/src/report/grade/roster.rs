//! Identifies the students of hand-ins, and finds their rows in a gradebook or a roster.

use std::collections::{BTreeSet, HashSet};

use message::{Message, message};
use unicode_normalization::UnicodeNormalization as _;

/// At most this many words of a name are tried as its first word.
const MOST_WORDS: usize = 6;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// Numbers, logins and addresses, each of which identifies the student.
    pub ids: Vec<String>,
    pub names: Vec<String>,
    /// Whether a given roster lacks the student or has several rows of this student. Then no row of a gradebook is
    /// found by the student's name, because a student may choose another's name.
    pub is_in_no_roster: bool,
    /// Whether the hand-in may belong to another student. Then the row of this student gets no mark, neither from this
    /// hand-in nor from another one.
    pub is_uncertain: bool,
}

impl Student {
    /// Returns a student with this word as the identifier and as the name, because it may be either.
    pub fn called(word: &str) -> Student {
        Student {
            ids: vec![word.to_owned()],
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
        let words = self.names.first().into_iter().chain(self.ids.first());
        let mut words: Vec<&str> = words.map(String::as_str).collect();
        words.dedup();
        words.join("_")
    }

    /// Returns whether two students have an identifier in common or, if one of them has no identifiers, a name.
    pub fn shares_id(&self, other: &Student) -> bool {
        let shares = |own: &[String], other: &[String]| own.iter().any(|word| other.contains(word));
        let has_ids = !self.ids.is_empty() && !other.ids.is_empty();
        shares(&self.ids, &other.ids) || !has_ids && shares(&self.names, &other.names)
    }

    /// Finds the only row of this student, by the first kind of identifier that matches a row, else by the name.
    ///
    /// # Errors
    /// A message if there is no such row, or more than one.
    pub fn row<'a, Row>(
        &self,
        rows: impl Iterator<Item = (Row, Cells<'a>)> + Clone,
    ) -> Result<Row, Message> {
        let kinds = rows.clone().map(|(_, cells)| cells.ids.len()).max();
        let by_kind = (0..kinds.unwrap_or(0)).map(|kind| {
            let has_id =
                |cells: &Cells<'_>| cells.ids.get(kind).is_some_and(|cell| self.has_id(cell));
            let found = rows.clone().filter(|(_, cells)| has_id(cells));
            found.map(|(row, _)| row).collect::<Vec<Row>>()
        });
        let mut found = by_kind
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default();
        if found.is_empty() && !self.is_in_no_roster {
            let names = spellings_of(&self.names);
            let by_name = rows.filter(|(_, cells)| !names.is_disjoint(&spellings_of(&cells.names)));
            found = by_name.map(|(row, _)| row).collect();
        }
        match found.len() {
            1 => Ok(found.remove(0)),
            count => {
                let student = self.title();
                Err(message!(
                    "found {count} rows of student {student:?}, expected one"
                ))
            }
        }
    }

    fn has_id(&self, cell: &str) -> bool {
        // Moodle's worksheets have "Participant 4711", with the first word in the language of the course.
        let (before, last) = cell.rsplit_once(' ').unwrap_or(("", cell));
        let is_word = before.chars().all(char::is_alphabetic);
        let bare = if is_word { last } else { cell };
        !bare.is_empty() && self.ids.iter().any(|id| id.eq_ignore_ascii_case(bare))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Cells<'a> {
    /// The identifiers, one of each kind, the most reliable kind first; an unknown one is an empty text.
    pub ids: Vec<&'a str>,
    pub names: Vec<String>,
}

/// Returns a name in Unicode's NFC, with é as one character. macOS writes e and an accent.
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Returns spellings by which names are compared: in lower case, without blanks and signs, and rotated to begin with
/// each of the words. So "Lovelace, Ada" and "Ada Lovelace" share the spelling "lovelaceada".
fn spellings_of(names: &[String]) -> BTreeSet<String> {
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
/// Students may have chosen some cells themselves, such as a name at another service. So the column that matches the
/// most hand-ins decides before all others. Two equal cells in a column affect only the students of these two rows.
#[derive(Clone, Debug)]
pub struct Roster {
    rows: Vec<Vec<String>>,
}

impl Roster {
    pub fn read(bytes: &[u8]) -> Result<Roster, Message> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
        let rows: Result<Vec<Vec<String>>, _> = reader
            .records()
            .map(|row| Ok(row?.iter().map(|cell| cell.trim().to_owned()).collect()))
            .collect();
        let rows = rows.map_err(|error: csv::Error| message!("it is not a CSV file: {error}"))?;
        let roster = Roster { rows };
        if (0..roster.rows.len()).all(|row| roster.own(row).is_empty()) {
            return Err("no column of it identifies the students".into());
        }
        Ok(roster)
    }

    /// Returns the cells of a row that no other row has in the same column.
    fn own(&self, row: usize) -> Vec<String> {
        let is_own = |&(column, cell): &(usize, &String)| {
            let is_like = |other: &Vec<String>| {
                other
                    .get(column)
                    .is_some_and(|other| other.to_lowercase() == cell.to_lowercase())
            };
            !cell.is_empty() && self.rows.iter().filter(|other| is_like(other)).count() == 1
        };
        let cells = self.rows[row].iter().enumerate().filter(is_own);
        cells.map(|(_, cell)| cell.clone()).collect()
    }

    /// Adds the cells of the student's row to each student. Returns a message for each one without exactly one row.
    pub fn complete(&self, students: &mut [&mut Student]) -> Vec<Option<Message>> {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let spelt = |row: &Vec<String>| {
            row.iter()
                .map(|cell| spellings_of(std::slice::from_ref(cell)))
                .collect::<Vec<_>>()
        };
        let spelt: Vec<_> = self.rows.iter().map(spelt).collect();
        let rows_of = |student: &Student, names: &BTreeSet<String>, column: usize| {
            let is_theirs = |&row: &usize| {
                self.rows[row].get(column).is_some_and(|cell| {
                    let is_id = |id: &String| !cell.is_empty() && id.eq_ignore_ascii_case(cell);
                    student.ids.iter().any(is_id) || !names.is_disjoint(&spelt[row][column])
                })
            };
            (0..self.rows.len())
                .filter(is_theirs)
                .collect::<Vec<usize>>()
        };
        let names: Vec<_> = students
            .iter()
            .map(|student| spellings_of(&student.names))
            .collect();
        let of_column = |column| {
            let each = students.iter().zip(&names);
            each.map(|(student, names)| rows_of(student, names, column))
                .collect::<Vec<_>>()
        };
        let columns: Vec<Vec<Vec<usize>>> = (0..width).map(of_column).collect();
        let fits = |column: &&Vec<Vec<usize>>| column.iter().filter(|rows| rows.len() == 1).count();
        // Reversed, because `max_by_key` takes the last of equal columns.
        let main = columns
            .iter()
            .rev()
            .max_by_key(fits)
            .cloned()
            .unwrap_or_default();
        let taken: HashSet<usize> = main
            .iter()
            .filter(|rows| rows.len() == 1)
            .flatten()
            .copied()
            .collect();
        let row_of = |student: usize| -> BTreeSet<usize> {
            if let Some(rows) = main.get(student).filter(|rows| !rows.is_empty()) {
                return rows.iter().copied().collect();
            }
            let single = columns
                .iter()
                .map(|column| &column[student])
                .filter(|rows| rows.len() == 1);
            single
                .flatten()
                .copied()
                .filter(|row| !taken.contains(row))
                .collect()
        };
        let found: Vec<BTreeSet<usize>> = (0..students.len()).map(row_of).collect();
        let completed = students.iter_mut().zip(found).map(|(student, rows)| {
            if let (Some(&row), 1) = (rows.first(), rows.len()) {
                let own = self.own(row);
                student.ids.extend(own.iter().cloned());
                student.names.extend(own);
                return None;
            }
            student.is_in_no_roster = true;
            let (count, student) = (rows.len(), student.title());
            let why = message!("found {count} rows of student {student:?}, expected one");
            Some(message!("the roster: {why}"))
        });
        completed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_every_order_and_writing() {
        let row = |name: &str| {
            (
                (),
                Cells {
                    ids: Vec::new(),
                    names: vec![name.to_owned()],
                },
            )
        };
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
            let found = Student::called(name).row([row(cell)].into_iter());
            assert_eq!(found.is_ok(), is_theirs, "{name} {cell}");
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
        ] {
            let roster = Roster::read(format!("{roster}{more}").as_bytes()).expect("a roster");
            let mut students: Vec<Student> = hand_ins.split(',').map(Student::called).collect();
            let mut all: Vec<&mut Student> = students.iter_mut().collect();
            let failed = roster.complete(&mut all);
            let found = students
                .iter()
                .zip(failed)
                .map(|(student, failed)| match failed {
                    Some(_) => "-",
                    None => student.ids[1].as_str(),
                });
            assert_eq!(
                found.collect::<Vec<_>>().join(","),
                ids,
                "{more} {hand_ins}"
            );
        }
    }
}
