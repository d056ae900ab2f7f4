//! Fills a column of a gradebook that Canvas or Moodle exported.
//!
//! Only the cells that get a mark or a comment change. All other bytes stay the same, such as quotes, line endings, the
//! byte order mark and Canvas's "Points Possible" row. So this module does not rewrite the file as CSV: it finds the
//! cells in the text (RFC 4180) and replaces them there.

use std::collections::BTreeMap;
use std::ops::Range;

use super::list::{Column, List, PointedRows, kind_of_cells};
use super::roster::Roster;
use super::student::{Id, IdKind, Student};
use message::{Message, message};

/// The kinds of columns that can identify a student, and their headings in Canvas, Moodle, Gradescope, Blackboard and
/// rosters. Columns whose contents no student can choose come first. Any kind: the cells show it.
const KEYS: [(IdKind, &str); 6] = [
    (IdKind::Any, "ID, Identifier, 编号"),
    (IdKind::Canvas, "Canvas, Canvas ID"),
    (
        IdKind::Number,
        "SIS User ID, Integration ID, ID number, SID, Student ID, 学号, ID号",
    ),
    (IdKind::Login, "SIS Login ID, Username, Login, 用户名"),
    (IdKind::Email, "Email address, Email, E-mail, 电子邮件地址"),
    (IdKind::Name, "Student, Full name, Name, 姓名, 全名"),
];
/// The columns with parts of the name.
const PARTS: &str = "First name, Surname, Last name, 名, 姓, 名字, 姓氏";
/// The titles of Moodle's column of maximum points, in English (earlier: "Maximum Grade") and in Chinese.
const MOST: &str = "Maximum grade, 最高分";

#[derive(Clone, Debug)]
pub struct Gradebook {
    text: String,
    rows: Vec<Vec<Range<usize>>>,
    separator: u8,
    column: usize,
    comments: Option<usize>,
    /// The columns of identifiers, then those of each name: several if they have its parts.
    columns: Vec<Vec<usize>>,
    /// The columns of `columns`.
    list: List,
    /// With a roster: for each of its rows, the rows of the gradebook that its cells point at.
    by_roster: Vec<PointedRows>,
    claims: BTreeMap<usize, Claim>,
}

/// A row that hand-ins claim.
#[derive(Clone, Debug)]
struct Claim {
    /// The first of these hand-ins.
    title: String,
    /// The new texts of the mark and of the comment; none if several hand-ins claim the row.
    texts: [Option<String>; 2],
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Headings<'a> {
    pub marks: &'a str,
    pub comments: Option<&'a str>,
    /// A further column that identifies the students, in addition to `KEYS`.
    pub students: Option<&'a str>,
}

