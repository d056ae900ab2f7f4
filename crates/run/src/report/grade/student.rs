//! The students of hand-ins: their identifiers and names, and the forms in which these are compared.

use std::collections::BTreeSet;

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

impl IdKind {
    /// Returns whether a platform numbers the students, so that no student chooses the value.
    pub fn is_platforms(self) -> bool {
        matches!(self, IdKind::Canvas | IdKind::Participant)
    }

    /// Returns whether a column of this kind may have a value of the kind `value`.
    pub fn may_have(self, value: IdKind) -> bool {
        match (self, value) {
            (IdKind::Name, IdKind::Any) => false,
            (_, IdKind::Word | IdKind::Any)
            | (IdKind::Word | IdKind::Any, IdKind::Login | IdKind::Number | IdKind::Email)
            | (IdKind::Word, IdKind::Name)
            // A column of unknown identifiers can only contradict Canvas's number.
            | (IdKind::Any, IdKind::Canvas) => true,
            _ => self == value,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub IdKind, pub String);

impl Id {
    /// Returns the forms in which the value is searched for, or those of a cell in a list (`is_listed`).
    pub fn forms(&self, is_listed: bool) -> BTreeSet<String> {
        let Id(kind, text) = self;
        let mut forms = BTreeSet::new();
        if matches!(kind, IdKind::Name | IdKind::Word) {
            forms = name_forms(text, is_listed);
        }
        if *kind == IdKind::Participant {
            forms.extend(participant(text).and_then(|(_, number)| id_form(number)));
        }
        if !matches!(kind, IdKind::Name | IdKind::Unlisted) {
            forms.extend(id_form(text));
        }
        forms
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
    pub fn uncertain(mut self) -> Student {
        self.is_uncertain = true;
        self
    }

    pub fn title(&self) -> String {
        let id = self.ids.iter().map(|id| &id.1).find(|id| !id.is_empty());
        let words = self.names.first().into_iter().chain(id);
        let words: Vec<&str> = words.map(String::as_str).collect();
        words.join("_")
    }

    /// Returns the student by the identifiers only.
    #[must_use]
    pub fn without_name(&self) -> Student {
        let mut student = self.clone();
        student.names.clear();
        for Id(kind, _) in &mut student.ids {
            if *kind == IdKind::Word {
                *kind = IdKind::Any;
            }
        }
        student
    }

    /// Returns the identifiers and names that are known.
    pub fn values(&self) -> impl Iterator<Item = Id> + '_ {
        let names = self.names.iter();
        let names = names.map(|name| Id(IdKind::Name, name.clone()));
        let all = self.ids.iter().cloned().chain(names);
        all.filter(|id| !id.1.is_empty())
    }
}

/// Returns the form in which identifiers are compared; nothing for one without letters and digits, such as `-`. No form
/// of a name begins like it.
fn id_form(word: &str) -> Option<String> {
    let folded: String = word.nfkc().collect();
    let is_id = word.contains(char::is_alphanumeric);
    is_id.then(|| format!("={}", folded.to_ascii_lowercase()))
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

/// Returns the forms of a name: its words in any order, and without blanks, because Canvas writes "leeada" for "Lee,
/// Ada". Of two names that are compared, at most one may be without blanks: "Li, Nan" is not "Lin, An".
fn name_forms(name: &str, is_listed: bool) -> BTreeSet<String> {
    // O'Neil is one word.
    let name: String = name.nfkc().filter(|c| !matches!(c, '\'' | '’')).collect();
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    let sign = if is_listed || words.len() == 1 {
        "+"
    } else {
        ""
    };
    let joined = (0..words.len().min(MOST_WORDS)).map(|first| {
        format!(
            "{sign}{}{}",
            words[first..].concat(),
            words[..first].concat()
        )
    });
    let mut forms: BTreeSet<String> = joined.collect();
    words.sort();
    forms.extend((!words.is_empty()).then(|| words.join(" ")));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_every_order_and_writing() {
        for (name, cell, is_theirs) in cases::cases::<(String, String, bool)>("student-names") {
            let is_found = !name_forms(&name, false).is_disjoint(&name_forms(&cell, true));
            assert_eq!(is_found, is_theirs, "{name:?} {cell:?}");
        }
    }
}
