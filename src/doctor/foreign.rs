//! The same findings for an engine that uses another standard protocol. Its author must not be told
//! to answer in JSON.

use super::code::Code;
use super::finding::Finding;
use referee::dialect::Protocol;

/// A finding in the terms of the engine's protocol; unchanged if it is not about messages.
pub fn of_engine(finding: Finding, protocol: Protocol) -> Finding {
    let Some(manners) = manners(protocol) else {
        return finding;
    };
    let mut finding = Finding {
        example: None,
        ..finding
    };
    match finding.code {
        Code::NoReady
        | Code::NoAnswer
        | Code::StrayOutput
        | Code::NotJson
        | Code::BareMove
        | Code::WrongMessage
        | Code::EarlyAnswer
        | Code::SecondAnswer
        | Code::SecondGame => manners.clone_into(&mut finding.fix),
        _ => {}
    }
    if finding.code == Code::StrayOutput {
        finding.what = finding.what.replace(
            "to standard output, where only messages are allowed",
            "where another answer was expected",
        );
    }
    finding
}

/// What an engine has to answer, and how to try it by hand; `None` for the arena's own protocol.
fn manners(protocol: Protocol) -> Option<&'static str> {
    match protocol {
        Protocol::Arena => None,
        Protocol::Gomocup => Some(
            "Answer START and RESTART with OK, and BEGIN, TURN and the DONE of a BOARD with x,y. By \
             hand: type START 15, then BEGIN. See docs/engines.md for the other commands.",
        ),
        Protocol::Gtp => Some(
            "Answer every command with = or ? and end the answer with an empty line. By hand: type \
             boardsize and clear_board, then genmove black. See docs/engines.md for the other \
             commands.",
        ),
        Protocol::Columbia => Some(
            "Print your name first, read your colour (1 or 2), then answer SCORE and the board with \
             column and row. By hand: type 1, then SCORE 2 2 and a board. See docs/courses.md.",
        ),
        Protocol::Botzone => Some(
            "Read one line of JSON with requests and responses, and answer with one line such as \
             {\"response\":{\"x\":2,\"y\":3}}; then end, or write \
             >>>BOTZONE_REQUEST_KEEP_RUNNING<<<. See docs/engines.md.",
        ),
        Protocol::BotzoneText => Some(
            "Read the number of the turn, then requests and responses in turn, each column and row; \
             answer with column and row; then end, or write >>>BOTZONE_REQUEST_KEEP_RUNNING<<<. See \
             docs/engines.md.",
        ),
        Protocol::Nboard => Some(
            "Answer ping n with pong n, and go with === and a move. By hand: type nboard 2, set \
             depth 2, go. See docs/engines.md for the other commands.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_not_told_to_write_messages() {
        let finding = || {
            let what =
                "It printed \"ERROR size\" to standard output, where only messages are allowed.";
            Finding::new(Code::StrayOutput, what, "Print to stderr.").example("print()")
        };
        let told = of_engine(finding(), Protocol::Gomocup);
        assert_eq!(
            told.what,
            "It printed \"ERROR size\" where another answer was expected."
        );
        assert!(told.fix.contains("START"), "{}", told.fix);
        assert_eq!(told.example, None);
        assert_eq!(of_engine(finding(), Protocol::Arena), finding());
    }
}
