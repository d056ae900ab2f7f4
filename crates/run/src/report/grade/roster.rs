//! Links the names of hand-ins to the rows of a gradebook, by a table of students.

use super::gradebook::{cells, column_kind, decoded, separator, value};
use super::list::{Column, List, known};
use super::student::{Id, Student};
use message::{Message, message};

/// A list of students, one row each, with their identifiers and names in several programs.
///
/// Its headings may say nothing, and students may have chosen some cells themselves, such as a name at another service.
/// So a column without a known heading is compared with the hand-ins, or with a column of a gradebook, only as a whole:
/// the column that knows the most rows decides.
#[derive(Clone, Debug)]
pub struct Roster {
    titles: Vec<String>,
    pub rows: Vec<Vec<String>>,
    list: List,
}

impl Roster {
    pub fn read(bytes: &[u8]) -> Result<Roster, Message> {
        let text = decoded(bytes.to_vec())?;
        let rows = cells(&text, separator(&text))?;
        let cells = |row: &Vec<_>| row.iter().map(|cell| value(&text, cell)).collect();
        let mut rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        // First name and surname may be in two columns, so two neighbours are a column, too.
        for row in &mut rows {
            row.resize(width, String::new());
            let pairs: Vec<String> = row.windows(2).map(|pair| pair.join(" ")).collect();
            row.extend(pairs);
        }
        let titles = rows.drain(..rows.len().min(1)).next().unwrap_or_default();
        let columns = (0..titles.len()).map(|at| {
            let cells: Vec<&str> = rows.iter().map(|row| row[at].as_str()).collect();
            let kind = column_kind(&titles, at, &cells);
            Column::new(kind, cells.into_iter().enumerate())
        });
        let list = List::new(columns.collect());
        let roster = Roster { titles, rows, list };
        if (0..width).all(|column| roster.own_cells(column).next().is_none()) {
            return Err("no column of it identifies the students".into());
        }
        Ok(roster)
    }

    /// Returns the rows whose cell in a column no other row has, each with this cell.
    fn own_cells(&self, column: usize) -> impl Iterator<Item = (usize, &str)> {
        let cells = self.rows.iter().enumerate();
        let cells = cells.map(move |(row, cells)| (row, cells[column].as_str()));
        let column = &self.list.columns[column];
        cells.filter(move |(_, cell)| column.rows(&Id(column.kind, (*cell).to_owned())).len() == 1)
    }

    /// Returns the cells that a gradebook's column has, too, each with its row. The gradebook has `students` rows, and
    /// `titles` are the headings of its column. Compares only the columns of the roster with such a heading, of which
    /// one must know at least half of the students. Without such columns, the one that knows the most students
    /// decides, if it knows more than half of them.
    pub fn linked(&self, students: usize, titles: &[String], column: &Column) -> Vec<(usize, Id)> {
        let is_same = |title: &String| titles.iter().any(|one| one.eq_ignore_ascii_case(title));
        let has_title = self.titles.iter().any(is_same);
        let used = (0..self.titles.len()).filter(|&at| !has_title || is_same(&self.titles[at]));
        let found = used.map(|at| {
            let cells = self.own_cells(at);
            let ids = cells.map(|(row, cell)| (row, Id(column.kind, cell.to_owned())));
            let ids: Vec<(usize, Id)> = ids.collect();
            (known(ids.iter().map(|(_, id)| column.rows(id))).len(), ids)
        });
        let found: Vec<_> = found.collect();
        let most = found.iter().map(|(count, _)| *count).max().unwrap_or(0);
        let few = students.min(self.rows.len());
        let is_linked = most > 0 && 2 * most + usize::from(has_title) > few;
        let best = found
            .into_iter()
            .filter(|(count, _)| is_linked && *count == most);
        best.flat_map(|(_, ids)| ids).collect()
    }

    /// Returns the list in which these students are found.
    pub fn list<'a>(&self, students: impl Iterator<Item = &'a Student>) -> List {
        self.list.clone().counting(students)
    }

    /// Finds the rows of the students of hand-ins. Returns a message for each certain one without exactly one row.
    pub fn complete(&self, students: &mut [&mut Student]) -> Vec<Option<Message>> {
        let list = self.list(students.iter().map(|student| &**student));
        let title = |row: usize| {
            let cells = self.rows[row].iter().filter(|cell| !cell.is_empty());
            cells.take(2).cloned().collect::<Vec<_>>().join(" ")
        };
        let completed = students.iter_mut().map(|student| {
            let found = list.pointed(student);
            let is_one = student.is_uncertain || found.one().is_some();
            let why = (!is_one).then(|| found.not_one(student, title));
            let rows = match (student.is_uncertain, found.fitting.is_empty()) {
                (true, _) => list.anywhere(student),
                (false, true) => found.all,
                (false, false) => found.fitting,
            };
            student.is_uncertain |= !is_one && !rows.is_empty();
            student.roster = Some(rows);
            Some(message!("the roster: {why}", why = why?))
        });
        completed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each case has a roster, hand-ins, and the ID of the row of each hand-in (`-`: none).
    #[test]
    fn a_cell_that_a_student_writes_costs_nobody_else() {
        let roster = "id,section,login,name\n17,1,ada,Ada Lovelace\n18,1,alan,Alan Turing\n";
        for [more, hand_ins, ids] in cases::cases::<[String; 3]>("rosters") {
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
