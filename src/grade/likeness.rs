//! Hand-ins that are equal but for blanks and comments.

use std::path::Path;

use host::Walk;
use referee::bot::{digits, is_foreign, read_regular};
use sha2::{Digest, Sha256};

/// Longer sources are not compared, in bytes.
const LONGEST: u64 = 4 << 20;

/// What is left of the sources of a hand-in without blanks and comments, as a hash; `None` if it has no
/// source that can be looked at so.
pub fn of(hand_in: &Path) -> Option<String> {
    let mut rests: Vec<String> = if hand_in.is_dir() {
        let files = Walk::of(hand_in).flatten();
        let is_own = |inner: &Path| {
            let mut above = inner.ancestors().filter(|part| *part != Path::new(""));
            !above.any(|part| is_foreign(&hand_in.join(part)))
        };
        let files = files.filter(|(inner, data)| data.is_file() && is_own(inner));
        files
            .filter_map(|(inner, _)| rest(&hand_in.join(inner)))
            .collect()
    } else {
        rest(hand_in).into_iter().collect()
    };
    rests.retain(|rest| !rest.is_empty());
    // Files may have other names.
    rests.sort();
    let mut hash = Sha256::new();
    for rest in &rests {
        hash.update((rest.len() as u64).to_le_bytes());
        hash.update(rest);
    }
    (!rests.is_empty()).then(|| digits(hash))
}

fn rest(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let line_comment = match ending.as_str() {
        "py" | "sh" => "#",
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" | "java" | "js" | "rs" => "//",
        _ => return None,
    };
    let bytes = read_regular(path, LONGEST).ok()?;
    Some(stripped(&String::from_utf8_lossy(&bytes), line_comment))
}

/// The text without blanks and comments; what stands in quotes stays.
fn stripped(text: &str, line_comment: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if let Some(open) = quote {
            if c == '\\' {
                length += rest[length..].chars().next().map_or(0, char::len_utf8);
            } else if c == open || c == '\n' {
                quote = None;
            }
            out += &rest[..length];
        } else if rest.starts_with(line_comment) {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if line_comment == "//" && rest.starts_with("/*") {
            length = rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if c == '"' || c == '\'' {
            quote = Some(c);
            out.push(c);
        } else if !c.is_whitespace() {
            out.push(c);
        }
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_comments_make_no_difference() {
        for (one, other, comment, equal) in [
            ("x = 1 # one\n", "x=1\n\n", "#", true),
            ("x = \"# no\"", "x = \"#no\"", "#", false),
            ("int x; // a\n/* b */ int y;", "int x;\nint y;", "//", true),
            ("char c = '\"'; // d", "char c = '\"';", "//", true),
            ("x = 1", "x = 2", "#", false),
        ] {
            let is_equal = stripped(one, comment) == stripped(other, comment);
            assert_eq!(is_equal, equal, "{one}");
        }
    }
}