impl Gradebook {
    pub fn new(bytes: Vec<u8>, headings: Headings<'_>) -> Result<Gradebook, Message> {
        let text = decoded(bytes)?;
        let separator = separator(&text);
        let rows = cells(&text, separator)?;
        let header = rows.first().ok_or_else(|| not_csv("it is empty"))?;
        let titles: Vec<String> = header.iter().map(|cell| value(&text, cell)).collect();
        let one = |heading: &str| {
            let places: Vec<usize> = (0..titles.len())
                .filter(|&at| titles[at] == heading)
                .collect();
            match places.as_slice() {
                &[place] => Ok(place),
                places => Err(message!(
                    "it has {} columns with the name {heading:?}; its columns: {}",
                    places.len(),
                    titles
                )),
            }
        };
        let column = one(headings.marks)?;
        let comments = headings.comments.map(one).transpose()?;
        let students = headings.students.map(one).transpose()?;
        let with = |headings: &str| -> Vec<usize> {
            let columns = 0..titles.len();
            columns
                .filter(|&at| is_among(&titles[at], headings))
                .collect()
        };
        let keys = KEYS.iter().flat_map(|(_, headings)| with(headings));
        let keys: Vec<usize> = keys.collect();
        let further = students.filter(|at| !keys.contains(at));
        let columns = further.into_iter().chain(keys).map(|at| vec![at]);
        let mut columns: Vec<Vec<usize>> = columns.chain([with(PARTS)]).collect();
        columns.retain(|columns| !columns.is_empty());
        if columns.is_empty() {
            return Err(message!(
                "no column identifies the students: name one with --students, or add one of {}",
                KEYS.map(|(_, headings)| headings)[..]
            ));
        }
        let mut book = Gradebook {
            column,
            comments,
            columns,
            list: List::default(),
            by_roster: Vec::new(),
            separator,
            rows,
            claims: BTreeMap::new(),
            text,
        };
        let columns = book.columns.iter().map(|columns| {
            let cells = book.students().map(|row| (row, book.joined(row, columns)));
            let cells: Vec<(usize, String)> = cells.collect();
            let texts: Vec<&str> = cells.iter().map(|(_, cell)| &**cell).collect();
            let kind = match column_kind(&titles, columns[0], &texts) {
                _ if is_among(&titles[columns[0]], PARTS) => IdKind::Name,
                // Single words may be logins, so they are no names.
                IdKind::Word => IdKind::Any,
                kind => kind,
            };
            Column::new(kind, cells.iter().map(|(row, cell)| (*row, &**cell)))
        });
        book.list = List::new(columns.collect());
        Ok(book)
    }

    /// Finds the rows of the roster's students: the roster's cells identify them as the words of hand-ins do.
    pub fn link(&mut self, roster: &Roster) {
        let count = self.students().count();
        let mut students = vec![Student::default(); roster.rows.len()];
        for (columns, column) in self.columns.iter().zip(&self.list.columns) {
            let titles: Vec<String> = columns.iter().map(|&at| self.cell(0, at)).collect();
            for (row, id) in roster.linked(count, &titles, column) {
                match id.0 {
                    IdKind::Name => students[row].names.push(id.1),
                    _ => students[row].ids.push(id),
                }
            }
        }
        let rows = students.iter().map(|student| self.list.pointed(student));
        self.by_roster = rows.collect();
    }

    pub fn list(&self) -> &List {
        &self.list
    }

    /// Finds the rows of a student: by the roster if the student is in it, else by the words of the hand-in itself.
    pub fn pointed(&self, student: &Student) -> PointedRows {
        let Some(rows) = &student.roster else {
            return self.list.pointed(student);
        };
        let mut found = PointedRows::default();
        for row in rows.iter().filter_map(|&row| self.by_roster.get(row)) {
            found.fitting.extend(&row.fitting);
            found.all.extend(&row.all);
            found.near.extend(&row.near);
        }
        if found.near.is_empty() {
            return self.list.pointed(&student.without_name());
        }
        found
    }

