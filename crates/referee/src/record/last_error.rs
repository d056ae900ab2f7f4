//! The error in the output of a program that failed: of Python, Node, Java, a compiler, the C library or a shell.

/// The error that ended a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastError {
    /// The number of its line in the output, from 0.
    pub line: usize,
    pub error: String,
}

impl LastError {
    /// Finds the error in what a program wrote to its standard error, or a compiler to its output.
    pub fn read(output: &str) -> Option<LastError> {
        let lines: Vec<&str> = output.lines().collect();
        let line = last_error(&lines)?;
        let error = error_line(&lines, line);
        Some(LastError { line, error })
    }
}

/// Returns the number of the line with the error that matters: after the last traceback, else the first error of a
/// compiler or of Java's launcher, else the last line that names an error.
fn last_error(lines: &[&str]) -> Option<usize> {
    let begin = lines
        .iter()
        .rposition(|line| line.starts_with("Traceback (most recent call last)"));
    if let Some(begin) = begin {
        let after = lines.iter().enumerate().skip(begin + 1);
        let mut after = after.filter(|(_, line)| !line.trim().is_empty());
        return after
            .find(|(_, line)| !line.starts_with(char::is_whitespace))
            .map(|(number, _)| number);
    }
    let compiler = |line: &&str| line.contains(" error: ") || line.contains("undefined reference");
    let first = lines.iter().position(compiler);
    // The launcher of Java gives its own error before the cause.
    let launcher = lines.iter().position(|line| line.starts_with("Error: "));
    first
        .or(launcher)
        .or_else(|| lines.iter().rposition(|line| is_named(line)))
        .or_else(|| lines.iter().rposition(|line| is_marked(line)))
}

/// Returns whether a line begins with the name of an error: `IndexError: …`, `java.lang.NullPointerException`.
fn is_named(line: &str) -> bool {
    let line = line
        .split_once("Exception in thread ")
        .map_or(line, |(_, rest)| {
            rest.split_once("\" ").map_or(rest, |(_, rest)| rest)
        });
    let line = line
        .trim_start_matches("Caused by: ")
        .trim_start_matches('[');
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._$".contains(c);
    name.chars().all(is_name)
        && ["Error", "Exception", "Rejection"]
            .iter()
            .any(|end| name.ends_with(end))
}

fn is_marked(line: &str) -> bool {
    const MARKS: [&str; 8] = [
        "terminate called",
        "panicked at",
        "Assertion",
        "ERROR: ",
        "Error: ",
        "error while loading",
        "*** ",
        "not found",
    ];
    MARKS.iter().any(|mark| line.contains(mark)) || line.contains("No such file")
}

/// Returns the error in line `at`, with what the next line says about it.
fn error_line(lines: &[&str], at: usize) -> String {
    let line = lines[at].trim();
    let next = lines.get(at + 1).map_or("", |next| next.trim());
    match line.split_once("terminate called after throwing an instance of ") {
        Some((_, kind)) => {
            let kind = kind.trim_matches('\'');
            match next.strip_prefix("what():") {
                Some(what) => format!("{kind}: {}", what.trim()),
                None => kind.to_owned(),
            }
        }
        None if line.contains("panicked at") && !next.is_empty() => next.to_owned(),
        None => line.to_owned(),
    }
}
