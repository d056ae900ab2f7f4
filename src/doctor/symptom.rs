//! From a fault and its evidence to a finding with its fix: what a bot did not do. What it wrote instead is
//! the business of [`line`]. Pure functions, so that a table can test them.

use super::code::Code;
use super::evidence::{Evidence, Moment, Silence};
use super::finding::Finding;
use super::language::Language;
use super::{line, traceback};
use referee::dialect::Protocol;
use referee::record::{Exit, Fault};

/// The finding for a fault.
pub fn named(evidence: &Evidence, language: Language, spoken: Protocol) -> Finding {
    let finding = match &evidence.fault {
        Fault::StartFailed { why } => not_started(evidence, why),
        Fault::HandshakeTimeout { .. } | Fault::OutOfTime { .. } => silent(evidence, language),
        Fault::BadMessage { line, why } => {
            line::misspoken(line, why, evidence.moment, language, spoken)
        }
        Fault::UnaskedOutput { text } => line::unasked(text, evidence.moment, language),
        Fault::LineTooLong => Finding::new(
            Code::LineTooLong,
            "It wrote more than 64 KiB without a newline.",
            "End every message with a newline, and write nothing but messages.",
        ),
        Fault::Crashed { status } => crashed(evidence, *status),
        Fault::ClosedOutput => Finding::new(
            Code::ClosedOutput,
            "It is still running, but closed its standard output.",
            "Leave standard output open until the program ends.",
        ),
        fault => Finding::new(
            Code::Crashes,
            format!("It {fault}."),
            "See the reason above.",
        ),
    };
    finding.seen(evidence.shown())
}

/// What to do about a program that the system does not start.
const CHECK_THE_COMMAND: &str = if cfg!(windows) {
    "Check the command: write ./my_bot for my_bot.exe, my_bot.bat or my_bot.py next to bot.toml, and \
     for any other script the program that reads it first, such as node my_bot.js."
} else {
    "Check the command: write ./my_bot for a program next to bot.toml, make it executable (chmod +x), \
     and begin a script with a line such as #!/usr/bin/env python3."
};

fn not_started(evidence: &Evidence, why: &str) -> Finding {
    match evidence.exit {
        _ if evidence.moment == Moment::Launch => Finding::new(
            Code::DoesNotStart,
            format!("The system could not start it: {why}."),
            CHECK_THE_COMMAND,
        ),
        None => Finding::new(
            Code::ClosedOutput,
            "It closed its standard output before it sent ready.",
            "Leave standard output open until the program ends.",
        ),
        Some(exit) => {
            let known = traceback::advice(&evidence.stderr).or_else(|| by_signal(exit));
            let fix = known.unwrap_or_else(|| {
                "Run the command by hand in the bot's folder: it should wait for input.".to_owned()
            });
            let what = match exit {
                Exit::Status(0) => {
                    "It ended without an error before it sent ready. A bot must wait for lines on \
                     its standard input until quit comes: perhaps its main function is never called."
                        .to_owned()
                }
                Exit::Status(_) => format!("It ended with {exit} before it sent ready."),
                Exit::Signal(_) => format!("It was {exit} before it sent ready."),
            };
            Finding::new(Code::CrashesAtStart, what, fix)
        }
    }
}

