//! Finds the rows of students in a list, which is a gradebook or a roster.
//!
//! A [`List`] has the columns of the list, each with its kind. A value is compared only with columns of its kind, and
//! [`List::pointed`] is the rule that decides which rows a student fits.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::student::{Id, IdKind, Student, participant};
use message::{Message, message};

/// The kinds of identifiers of which a pattern's `{id}` may be one.
const SCHOOL: [IdKind; 2] = [IdKind::Number, IdKind::Login];

/// The rows that a student's identifiers and names point at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointedRows {
    /// The rows that the student fits.
    pub fitting: BTreeSet<usize>,
    /// The rows that the student may claim: several, if identifiers are those of several rows.
    pub all: BTreeSet<usize>,
    /// The rows that a name or an identifier fits.
    pub near: BTreeSet<usize>,
    /// Whether a name or an identifier is not in the fitting rows.
    pub is_partial: bool,
}

impl PointedRows {
    /// Returns the only row that everything fits.
    pub fn one(&self) -> Option<usize> {
        let row = self.fitting.first().copied();
        row.filter(|_| self.fitting.len() == 1)
    }

    /// Returns why a student has no row. `title` returns the title of a row.
    pub fn not_one(&self, student: &Student, title: impl Fn(usize) -> String) -> Message {
        let student = student.title();
        let rows: Vec<String> = self.near.iter().map(|&row| title(row)).collect();
        match rows.as_slice() {
            [] => message!("found 0 rows of student {student:?}, expected one"),
            [row] => message!("student {student:?} fits the row of {row:?} only in part"),
            rows => message!(
                "found {count} rows of student {student:?}, expected one: {rows}",
                count = rows.len()
            ),
        }
    }
}

/// A column of a list: its kind, and the rows that have each form of a value.
#[derive(Clone, Debug)]
pub struct Column {
    pub kind: IdKind,
    rows: HashMap<String, BTreeSet<usize>>,
}

impl Column {
    pub fn new<'a>(kind: IdKind, cells: impl IntoIterator<Item = (usize, &'a str)>) -> Column {
        let mut rows: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (row, cell) in cells {
            for form in Id(kind, cell.to_owned()).forms(true) {
                rows.entry(form).or_default().insert(row);
            }
        }
        Column { kind, rows }
    }

    pub fn rows(&self, id: &Id) -> BTreeSet<usize> {
        let forms = id.forms(false);
        let found = forms.iter().filter_map(|form| self.rows.get(form));
        found.flatten().copied().collect()
    }
}

/// The columns of a gradebook or a roster, and the kinds of values that are compared with each.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The columns, best first.
    pub columns: Vec<Column>,
    /// The columns for the kinds whose values were counted, best first, and whether they are sure to have such values.
    counted: BTreeMap<IdKind, (Vec<usize>, bool)>,
}

impl List {
    pub fn new(columns: Vec<Column>) -> List {
        List {
            columns,
            ..List::default()
        }
    }

