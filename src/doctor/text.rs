//! The report for a person at a terminal of 80 columns: [`heading`], a [`line`] for each check as it
//! comes, [`findings`]. Findings are made in English, and translated here.

use super::evidence::STDERR;
use super::report::{Check, Finding, Report, Severity};
use message::{Lang, width::lines};
use referee::record::harmless;
use textwrap::core::display_width;

/// The width of the text, in columns.
const WIDTH: usize = 79;
/// The width of a check's title, in columns.
const TITLE: usize = 40;

/// Returns the head of the report: the command, its protocol and language.
pub fn heading(report: &Report, lang: &Lang) -> String {
    let mut known = vec![format!("protocol {}", report.protocol)];
    if report.language != "unknown" {
        known.push(format!("written in {}", report.language));
    }
    known.extend(
        report
            .taken_for
            .as_ref()
            .map(|form| format!("recognised as {form}")),
    );
    let name = if report.command == report.bot {
        String::new()
    } else {
        format!("{}: ", report.bot)
    };
    let known = known.join(", ");
    format!("{name}{}\n{}\n\n", report.command, lang.say(&known))
}

/// Returns the findings and the summary line. The checks are printed before, as they are made.
pub fn findings(report: &Report, lang: &Lang) -> String {
    let found = report.findings.iter();
    let found: String = found.map(|finding| paragraph(finding, lang)).collect();
    format!("{found}\n{}\n", conclusion(report, lang))
}

/// Returns the summary of the report in one line.
fn conclusion(report: &Report, lang: &Lang) -> String {
    let counted = |severity: Severity| match (report.count(severity), severity.word()) {
        (0, _) => None,
        (1, one) => Some(format!("1 {one}")),
        (many, one) => Some(format!("{many} {one}s")),
    };
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let counts: Vec<String> = all.into_iter().filter_map(counted).collect();
    let counts = counts.join(", ");
    match (report.passes(), counts.is_empty()) {
        (true, true) => lang
            .say(&format!("{} passes all checks", report.bot))
            .into_owned(),
        (true, false) => {
            let passes = format!("{} passes all checks ({counts})", report.bot);
            lang.say(&passes).into_owned()
        }
        (false, _) => {
            let values = [("bot", report.bot.as_str()), ("counts", &lang.say(&counts))];
            lang.with("check.counts", &values)
        }
    }
}

/// Returns a check as one line; a long detail goes on below it.
pub fn line(check: &Check, lang: &Lang) -> String {
    let sign = match check.passed {
        Some(true) if check.warning => '!',
        Some(true) => '✓',
        Some(false) => '✗',
        None => '–',
    };
    let detail = match (check.passed, check.detail.as_str()) {
        (None, "") => "not checked",
        (_, detail) => detail,
    };
    let (title, detail) = (lang.say(&check.title), lang.say(detail));
    let padding = TITLE.saturating_sub(display_width(&title));
    let line = format!("  {sign} {title}{:padding$}  {}", "", harmless(&detail));
    if display_width(line.trim_end()) <= WIDTH {
        return format!("{}\n", line.trim_end());
    }
    format!("  {sign} {title}\n{}", wrapped(&detail, "      "))
}

fn paragraph(finding: &Finding, lang: &Lang) -> String {
    let severity = lang.say(finding.severity.word());
    let times = match finding.times {
        1 => String::new(),
        times => lang.with("check.times", &[("times", &times.to_string())]),
    };
    let (code, title) = (finding.code.word(), lang.say(finding.code.title()));
    let head = [("severity", &*severity), ("code", code), ("title", &title)];
    let mut text = format!("\n{}{times}\n", lang.with("check.finding", &head));
    text += &wrapped(&lang.say(&finding.what), "  ");
    for line in &finding.seen {
        // The other lines are the bot's.
        let is_ours = line == STDERR || line.contains(" is to move; * is");
        let said = if is_ours { lang.say(line) } else { line.into() };
        text += &format!("    {said}\n");
    }
    text += &wrapped(&lang.say(&format!("Fix: {}", finding.fix)), "  ");
    for line in finding.example.iter().flat_map(|example| example.lines()) {
        text += &format!("    {}\n", commented(line, lang));
    }
    text
}

/// Translates the comment of a line of code.
fn commented(code: &str, lang: &Lang) -> String {
    let signs = [("# ", ""), ("// ", ""), ("/* ", " */")];
    let comment = signs.into_iter().find_map(|(begin, end)| {
        let (before, rest) = code.split_once(begin)?;
        let end = rest.find(end).filter(|_| !end.is_empty());
        let (comment, after) = rest.split_at(end.unwrap_or(rest.len()));
        Some(format!("{before}{begin}{}{after}", lang.say(comment)))
    });
    comment.unwrap_or_else(|| code.to_owned())
}

/// Wraps words into lines of the terminal's width; each line begins with `margin`. Control characters
/// that a bot wrote are escaped.
fn wrapped(text: &str, margin: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(harmless).collect();
    let lines = lines(&words.join(" "), WIDTH - margin.len()).into_iter();
    let lines: Vec<String> = lines.map(|line| margin.to_owned() + &line).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Code;
    use insta::assert_snapshot;

    #[test]
    fn a_report_fits_a_terminal() {
        let check = |title: &str, passed, detail: &str| Check {
            title: title.to_owned(),
            passed,
            warning: false,
            detail: detail.to_owned(),
        };
        let what = "For 3.0 s nothing came, although it had read the question and did nothing.";
        let report = Report {
            taken_for: None,
            bot: "my_bot.py".to_owned(),
            command: "python3 my_bot.py".to_owned(),
            language: "Python",
            protocol: "arena",
            checks: vec![
                check("starts", Some(true), "ready after 41 ms as my bot"),
                check("plays Othello", Some(false), "its output stays in a buffer"),
                check("plays Gomoku on 15×15, 5×5, 22×22, renju", None, ""),
            ],
            findings: vec![
                Finding::new(Code::NotFlushed, what, "Flush it.")
                    .seen(["> {\"type\":\"turn\"}".to_owned()])
                    .example("print(json.dumps(message), flush=True)"),
            ],
        };
        let lang = Lang::usual();
        let lines: String = report
            .checks
            .iter()
            .map(|check| line(check, lang))
            .collect();
        let text = heading(&report, lang) + &lines + &findings(&report, lang);
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        assert_snapshot!(text, @r#"
        my_bot.py: python3 my_bot.py
        protocol arena, written in Python

          ✓ starts                                    ready after 41 ms as my bot
          ✗ plays Othello                             its output stays in a buffer
          – plays Gomoku on 15×15, 5×5, 22×22, renju  not checked

        error: not-flushed: its output stays in a buffer
          For 3.0 s nothing came, although it had read the question and did nothing.
            > {"type":"turn"}
          Fix: Flush it.
            print(json.dumps(message), flush=True)

        my_bot.py: 1 error
        "#);
    }
}