fn silent(evidence: &Evidence, language: Language) -> Finding {
    let at_start = matches!(evidence.moment, Moment::Start | Moment::Again);
    let (due, no_answer) = if at_start {
        ("ready", Code::NoReady)
    } else {
        ("its move", Code::NoAnswer)
    };
    let given = format!("{:.1} s", evidence.given.as_secs_f64());
    match &evidence.silence {
        Some(Silence::Unended(text)) => Finding::new(
            Code::NoNewline,
            format!("It wrote {text:?} and no newline, so that the line never ended."),
            "End every message with a newline, and flush it.",
        )
        .example(language.idioms().flush),
        Some(Silence::Held(text)) => Finding::new(
            Code::NotFlushed,
            format!(
                "It had read the question and was idle, but wrote nothing for {given}. When the \
                 arena closed its input, it wrote {text:?}: {due} was in a buffer."
            ),
            "Flush standard output after every message. If you already do, read one line at a time: \
             read() and readlines() wait for the end of the input.",
        )
        .example(language.idioms().flush),
        Some(Silence::Late(text)) => Finding::new(
            Code::TooSlow,
            format!("It computed for more than {given} before it wrote {text:?}."),
            "Look at the clock while you search, and stop in time: left_ms of the question says \
             how much time is left.",
        ),
        Some(Silence::Busy) if at_start => Finding::new(
            Code::NoReady,
            format!("After {given} it was still computing and had not sent ready."),
            "Send ready sooner: load less, or compute it before and store it in a file. If it never \
             stops computing, look for an endless loop before the first line is read.",
        ),
        Some(Silence::Busy) => Finding::new(
            Code::TooSlow,
            format!("After {given} it was still computing."),
            "Look at the clock while you search, and stop in time: left_ms of the question says \
             how much time is left. Or search less deep.",
        ),
        Some(Silence::Loading(after)) => Finding::new(
            Code::LoadsTooLong,
            format!(
                "It read the first message only after {:.1} s; it has {given} from its start to \
                 ready. Until then it was loading: imports, files, tables.",
                after.as_secs_f64()
            ),
            "Send ready first, and load the rest after it: that counts as time of the first move. \
             Import less (python3 -X importtime shows what takes long), or compute tables before and \
             store them in a file.",
        ),
        Some(Silence::NotReading) if at_start => Finding::new(
            no_answer,
            format!(
                "For {given} it did not read what the arena sent: it was still loading, or waits for \
                 something else."
            ),
            "Read standard input, one line at a time, for as long as there are lines, and load \
             nothing that takes long before the first one.",
        )
        .example(language.idioms().main_loop),
        Some(Silence::NotReading) => Finding::new(
            no_answer,
            format!("For {given} it did not even read what the arena sent."),
            "Read standard input, one line at a time, for as long as there are lines.",
        )
        .example(language.idioms().main_loop),
        Some(Silence::Idle) | None => Finding::new(
            no_answer,
            format!(
                "It read the message, but did not send {due} for {given}; it is idle."
            ),
            if at_start {
                "Answer every hello with {\"type\":\"ready\"}, also the second one of a process. If \
                 it is an engine with another protocol, write the protocol before its command: \
                 gomocup:, gtp: or nboard:. If it does write ready, the line is in a buffer: flush it."
            } else {
                "Answer every turn with a move. Look for a case in which the program prints none. If it \
                 does print one, the line is in a buffer: flush it."
            },
        )
        .example(language.idioms().main_loop),
    }
}

fn crashed(evidence: &Evidence, status: Exit) -> Finding {
    let known = traceback::advice(&evidence.stderr).or_else(|| by_signal(status));
    let fix = known.unwrap_or_else(|| {
        match status {
            Exit::Status(0) => {
                "Read the lines of standard input in a loop until quit comes. The program ended by \
                 itself, without an error."
            }
            _ if evidence.stderr.trim().is_empty() => {
                "It wrote nothing to standard error. Look for the places where it exits with an error."
            }
            _ => "See its standard error, which is shown above.",
        }
        .to_owned()
    });
    Finding::new(
        Code::Crashes,
        format!("It ended in the middle of a game: {status}."),
        fix,
    )
}

/// Advice for a program that was killed by a signal.
fn by_signal(exit: Exit) -> Option<String> {
    let advice = match exit {
        Exit::Signal(11 | 6 | 7) => {
            return Some(format!(
                "{} A recursion without end looks the same.",
                traceback::INVALID_MEMORY
            ));
        }
        Exit::Signal(9) => {
            "Something killed it. The system does that if memory runs out: use less memory."
        }
        Exit::Signal(8) => "It probably divided by zero: check its divisions.",
        _ => return None,
    };
    Some(advice.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn code(fault: Fault, moment: Moment, silence: Option<Silence>) -> &'static str {
        let evidence = Evidence {
            fault,
            moment,
            silence,
            exit: None,
            exchange: Vec::new(),
            stderr: String::new(),
            given: Duration::from_secs(1),
        };
        named(&evidence, Language::Python, Protocol::Arena)
            .code
            .word()
    }

    #[test]
    fn silence_is_named_by_what_was_behind_it() {
        let text = || "{}".to_owned();
        for (silence, at_start, later) in [
            (Silence::Held(text()), "not-flushed", "not-flushed"),
            (Silence::Unended(text()), "no-newline", "no-newline"),
            (Silence::Late(text()), "too-slow", "too-slow"),
            (Silence::Busy, "no-ready", "too-slow"),
            (Silence::NotReading, "no-ready", "no-answer"),
            (Silence::Idle, "no-ready", "no-answer"),
        ] {
            let allowed = Duration::from_secs(1);
            let fault = Fault::HandshakeTimeout {
                allowed,
                unanswered: String::new(),
                last: String::new(),
            };
            assert_eq!(code(fault, Moment::Start, Some(silence.clone())), at_start);
            let fault = Fault::OutOfTime {
                used: allowed,
                allowed,
            };
            assert_eq!(code(fault, Moment::Question, Some(silence)), later);
        }
    }
}
