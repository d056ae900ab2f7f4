//! The report for a terminal of 80 columns: the [`heading`], a [`line`] for each finished check, and the [`findings`].

use super::report::{Check, CheckReport, Finding, Severity};
use message::{Lang, Message, message, width::lines};
use referee::record::harmless;
use textwrap::core::display_width;

const WIDTH: usize = 79;
const TITLE: usize = 40;

pub fn heading(report: &CheckReport, lang: &Lang) -> String {
    let mut known = vec![message!("protocol {}", report.protocol)];
    if report.language != "unknown" {
        known.push(message!("written in {}", report.language));
    }
    let form = report.taken_for.as_ref();
    known.extend(form.map(|form| message!("recognised as {form}")));
    let (bot, command) = (&report.bot, &report.command);
    let started = if command == bot {
        Message::quote(command)
    } else {
        message!("{bot}: {command}")
    };
    let started = lang.render(&started);
    let known = lang.render(&Message::enumeration(known));
    format!("{started}\n{known}\n\n")
}

pub fn findings(report: &CheckReport, lang: &Lang) -> String {
    let found = report.findings.iter();
    let found: String = found.map(|finding| paragraph(finding, lang)).collect();
    format!("{found}\n{}\n", conclusion(report, lang))
}

fn conclusion(report: &CheckReport, lang: &Lang) -> String {
    let counted = |severity| {
        let count = report.count(severity);
        (count > 0).then(|| match severity {
            Severity::Error => message!("{count} {count|error|errors}"),
            Severity::Warning => message!("{count} {count|warning|warnings}"),
            Severity::Note => message!("{count} {count|note|notes}"),
        })
    };
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let counts: Vec<Message> = all.into_iter().filter_map(counted).collect();
    let has_found = !counts.is_empty();
    let (bot, counts) = (&report.bot, Message::enumeration(counts));
    lang.render(&match (report.passes(), has_found) {
        (true, false) => message!("{bot} passes all checks"),
        (true, true) => message!("{bot} passes all checks ({counts})"),
        (false, _) => message!("{bot}: {counts}"),
    })
}

pub fn line(check: &Check, lang: &Lang) -> String {
    let sign = match check.passed {
        Some(true) if check.warning => '!',
        Some(true) => '✓',
        Some(false) => '✗',
        None => '–',
    };
    let (title, mut detail) = (lang.render(&check.title), lang.render(&check.detail));
    if check.passed.is_none() && detail.is_empty() {
        detail = lang.fixed("not checked").into_owned();
    }
    let padding = TITLE.saturating_sub(display_width(&title));
    let line = format!("  {sign} {title}{:padding$}  {}", "", harmless(&detail));
    if display_width(line.trim_end()) <= WIDTH {
        return format!("{}\n", line.trim_end());
    }
    format!("  {sign} {title}\n{}", wrapped(&detail, "      "))
}

fn paragraph(finding: &Finding, lang: &Lang) -> String {
    let severity = lang.fixed(finding.severity.word());
    let times = match finding.times {
        1 => String::new(),
        times => lang.with("check.times", &[("times", &times)]),
    };
    let (code, title) = (finding.code.word(), lang.fixed(finding.code.title()));
    let head = lang.with(
        "check.finding",
        &[("severity", &severity), ("code", &code), ("title", &title)],
    );
    let mut text = format!("\n{head}{times}\n");
    text += &wrapped(&lang.render(&finding.what), "  ");
    for line in &finding.seen {
        text += &format!("    {}\n", lang.render(line));
    }
    text += &wrapped(&lang.render(&message!("Fix: {}", finding.fix)), "  ");
    for line in finding.example.iter().flat_map(|example| example.lines()) {
        text += &format!("    {}\n", commented(line, lang));
    }
    text
}

fn commented(code: &str, lang: &Lang) -> String {
    let signs = [("# ", ""), ("// ", ""), ("/* ", " */")];
    let comment = signs.into_iter().find_map(|(begin, end)| {
        let (before, rest) = code.split_once(begin)?;
        let end = rest.find(end).filter(|_| !end.is_empty());
        let (comment, after) = rest.split_at(end.unwrap_or(rest.len()));
        Some(format!("{before}{begin}{}{after}", lang.fixed(comment)))
    });
    comment.unwrap_or_else(|| code.to_owned())
}

/// Wraps words into lines that begin with `margin`. Escapes control characters of the bot.
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
        let check = |title: &'static str, passed, detail: &'static str| Check {
            title: title.into(),
            passed,
            warning: false,
            detail: detail.into(),
        };
        let what = "For 3.0 s nothing came, although it had read the question and did nothing.";
        let report = CheckReport {
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
                    .seen(["> {\"type\":\"turn\"}".into()])
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
