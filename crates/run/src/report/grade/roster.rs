//! Students: the words that identify them in the names of hand-ins, and the search for these in a gradebook or a list.

use std::collections::{BTreeSet, HashSet};

use message::{Message, message};

/// The number of a name's words that are tried as its first word.
const MOST_WORDS: usize = 6;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// Numbers, logins and addresses, each of which identifies the student.
    pub ids: Vec<String>,
    /// Possible names.
    pub names: Vec<String>,
}

impl Student {
    /// Returns a student with one known word, an identifier or a name.
    pub fn called(word: &str) -> Student {
        Student {
            ids: vec![word.to_owned()],
            names: vec![word.to_owned()],
        }
    }

    pub fn title(&self) -> String {
        let words = self.names.first().into_iter().chain(self.ids.first());
        let mut words: Vec<&str> = words.map(String::as_str).collect();
        words.dedup();
        words.join("_")
    }

    /// Returns whether an identifier of both is the same; for students without any, whether a name is.
    pub fn shares_id(&self, other: &Student) -> bool {
        let shares = |own: &[String], other: &[String]| own.iter().any(|word| other.contains(word));
        let has_ids = !self.ids.is_empty() && !other.ids.is_empty();
        shares(&self.ids, &other.ids) || !has_ids && shares(&self.names, &other.names)
    }

    /// Finds the one row that is this student's: by an identifier, or else by the name.
    ///
    /// # Errors
    /// A message if there is no such row, or more than one.
    pub fn row<'a, Row>(
        &self,
        rows: impl Iterator<Item = (Row, Cells<'a>)> + Clone,
    ) -> Result<Row, Message> {
        let by_id = rows.clone().filter(|(_, cells)| self.has_id(&cells.ids));
        let mut found: Vec<Row> = by_id.map(|(row, _)| row).collect();
        if found.is_empty() {
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

    fn has_id(&self, cells: &[&str]) -> bool {
        // Moodle's worksheets have "Participant 4711", in the language of the course.
        let is_theirs = |cell: &&str| {
            let (before, last) = cell.rsplit_once(' ').unwrap_or(("", cell));
            let is_word = before.chars().all(char::is_alphabetic);
            let bare = if is_word { last } else { cell };
            self.ids.iter().any(|id| id.eq_ignore_ascii_case(bare))
        };
        cells.iter().any(is_theirs)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Cells<'a> {
    pub ids: Vec<&'a str>,
    pub names: Vec<String>,
}

/// Returns the spellings of names that count as equal: in lower case, without blanks and signs, and rotated to begin
/// with any of their words ("Lovelace, Ada", "Ada Lovelace", "lovelaceada").
fn spellings_of(names: &[String]) -> BTreeSet<String> {
    let spellings = names.iter().flat_map(|name| {
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

/// A list of students, one row each, with the identifiers and names that several programs use for a student.
#[derive(Clone, Debug)]
pub struct Roster {
    rows: Vec<Vec<String>>,
    /// The columns whose cells all differ, so that each identifies a student.
    keys: Vec<usize>,
}

impl Roster {
    pub fn read(bytes: &[u8]) -> Result<Roster, Message> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes);
        let rows: Result<Vec<Vec<String>>, _> = reader
            .records()
            .map(|row| Ok(row?.iter().map(|cell| cell.trim().to_owned()).collect()))
            .collect();
        let rows = rows.map_err(|error: csv::Error| message!("it is not a CSV file: {error}"))?;
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        let is_key = |&column: &usize| {
            let cells = rows.iter().filter_map(|row: &Vec<String>| row.get(column));
            let mut seen = HashSet::new();
            cells
                .filter(|cell| !cell.is_empty())
                .all(|cell| seen.insert(cell.to_lowercase()))
        };
        let keys: Vec<usize> = (0..width).filter(is_key).collect();
        if rows.is_empty() || keys.is_empty() {
            return Err("no column of it identifies the students".into());
        }
        Ok(Roster { rows, keys })
    }

    pub fn complete(&self, student: &mut Student) -> Result<(), Message> {
        let cells = |row: &'_ Vec<String>| -> Vec<String> {
            let cells = self.keys.iter().filter_map(|&key| row.get(key).cloned());
            cells.filter(|cell| !cell.is_empty()).collect()
        };
        let rows = self.rows.iter().map(|row| {
            let ids = self.keys.iter().filter_map(|&key| row.get(key));
            let ids = ids.map(String::as_str).filter(|cell| !cell.is_empty());
            let found = Cells {
                ids: ids.collect(),
                names: cells(row),
            };
            (row, found)
        });
        let row = student
            .row(rows)
            .map_err(|why| message!("the roster: {why}"))?;
        student.ids.extend(cells(row));
        student.names.extend(cells(row));
        Ok(())
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
            ("lovelaceada", "Lovelace, Adam", false),
            ("", "", false),
        ] {
            let found = Student::called(name).row([row(cell)].into_iter());
            assert_eq!(found.is_ok(), is_theirs, "{name} {cell}");
        }
    }

    #[test]
    fn a_roster_links_only_by_cells_that_differ() {
        let roster = "id,section,login,name\n17,1,ada,Ada Lovelace\n18,1,alan,Alan Turing\n";
        let roster = Roster::read(roster.as_bytes()).expect("a roster");
        let mut student = Student::called("Turing Alan");
        roster.complete(&mut student).expect("one row");
        assert_eq!(student.ids, ["Turing Alan", "18", "alan", "Alan Turing"]);
        let error = roster
            .complete(&mut Student::called("1"))
            .expect_err("all have section 1");
        assert!(error.to_string().contains("0 rows"), "{error}");
    }
}
