//! The Go Text Protocol, version 2, for Othello and Gomoku.
//!
//! A vertex is a column letter and a row number, or `pass`. The rows are numbered as in other GTP programs of the game:
//!
//! - **Othello**: rows from the top, as in `gtp-rhino` and Quarry: black's first moves are D3, C4, F5 and E6.
//! - **Gomoku** and other games: rows from the bottom and no column I, as in Go: their managers were written for Go.
//!
//! Sources: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2",
//! <https://www.lysator.liu.se/~gunnar/gtp/>; `list_games` and `set_game`: Quarry's commands and `gtp-rhino`'s answers.

use std::time::Duration;

use games::{Game, Move, Side, Square};

/// The answer to `genmove` that resigns; case does not matter.
pub const RESIGN: &str = "resign";

/// Text that is not a vertex of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[error(
    "{text:?} is not a vertex of a board of {size}: write a letter and a number, such as D3, or pass"
)]
pub struct BadVertex {
    /// The text.
    pub text: String,
    /// The size of the board.
    pub size: u8,
}

/// The notation of vertices on a board; the default has no vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vertices {
    size: u8,
    of_go: bool,
}

impl Vertices {
    /// Returns the notation of GTP programs for `game`.
    pub fn of(game: Game) -> Vertices {
        Vertices {
            size: game.size(),
            of_go: game != Game::OTHELLO,
        }
    }

    /// Parses `D3`, `d3` or `pass`.
    pub fn read(self, text: &str) -> Result<Move, BadVertex> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        self.square(text).map(Move::Place).ok_or_else(|| BadVertex {
            text: text.to_owned(),
            size: self.size,
        })
    }

    fn square(self, text: &str) -> Option<Square> {
        let (&letter, digits) = text.as_bytes().split_first()?;
        let letter = letter.to_ascii_uppercase();
        let column = (0..self.size).find(|&column| self.letter(column) == letter)?;
        if !digits.iter().all(u8::is_ascii_digit) || digits.first() == Some(&b'0') {
            return None;
        }
        let number: u8 = text[1..].parse().ok()?;
        let row = (0..self.size).find(|&row| self.number(row) == number)?;
        Some(Square::new(column, row))
    }

    /// Writes `D3` or `PASS`.
    pub fn write(self, played: Move) -> String {
        played.square().map_or_else(
            || "PASS".to_owned(),
            |square| {
                let letter = char::from(self.letter(square.column()));
                format!("{letter}{}", self.number(square.row()))
            },
        )
    }

    /// Returns the letter of a column counted from 0 at the left, in capitals.
    pub fn letter(self, column: u8) -> u8 {
        b'A' + column + u8::from(self.of_go && column >= b'I' - b'A')
    }

    /// Returns the number of a row counted from 0 at the top.
    pub fn number(self, row: u8) -> u8 {
        if self.of_go { self.size - row } else { row + 1 }
    }
}

/// A command of the controller.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the specification says what each means")]
pub enum GtpCommand {
    ProtocolVersion,
    Name,
    Version,
    KnownCommand(String),
    ListCommands,
    Quit,
    BoardSize(i64),
    ClearBoard,
    Komi(f64),
    Play(Side, Move),
    GenMove(Side),
    RegGenMove(Side),
    Undo,
    /// The main time, then periods of `period` for `moves` moves each.
    TimeSettings {
        main: Duration,
        period: Duration,
        moves: u32,
    },
    /// The rest of the main time, or of the period if `moves` is not 0.
    TimeLeft {
        side: Side,
        time: Duration,
        moves: u32,
    },
    FinalScore,
    ShowBoard,
    ListGames,
    SetGame(String),
    QueryBoardSize,
}

/// All commands by name; the value is `None` for commands with arguments.
const COMMANDS: [(&str, Option<GtpCommand>); 20] = [
    ("protocol_version", Some(GtpCommand::ProtocolVersion)),
    ("name", Some(GtpCommand::Name)),
    ("version", Some(GtpCommand::Version)),
    ("known_command", None),
    ("list_commands", Some(GtpCommand::ListCommands)),
    ("quit", Some(GtpCommand::Quit)),
    ("boardsize", None),
    ("clear_board", Some(GtpCommand::ClearBoard)),
    ("komi", None),
    ("play", None),
    ("genmove", None),
    ("reg_genmove", None),
    ("undo", Some(GtpCommand::Undo)),
    ("time_settings", None),
    ("time_left", None),
    ("final_score", Some(GtpCommand::FinalScore)),
    ("showboard", Some(GtpCommand::ShowBoard)),
    ("list_games", Some(GtpCommand::ListGames)),
    ("set_game", None),
    ("query_boardsize", Some(GtpCommand::QueryBoardSize)),
];

