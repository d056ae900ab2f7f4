//! The files of a grade in its run folder.

use message::{message, spoken};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use referee::bot::read_regular;
use run::RunError;
use run::report::{grade as writers, page, tables};
use tournament::mark::Card;

/// The folder of a class that has a folder for each hand-in.
pub(super) const HAND_INS: &str = "hand-ins";
pub const GRADE: &str = "grade.json";
/// The limit for reading `grade.json`, in bytes.
const LONGEST: u64 = 16 << 20;
/// The file for Gradescope, written only if there is a mark.
const GRADESCOPE: &str = "results.json";

/// Writes `grade.json`, `results.json`, `junit.xml`, `grade.html` and `summary.md`, each atomically.
pub fn write(run: &Path, card: &Card) -> Result<(), RunError> {
    let json = serde_json::to_string_pretty(&card.in_parts())
        .map_err(|error| failed(run, error.into()))?;
    tables::replace(&run.join(GRADE), format!("{json}\n").as_bytes())?;
    let gradescope = run.join(GRADESCOPE);
    match writers::gradescope(card) {
        Some(file) => tables::replace(&gradescope, format!("{file:#}\n").as_bytes())?,
        None => match fs::remove_file(&gradescope) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed(&gradescope, error));
            }
            _ => {}
        },
    }
    let junit = writers::junit(card);
    tables::replace(&run.join("junit.xml"), junit.as_bytes())?;
    let is_of_class = run
        .parent()
        .is_some_and(|folder| folder.ends_with(HAND_INS));
    let html = page::grade(run, card, is_of_class)?;
    tables::replace(&run.join("grade.html"), html.as_bytes())?;
    let summary = writers::markdown(card, spoken());
    Ok(tables::replace(
        &run.join("summary.md"),
        summary.as_bytes(),
    )?)
}

pub fn read(run: &Path) -> Option<Card> {
    let text = read_regular(&run.join(GRADE), LONGEST).ok()?;
    serde_json::from_slice(&text).ok().map(Card::from_parts)
}

/// Appends to the summary of a GitHub job, if the arena runs in one.
pub fn step_summary(markdown: &str) -> Result<(), RunError> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = Path::new(&path);
    let add = || {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{markdown}\n").as_bytes())
    };
    add().map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> RunError {
    RunError::system(message!("cannot write {}", path.display()))(source)
}
