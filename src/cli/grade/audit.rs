//! `arena grade --audit`.

use std::path::Path;

use crate::cli::bots::catalogue;
use crate::cli::error::Ending;
use crate::cli::{CliError, print_said};
use crate::grade::Audit;
use host::join_words;
use referee::record::harmless;

/// Prints a line for each mark in doubt, with the command after which its games are played again.
pub fn audit(folder: &Path) -> Result<(), CliError> {
    let Audit { marks, doubts } = Audit::of(folder, &catalogue()?)?;
    for doubt in &doubts {
        let (name, reasons) = (harmless(&doubt.name), harmless(&doubt.reasons));
        // The grade is what says that a hand-in need not be played.
        let grade = doubt.run.join("grade.json").display().to_string();
        let command = join_words(["rm", "--", &grade]);
        print_said(&format!("{name}: {reasons}; to play it again: {command}\n"))?;
    }
    match doubts.len() {
        0 => print_said(&format!(
            "no mark in {} rests on anything but play\n",
            folder.display()
        )),
        doubts => Err(Ending::NotPassed.because(format!(
            "not on play alone: {doubts} of {marks} marks; after these commands the class's own command, typed \
             once more, plays these hand-ins again and keeps their old games"
        ))),
    }
}