/// Returns the names of all commands.
pub fn commands() -> [&'static str; 20] {
    COMMANDS.map(|(name, _)| name)
}

/// The error for a bad command, in the words of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[expect(missing_docs, reason = "the texts say what they are")]
pub enum BadCommand {
    #[error("unknown command")]
    Unknown,
    #[error("syntax error")]
    Syntax,
}

impl GtpCommand {
    /// Parses the words of a command. Ignores words after the arguments.
    pub fn parse(
        name: &str,
        arguments: &[&str],
        vertices: Vertices,
    ) -> Result<GtpCommand, BadCommand> {
        let known = COMMANDS.into_iter().find(|known| known.0 == name);
        let (_, plain) = known.ok_or(BadCommand::Unknown)?;
        let with_arguments = || {
            Some(match (name, arguments) {
                ("known_command", names) => {
                    GtpCommand::KnownCommand(names.first().copied().unwrap_or_default().to_owned())
                }
                ("boardsize", [size, ..]) => GtpCommand::BoardSize(size.parse().ok()?),
                ("komi", [komi, ..]) => GtpCommand::Komi(komi.parse().ok()?),
                ("play", [colour, vertex, ..]) => {
                    GtpCommand::Play(side(colour)?, vertices.read(vertex).ok()?)
                }
                ("genmove", [colour, ..]) => GtpCommand::GenMove(side(colour)?),
                ("reg_genmove", [colour, ..]) => GtpCommand::RegGenMove(side(colour)?),
                ("time_settings", [main, period, moves, ..]) => GtpCommand::TimeSettings {
                    main: seconds(main)?,
                    period: seconds(period)?,
                    moves: moves.parse().ok()?,
                },
                ("time_left", [colour, time, moves, ..]) => GtpCommand::TimeLeft {
                    side: side(colour)?,
                    time: seconds(time)?,
                    moves: moves.parse().ok()?,
                },
                ("set_game", [name, ..]) => GtpCommand::SetGame((*name).to_owned()),
                _ => return None,
            })
        };
        plain.or_else(with_arguments).ok_or(BadCommand::Syntax)
    }

    /// Writes the command as a line without its newline. Colours are one letter: some engines know no other form.
    pub fn write(&self, vertices: Vertices) -> String {
        match self {
            GtpCommand::KnownCommand(name) => format!("known_command {name}"),
            GtpCommand::BoardSize(size) => format!("boardsize {size}"),
            GtpCommand::Komi(komi) => format!("komi {komi}"),
            GtpCommand::Play(side, played) => {
                format!("play {} {}", letter(*side), vertices.write(*played))
            }
            GtpCommand::GenMove(side) => format!("genmove {}", letter(*side)),
            GtpCommand::RegGenMove(side) => format!("reg_genmove {}", letter(*side)),
            GtpCommand::TimeSettings {
                main,
                period,
                moves,
            } => {
                let [main, period] = [main, period].map(Duration::as_secs_f64);
                format!("time_settings {main} {period} {moves}")
            }
            GtpCommand::TimeLeft { side, time, moves } => {
                let time = time.as_secs_f64();
                format!("time_left {} {time} {moves}", letter(*side))
            }
            GtpCommand::SetGame(name) => format!("set_game {name}"),
            plain => {
                let mut known = COMMANDS.into_iter();
                let known = known.find(|known| known.1.as_ref() == Some(plain));
                known.map_or("", |(name, _)| name).to_owned()
            }
        }
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

fn side(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Black),
        "w" | "white" => Some(Side::White),
        _ => None,
    }
}

/// Parses seconds, which may have a fraction, up to 136 years, so that sums do not overflow.
fn seconds(text: &str) -> Option<Duration> {
    super::seconds(text).filter(|time| time.as_secs_f64() <= f64::from(u32::MAX))
}

/// A line of the controller: a command with its optional number, which the response repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct GtpLine {
    /// The digits of the number; empty if there is none.
    pub id: String,
    /// The command.
    pub command: Result<GtpCommand, BadCommand>,
}

impl GtpLine {
    /// Parses a line; `None` if it is blank or a comment.
    pub fn parse(line: &str, vertices: Vertices) -> Option<GtpLine> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let mut name = words.next()?;
        let mut id = "";
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            id = std::mem::replace(&mut name, words.next().unwrap_or_default());
        }
        let arguments: Vec<_> = words.collect();
        Some(GtpLine {
            id: id.to_owned(),
            command: GtpCommand::parse(name, &arguments, vertices),
        })
    }
}