    /// Sets the comment, and the mark if any, in a student's row, and claims the row. If another hand-in claims the row,
    /// no cell changes. If several rows may be the student's, or the student is uncertain, claims all of them.
    pub fn set(
        &mut self,
        student: &Student,
        mark: Option<&str>,
        comment: &str,
    ) -> Result<(), Message> {
        let row = match self.row_of(student) {
            Ok(row) if !student.is_uncertain => row,
            found => {
                for row in self.pointed(student).all {
                    let _ = self.claim(row, student, [None, None]);
                }
                return if student.is_uncertain {
                    Ok(())
                } else {
                    found.map(drop)
                };
            }
        };
        let mut columns = self.targets().into_iter().flatten();
        if columns.any(|column| self.rows[row].len() <= column) {
            return Err("the row is shorter than the header: add its empty cells".into());
        }
        let special = |c: char| c == self.separator as char || "\"\r\n".contains(c);
        let written = |text: &str| {
            if text.contains(special) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_owned()
            }
        };
        self.claim(
            row,
            student,
            [mark, Some(comment)].map(|text| text.map(written)),
        )
    }

    /// Returns the columns of the mark and of the comment.
    fn targets(&self) -> [Option<usize>; 2] {
        [Some(self.column), self.comments]
    }

    fn claim(
        &mut self,
        row: usize,
        student: &Student,
        texts: [Option<String>; 2],
    ) -> Result<(), Message> {
        if let Some(Claim {
            title: other,
            texts,
        }) = self.claims.get_mut(&row)
        {
            *texts = [None, None];
            return Err(message!(
                "hand-in {other:?} belongs to the same student: neither mark is written"
            ));
        }
        let title = student.title();
        self.claims.insert(row, Claim { title, texts });
        Ok(())
    }

    pub fn row_of(&self, student: &Student) -> Result<usize, Message> {
        let found = self.pointed(student);
        found.one().ok_or_else(|| {
            let why = found.not_one(student, |row| self.title(row));
            match self.hint(student).filter(|_| found.near.is_empty()) {
                Some(hint) => message!("{why}: {hint}"),
                None => why,
            }
        })
    }

    /// Returns how a student without a row may get one: a program may have removed the zeros of a number, and a pattern
    /// may find the number in a name.
    fn hint(&self, student: &Student) -> Option<Message> {
        let bare = |text: &str| text.trim_start_matches('0').to_ascii_lowercase();
        let row_of = |word: &str| {
            let is_its = |&row: &usize| {
                let mut cells = self.columns.iter().map(|columns| self.joined(row, columns));
                cells.any(|cell| bare(&cell) == bare(word))
            };
            let row = self.students().find(is_its);
            row.filter(|_| !bare(word).is_empty())
                .map(|row| self.title(row))
        };
        student.ids.iter().find_map(|Id(_, id)| {
            if let Some(row) = row_of(id) {
                let zeros = message!("{row:?} has the number with fewer or more zeros before it");
                return Some(zeros);
            }
            let row = id.split(['-', '_', ' ']).find_map(row_of)?;
            Some(message!(
                "the number of {row:?} is in the name: describe the names with --names"
            ))
        })
    }

    fn cell(&self, row: usize, column: usize) -> String {
        self.rows[row]
            .get(column)
            .map_or_else(String::new, |cell| value(&self.text, cell))
    }

    /// Returns the texts of these cells, with blanks between them.
    fn joined(&self, row: usize, columns: &[usize]) -> String {
        let cells = columns.iter().map(|&at| self.cell(row, at));
        let cells: Vec<String> = cells.filter(|text| !text.is_empty()).collect();
        cells.join(" ")
    }

    /// Returns the name of a row or, without a name, an identifier.
    fn title(&self, row: usize) -> String {
        let columns = self.columns.iter().rev();
        let mut titles = columns.map(|columns| self.joined(row, columns));
        titles.find(|title| !title.is_empty()).unwrap_or_default()
    }

    /// Returns the rows of students. Canvas has a row "Points Possible", and other programs have rows without any name.
    fn students(&self) -> impl Iterator<Item = usize> + '_ {
        (1..self.rows.len()).filter(|&row| {
            let title = self.title(row);
            !title.is_empty() && !title.eq_ignore_ascii_case("Points Possible")
        })
    }

    pub fn unmarked(&self) -> Vec<String> {
        self.rows_with(0, |old, new| new.is_none() && old.is_empty())
    }

    pub fn above(&self, possible: f64) -> Vec<String> {
        let is_above = |mark: &str| mark.parse().is_ok_and(|mark: f64| mark > possible);
        self.rows_with(0, |_, new| new.is_some_and(is_above))
    }

    pub fn replaced_comments(&self) -> Vec<String> {
        self.rows_with(1, |old, new| {
            !old.is_empty() && new.is_some_and(|new| new != old)
        })
    }

    /// Returns the names of the students whose cell in a column of [`Gradebook::targets`] satisfies `is_one`, which gets
    /// the old text of the cell and its new text, if any.
    fn rows_with(&self, target: usize, is_one: impl Fn(&str, Option<&str>) -> bool) -> Vec<String> {
        let Some(column) = self.targets()[target] else {
            return Vec::new();
        };
        let is_wanted = |row: &usize| {
            let claim = self.claims.get(row);
            let new = claim.and_then(|claim| claim.texts[target].as_ref());
            let new = new.map(|text| value(text, &(0..text.len())));
            is_one(&self.cell(*row, column), new.as_deref())
        };
        let students = self.students().filter(is_wanted);
        students.map(|row| self.title(row)).collect()
    }

    /// Reads the possible points from Moodle's column for them or, if there is none, from Canvas's row.
    pub fn points_possible(&self) -> Option<f64> {
        let most = (0..self.rows[0].len()).find(|&at| is_among(&self.cell(0, at), MOST));
        let is_canvas = |&row: &usize| self.title(row).eq_ignore_ascii_case("Points Possible");
        let (row, column) = match most {
            Some(column) => (1, column),
            None => ((1..self.rows.len().min(4)).find(is_canvas)?, self.column),
        };
        (row < self.rows.len())
            .then(|| decimal(&self.cell(row, column)))
            .flatten()
    }

    pub fn filled(&self) -> String {
        let (mut out, mut from) = (String::new(), 0);
        for (&row, claim) in &self.claims {
            let texts = self.targets().into_iter().zip(&claim.texts);
            let cells = texts.filter_map(|(at, text)| Some((text.as_ref()?, &self.rows[row][at?])));
            let mut cells: Vec<(&String, &Range<usize>)> = cells.collect();
            cells.sort_by_key(|(_, cell)| cell.start);
            for (text, cell) in cells {
                out += &self.text[from..cell.start];
                out += text;
                from = cell.end;
            }
        }
        out + &self.text[from..]
    }
}

