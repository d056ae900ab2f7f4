//! The comments of a template in another language. The program is the same: only what stands in comments
//! is replaced, so that there is one template for all languages.

use message::{Lang, width};

/// The width of lines with comments, in columns.
const WIDTH: usize = 96;

/// What opens and closes a comment of several lines, and what its further lines begin with.
const BLOCKS: [(&str, &str, &str); 2] = [("/*", "*/", " * "), ("\"\"\"", "\"\"\"", "")];
/// What begins a comment of one line; the longest first.
const SIGNS: [&str; 4] = ["//!", "///", "//", "#"];

/// The text of a program with its comments in the language, as far as they are known.
pub fn in_language(program: &str, lang: &Lang) -> String {
    let mut out: Vec<String> = Vec::new();
    let lines: Vec<&str> = program.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let (taken, said) = block(&lines[at..], lang)
            .or_else(|| run(&lines[at..], lang))
            .unwrap_or_else(|| (1, vec![trailing(lines[at], lang)]));
        out.extend(said);
        at += taken;
    }
    out.join("\n") + "\n"
}

/// A block that begins a line: how many lines it takes, and the same in the language.
fn block(lines: &[&str], lang: &Lang) -> Option<(usize, Vec<String>)> {
    let first = lines[0];
    let body = first.trim_start();
    let indent = &first[..first.len() - body.len()];
    let (open, close, mark) = BLOCKS.iter().find(|(open, ..)| body.starts_with(open))?;
    let rest = body[open.len()..].trim_start();
    let (mut texts, mut taken) = (Vec::new(), 0);
    for line in lines {
        let inner = if taken == 0 { rest } else { line.trim_start() };
        taken += 1;
        let inner = match inner.strip_suffix(close) {
            // What follows the comment is code.
            None if inner.contains(close) => return None,
            None => inner,
            Some(last) => {
                texts.push(last);
                break;
            }
        };
        texts.push(inner);
    }
    let starred = |line: &&str| line.strip_prefix('*').unwrap_or(line).trim().to_owned();
    let texts: Vec<String> = texts.iter().map(starred).collect();
    let paragraphs = said(&texts, lang)?;
    let gap = if mark.is_empty() { "" } else { " " };
    let room = WIDTH - indent.len() - mark.len().max(open.len() + 1);
    let mut out = Vec::new();
    for (number, paragraph) in paragraphs.iter().enumerate() {
        if number > 0 {
            out.push(format!("{indent}{}", mark.trim_end()));
        }
        for line in width::lines(paragraph, room) {
            let begin = match (out.is_empty(), mark.is_empty()) {
                (true, _) => format!("{open}{gap}"),
                (false, true) => String::new(),
                (false, false) => (*mark).to_owned(),
            };
            out.push(format!("{indent}{begin}{line}"));
        }
    }
    let last = out.pop()?;
    if texts.len() > 1 && texts.last().is_some_and(String::is_empty) {
        out.push(last);
        let close = if mark.is_empty() {
            (*close).to_owned()
        } else {
            format!(" {close}")
        };
        out.push(format!("{indent}{close}"));
    } else {
        out.push(format!("{last}{gap}{close}"));
    }
    Some((taken, out))
}

/// Lines of nothing but comments with one sign: how many, and the same in the language.
fn run(lines: &[&str], lang: &Lang) -> Option<(usize, Vec<String>)> {
    let body = lines[0].trim_start();
    let indent = &lines[0][..lines[0].len() - body.len()];
    let sign = SIGNS.iter().find(|sign| body.starts_with(**sign))?;
    let of = |line: &&str| {
        let rest = line.strip_prefix(indent)?.strip_prefix(sign)?;
        let is_text = rest.is_empty() || rest.starts_with(' ');
        // A rule with a heading is a line of its own.
        (is_text && !rest.starts_with(" ----")).then(|| rest.trim().to_owned())
    };
    let texts: Vec<String> = lines.iter().map_while(of).collect();
    let paragraphs = said(&texts, lang)?;
    let room = WIDTH - indent.len() - sign.len() - 1;
    let mut out = Vec::new();
    for paragraph in &paragraphs {
        if !out.is_empty() {
            out.push(format!("{indent}{sign}"));
        }
        let lines = width::lines(paragraph, room).into_iter();
        out.extend(lines.map(|line| format!("{indent}{sign} {line}")));
    }
    Some((texts.len(), out))
}

/// A line of code with its comment in the language, if it has one that is known.
fn trailing(line: &str, lang: &Lang) -> String {
    let signs = [("  # ", ""), (" # ", ""), (" // ", ""), (" /* ", " */")];
    let said = signs.into_iter().find_map(|(begin, end)| {
        let (code, rest) = line.rsplit_once(begin)?;
        let comment = rest.strip_suffix(end)?;
        let said = lang.comment(comment)?;
        Some(format!("{code}{begin}{said}{end}"))
    });
    said.unwrap_or_else(|| line.to_owned())
}

/// The paragraphs of a comment in the language; `None` if one of them is not known.
fn said(lines: &[String], lang: &Lang) -> Option<Vec<String>> {
    let text = lines.join("\n");
    let paragraphs = text.split("\n\n").map(|one| one.trim().replace('\n', " "));
    let paragraphs: Vec<String> = paragraphs.filter(|one| !one.is_empty()).collect();
    // A heading stays as it is.
    let of = |one: &String| {
        let is_heading = one.starts_with("----");
        is_heading
            .then(|| one.clone())
            .or_else(|| lang.comment(one))
    };
    let said: Option<Vec<String>> = paragraphs.iter().map(of).collect();
    said.filter(|said| !said.is_empty())
}
