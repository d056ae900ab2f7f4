//! The size of our Rust: lines of code, tests and comments, and comments that are hard to read. A line belongs to tests
//! if it is in a file or folder `tests`, or in a module behind `#[cfg(test)]`.

use std::path::Path;
use std::process::Command;

use crate::{Result, output_of, root};

/// First words of comments that use a clause as a noun.
const FIRST: [&str; 6] = ["Who ", "What ", "Where ", "Whose ", "Nobody ", "Half "];
/// Words that hide the subject of a sentence.
const INSIDE: [&str; 8] = [
    "nobody",
    "somebody",
    "whoever",
    "no more",
    "meanwhile",
    "is told",
    "is said",
    "are told",
];

#[derive(Clone, Copy, Default)]
struct Count {
    files: usize,
    code: usize,
    tests: usize,
    comments: usize,
    odd: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.files += other.files;
        self.code += other.code;
        self.tests += other.tests;
        self.comments += other.comments;
        self.odd += other.odd;
    }

    fn print(self, name: &str) {
        println!(
            "{name:24}{:>7}{:>9}{:>9}{:>9}{:>7}",
            self.files, self.code, self.tests, self.comments, self.odd
        );
    }
}

pub fn print() -> Result<()> {
    let listed = output_of(
        Command::new("git")
            .args(["ls-files", "*.rs"])
            .current_dir(root()),
    )?;
    let files = String::from_utf8(listed)?;
    let mut packages: Vec<(String, Count)> = Vec::new();
    let mut total = Count::default();
    for path in files.lines().map(Path::new) {
        let text = std::fs::read_to_string(root().join(path))?;
        let count = count(path, &text);
        let name = package(path);
        match packages.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => sum.add(count),
            None => packages.push((name, count)),
        }
        total.add(count);
    }
    println!(
        "{:24}{:>7}{:>9}{:>9}{:>9}{:>7}",
        "", "files", "code", "tests", "comments", "odd"
    );
    for (name, count) in packages {
        count.print(&name);
    }
    total.print("all");
    Ok(())
}

fn package(path: &Path) -> String {
    let folders = path.parent().into_iter().flat_map(Path::ancestors);
    let package = folders
        .clone()
        .find(|folder| root().join(folder).join("Cargo.toml").is_file());
    match package.and_then(Path::to_str) {
        Some("") | None => "arena".to_owned(),
        Some(folder) => folder.to_owned(),
    }
}

fn count(path: &Path, text: &str) -> Count {
    let is_test_file = path
        .iter()
        .any(|name| name == "tests" || name == "tests.rs");
    let mut count = Count {
        files: 1,
        ..Count::default()
    };
    let mut in_tests = is_test_file;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.ends_with('{')) {
            in_tests = true;
        }
        if trimmed.starts_with("//") {
            count.comments += 1;
            count.odd += usize::from(is_odd(trimmed.trim_start_matches(['/', '!']).trim_start()));
        } else if in_tests {
            count.tests += usize::from(!trimmed.is_empty());
        } else {
            count.code += usize::from(!trimmed.is_empty());
        }
        in_tests &= is_test_file || line != "}";
    }
    count
}

fn is_odd(comment: &str) -> bool {
    let lower = comment.to_lowercase();
    FIRST.iter().any(|word| comment.starts_with(word))
        || INSIDE.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_their_kind() {
        let text = "\
//! A module.

/// What is odd.
fn code() {
    // Nobody knows.
}

#[cfg(test)]
mod tests {
    // A comment.
    fn test() {}
}
const CODE: u8 = 0;
";
        let found = count(Path::new("src/lib.rs"), text);
        let figures = [found.code, found.tests, found.comments, found.odd];
        assert_eq!(figures, [3, 4, 4, 2]);
        let found = count(Path::new("tests/all.rs"), text);
        assert_eq!([found.code, found.tests], [0, 7]);
    }
}
