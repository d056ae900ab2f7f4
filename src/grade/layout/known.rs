//! Decides which student of a list a name means, before files are grouped.
//!
//! A student chooses the end of a name and, at some platforms, the displayed name at its beginning. So a name may have
//! ways to read it as another student's. The list of students, a gradebook or a roster, decides: each way is looked up
//! where the platform writes the student, and the way that fits a row is the right one. If ways fit different rows, no
//! student gets the file.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::pattern::{MOST_WAYS, Values};
use super::recognise::chosen;
use super::{Naming, order, student};
use run::report::grade::list::List;

/// The list of students. The gradebook counts only without a roster, which has the students' names on both sides.
pub(super) struct Known(Option<List>);

/// What the list knows of a name, best first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// Everything in the name fits this row, or each of these rows of students with one name.
    Whole(BTreeSet<usize>),
    /// Something in the name fits these rows, and the rest is in no row.
    Partial(BTreeSet<usize>),
    /// Different rows fit, or the name has too many ways.
    Doubtful,
    /// No row fits, or there is no list.
    Stranger,
}

impl Known {
    /// `ways` are the ways to read each name, best first.
    pub(super) fn of(naming: &Naming, ways: &[Vec<Values<'_>>]) -> Known {
        let students: Vec<_> = ways
            .iter()
            .filter_map(|ways| Some(student(ways.first()?)))
            .collect();
        Known(match &naming.roster {
            Some(roster) => Some(roster.list(students.iter())),
            None => naming.gradebook.as_ref().map(|book| book.list().clone()),
        })
    }

    /// Keeps of the ways to read a hand-in's name only the way that fits the list, if any does. `usual` are the numbers
    /// that the uploads of the class have.
    pub(super) fn owner(&self, ways: &mut Vec<Values<'_>>, usual: &RangeInclusive<u64>) -> Owner {
        if ways.len() >= MOST_WAYS {
            ways.clear();
            return Owner::Doubtful;
        }
        let longest = ways.iter().map(|values| chosen(values).len()).max();
        let fitting = ways.iter().filter_map(|values| {
            let student = student(values);
            let found = self.0.as_ref()?.pointed(&student);
            // A longer beginning may contain the student's part. It needs a name, which this beginning would change.
            let is_first = Some(chosen(values).len()) == longest;
            if found.fitting.is_empty() || !is_first && student.names.is_empty() {
                return None;
            }
            // With an unusual number, the student's displayed name may end later.
            let is_usual = ways.len() == 1 || usual.contains(&order(values));
            let rows = found.fitting.clone();
            let owner = match (found.is_partial, is_first) {
                _ if !is_usual => Owner::Doubtful,
                (false, _) => Owner::Whole(found.fitting),
                (true, true) => Owner::Partial(found.fitting),
                (true, false) => Owner::Doubtful,
            };
            Some((rows, owner, values.clone()))
        });
        let fitting: Vec<_> = fitting.collect();
        if fitting.iter().any(|(rows, ..)| *rows != fitting[0].0) {
            return Owner::Doubtful;
        }
        let best = fitting.into_iter().min_by(|one, other| one.1.cmp(&other.1));
        let Some((_, owner, values)) = best else {
            return Owner::Stranger;
        };
        *ways = vec![values];
        owner
    }
}