/// Parses a number with a decimal point or comma. `1,000` may be 1 or 1000, so it is neither.
fn decimal(text: &str) -> Option<f64> {
    match text.rsplit_once(',') {
        Some((_, after)) if after.contains('.') => text.replace(',', "").parse().ok(),
        Some((_, after)) if after.len() == 3 => None,
        Some((whole, after)) => format!("{}.{after}", whole.replace('.', "")).parse().ok(),
        None => text.parse().ok(),
    }
}

/// Returns the kind of a column with these cells, by its heading or, if the heading does not show it, by the cells. "ID"
/// is Canvas's number only in a list with Canvas's heading "Student": that of another list may be a school's number.
pub(super) fn column_kind(titles: &[String], at: usize, cells: &[&str]) -> IdKind {
    let title = &titles[at];
    let key = KEYS.iter().find(|(_, headings)| is_among(title, headings));
    match key.map_or(IdKind::Any, |(kind, _)| *kind) {
        IdKind::Any if is_among(title, "ID") && titles.iter().any(|title| title == "Student") => {
            IdKind::Canvas
        }
        IdKind::Any => kind_of_cells(cells),
        kind => kind,
    }
}

fn is_among(title: &str, headings: &str) -> bool {
    let mut headings = headings.split(", ");
    headings.any(|heading| heading.eq_ignore_ascii_case(title))
}

/// Decodes a table that a program exported.
pub(super) fn decoded(bytes: Vec<u8>) -> Result<String, Message> {
    String::from_utf8(bytes)
        .map_err(|_| "it is not UTF-8: save it as \"CSV UTF-8\" in the spreadsheet".into())
}

fn not_csv(why: &'static str) -> Message {
    message!("it is not a CSV file: {why}", why = Message::from(why))
}

/// Guesses the separator of cells: the most frequent of comma, semicolon and tab in the header.
pub(super) fn separator(text: &str) -> u8 {
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| header.bytes().filter(|byte| byte == separator).count();
    // Of equal counts, `max_by_key` takes the last. So the comma is used for a header with one column.
    [b'\t', b';', b',']
        .into_iter()
        .max_by_key(count)
        .unwrap_or(b',')
}

