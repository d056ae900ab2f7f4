//! Finds the error in a failed program's output, written by Python, Node, Java, a compiler, the C library or a shell.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastError {
    /// The number of the error's line in the output, from 0.
    pub line: usize,
    pub error: String,
}

impl LastError {
    pub fn read(output: &str) -> Option<LastError> {
        let lines: Vec<&str> = output.lines().collect();
        let line = last_error(&lines)?;
        let error = error_line(&lines, line);
        Some(LastError { line, error })
    }
}

/// Returns at most 16 lines of a compiler's output, from the first error on; the last lines if no error is found.
pub fn error_lines(output: &str) -> Vec<&str> {
    const LINES: usize = 16;
    let lines: Vec<&str> = output.lines().collect();
    let last = lines.len().saturating_sub(LINES);
    let begin = last_error(&lines).map_or(last, |first| {
        // The line before the error may name the function.
        let is_place = first > 0 && lines[first - 1].ends_with(':');
        first - usize::from(is_place)
    });
    lines.into_iter().skip(begin).take(LINES).collect()
}

/// Returns the number of the line with the error that matters: the error after the last traceback, otherwise the first
/// error of a compiler or of Java's launcher, otherwise the last line that names an error.
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
    let first = lines.iter().position(|line| is_of_compiler(line));
    // The launcher of Java gives its own error before the cause.
    let launcher = lines.iter().position(|line| line.starts_with("Error: "));
    first
        .or(launcher)
        .or_else(|| lines.iter().rposition(|line| is_named(line)))
        .or_else(|| lines.iter().rposition(|line| is_marked(line)))
}

/// Returns whether a compiler or a linker reports an error: `bot.c:3:1: error: …`, `error[E0554]: …`.
fn is_of_compiler(line: &str) -> bool {
    let is_code = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "[] ".contains(c);
    let mut errors = line.match_indices("error").filter(|&(at, word)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + word.len()..].trim_start_matches(is_code);
        before.is_none_or(char::is_whitespace) && behind.starts_with(": ")
    });
    errors.next().is_some() || line.contains("undefined reference")
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
    // The last four are the C library's reports of a damaged heap; `course_bot.py` is the frame of a course's player.
    const MARKS: [&str; 13] = [
        "terminate called",
        "panicked at",
        "Assertion",
        "ERROR: ",
        "Error: ",
        "error while loading",
        "*** ",
        "not found",
        "course_bot.py: ",
        "free(): ",
        "malloc(): ",
        "corrupted ",
        "double free",
    ];
    MARKS.iter().any(|mark| line.contains(mark)) || line.contains("No such file")
}

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
        None if line.starts_with("Error: LinkageError") && !next.is_empty() => next.to_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::error_lines;

    #[test]
    fn lines_of_a_build_begin_with_its_first_error() {
        let notes = "note: x\n".repeat(40);
        for error in [
            "bot.cpp: In function ‘int main()’:\nbot.cpp:3:1: error: z",
            "error[E0554]: `#![feature]` may not be used",
            "bot.ts(3,1): error TS2304: Cannot find name 'z'.",
        ] {
            let output = format!("warning: y\nno error yet: x\n{error}\n{notes}error: z\n");
            let lines = error_lines(&output);
            assert_eq!(lines[0], error.lines().next().expect("a line"));
            assert_eq!(lines.len(), 16);
        }
        let end = "make: *** [bot] Error 1";
        assert_eq!(error_lines(end), [end]);
    }
}
