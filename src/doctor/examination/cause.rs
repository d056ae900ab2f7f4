//! The cause of a fault: the position, the second game of the process, or the way it reads input.

use std::path::PathBuf;

use super::super::code::{Code, Severity};
use super::super::evidence::{Evidence, Silence};
use super::super::finding::Finding;
use super::super::scene::{Scene, Theme};
use super::super::{symptom, traceback};
use super::Doctor;
use referee::bot::Build;

impl Doctor<'_> {
    /// The finding for a fault in a scene. `is_special`: the bot had no problem in the scenes before.
    pub(super) fn of_scene(&self, evidence: &Evidence, scene: &Scene, is_special: bool) -> Finding {
        let mut finding = symptom::named(evidence, self.language, self.subject.launch.protocol);
        if finding.code == Code::NotFlushed && self.reads_all_at_once() {
            finding = finding.example(self.language.idioms().main_loop);
            "Read standard input line by line, and answer each line before you read the next. \
             A program that reads all input at once waits until the input ends."
                .clone_into(&mut finding.fix);
            finding.code = Code::ReadsToTheEnd;
        }
        if evidence.silence == Some(Silence::Idle) && self.writes_into_a_buffer() {
            finding.code = Code::NotFlushed;
            finding.what +=
                " Its source writes through a PrintWriter or the like, and never calls flush().";
            "Call flush() after every message, or write with System.out. What is in the buffer of a \
             PrintWriter or BufferedWriter is lost if the program ends."
                .clone_into(&mut finding.fix);
            finding = finding.example(self.language.idioms().flush);
        }
        match theme_code(scene.theme).filter(|_| is_special) {
            None => finding,
            Some(Code::AfterAPass) => recoded(
                finding,
                Code::AfterAPass,
                "In this position a side has just passed: \"moves\" ends with \"pass\", and the \
                 same side moves again.",
            ),
            Some(code) => {
                let why = format!("It plays on other boards, but not {}.", scene.game);
                recoded(finding, code, &why)
            }
        }
    }

    /// The finding for a fault that occurs in a later game of a process, but not in the first game of
    /// a new process.
    pub(super) fn of_a_further_game(&self, evidence: &Evidence) -> Finding {
        let why = "A new process plays this position without a problem, but a process that has \
                   played a game before does not.";
        let mut finding = recoded(
            symptom::named(evidence, self.language, self.subject.launch.protocol),
            Code::SecondGame,
            why,
        );
        if traceback::advice(&evidence.stderr).is_none() {
            "Each hello begins a new game: forget the last game, and answer ready again."
                .clone_into(&mut finding.fix);
        }
        finding.example(self.language.idioms().main_loop)
    }

    /// Whether the program's source reads all input at once and never a single line.
    fn reads_all_at_once(&self) -> bool {
        const ALL: [&str; 4] = [
            "stdin.read()",
            "stdin.readlines()",
            "load(sys.stdin",
            "readFileSync(",
        ];
        const LINE: [&str; 4] = ["in sys.stdin:", "readline(", "input()", "createInterface("];
        let mut texts = texts(self.subject.launch.files());
        texts.any(|text| is_in(&text, &ALL) && !is_in(&text, &LINE))
    }

    /// Whether the source of a Java program writes into a buffer that nobody empties: such a buffer is
    /// lost when the program ends, so that it cannot be seen from outside.
    fn writes_into_a_buffer(&self) -> bool {
        const BUFFERS: [&str; 4] = [
            "PrintWriter(",
            "BufferedWriter(",
            "OutputStreamWriter(",
            "BufferedOutputStream(",
        ];
        const EMPTIED: [&str; 1] = ["flush("];
        let build = self.subject.build.iter();
        let sources = build.flat_map(Build::sources).collect();
        let mut texts = texts(sources);
        texts.any(|text| is_in(&text, &BUFFERS) && !is_in(&text, &EMPTIED))
    }
}

/// The texts of small files.
fn texts(files: Vec<PathBuf>) -> impl Iterator<Item = String> {
    let files = files.into_iter();
    let small = files.filter(|path| path.metadata().is_ok_and(|file| file.len() < 1 << 20));
    small.filter_map(|path| std::fs::read_to_string(path).ok())
}

fn is_in(text: &str, ways: &[&str]) -> bool {
    ways.iter().any(|way| text.contains(way))
}

/// The code for a bot that fails only in scenes of this theme.
pub(super) fn theme_code(theme: Theme) -> Option<Code> {
    match theme {
        Theme::Beginning | Theme::OneMove | Theme::End => None,
        Theme::AfterPass => Some(Code::AfterAPass),
        Theme::Forbidden | Theme::LongLine | Theme::SmallBoard => Some(Code::BoardSize),
    }
}

/// The same finding with the code of its cause; the description of the symptom is kept.
pub(super) fn recoded(finding: Finding, code: Code, why: &str) -> Finding {
    Finding {
        code,
        severity: Severity::max(code.severity(), Severity::Warning),
        what: format!("{why} {}", finding.what),
        ..finding
    }
}
