//! The Go Text Protocol, version 2, for Othello and Gomoku.
//!
//! Othello has no passes by choice: a side that must pass may be passed over in silence, as Quarry
//! does, or be sent `play b pass`. In Gomoku either colour may play at any time, as GTP has it.
//! Error messages are those of the specification.
//!
//! Sources: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2"; `list_games`
//! and `set_game`: what Quarry sends and `gtp-rhino` answers.

mod clock;
mod drawing;
mod position;
mod score;

use games::{Game, Move, Rules, Side};

use crate::notation::gtp::Vertices;

use super::dialect::{Action, Answer, Ask, Dialect, Introduction};
use clock::Clock;
use position::Position;

/// An engine, as the controller sees it.
pub(super) struct Gtp {
    introduction: Introduction,
    position: Position,
    /// The positions before each move, for `undo`.
    history: Vec<Position>,
    clock: Clock,
    /// The number of the command that is being answered.
    id: String,
    /// What the bot is being asked for.
    asked: Asked,
}

#[derive(Clone, Copy)]
struct Asked {
    side: Side,
    /// Not for `reg_genmove`.
    plays: bool,
}

const COMMANDS: [&str; 20] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "list_games",
    "set_game",
    "query_boardsize",
];

const SYNTAX: &str = "syntax error";

/// What is said, and done, about a command that can be followed.
type Done = (String, Vec<Action>);
type Reply = Result<Done, String>;

impl Gtp {
    pub(super) fn new(introduction: Introduction) -> Gtp {
        let game = introduction.games[0];
        Gtp {
            introduction,
            position: Position::start(game),
            history: Vec::new(),
            clock: Clock::default(),
            id: String::new(),
            asked: Asked {
                side: Side::Black,
                plays: false,
            },
        }
    }

