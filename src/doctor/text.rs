//! The report for a person at a terminal of 80 columns: [`heading`], a [`line`] for each check as it
//! comes, [`findings`].

use super::code::Severity;
use super::finding::{Check, Finding, Report};
use referee::record::harmless;

/// The width of the text, in columns.
const WIDTH: usize = 79;
/// The width of a check's title, in columns.
const TITLE: usize = 40;

/// The bot that is examined.
pub fn heading(report: &Report) -> String {
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
    format!("{name}{}\n{}\n\n", report.command, known.join(", "))
}

/// The findings and the summary line. The checks are written before, as they are made.
pub fn findings(report: &Report) -> String {
    let found: Vec<String> = report.findings.iter().map(paragraph).collect();
    format!("{}\n{}\n", found.concat(), conclusion(report))
}

/// The summary of the report in one line.
pub fn conclusion(report: &Report) -> String {
    let counted = |severity: Severity| match (report.count(severity), severity.word()) {
        (0, _) => None,
        (1, one) => Some(format!("1 {one}")),
        (many, one) => Some(format!("{many} {one}s")),
    };
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let counts: Vec<String> = all.into_iter().filter_map(counted).collect();
    match (report.passes(), counts.is_empty()) {
        (true, true) => format!("{} passes all checks", report.bot),
        (true, false) => format!("{} passes all checks ({})", report.bot, counts.join(", ")),
        (false, _) => format!("{}: {}", report.bot, counts.join(", ")),
    }
}

/// One check in one line.
pub fn line(check: &Check) -> String {
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
    let title = &check.title;
    let padding = TITLE.saturating_sub(title.chars().count());
    let line = format!("  {sign} {title}{:padding$}  {}", "", harmless(detail));
    if line.trim_end().chars().count() <= WIDTH {
        return format!("{}\n", line.trim_end());
    }
    format!("  {sign} {title}\n{}", wrapped(detail, "      "))
}

fn paragraph(finding: &Finding) -> String {
    let severity = finding.severity.word();
    let times = match finding.times {
        1 => String::new(),
        times => format!(" ({times} times)"),
    };
    let (code, title) = (finding.code.word(), finding.code.title());
    let mut text = format!("\n{severity}: {code}: {title}{times}\n");
    text += &wrapped(&finding.what, "  ");
    for line in &finding.seen {
        text += &format!("    {line}\n");
    }
    text += &wrapped(&format!("Fix: {}", finding.fix), "  ");
    for line in finding.example.iter().flat_map(|example| example.lines()) {
        text += &format!("    {line}\n");
    }
    text
}

/// Wraps words into lines of the terminal's width; each line begins with `margin`. Control characters
/// that a bot wrote are escaped.
fn wrapped(text: &str, margin: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(margin)
        .subsequent_indent(margin)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let words: Vec<String> = text.split_whitespace().map(harmless).collect();
    textwrap::fill(&words.join(" "), options) + "\n"
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
        let lines: String = report.checks.iter().map(line).collect();
        let text = heading(&report) + &lines + &findings(&report);
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
