//! Removes the numbers that Canvas adds to the name of a file that a student uploads again: `bot-1.py`.
//!
//! Canvas does this if the student uploaded a file of this name earlier (`Attachment.make_unique_filename`), and
//! exports only the last upload. But a student may also have chosen such a name. So the number is removed only from
//! the name of a program, since no program can import `bot-1`, or of a file that a program names without the number.
//! The number stays if a program names the file with it, or if two files would get the same name.

use std::path::Path;

use message::Value;

use super::references::programs;
use super::{SubmissionEntry, shown};
use tournament::form::is_source;
use tournament::interpreter;

/// Returns the files with the student's names, and the old names of renamed ones. Moves replaced programs to `earlier`.
pub(super) fn own_names(
    mut kept: Vec<SubmissionEntry>,
    earlier: &mut Vec<SubmissionEntry>,
) -> (Vec<SubmissionEntry>, Vec<Value>) {
    let texts = programs(&kept);
    let is_named = |name: &str| texts.iter().any(|(_, text)| names(text, name));
    let originals: Vec<Option<String>> = kept
        .iter()
        .map(|entry| {
            let file = entry.file.as_deref().filter(|_| entry.may_be_copy)?;
            let (stem, original) = without_number(file)?;
            let is_its = is_program(Some(file)) || is_named(&original);
            let quoted = ['"', '\''].map(|quote| format!("{quote}{stem}{quote}"));
            let is_own = is_named(file) || quoted.iter().any(|stem| is_named(stem));
            (is_its && !is_own).then_some(original)
        })
        .collect();
    let mut renamed = Vec::new();
    for (at, original) in originals.iter().enumerate() {
        let is_alone = originals.iter().filter(|other| *other == original).count() == 1;
        let Some(original) = original.as_ref().filter(|_| is_alone) else {
            continue;
        };
        let taken = kept
            .iter()
            .position(|entry| entry.file.as_ref() == Some(original));
        let is_replaced =
            taken.is_none_or(|old| is_program(Some(original)) && kept[old].order < kept[at].order);
        if is_replaced {
            if let Some(old) = taken {
                kept[old].file = None;
            }
            renamed.push(shown(&kept[at].path));
            kept[at].file = Some(original.clone());
        }
    }
    let is_replaced = |entry: &mut SubmissionEntry| entry.may_be_copy && entry.file.is_none();
    earlier.extend(kept.extract_if(.., is_replaced));
    (kept, renamed)
}

/// Returns whether the text contains the name, other than as the end of a longer name.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut found = text.match_indices(name);
    found.any(|(at, _)| !text[..at].ends_with(is_part))
}

pub(super) fn is_program(file: Option<&str>) -> bool {
    let file = file.map(Path::new);
    file.is_some_and(|file| interpreter(file).is_some() || is_source(file))
}

/// For `bot-1.py`, returns the stem `bot-1` and the name without the number, `bot.py`.
fn without_number(file: &str) -> Option<(&str, String)> {
    let (stem, ending) = file.split_at(file.find('.')?);
    let (name, number) = stem.rsplit_once('-')?;
    let is_number = !name.is_empty() && number.parse().is_ok_and(|number: u32| number > 0);
    is_number.then(|| (stem, format!("{name}{ending}")))
}
