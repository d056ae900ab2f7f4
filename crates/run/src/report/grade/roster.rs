//! Identifies the students of hand-ins, and finds their rows in a gradebook or a roster.
//!
//! A [`List`] has the columns of a gradebook or a roster, each with its kind. A value is compared only with columns of
//! its kind, and [`List::pointed`] is the rule that decides which rows a hand-in fits. A [`Roster`] translates: it is a
//! list, and its own identifiers link its rows to those of the gradebook.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::gradebook::{cells, decoded, kind_of, separator, value};
use message::{Message, message};
use unicode_normalization::UnicodeNormalization as _;

/// At most this many words of a name are tried as its first word.
const MOST_WORDS: usize = 6;

/// The kind of a value, and of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdKind {
    /// An identifier or a name: a person chose the whole word.
    #[default]
    Word,
    /// An identifier of an unknown kind.
    Any,
    /// Canvas's number of a user.
    Canvas,
    /// Moodle's number of a participant.
    Participant,
    Login,
    /// The school's number of a student.
    Number,
    Email,
    Name,
    /// A number that no list has.
    Unlisted,
}

/// The kinds of values that a list may have.
const KINDS: [IdKind; 8] = [
    IdKind::Word,
    IdKind::Any,
    IdKind::Canvas,
    IdKind::Participant,
    IdKind::Login,
    IdKind::Number,
    IdKind::Email,
    IdKind::Name,
];

/// The kinds of identifiers of which a pattern's `{id}` may be one.
const SCHOOL: [IdKind; 2] = [IdKind::Number, IdKind::Login];

impl IdKind {
    /// Returns whether a platform numbers the students, so that no student chooses the value.
    fn is_platforms(self) -> bool {
        matches!(self, IdKind::Canvas | IdKind::Participant)
    }