/// The engine's response to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The number of the command; empty if it has none.
    pub id: String,
    /// The requested text, or the reason for a refusal.
    pub text: Result<String, String>,
}

impl Response {
    /// Parses the first line of a response, numbered or not; `None` for any other output.
    pub fn parse(line: &str) -> Option<Response> {
        let is_granted = match line.as_bytes() {
            // A line of an NBoard engine.
            [b'=', b'=', ..] => return None,
            [b'=', ..] => true,
            [b'?', ..] => false,
            _ => return None,
        };
        let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit());
        let id = line[1..line.len() - text.len()].to_owned();
        let text = text.trim().to_owned();
        let text = if is_granted { Ok(text) } else { Err(text) };
        Some(Response { id, text })
    }

    /// Writes the response with one of the two newlines that end it. The caller adds the other.
    pub fn write(&self) -> String {
        let id = &self.id;
        match &self.text {
            Ok(text) if text.is_empty() || text.starts_with('\n') => format!("={id}{text}\n"),
            Ok(text) => format!("={id} {text}\n"),
            Err(why) => format!("?{id} {why}\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gomoku(size: i64) -> Vertices {
        Vertices::of(Game::new("gomoku", None, Some(size)).expect("a game"))
    }

    /// Black's first moves in `gtp-rhino` 0.16.1, and the corners of Go's boards (GTP 2, draft 2, section 2.11).
    #[test]
    fn the_rows_of_othello_count_from_the_top_and_those_of_go_from_the_bottom() {
        let othello = Vertices::of(Game::OTHELLO);
        for (size, text, square) in cases::cases::<(i64, String, String)>("vertices") {
            let vertices = if size == 8 { othello } else { gomoku(size) };
            let played = Move::Place(square.parse().expect("a square"));
            assert_eq!(vertices.read(&text), Ok(played), "{text}");
            assert_eq!(vertices.write(played), text.to_uppercase());
        }
        assert_eq!(othello.read("PASS"), Ok(Move::Pass));
    }

    #[test]
    fn what_is_no_vertex_is_refused() {
        for text in [
            "", "D", "3", "D0", "D03", "D9", "I1", "Z3", "D+3", "é3", "D300",
        ] {
            assert!(Vertices::of(Game::OTHELLO).read(text).is_err(), "{text:?}");
        }
        assert!(gomoku(19).read("I5").is_err(), "Go has no column I");
    }

    #[test]
    fn times_are_seconds_of_less_than_136_years() {
        for main in ["ten", "-1", "1e19", "nan"] {
            let line = GtpLine::parse(&format!("time_settings {main} 0 0"), gomoku(15));
            let command = line.map(|line| line.command);
            assert_eq!(command, Some(Err(BadCommand::Syntax)), "{main}");
        }
    }

    /// Commands with their arguments, as [`GtpCommand::write`] writes them.
    const WITH_ARGUMENTS: &str = "(play [bw] ([A-HJ-P](1[0-5]|[1-9])|PASS))|\
        ((reg_)?genmove [bw])|(time_settings [1-9]{1,3}\\.5 [1-9]{1,9} [1-9]{1,9})|\
        (time_left [bw] [1-9]{1,9} [1-9]{1,9})|((boardsize|komi) -?[1-9]{1,9})|\
        ((known_command|set_game) [A-Za-z_]{1,9})";

    proptest! {
        #[test]
        fn a_line_is_written_as_it_was_parsed(
            id in "[0-9]{0,3}",
            with_arguments in WITH_ARGUMENTS,
            plain in 0..COMMANDS.len(),
            response in "[=?][0-9]{0,3} [A-Za-z]([a-z0-9. ]{0,9}[a-z])?|=[0-9]{0,3}",
        ) {
            let (plain, is_plain) = (COMMANDS[plain].0, COMMANDS[plain].1.is_some());
            for line in [Some(with_arguments.as_str()), is_plain.then_some(plain)].into_iter().flatten() {
                let parsed = GtpLine::parse(&format!("{id} {line} # a comment"), gomoku(15));
                let GtpLine { id: numbered, command } = parsed.expect("it is not blank");
                prop_assert_eq!(&numbered, &id);
                prop_assert_eq!(command.map(|command| command.write(gomoku(15))), Ok(line.to_owned()));
            }
            let parsed = Response::parse(&response).map(|response| response.write());
            prop_assert_eq!(parsed, Some(response + "\n"));
        }
    }
}