    fn command(&mut self, name: &str, arguments: &[&str]) -> Reply {
        let game = self.position.board.game();
        match (name, arguments) {
            ("protocol_version", _) => said("2"),
            ("name", _) => said(self.introduction.name.as_str()),
            ("version", _) => said(self.introduction.version.as_str()),
            ("known_command", [name, ..]) => said(COMMANDS.contains(name).to_string()),
            ("known_command", []) => said("false"),
            ("list_commands", _) => said(COMMANDS.join("\n")),
            ("quit", _) => Ok((String::new(), vec![Action::Quit])),
            ("boardsize", [size, ..]) => {
                let size = size.parse().map_err(|_| SYNTAX)?;
                let game = Game::new(game.name(), Some(game.rules()), Some(size));
                Ok(self.set_up(game.map_err(|_| "unacceptable size")?))
            }
            ("query_boardsize", _) => said(game.size().to_string()),
            ("clear_board", _) => Ok(self.set_up(game)),
            ("komi", [komi, ..]) => {
                // Neither game has a komi; managers of Go send one all the same.
                komi.parse::<f64>().map_err(|_| SYNTAX)?;
                said("")
            }
            ("play", [side, vertex, ..]) => self.play(side, vertex),
            ("genmove", [side, ..]) => self.generate(side, true),
            ("reg_genmove", [side, ..]) => self.generate(side, false),
            ("undo", _) => {
                self.position = self.history.pop().ok_or("cannot undo")?;
                said("")
            }
            ("time_settings", [main, period, stones, ..]) => {
                self.clock = Clock::read(main, period, stones).ok_or(SYNTAX)?;
                said("")
            }
            ("time_left", [side, time, stones, ..]) => {
                let side = read_side(side)?;
                self.clock.set_left(side, time, stones).ok_or(SYNTAX)?;
                said("")
            }
            ("final_score", _) => said(score::of(&self.position.board).ok_or("cannot score")?),
            ("showboard", _) => said(format!("\n{}", drawing::of(&self.position.board))),
            ("list_games", _) => said(self.games().map(Game::title).collect::<Vec<_>>().join("\n")),
            ("set_game", [name, ..]) => {
                let named = |game: &Game| game.name().eq_ignore_ascii_case(name);
                let game = self.games().find(named).ok_or("unsupported game")?;
                Ok(self.set_up(game))
            }
            (name, _) if COMMANDS.contains(&name) => Err(SYNTAX.to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn games(&self) -> impl Iterator<Item = Game> {
        self.introduction.games.iter().copied()
    }

    fn set_up(&mut self, game: Game) -> Done {
        self.position = Position::start(game);
        self.history.clear();
        self.clock.new_game();
        let start = self.clock.start(game, Side::Black);
        (String::new(), vec![Action::Start(start)])
    }

    fn play(&mut self, side: &str, vertex: &str) -> Reply {
        let side = read_side(side)?;
        let vertices = Vertices::of(self.position.board.game());
        let played = vertices.read(vertex).map_err(|_| SYNTAX)?;
        let next = self.position.with(side).and_then(|next| next.after(played));
        let next = next.ok_or("illegal move")?;
        self.history
            .push(std::mem::replace(&mut self.position, next));
        said("")
    }

    fn generate(&mut self, side: &str, plays: bool) -> Reply {
        let side = read_side(side)?;
        self.asked = Asked { side, plays };
        let position = self.position.with(side).ok_or("illegal move")?;
        let board = &position.board;
        if let Some(ending) = board.ending() {
            let lost = ending.winner == Some(!side);
            let may_pass = board.game().family().has_passes();
            return said(if lost && !may_pass { "resign" } else { "PASS" });
        }
        if board.legal_squares().is_empty() {
            return said(self.played(Move::Pass));
        }
        let game = board.game();
        let ask = Action::Ask(Box::new(Ask {
            start: self.clock.start_for(game, side),
            board: position.board,
            moves: position.moves,
            left: self.clock.left(side),
            opponent_left: self.clock.left(!side),
        }));
        Ok((String::new(), vec![ask]))
    }

    /// The vertex of a generated move, which is played where it was asked for by `genmove`.
    fn played(&mut self, played: Move) -> String {
        let Asked { side, plays } = self.asked;
        if plays && let Some(next) = self.position.with(side).and_then(|next| next.after(played)) {
            self.history
                .push(std::mem::replace(&mut self.position, next));
        }
        Vertices::of(self.position.board.game()).write(played)
    }

    /// A response ends with an empty line.
    fn success(&self, text: &str) -> Action {
        let space = if text.is_empty() || text.starts_with('\n') {
            ""
        } else {
            " "
        };
        Action::Say(format!("={}{space}{text}\n", self.id))
    }

    fn failure(&self, why: &str) -> Action {
        Action::Say(format!("?{} {why}\n", self.id))
    }
}

impl Dialect for Gtp {
    fn hear(&mut self, line: &str) -> Vec<Action> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(mut name) = words.next() else {
            return Vec::new();
        };
        self.id.clear();
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            name.clone_into(&mut self.id);
            name = words.next().unwrap_or_default();
        }
        let arguments: Vec<_> = words.collect();
        match self.command(name, &arguments) {
            Err(why) => vec![self.failure(&why)],
            // The response to a question is the bot's.
            Ok((_, actions)) if matches!(actions.as_slice(), [Action::Ask(_)]) => actions,
            // One says goodbye before going, and that a game is ready once it is.
            Ok((text, actions)) if matches!(actions.as_slice(), [Action::Quit]) => {
                vec![self.success(&text), Action::Quit]
            }
            Ok((text, mut actions)) => {
                actions.push(self.success(&text));
                actions
            }
        }
    }

    fn answer(&mut self, answer: &Answer) -> Vec<Action> {
        self.clock.spend(self.asked.side, answer.used);
        let vertex = self.played(answer.played);
        vec![self.success(&vertex)]
    }

    fn refused(&mut self, why: &str) -> Vec<Action> {
        vec![self.failure(why)]
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it is one arm of a match of replies"
)]
fn said(text: impl Into<String>) -> Reply {
    Ok((text.into(), Vec::new()))
}

/// Reads `b`, `W`, `black` or `White`.
fn read_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err(SYNTAX.to_owned()),
    }
}