    /// Returns whether a value of this kind may be in a column of the kind `column`, if no column has its own kind.
    pub fn may_be_in(self, column: IdKind) -> bool {
        match self {
            IdKind::Word => true,
            IdKind::Any => column != IdKind::Name,
            IdKind::Login | IdKind::Number | IdKind::Email => {
                column != IdKind::Name && !column.is_platforms()
            }
            // A column of unknown identifiers can only contradict Canvas's number.
            IdKind::Canvas => matches!(column, IdKind::Canvas | IdKind::Any),
            _ => column == self,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub IdKind, pub String);

impl Id {
    /// Returns the forms in which the value is searched for. Only Moodle's worksheets have numbers of participants, as
    /// "Participant 17". Such a number may be equal to another student's number in any other column.
    fn forms(&self) -> BTreeSet<String> {
        let Id(kind, text) = self;
        let id = match kind {
            IdKind::Participant => participant_form(text),
            IdKind::Name | IdKind::Unlisted => None,
            _ => id_form(text),
        };
        let names = matches!(kind, IdKind::Name | IdKind::Word).then(|| searched_forms(text));
        names.unwrap_or_default().into_iter().chain(id).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Student {
    /// Numbers, logins and addresses, each of which identifies the student. An empty one is a value that the platform
    /// does not know.
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
    /// Returns a student with this word as the identifier or as the name, because it may be either.
    pub fn called(word: &str) -> Student {
        Student {
            ids: vec![Id(IdKind::Word, word.to_owned())],
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
        let mut ids = self.ids.iter().map(|id| id.1.as_str());
        words.extend(ids.find(|id| !id.is_empty()));
        words.join("_")
    }

    /// Returns the student by the identifiers only.
    #[must_use]
    pub fn without_name(&self) -> Student {
        let kind = |kind| {
            if kind == IdKind::Word {
                IdKind::Any
            } else {
                kind
            }
        };
        let ids = self.ids.iter().map(|id| Id(kind(id.0), id.1.clone()));
        Student {
            ids: ids.collect(),
            names: Vec::new(),
            ..self.clone()
        }
    }

    fn values(&self) -> impl Iterator<Item = Id> + '_ {
        let names = self.names.iter();
        let names = names.map(|name| Id(IdKind::Name, name.clone()));
        self.ids.iter().cloned().chain(names)
    }
}

/// Returns why a student has no row. `near` are the rows that something of the hand-in fits.
pub fn not_one_row(near: &[String], student: &Student) -> Message {
    let student = student.title();
    match near {
        [] => message!("found 0 rows of student {student:?}, expected one"),
        [row] => message!("student {student:?} fits the row of {row:?} only in part"),
        rows => message!(
            "found {count} rows of student {student:?}, expected one: {rows}",
            count = rows.len()
        ),
    }
}

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
    /// Combines the rows of each identifier and those of the name. Every identifier must fit. A name alone decides only
    /// without identifiers; with them, it chooses a row, or contradicts.
    pub fn of(ids: &[BTreeSet<usize>], name: Option<BTreeSet<usize>>) -> PointedRows {
        let near = ids.iter().chain(&name).flatten().copied().collect();
        let Some(by_ids) = ids.iter().cloned().reduce(|all, rows| &all & &rows) else {
            let fitting = name.unwrap_or_default();
            return PointedRows {
                all: fitting.clone(),
                fitting,
                near,
                is_partial: false,
            };
        };
        let is_missing = ids.iter().any(BTreeSet::is_empty);
        let all = ids.iter().filter(|_| !is_missing).flatten();
        let is_partial = name.as_ref().is_some_and(BTreeSet::is_empty);
        let name = name.filter(|rows| !rows.is_empty());
        PointedRows {
            fitting: name.map_or(by_ids.clone(), |rows| &by_ids & &rows),
            all: all.copied().collect(),
            near,
            is_partial,
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
    fn add(&mut self, row: usize, words: impl IntoIterator<Item = String>) {
        for word in words {
            self.0.entry(word).or_default().insert(row);
        }
    }

    /// Adds a cell of a column of this kind.
    pub fn add_cell(&mut self, row: usize, cell: &str, kind: IdKind) {
        match kind {
            IdKind::Name | IdKind::Word => self.add(row, listed_forms(cell)),
            IdKind::Participant => {
                let number = participant(cell).map_or(cell, |(_, number)| number);
                self.add(row, participant_form(number));
                self.add(row, id_form(number));
            }
            _ => {}
        }
        if kind != IdKind::Name {
            self.add(row, id_form(cell));
        }
    }

    pub fn rows(&self, words: impl IntoIterator<Item = String>) -> BTreeSet<usize> {
        let found = words.into_iter().filter_map(|word| self.0.get(&word));
        found.flatten().copied().collect()
    }

    pub fn find(&self, kind: IdKind, text: &str) -> BTreeSet<usize> {
        self.rows(Id(kind, text.to_owned()).forms())
    }
}

/// The columns of a gradebook or a roster, and the kinds of values that are compared with each.
#[derive(Clone, Debug, Default)]
pub struct List {
    columns: Vec<Index>,
    /// The columns for each kind of value, best first.
    by_kind: BTreeMap<IdKind, Vec<usize>>,
    /// The kinds of values that the list would have if their student was in it.
    known: BTreeSet<IdKind>,
}

impl List {
    /// Returns the list of these columns, best first.
    pub fn of(columns: Vec<(IdKind, Index)>) -> List {
        let (kinds, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let filled: Vec<usize> = (0..kinds.len())
            .filter(|&at| !columns[at].0.is_empty())
            .collect();
        let mut known: BTreeSet<IdKind> = filled.iter().map(|&at| kinds[at]).collect();
        let by_kind = KINDS.map(|kind| {
            let is_own = kind != IdKind::Any && known.contains(&kind);
            let may_be = |column| {
                if is_own {
                    column == kind
                } else {
                    kind.may_be_in(column)
                }
            };
            let columns = filled.iter().copied();
            (kind, columns.filter(|&at| may_be(kinds[at])).collect())
        });
        if SCHOOL.iter().any(|kind| known.contains(kind)) {
            known.insert(IdKind::Any);
        }
        List {
            columns,
            by_kind: by_kind.into(),
            known,
        }
    }

    pub fn columns(&self) -> &[Index] {
        &self.columns
    }

    /// Returns the rows that have a value in the columns for its kind, by the first of these columns that have it, and
    /// by the others if they contradict.
    fn main_rows(&self, id: &Id) -> BTreeSet<usize> {
        let forms = id.forms();
        let columns = self.by_kind.get(&id.0).into_iter().flatten();
        let rows = columns.map(|&at| self.columns[at].rows(forms.iter().cloned()));
        rows.reduce(|all, other| {
            if all.is_disjoint(&other) {
                &all | &other
            } else {
                all
            }
        })
        .unwrap_or_default()
    }

    /// Returns the rows of a value. A word that is not in the columns for words may be alone in another one.
    fn rows(&self, id: &Id) -> BTreeSet<usize> {
        let rows = self.main_rows(id);
        if id.0 != IdKind::Word || !rows.is_empty() {
            return rows;
        }
        let forms = id.forms();
        let others = self.columns.iter();
        known(
            &others
                .map(|index| index.rows(forms.iter().cloned()))
                .collect::<Vec<_>>(),
        )
    }

    /// Returns the rows that have one of the student's values in any column.
    fn anywhere(&self, student: &Student) -> BTreeSet<usize> {
        let forms: BTreeSet<String> = student.values().flat_map(|id| id.forms()).collect();
        let columns = self.columns.iter();
        columns
            .flat_map(|index| index.rows(forms.iter().cloned()))
            .collect()
    }

    /// Finds the rows that a student fits. Identifiers decide. A name alone gives a row only if the hand-in has no
    /// identifier that the list would know, and says nothing against a platform's own number.
    pub fn pointed(&self, student: &Student) -> PointedRows {
        let is_known = |id: &Id| self.known.contains(&id.0);
        let (mut ids, mut against, mut is_unlisted) = (Vec::new(), BTreeSet::new(), false);
        for id in student.ids.iter().filter(|id| !id.1.is_empty()) {
            let rows = self.rows(id);
            if is_known(id) || !rows.is_empty() && !id.0.is_platforms() {
                ids.push(rows);
            } else {
                is_unlisted = true;
                against.extend(rows);
            }
        }
        let names = student.names.iter();
        let names = names.map(|name| self.rows(&Id(IdKind::Name, name.clone())));
        let names = names.reduce(|all, rows| &all | &rows);
        let is_against =
            |names: &BTreeSet<usize>| !against.is_empty() && names.is_disjoint(&against);
        let is_nameless =
            student.ids.iter().any(is_known) || names.as_ref().is_some_and(is_against);
        if ids.is_empty() && is_nameless {
            let near = names.into_iter().flatten().chain(against).collect();
            return PointedRows {
                near,
                ..PointedRows::default()
            };
        }
        let mut found = PointedRows::of(&ids, names);
        let is_decided = |id: &Id| id.0.is_platforms() && is_known(id);
        if found.fitting.is_empty() && student.ids.iter().any(is_decided) {
            found = PointedRows::of(&ids, None);
            is_unlisted = true;
        }
        found.is_partial |= is_unlisted;
        found
    }
}

/// Returns the form in which identifiers are compared; nothing for an empty one. No form of a name begins like it.
fn id_form(word: &str) -> Option<String> {
    let folded: String = word.nfkc().collect();
    (!word.is_empty()).then(|| format!("={}", folded.to_ascii_lowercase()))
}

fn participant_form(number: &str) -> Option<String> {
    id_form(&format!("participant {number}"))
}

/// Splits "Participant 4711" of Moodle's worksheets, whose first word is in the language of the course.
pub fn participant(cell: &str) -> Option<(&str, &str)> {
    let (word, number) = cell.rsplit_once(' ')?;
    let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    (is_number && is_word).then_some((word, number))
}

/// Returns a name in Unicode's NFC, with é as one character. macOS writes e and an accent.
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Returns the words of a name in lower case, without signs. O'Neil is one word.
fn words(name: &str) -> Vec<String> {
    let name: String = name.nfkc().filter(|c| !matches!(c, '\'' | '’')).collect();
    let words = name.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the words of a name in one order.
fn sorted(mut words: Vec<String>) -> Option<String> {
    words.sort();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the words of a name without blanks, rotated to begin with each of the words: Canvas writes "leeada" for
/// "Lee, Ada".
fn joined(words: &[String]) -> impl Iterator<Item = String> + '_ {
    let orders = words.len().min(MOST_WORDS);
    (0..orders).map(|first| [&words[first..], &words[..first]].concat().concat())
}

/// Returns the forms of a name in a list: its words in any order, and joined. A name is searched for in
/// [`searched_forms`]. Of two names that are compared, at most one may be joined: "Li, Nan" is not "Lin, An".
fn listed_forms(name: &str) -> BTreeSet<String> {
    let words = words(name);
    let joined: Vec<String> = joined(&words).map(|word| format!("+{word}")).collect();
    joined.into_iter().chain(sorted(words)).collect()
}

fn searched_forms(name: &str) -> BTreeSet<String> {
    let words = words(name);
    let mut forms: BTreeSet<String> = joined(&words).collect();
    if let [word] = words.as_slice() {
        forms.insert(format!("+{word}"));
    }
    forms.extend(sorted(words));
    forms
}

/// A list of students, one row each, with their identifiers and names in several programs.
///
/// Its headings may say nothing, and students may have chosen some cells themselves, such as a name at another service.
/// So a column without a known heading is compared with the hand-ins, or with a column of a gradebook, only as a whole:
/// the column that knows the most rows decides.
#[derive(Clone, Debug)]
pub struct Roster {
    rows: Vec<Vec<String>>,
    columns: Vec<RosterColumn>,
}

#[derive(Clone, Debug)]
struct RosterColumn {
    title: String,
    /// Any kind if neither the heading nor the cells show it.
    kind: IdKind,
    /// Whether the heading is unknown and the cells are like names.
    may_be_names: bool,
    index: Index,
}

impl RosterColumn {
    fn may_have(&self, value: IdKind) -> bool {
        match (self.kind, value) {
            (IdKind::Any, IdKind::Name) => self.may_be_names,
            (kind, value) => value.may_be_in(kind),
        }
    }
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
        let columns = titles.into_iter().enumerate().map(|(at, title)| {
            let cells: Vec<&str> = rows.iter().map(|row| row[at].as_str()).collect();
            let kind = match kind_of(&title) {
                // "ID" and "Identifier" may be those of any program.
                Some(kind) if !title.eq_ignore_ascii_case("id") && kind != IdKind::Participant => {
                    kind
                }
                _ => kind_of_cells(&cells),
            };
            let mut index = Index::default();
            for (row, cell) in cells.iter().enumerate() {
                index.add_cell(row, cell, kind);
                index.add_cell(row, cell, IdKind::Word);
            }
            let is_name = |cell: &&str| !cell.contains(|c: char| c == '@' || c.is_ascii_digit());
            RosterColumn {
                title,
                kind,
                may_be_names: is_most(&cells, is_name),
                index,
            }
        });
        let roster = Roster {
            columns: columns.collect(),
            rows,
        };
        if (0..width).all(|column| roster.own_cells(column).next().is_none()) {
            return Err("no column of it identifies the students".into());
        }
        Ok(roster)
    }

    /// Returns the rows whose cell in a column no other row has, each with this cell.
    fn own_cells(&self, column: usize) -> impl Iterator<Item = (usize, &str)> {
        let cells = self.rows.iter().enumerate();
        let cells = cells.map(move |(row, cells)| (row, cells[column].as_str()));
        let index = &self.columns[column].index;
        cells.filter(move |(_, cell)| index.find(IdKind::Any, cell).len() == 1)
    }

    /// Returns for each row of the roster the rows of another table that its cells point at. `find` finds the rows of
    /// the other table, which has `students` rows, that have a text in its column with one of these headings.
    /// Compares only the columns of the roster with such a heading or, if there are none, the column that knows the
    /// most students, more than half of them.
    pub fn linked(
        &self,
        students: usize,
        titles: &[String],
        find: impl Fn(&str) -> BTreeSet<usize>,
    ) -> Vec<BTreeSet<usize>> {
        let is_same = |at: &usize| {
            let title = &self.columns[*at].title;
            titles.iter().any(|other| other.eq_ignore_ascii_case(title))
        };
        let mut used: Vec<usize> = (0..self.columns.len()).filter(is_same).collect();
        if used.is_empty() {
            used = (0..self.columns.len()).collect();
        }
        let found = used.into_iter().map(|column| {
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

    /// Returns the list in which these students are found. A column without a known kind has the values of a kind if it
    /// knows the most of them: at least half of the identifiers, because a few may be equal to others by chance.
    pub fn list<'a>(&self, students: impl Iterator<Item = &'a Student>) -> List {
        let values: BTreeSet<Id> = students.flat_map(Student::values).collect();
        let mut list = List {
            columns: self
                .columns
                .iter()
                .map(|column| column.index.clone())
                .collect(),
            ..List::default()
        };
        for kind in KINDS {
            let all = || (0..self.columns.len()).filter(|&at| self.columns[at].may_have(kind));
            let is_own = |at: &usize| kind != IdKind::Any && self.columns[*at].kind == kind;
            let own: Vec<usize> = all().filter(is_own).collect();
            let values: Vec<&Id> = values
                .iter()
                .filter(|id| id.0 == kind && !id.1.is_empty())
                .collect();
            let count = |at: usize| {
                let rows = values
                    .iter()
                    .map(|id| self.columns[at].index.rows(id.forms()));
                known(&rows.collect::<Vec<_>>()).len()
            };
            let mut counts: Vec<(usize, usize)> = all().map(|at| (count(at), at)).collect();
            counts.sort_by_key(|(count, _)| Reverse(*count));
            let most = counts.first().map_or(0, |(count, _)| *count);
            let is_sure =
                matches!(kind, IdKind::Word | IdKind::Name) || most > 0 && 2 * most >= values.len();
            let best = counts.iter().filter(|(count, _)| 2 * count > most);
            let columns = match is_sure {
                _ if !own.is_empty() => own,
                true => best.map(|(_, at)| *at).collect(),
                false => all()
                    .filter(|&at| self.columns[at].kind != IdKind::Any)
                    .collect(),
            };
            if is_sure
                || columns.iter().any(|&at| {
                    SCHOOL.contains(&self.columns[at].kind) || self.columns[at].kind == kind
                })
            {
                list.known.insert(kind);
            }
            list.by_kind.insert(kind, columns);
        }
        list
    }

    /// Finds the rows of the students of hand-ins. Returns a message for each certain one without exactly one row.
    pub fn complete(&self, students: &mut [&mut Student]) -> Vec<Option<Message>> {
        let list = self.list(students.iter().map(|student| &**student));
        let main = list.by_kind[&IdKind::Word].first();
        let by_main = students.iter().map(|student| {
            let mut words = student.ids.iter().filter(|id| id.0 == IdKind::Word);
            let (word, &main) = words.next().zip(main)?;
            Some(list.columns[main].rows(word.forms()))
        });
        let by_main: Vec<Option<BTreeSet<usize>>> = by_main.collect();
        let taken = known(by_main.iter().flatten());
        let completed = students.iter_mut().zip(&by_main).map(|(student, main)| {
            let was_certain = !student.is_uncertain;
            let found = list.pointed(student);
            let is_one = found.one().is_some();
            let rows = match (was_certain, found.fitting.is_empty()) {
                (false, _) => list.anywhere(student),
                (true, true) => found.all,
                (true, false) => found.fitting,
            };
            // A row that another hand-in has by the main column may be this one's, too.
            let is_others =
                main.as_ref().is_some_and(BTreeSet::is_empty) && !rows.is_disjoint(&taken);
            student.is_uncertain |= !is_one && !rows.is_empty() || is_others;
            let near = found.near.iter().map(|&row| {
                let cells = self.rows[row].iter().filter(|cell| !cell.is_empty());
                cells.take(2).cloned().collect::<Vec<_>>().join(" ")
            });
            let near: Vec<String> = near.collect();
            let why = not_one_row(&near, student);
            student.roster = Some(rows);
            (was_certain && !is_one).then(|| message!("the roster: {why}"))
        });
        completed.collect()
    }
}

/// Returns the kind of a column whose heading says nothing, by the form of most of its cells.
pub fn kind_of_cells(cells: &[&str]) -> IdKind {
    let word = |cell: &&str| participant(cell).map(|(word, _)| word.to_owned());
    let first = cells.iter().find_map(word);
    let is_name = |cell: &&str| {
        let is_many = cell.contains(|c: char| c == ' ' || c == ',' || !c.is_ascii());
        is_many && !cell.contains(|c: char| c == '@' || c.is_ascii_digit())
    };
    match () {
        () if first.is_some() && is_most(cells, |cell| word(cell) == first) => IdKind::Participant,
        () if is_most(cells, |cell| cell.contains('@')) => IdKind::Email,
        () if is_most(cells, is_name) => IdKind::Name,
        () => IdKind::Any,
    }
}

/// Returns whether more than half of the cells that are not empty satisfy the condition.
fn is_most(cells: &[&str], is_one: impl Fn(&&str) -> bool) -> bool {
    let filled = cells.iter().filter(|cell| !cell.is_empty());
    2 * filled.clone().filter(|cell| is_one(cell)).count() > filled.count()
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
            ("Lin An", "Li, Nan", false),
            ("An San Lin", "Lin, San An", true),
            ("", "", false),
        ] {
            let is_found = !searched_forms(name).is_disjoint(&listed_forms(cell));
            assert_eq!(is_found, is_theirs, "{name:?} {cell:?}");
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
