//! Reads the grade of a run from its files, or computes it from its games.

use std::path::Path;

use run::RunFile;
use tournament::Catalogue;
use tournament::mark::{Card, GradeState};

use crate::grade::{Grading, files};

/// Reads the grade in a run's folder. If the grade is not complete, counts the games so far.
pub fn card(folder: &Path, catalogue: &Catalogue) -> Option<Card> {
    let card = files::read(folder)?;
    let Ok(file) = RunFile::read(folder) else {
        return Some(card);
    };
    let Ok(grading) = Grading::of_run(folder, file.for_reading(catalogue), catalogue) else {
        return Some(card);
    };
    match card.state {
        GradeState::Unfinished => Some(grading.counted(folder).unwrap_or(card)),
        _ => Some(grading.card),
    }
}
