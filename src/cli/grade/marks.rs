//! Marks into a gradebook that was exported from Canvas or Moodle.

use referee::problem;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::CliError;
use crate::cli::output::write_file;
use referee::bot::read_named;
use referee::record::harmless;
use run::report::grade::gradebook::Gradebook;
use tournament::mark::points;

/// Where to write marks.
#[derive(Clone, Debug, Args)]
pub struct Marks {
    /// A gradebook exported from Canvas or Moodle; a copy with the marks is written to the run's folder
    #[arg(long, value_name = "CSV", requires = "column")]
    gradebook: Option<PathBuf>,
    /// The heading of its column for the marks, such as "Assignment 3 (123)"
    #[arg(long, value_name = "HEADING", requires = "gradebook")]
    column: Option<String>,
    /// The student: ID, login or e-mail address as in the gradebook [default: the bot's name]
    #[arg(
        long,
        value_name = "ID",
        requires = "gradebook",
        conflicts_with = "all"
    )]
    student: Option<String>,
    /// Write the filled gradebook to this file, or to standard output (-); it may be the gradebook itself
    #[arg(long, value_name = "CSV", requires = "gradebook")]
    gradebook_out: Option<PathBuf>,
}

impl Marks {
    /// The student on the command line, or the bot's name.
    pub fn student_or(&self, name: &str) -> String {
        self.student.clone().unwrap_or_else(|| name.to_owned())
    }

    /// Checks the options before the first game.
    pub fn check(&self) -> Result<(), CliError> {
        self.open().map(|_| ())
    }

    /// Checks that the gradebook has the student.
    pub fn check_student(&self, student: &str) -> Result<(), CliError> {
        let Some((book, path)) = self.open()? else {
            return Ok(());
        };
        match book.row_of(student) {
            Ok(_) => Ok(()),
            Err(error) => Err(problem!("{}: {error}", path.display())
                .help("name the student as in the gradebook: --student ID")
                .into()),
        }
    }

    /// Writes a copy with these marks, into `folder` unless the command line names a file. They are all
    /// marks of a class, or that of one student.
    pub fn fill(
        &self,
        folder: &Path,
        marks: &[(String, f64)],
        possible: f64,
        is_class: bool,
    ) -> Result<(), CliError> {
        let Some((mut book, path)) = self.open()? else {
            return Ok(());
        };
        if let Some(theirs) = book
            .points_possible()
            .filter(|theirs| (theirs - possible).abs() > 1e-9)
        {
            say!(
                "warning: {} has {} possible points, the suite has {}: the marks are those of the suite; \
                 change the gradebook or the suite",
                path.display(),
                points(theirs),
                points(possible)
            );
        }
        for (student, mark) in marks {
            if let Err(error) = book.set(student, &points(*mark)) {
                let student = harmless(student);
                say!("warning: the mark of {student} is not in the gradebook: {error}");
            }
        }
        for student in book.unmarked().iter().filter(|_| is_class) {
            say!(
                "warning: {} has no mark: no hand-in was graded for them",
                harmless(student)
            );
        }
        let default = || folder.join(path.file_name().unwrap_or_default());
        let out = self.gradebook_out.clone().unwrap_or_else(default);
        if write_file(&out, &book.filled())? {
            say!("gradebook with marks: {}", out.display());
        }
        Ok(())
    }

    fn open(&self) -> Result<Option<(Gradebook, &Path)>, CliError> {
        let (Some(path), Some(column)) = (&self.gradebook, &self.column) else {
            return Ok(None);
        };
        let shown = path.display();
        let bytes = read_named(path)
            .map_err(|error| problem!("cannot read the gradebook {shown}: {error}"))?;
        let book = Gradebook::new(bytes, column).map_err(|error| problem!("{shown}: {error}"))?;
        Ok(Some((book, path)))
    }
}
