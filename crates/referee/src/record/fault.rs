use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use message::{Message, ToValue, Value, in_quotes, message};

/// A fault of a bot: it ends the game and is charged to that bot only. Its text is for the bot's author.
#[derive(
    Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error, message::Message,
)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum Fault {
    /// The process could not be started, or ended before it sent `ready`.
    #[error("did not start: {why}")]
    StartFailed {
        /// The system's error, or how the process ended.
        why: Message,
    },
    /// No `ready` came within the time for the handshake.
    #[error("{}", not_ready(*allowed, unanswered, last))]
    HandshakeTimeout {
        allowed: Duration,
        /// The command that got no answer, if it is not `hello`.
        #[serde(default)]
        unanswered: String,
        /// The beginning of the last line that the bot wrote instead.
        #[serde(default)]
        last: String,
    },
    #[error("used {} of the {} it had for the move", ms(*used), ms(*allowed))]
    OutOfTime {
        /// The time from before the first byte of the question to the answer, or to the end of the wait for it.
        used: Duration,
        allowed: Duration,
    },
    #[error("played {played:?}: {why}")]
    IllegalMove { played: String, why: Message },
    /// A line that is not a message of the protocol, or not the expected message.
    #[error("wrote {line:?}: {why}")]
    BadMessage { line: String, why: Message },
    #[error("wrote a line of more than 64 KiB")]
    LineTooLong,
    #[error("wrote {text:?} without having been asked")]
    UnaskedOutput { text: String },
    #[error("ended in the middle of the game: {status}")]
    Crashed { status: Exit },
    #[error("closed its standard output")]
    ClosedOutput,
    /// The bot sent `unable`. The game is interrupted instead if [`Contest::may_stop`](crate::Contest) allows that.
    #[error("reported that it cannot continue: {}", in_quotes(text))]
    Unable { text: String },
    #[error("used more memory than its limit of {limit_mib} MiB (it reached {peak_mib} MiB)")]
    OutOfMemory {
        #[serde(default)]
        limit_mib: u64,
        #[serde(default)]
        peak_mib: u64,
    },
    #[error("ran more than the allowed {limit} processes and threads at a time")]
    TooManyProcesses {
        #[serde(default)]
        limit: u64,
    },
    /// The bot's turn was over, but one of its processes was in a call that the kernel does not interrupt, or did not end.
    #[error("did not stop within {} of the end of its turn, so the arena ended it", ms(*waited))]
    NotStopped { waited: Duration },
}

impl Fault {
    pub const fn word(&self) -> &'static str {
        match self {
            Fault::StartFailed { .. } => "start-failed",
            Fault::HandshakeTimeout { .. } => "handshake-timeout",
            Fault::OutOfTime { .. } => "out-of-time",
            Fault::IllegalMove { .. } => "illegal-move",
            Fault::BadMessage { .. } => "bad-message",
            Fault::LineTooLong => "line-too-long",
            Fault::UnaskedOutput { .. } => "unasked-output",
            Fault::Crashed { .. } => "crashed",
            Fault::ClosedOutput => "closed-output",
            Fault::Unable { .. } => "unable",
            Fault::OutOfMemory { .. } => "out-of-memory",
            Fault::TooManyProcesses { .. } => "too-many-processes",
            Fault::NotStopped { .. } => "not-stopped",
        }
    }
}

impl Fault {
    /// Returns the measured time or memory, in which [alike](Fault::equals_except_measure) faults may differ; 0 for
    /// other faults.
    pub fn measure(&self) -> u128 {
        match self {
            Fault::OutOfTime { used, .. } => used.as_nanos(),
            Fault::OutOfMemory { peak_mib, .. } => u128::from(*peak_mib),
            Fault::NotStopped { waited } => waited.as_nanos(),
            _ => 0,
        }
    }

    /// Returns whether the faults are equal except for their measures.
    pub fn equals_except_measure(&self, other: &Fault) -> bool {
        use Fault::{NotStopped, OutOfMemory, OutOfTime};
        match (self, other) {
            (NotStopped { .. }, NotStopped { .. }) => true,
            (OutOfTime { allowed: one, .. }, OutOfTime { allowed: two, .. }) => one == two,
            (OutOfMemory { limit_mib: one, .. }, OutOfMemory { limit_mib: two, .. }) => one == two,
            _ => self == other,
        }
    }

    /// Describes several faults that are [alike](Fault::equals_except_measure). `self` has the least measure and `most`
    /// the largest.
    pub fn up_to(&self, most: &Fault) -> Message {
        use Fault::{OutOfMemory, OutOfTime};
        match (self, most) {
            (
                OutOfTime {
                    used: least,
                    allowed,
                },
                OutOfTime { used: most, .. },
            ) if ms(*least) != ms(*most) => message!(
                "used {} to {} of the {} it had for the move",
                ms(*least),
                ms(*most),
                ms(*allowed)
            ),
            (
                OutOfMemory {
                    limit_mib,
                    peak_mib: least,
                },
                OutOfMemory { peak_mib: most, .. },
            ) if least != most => message!(
                "used more memory than its limit of {limit_mib} MiB (it reached {least} to {most} MiB)"
            ),
            _ => self.to_message(),
        }
    }
}

fn not_ready(allowed: Duration, unanswered: &str, last: &str) -> Message {
    let allowed = allowed.as_secs_f64();
    let late = if unanswered.is_empty() {
        message!("did not send ready within {allowed} s of hello")
    } else {
        message!("did not answer {unanswered:?} within {allowed} s")
    };
    let last = (!last.is_empty()).then(|| message!("its last line was {last:?}"));
    Message::list([late].into_iter().chain(last))
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    Status(i32),
    Signal(i32),
}

impl ToValue for Exit {
    fn to_value(&self) -> Value {
        Value::Message(match self {
            Exit::Status(status) => message!("exit status {status}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => message!("killed by signal {signal} ({name})"),
                // Windows has statuses of its own instead of signals.
                None if *signal < 0 => message!("ended by the system: status {signal:#x}"),
                None => message!("killed by signal {signal}"),
            },
        })
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

/// Returns the name of a signal that often ends programs. Numbers are as on Linux.
const fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        31 => "SIGSYS",
        _ => return None,
    })
}

/// Returns the beginning of a bot's output for a message; the log of the game has the rest.
pub fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned();
    if bytes.len() > LONGEST {
        text + "…"
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_that_differ_in_a_measured_time_are_alike() {
        let late = |used: f64, allowed| Fault::OutOfTime {
            used: Duration::from_secs_f64(used),
            allowed: Duration::from_secs(allowed),
        };
        let (least, most) = (late(1.0204, 1), late(1.0211, 1));
        assert!(least.equals_except_measure(&most) && !least.equals_except_measure(&late(2.1, 2)));
        assert!(
            !least.equals_except_measure(&Fault::ClosedOutput) && least.measure() < most.measure()
        );
        assert_eq!(
            least.up_to(&most),
            "used 1020.4 ms to 1021.1 ms of the 1000.0 ms it had for the move"
        );
        assert_eq!(least.up_to(&least), least.to_message());
    }

    #[test]
    fn a_reason_does_not_repeat_all_output_of_a_bot() {
        let why = message!("unknown type {:?}", "q".repeat(60_000));
        let [line, played] = [(); 2].map(|()| "x".to_owned());
        for fault in [
            Fault::StartFailed { why: why.clone() },
            Fault::IllegalMove {
                played,
                why: why.clone(),
            },
            Fault::BadMessage { line, why },
        ] {
            let text = fault.to_string();
            assert!(text.len() < 1000 && text.ends_with("qqq\""), "{text}");
        }
    }
}
