//! Reads Gradescope's list of students: the names of its folders have only a number.

use std::collections::BTreeMap;
use std::path::Path;

use yaml_rust2::{Yaml, YamlLoader};

use message::{Message, message};
use referee::bot::read_named;
use referee::problem;
use run::report::grade::student::{Id, IdKind, Student, composed};
use tournament::Problem;

/// Gradescope's list of students, in the folder of an export.
pub(super) const METADATA: &str = "submission_metadata.yml";

/// Reads the students of each of Gradescope's folders; empty without [`METADATA`].
pub(super) fn students(folder: &Path) -> Result<BTreeMap<String, Vec<Student>>, Problem> {
    let path = folder.join(METADATA);
    if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
        return Ok(BTreeMap::new());
    }
    let shown = path.display();
    let text = read_named(&path).map_err(|error| problem!("cannot read {shown}: {error}"))?;
    let bad = |why: Message| problem!("{shown} is not as Gradescope writes it: {why}");
    let text = String::from_utf8(text).map_err(|_| bad("it is not UTF-8".into()))?;
    let documents = YamlLoader::load_from_str(&quoted_numbers(&text))
        .map_err(|error| bad(message!("{error}")))?;
    let all = documents.first().and_then(Yaml::as_hash);
    let all = all.ok_or_else(|| bad("it has no submissions".into()))?;
    let word = |value: &Yaml| value.as_str().map(composed);
    let student = |one: &Yaml| Student {
        ids: [(":sid", IdKind::Number), (":email", IdKind::Email)]
            .map(|(key, kind)| Id(kind, word(&one[key]).unwrap_or_default()))
            .into(),
        names: word(&one[":name"]).into_iter().collect(),
        ..Student::default()
    };
    let students = all.iter().filter_map(|(name, exported)| {
        let submitters = exported[":submitters"].as_vec()?;
        Some((word(name)?, submitters.iter().map(student).collect()))
    });
    Ok(students.collect())
}

/// Puts quotes around students' numbers: without them, 0899 is the number 899.
fn quoted_numbers(text: &str) -> String {
    let quoted = |line: &str| match line.split_once(":sid: ") {
        Some((before, digits))
            if before.trim_matches([' ', '-']).is_empty()
                && digits.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            format!("{before}:sid: '{}'\n", digits.trim_end())
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(quoted).collect()
}
