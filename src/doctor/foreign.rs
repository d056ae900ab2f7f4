//! What is said of an engine in another standard protocol: the same findings, but nobody is told
//! to answer in JSON.

use super::code::Code;
use super::finding::Finding;
use referee::dialect::Protocol;

/// A finding as the author of an engine needs it; unchanged where it is not about what was said.
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
            "to standard output, where only messages may go",
            "where another answer was due",
        );
    }
    finding
}

/// What an engine is to do, and how to try it by hand; `None` for the arena's own protocol.
fn manners(protocol: Protocol) -> Option<&'static str> {
    match protocol {
        Protocol::Arena => None,
        Protocol::Gomocup => Some(
            "Answer START and RESTART with OK, and BEGIN, TURN and the DONE of a BOARD with x,y. By \
             hand: type START 15, then BEGIN. docs/engines.md says what else it is told.",
        ),
        Protocol::Gtp => Some(
            "Answer every command with = or ? and end the answer with an empty line. By hand: type \
             boardsize and clear_board, then genmove black. docs/engines.md says what else it is \
             told.",
        ),
        Protocol::Nboard => Some(
            "Answer ping n with pong n, and go with === and a move. By hand: type nboard 2, set \
             depth 2, go. docs/engines.md says what else it is told.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_not_told_to_write_messages() {
        let finding = || {
            let what = "It printed \"ERROR size\" to standard output, where only messages may go.";
            Finding::new(Code::StrayOutput, what, "Print to stderr.").example("print()")
        };
        let told = of_engine(finding(), Protocol::Gomocup);
        assert_eq!(
            told.what,
            "It printed \"ERROR size\" where another answer was due."
        );
        assert!(told.fix.contains("START"), "{}", told.fix);
        assert_eq!(told.example, None);
        assert_eq!(of_engine(finding(), Protocol::Arena), finding());
    }
}