    /// Returns the list for these students. A column without a known kind has the values of a kind if it knows the most
    /// of them: at least half of the identifiers, because a few may be equal to others by chance.
    #[must_use]
    pub fn counting<'a>(mut self, students: impl Iterator<Item = &'a Student>) -> List {
        let values: BTreeSet<Id> = students.flat_map(Student::values).collect();
        let values: Vec<Id> = values.into_iter().collect();
        for values in values.chunk_by(|a, b| a.0 == b.0) {
            let kind = values[0].0;
            let mut columns = self.columns_for(kind);
            if self.has(kind) {
                continue;
            }
            let count =
                |&at: &usize| known(values.iter().map(|id| self.columns[at].rows(id))).len();
            let counts: BTreeMap<usize, usize> =
                columns.iter().map(|at| (*at, count(at))).collect();
            let most = counts.values().copied().max().unwrap_or(0);
            let is_sure =
                matches!(kind, IdKind::Word | IdKind::Name) || most > 0 && 2 * most >= values.len();
            columns.retain(|at| match self.columns[*at].kind {
                _ if is_sure => 2 * counts[at] > most,
                kind => !matches!(kind, IdKind::Any | IdKind::Word),
            });
            columns.sort_by_key(|at| Reverse(counts[at]));
            self.counted.insert(kind, (columns, is_sure));
        }
        self
    }

    /// Returns whether a column has values of just this kind.
    fn has(&self, kind: IdKind) -> bool {
        let is_its = |column: &Column| column.kind == kind && !column.rows.is_empty();
        !matches!(kind, IdKind::Any | IdKind::Word) && self.columns.iter().any(is_its)
    }

    /// Returns the columns with which values of this kind are compared.
    fn columns_for(&self, kind: IdKind) -> Vec<usize> {
        if let Some((columns, _)) = self.counted.get(&kind) {
            return columns.clone();
        }
        let is_own = self.has(kind);
        let is_for = |&at: &usize| match self.columns[at].kind {
            _ if self.columns[at].rows.is_empty() => false,
            column if is_own => column == kind,
            column => column.may_have(kind),
        };
        (0..self.columns.len()).filter(is_for).collect()
    }

    /// Returns whether a student of the list would have a value of this kind in it.
    fn knows(&self, kind: IdKind) -> bool {
        let is_sure = self.counted.get(&kind).is_some_and(|(_, is_sure)| *is_sure);
        let is_schools = |at: usize| SCHOOL.contains(&self.columns[at].kind);
        is_sure || self.has(kind) || self.columns_for(kind).into_iter().any(is_schools)
    }

    /// Returns the rows of a value, by the first of the columns for its kind that have it, and by the others if they
    /// contradict. A word that is not in these columns may be alone in another one.
    fn rows(&self, id: &Id) -> BTreeSet<usize> {
        let columns = self.columns_for(id.0).into_iter();
        let rows = columns.map(|at| self.columns[at].rows(id));
        let rows = rows.reduce(|all, other| {
            if all.is_disjoint(&other) {
                &all | &other
            } else {
                all
            }
        });
        match rows.unwrap_or_default() {
            rows if rows.is_empty() && id.0 == IdKind::Word => known(self.everywhere(id)),
            rows => rows,
        }
    }

    /// Returns the rows of a value in each column that may have it.
    fn everywhere(&self, id: &Id) -> Vec<BTreeSet<usize>> {
        let columns = self.columns.iter();
        let columns = columns.filter(|column| column.kind.may_have(id.0));
        columns.map(|column| column.rows(id)).collect()
    }

    /// Returns the rows that have one of the student's values in any column.
    pub fn anywhere(&self, student: &Student) -> BTreeSet<usize> {
        let rows = student.values().flat_map(|id| self.everywhere(&id));
        rows.flatten().collect()
    }

    /// Finds the rows that a student fits. Every identifier must fit. A name alone gives a row only if the student has
    /// no identifier that the list would know. With identifiers, a name chooses a row or contradicts, but says nothing
    /// against a platform's own number.
    pub fn pointed(&self, student: &Student) -> PointedRows {
        let (mut ids, mut against, mut found) =
            (Vec::new(), BTreeSet::new(), PointedRows::default());
        for id in student.ids.iter().filter(|id| !id.1.is_empty()) {
            let rows = self.rows(id);
            found.near.extend(&rows);
            if self.knows(id.0) || !rows.is_empty() && !id.0.is_platforms() {
                ids.push(rows);
            } else {
                found.is_partial = true;
                against.extend(rows);
            }
        }
        let names = student.names.iter();
        let names = names.map(|name| self.rows(&Id(IdKind::Name, name.clone())));
        let names = names.reduce(|all, rows| &all | &rows);
        found.near.extend(names.iter().flatten());
        let known = || student.ids.iter().filter(|id| self.knows(id.0));
        let Some(by_ids) = ids.iter().cloned().reduce(|all, rows| &all & &rows) else {
            let is_against =
                |names: &BTreeSet<usize>| !against.is_empty() && names.is_disjoint(&against);
            let names = names.filter(|names| known().next().is_none() && !is_against(names));
            found.fitting = names.unwrap_or_default();
            found.all.clone_from(&found.fitting);
            return found;
        };
        if !ids.iter().any(BTreeSet::is_empty) {
            found.all = ids.into_iter().flatten().collect();
        }
        found.fitting = match names {
            Some(names) if !names.is_empty() => &by_ids & &names,
            names => {
                found.is_partial |= names.is_some();
                by_ids.clone()
            }
        };
        if found.fitting.is_empty() && known().any(|id| id.0.is_platforms()) {
            found.fitting = by_ids;
            found.is_partial = true;
        }
        found
    }
}

/// Returns the kind of a column whose heading says nothing, by the form of most of its cells.
pub fn kind_of_cells(cells: &[&str]) -> IdKind {
    let word = |cell: &str| participant(cell).map(|(word, _)| word.to_owned());
    let first = cells.iter().find_map(|cell| word(cell));
    let is_most = |is_one: &dyn Fn(&str) -> bool| {
        let filled = cells.iter().filter(|cell| !cell.is_empty());
        2 * filled.clone().filter(|cell| is_one(cell)).count() > filled.count()
    };
    let is_word = |cell: &str| !cell.contains(|c: char| c == '@' || c.is_ascii_digit());
    let is_many = |cell: &str| cell.contains(|c: char| c == ' ' || c == ',' || !c.is_ascii());
    match () {
        () if first.is_some() && is_most(&|cell| word(cell) == first) => IdKind::Participant,
        () if is_most(&|cell| cell.contains('@')) => IdKind::Email,
        () if is_most(&|cell| is_many(cell) && is_word(cell)) => IdKind::Name,
        () if is_most(&is_word) => IdKind::Word,
        () => IdKind::Any,
    }
}

/// Returns the rows to which a column leads without a doubt. Many hand-ins that lead to one row count once, because a
/// student may hand in many.
pub fn known(column: impl IntoIterator<Item = BTreeSet<usize>>) -> BTreeSet<usize> {
    let single = column.into_iter().filter(|rows| rows.len() == 1);
    single.flatten().collect()
}