pub(super) fn cells(text: &str, separator: u8) -> Result<Vec<Vec<Range<usize>>>, Message> {
    let bytes = text.as_bytes();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    while at < bytes.len() {
        let start = at;
        if bytes[at] == b'"' {
            at = end_of_quotes(bytes, at).ok_or_else(|| not_csv("a quote does not end"))?;
        }
        while at < bytes.len() && bytes[at] != separator && !matches!(bytes[at], b'\r' | b'\n') {
            at += 1;
        }
        row.push(start..at);
        if at < bytes.len() && bytes[at] == separator {
            at += 1;
            if at < bytes.len() {
                continue;
            }
            row.push(at..at);
        }
        at += match bytes.get(at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            _ => 0,
        };
        rows.push(std::mem::take(&mut row));
    }
    Ok(rows)
}

/// Returns the position after the quote that ends the cell that begins at `at`; `""` is a quote inside it.
fn end_of_quotes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += 1;
        if *bytes.get(at)? == b'"' {
            at += 1;
            if bytes.get(at) != Some(&b'"') {
                return Some(at);
            }
        }
    }
}

pub(super) fn value(text: &str, cell: &Range<usize>) -> String {
    let cell = text[cell.clone()].trim();
    let inner = cell
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) => inner.replace("\"\"", "\"").trim().to_owned(),
        None => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const X: Headings<'_> = Headings {
        marks: "x",
        comments: None,
        students: None,
    };

    /// The cases are in `tests/gradebooks.txt`, which describes their notation.
    #[test]
    fn only_the_cells_of_the_marks_change() {
        let cases = include_str!("../../../../../tests/gradebooks.txt");
        for case in cases.split("\n### ").skip(1) {
            let values = |name: &str| {
                let name = format!("{name}: ");
                let values = case
                    .lines()
                    .filter_map(move |line| line.strip_prefix(&name));
                values.collect::<Vec<_>>()
            };
            let is_written = |how: &str| values("written").concat().contains(how);
            let text = |sign: char| {
                let lines = case.lines().skip(1);
                let lines = lines.filter_map(|line| line.strip_prefix([' ', sign]));
                let end = if is_written("crlf") { "\r\n" } else { "\n" };
                let mut text = lines.collect::<Vec<_>>().join(end) + end;
                if is_written("open") {
                    text.truncate(text.trim_end().len());
                }
                let mark = if is_written("bom") { "\u{feff}" } else { "" };
                format!("{mark}{text}")
            };
            let value = |name| values(name).first().copied();
            let headings = Headings {
                marks: values("column")[0],
                comments: value("comments"),
                students: value("students"),
            };
            let filled = || {
                let mut book = Gradebook::new(text('-').into(), headings)?;
                let id = |word: &str| match word.strip_prefix("participant ") {
                    Some(number) => Id(IdKind::Participant, number.to_owned()),
                    None => Id(IdKind::Any, word.to_owned()),
                };
                let student = |word: &str| match word.split_once('/') {
                    Some((ids, name)) => Student {
                        ids: vec![id(ids)],
                        names: vec![name.to_owned()],
                        ..Student::default()
                    },
                    None => Student::called(word),
                };
                let with_mark = |line: &str| {
                    let (word, mark) = line.rsplit_once(' ').expect("a mark");
                    (student(word), mark.to_owned())
                };
                let kinds = ["mark", "refused"].map(values);
                let [mut set, mut refused] =
                    kinds.map(|lines| lines.into_iter().map(with_mark).collect::<Vec<_>>());
                let uncertain = values("uncertain").into_iter();
                let mut uncertain: Vec<_> =
                    uncertain.map(|word| student(word).uncertain()).collect();
                for roster in values("roster") {
                    let roster = Roster::read(roster.replace('|', "\n").as_bytes())?;
                    let marked = set.iter_mut().chain(&mut refused).map(|(one, _)| one);
                    roster.complete(&mut uncertain.iter_mut().chain(marked).collect::<Vec<_>>());
                    book.link(&roster);
                }
                let comment = value("comment").unwrap_or_default();
                for student in &uncertain {
                    book.set(student, Some("1"), comment)?;
                }
                for (student, mark) in &refused {
                    let is_set = book.set(student, Some(mark), comment).is_ok();
                    assert!(!is_set || student.is_uncertain, "{case}: {student:?}");
                }
                for (student, mark) in &set {
                    assert!(!student.is_uncertain, "{case}: {student:?}");
                    book.set(student, Some(mark), comment)?;
                }
                for points in values("points") {
                    assert_eq!(book.points_possible(), points.parse().ok(), "{case}");
                }
                for (name, names) in [
                    (
                        "above",
                        book.above(book.points_possible().unwrap_or(f64::MAX)),
                    ),
                    ("replaced", book.replaced_comments()),
                ] {
                    assert_eq!(values(name), names, "{case}: {name}");
                }
                Ok(book.filled())
            };
            let found = filled().map_err(|error: Message| error.to_string());
            match values("error")[..] {
                [] => assert_eq!(found, Ok(text('+')), "{case}"),
                [begin, ..] => {
                    let error = found.expect_err(case);
                    assert!(error.starts_with(begin), "{case}: {error}");
                }
            }
        }
    }

    /// The hand-ins name one student by different keys. One hand-in may be another person's, so neither sets the mark.
    #[test]
    fn two_hand_ins_of_one_student_leave_the_cell_as_it_was() {
        let text = "ID,SIS Login ID,x\n101,ada,\n102,bob,\n";
        let mut book = Gradebook::new(text.into(), X).expect("a gradebook");
        let mut set = |student, mark| book.set(&Student::called(student), Some(mark), "");
        assert_eq!(set("101", "20"), Ok(()));
        assert_eq!(set("bob", "5"), Ok(()));
        let error = set("ada", "0").expect_err("a second mark").to_string();
        assert!(error.contains("neither"), "{error}");
        assert!(set("ada", "0").is_err(), "a third one");
        assert_eq!(book.unmarked().len(), 1);
        assert_eq!(book.filled(), "ID,SIS Login ID,x\n101,ada,\n102,bob,5\n");
        // A hand-in that was not graded claims the cell, too.
        let mut book = Gradebook::new(text.into(), X).expect("a gradebook");
        assert_eq!(book.set(&Student::called("101"), None, ""), Ok(()));
        assert!(book.set(&Student::called("ada"), Some("0"), "").is_err());
        assert_eq!(book.filled(), text);
    }

    proptest! {
        #[test]
        fn without_a_mark_a_gradebook_is_the_same_byte_for_byte(rest in "[a-z\",;\t\r\n ]{0,60}") {
            let text = format!("ID,x\n{rest}");
            if let Ok(book) = Gradebook::new(text.clone().into_bytes(), X) {
                prop_assert_eq!(book.filled(), text);
            }
        }

        #[test]
        fn cells_are_those_of_the_csv_crate(
            cells in prop::collection::vec(prop::collection::vec("[a-z\", \r\n]{0,6}", 3), 1..6),
        ) {
            let mut writer = csv::Writer::from_writer(Vec::new());
            for row in &cells {
                writer.write_record(row).expect("in memory");
            }
            let text = String::from_utf8(writer.into_inner().expect("in memory")).expect("text");
            let found = super::cells(&text, b',').expect("it is CSV");
            let found: Vec<Vec<String>> = found
                .iter()
                .map(|row| row.iter().map(|cell| value(&text, cell)).collect())
                .collect();
            let trimmed: Vec<Vec<String>> = cells
                .iter()
                .map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect())
                .collect();
            prop_assert_eq!(found, trimmed);
        }
    }
}
