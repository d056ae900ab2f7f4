//! A bot as an engine of the Go Text Protocol, for Othello and Gomoku.
//!
//! In Othello all passes are forced: a controller may send `play b pass`, or omit the pass as Quarry does. In Gomoku
//! either colour may play at any time, as in GTP. Error messages are those of the specification.

use std::time::Duration;

use games::{Board, Game, Move, Rules, Side, Square};

use super::{Action, Answer, Ask, EngineServer, Introduction};
use crate::Start;
use crate::codec::gtp::{GtpCommand, GtpLine, RESIGN, Response, Vertices, commands};

pub(super) struct GtpServer {
    introduction: Introduction,
    position: GtpPosition,
    history: Vec<GtpPosition>,
    clock: GtpClocks,
    id: String,
    asked: Asked,
}

#[derive(Clone, Copy)]
struct Asked {
    side: Side,
    /// False for `reg_genmove`, which does not play the move.
    plays: bool,
}

type Done = (String, Vec<Action>);

impl GtpServer {
    pub(super) fn new(introduction: Introduction) -> GtpServer {
        let game = introduction.games[0];
        GtpServer {
            introduction,
            position: GtpPosition::start(game),
            history: Vec::new(),
            clock: GtpClocks::default(),
            id: String::new(),
            asked: Asked {
                side: Side::Black,
                plays: false,
            },
        }
    }

    fn command(&mut self, command: GtpCommand) -> Result<Done, &'static str> {
        let game = self.position.board.game();
        let text = match command {
            GtpCommand::ProtocolVersion => "2".to_owned(),
            GtpCommand::Name => self.introduction.name.clone(),
            GtpCommand::Version => self.introduction.version.clone(),
            GtpCommand::KnownCommand(name) => commands().contains(&name.as_str()).to_string(),
            GtpCommand::ListCommands => commands().join("\n"),
            GtpCommand::Quit => return Ok((String::new(), vec![Action::Quit])),
            GtpCommand::BoardSize(size) => {
                let game = Game::new(game.name(), Some(game.rules()), Some(size));
                return Ok(self.set_up(game.map_err(|_| "unacceptable size")?));
            }
            GtpCommand::QueryBoardSize => game.size().to_string(),
            GtpCommand::ClearBoard => return Ok(self.set_up(game)),
            // Neither game has a komi, but managers of Go send one.
            GtpCommand::Komi(_) => String::new(),
            GtpCommand::Play(side, played) => {
                let next = self.position.with(side).and_then(|next| next.after(played));
                self.advance(next.ok_or("illegal move")?);
                String::new()
            }
            GtpCommand::GenMove(side) => return self.generate(side, true),
            GtpCommand::RegGenMove(side) => return self.generate(side, false),
            GtpCommand::Undo => {
                self.position = self.history.pop().ok_or("cannot undo")?;
                String::new()
            }
            GtpCommand::TimeSettings {
                main,
                period,
                moves,
            } => {
                self.clock = GtpClocks::new(main, period, moves);
                String::new()
            }
            GtpCommand::TimeLeft { side, time, moves } => {
                self.clock.set_left(side, time, moves);
                String::new()
            }
            GtpCommand::FinalScore => score(&self.position.board).ok_or("cannot score")?,
            GtpCommand::ShowBoard => format!("\n{}", drawing(&self.position.board)),
            GtpCommand::ListGames => {
                let games = self.introduction.games.iter();
                games
                    .map(|game| game.title())
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            GtpCommand::SetGame(name) => {
                let mut games = self.introduction.games.iter();
                let game = games.find(|game| game.name().eq_ignore_ascii_case(&name));
                return Ok(self.set_up(*game.ok_or("unsupported game")?));
            }
        };
        Ok((text, Vec::new()))
    }

    fn set_up(&mut self, game: Game) -> Done {
        self.position = GtpPosition::start(game);
        self.history.clear();
        self.clock.new_game();
        let start = self.clock.start(game, Side::Black);
        (String::new(), vec![Action::Start(start)])
    }

    fn advance(&mut self, next: GtpPosition) {
        let before = std::mem::replace(&mut self.position, next);
        self.history.push(before);
    }

    fn generate(&mut self, side: Side, plays: bool) -> Result<Done, &'static str> {
        self.asked = Asked { side, plays };
        let position = self.position.with(side).ok_or("illegal move")?;
        let board = &position.board;
        let game = board.game();
        if let Some(ending) = board.ending() {
            let lost = ending.winner == Some(!side);
            let gives_up = lost && !game.family().has_passes();
            let pass = || Vertices::of(game).write(Move::Pass);
            let text = if gives_up { RESIGN.to_owned() } else { pass() };
            return Ok((text, Vec::new()));
        }
        if board.legal_squares().is_empty() {
            return Ok((self.played(Move::Pass), Vec::new()));
        }
        let ask = Action::Ask(Box::new(Ask {
            start: self.clock.start_for(game, side),
            board: position.board,
            moves: position.moves,
            left: self.clock.left(side),
            opponent_left: self.clock.left(!side),
        }));
        Ok((String::new(), vec![ask]))
    }

    /// Returns the vertex of a generated move. For `genmove`, also plays it.
    fn played(&mut self, played: Move) -> String {
        let Asked { side, plays } = self.asked;
        if plays && let Some(next) = self.position.with(side).and_then(|next| next.after(played)) {
            self.advance(next);
        }
        self.vertices().write(played)
    }

    fn vertices(&self) -> Vertices {
        Vertices::of(self.position.board.game())
    }

    fn respond(&self, text: Result<String, String>) -> Action {
        let id = self.id.clone();
        Action::Say(Response { id, text }.write())
    }
}

impl EngineServer for GtpServer {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        let Some(GtpLine { id, command }) = GtpLine::parse(line, self.vertices()) else {
            return Vec::new();
        };
        self.id = id;
        let done = command
            .map_err(|bad| bad.to_string())
            .and_then(|command| Ok(self.command(command)?));
        match done {
            Err(why) => vec![self.respond(Err(why))],
            // The text is empty: the response will be the bot's answer to the question.
            Ok((_, actions)) if matches!(actions.as_slice(), [Action::Ask(_)]) => actions,
            // `Quit` runs after the response; other actions, such as a new game, run before it.
            Ok((text, actions)) if matches!(actions.as_slice(), [Action::Quit]) => {
                vec![self.respond(Ok(text)), Action::Quit]
            }
            Ok((text, mut actions)) => {
                actions.push(self.respond(Ok(text)));
                actions
            }
        }
    }

    fn on_answer(&mut self, answer: &Answer) -> Vec<Action> {
        self.clock.spend(self.asked.side, answer.used);
        let vertex = self.played(answer.played);
        vec![self.respond(Ok(vertex))]
    }

    fn on_refusal(&mut self, why: &str) -> Vec<Action> {
        vec![self.respond(Err(why.to_owned()))]
    }
}

#[derive(Clone)]
struct GtpPosition {
    board: Board,
    moves: Vec<Move>,
}

impl GtpPosition {
    fn start(game: Game) -> GtpPosition {
        GtpPosition {
            board: game.start(),
            moves: Vec::new(),
        }
    }

    /// Returns the position with `side` to move; in Othello, `None` if the other side is to move and can move.
    fn with(&self, side: Side) -> Option<GtpPosition> {
        if self.board.side_to_move() == side || self.board.ending().is_some() {
            return Some(self.clone());
        }
        let game = self.board.game();
        if game.family().has_passes() {
            return self.board.must_pass().then(|| self.after(Move::Pass))?;
        }
        Some(GtpPosition {
            board: game.with_stones(&self.board.stones(), side),
            moves: self.moves.clone(),
        })
    }

    fn after(&self, played: Move) -> Option<GtpPosition> {
        if played == Move::Pass && !self.board.game().family().has_passes() {
            return self.with(!self.board.side_to_move());
        }
        let mut next = self.clone();
        next.board.play(played).ok()?;
        next.moves.push(played);
        Some(next)
    }
}

/// Draws the board for a terminal: `X` black, `O` white, `.` empty. The first line is the side to move.
fn drawing(board: &Board) -> String {
    let size = board.size();
    let vertices = Vertices::of(board.game());
    let letters: String = (0..size)
        .flat_map(|column| [' ', char::from(vertices.letter(column))])
        .collect();
    let rows = (0..size).map(|row| {
        let stone = |column| {
            let side = board.at(Square::new(column, row));
            side.map_or('.', Side::symbol)
        };
        let stones: String = (0..size).flat_map(|column| [' ', stone(column)]).collect();
        format!("{:2}{stones}", vertices.number(row))
    });
    let next = format!("{} to move", board.side_to_move());
    [next, format!("  {letters}")]
        .into_iter()
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the result, such as `B+14` or `0`; `None` before the end. In games without disc scores, a win is by 1.
fn score(board: &Board) -> Option<String> {
    let ending = board.ending()?;
    let Some(winner) = ending.winner else {
        return Some("0".to_owned());
    };
    let margin = board.game().margin(board.counts(), ending.winner);
    let margin = margin.map_or(1, i32::unsigned_abs);
    let letter = match winner {
        Side::Black => 'B',
        Side::White => 'W',
    };
    Some(format!("{letter}+{margin}"))
}

/// The clocks of both sides: a main time, then periods. The default has no limit. In the main time, the bot has a game
/// clock; in a period, it has an equal share for each move. Without `time_left`, the time used is subtracted.
#[derive(Clone, Debug, Default)]
struct GtpClocks {
    main: Duration,
    period: Option<Period>,
    left: [Option<Left>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    time: Duration,
    moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Main(Duration),
    Period(Period),
}

impl GtpClocks {
    /// Creates the clocks of `time_settings`. A period of 0 moves means no limit if it has time or the main time is 0.
    fn new(main: Duration, time: Duration, moves: u32) -> GtpClocks {
        let unlimited = moves == 0 && (!time.is_zero() || main.is_zero());
        if unlimited {
            return GtpClocks::default();
        }
        let mut clock = GtpClocks {
            main,
            period: (moves > 0).then_some(Period { time, moves }),
            left: [None; 2],
        };
        clock.new_game();
        clock
    }

    fn new_game(&mut self) {
        self.left = [self.first(); 2];
    }

    fn first(&self) -> Option<Left> {
        let main = (!self.main.is_zero()).then_some(Left::Main(self.main));
        main.or(self.period.map(Left::Period))
    }

    fn set_left(&mut self, side: Side, time: Duration, moves: u32) {
        if moves == 0 && self.main.is_zero() {
            // A controller may send `time_left` without `time_settings`.
            self.main = time;
        }
        self.left[side.index()] = Some(match moves {
            0 => Left::Main(time),
            moves => Left::Period(Period { time, moves }),
        });
    }

    fn start(&self, game: Game, you: Side) -> Start {
        self.terms(self.first(), game, you)
    }

    fn start_for(&self, game: Game, you: Side) -> Start {
        self.terms(self.left[you.index()], game, you)
    }

    fn terms(&self, left: Option<Left>, game: Game, you: Side) -> Start {
        let (move_time, game_time) = match left {
            None => (None, None),
            Some(Left::Main(_)) => (None, Some(self.main)),
            Some(Left::Period(period)) => (Some(self.share(period)), None),
        };
        Start {
            move_time,
            game_time,
            ..Start::untimed(game, you)
        }
    }

    fn left(&self, side: Side) -> Option<Duration> {
        self.left[side.index()].map(|left| match left {
            Left::Main(left) => left,
            Left::Period(period) => self.share(period),
        })
    }

    /// Returns the time for a move in a period. The share cannot grow in the period, because new terms restart the bot.
    fn share(&self, period: Period) -> Duration {
        let share = period.share();
        self.period.map_or(share, |whole| whole.share().min(share))
    }

    fn spend(&mut self, side: Side, used: Duration) {
        let Some(left) = &mut self.left[side.index()] else {
            return;
        };
        *left = match *left {
            Left::Main(time) => match (time.checked_sub(used), self.period) {
                (None, Some(period)) => Left::Period(period),
                (left, _) => Left::Main(left.unwrap_or_default()),
            },
            Left::Period(Period { moves: ..=1, .. }) => match self.period {
                Some(period) => Left::Period(period),
                None => *left,
            },
            Left::Period(Period { time, moves }) => Left::Period(Period {
                time: time.saturating_sub(used),
                moves: moves - 1,
            }),
        };
    }
}

impl Period {
    fn share(self) -> Duration {
        self.time / self.moves.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn main_time_comes_first_then_periods_of_equal_shares() {
        let mut clock = GtpClocks::new(10 * S, 6 * S, 3);
        let terms = |clock: &GtpClocks| {
            let start = clock.start_for(Game::OTHELLO, Side::Black);
            (start.game_time, start.move_time, clock.left(Side::Black))
        };
        assert_eq!(terms(&clock), (Some(10 * S), None, Some(10 * S)));
        clock.spend(Side::Black, 4 * S);
        assert_eq!(terms(&clock), (Some(10 * S), None, Some(6 * S)));
        clock.spend(Side::Black, 7 * S);
        assert_eq!(terms(&clock), (None, Some(2 * S), Some(2 * S)));
        clock.spend(Side::Black, 4 * S);
        assert_eq!(terms(&clock), (None, Some(S), Some(S)), "2 s for two moves");
        clock.set_left(Side::Black, 5 * S, 0);
        assert_eq!(clock.left(Side::Black), Some(5 * S), "the controller knows");
        assert_eq!(clock.left(Side::White), Some(10 * S));
    }

    #[test]
    fn no_limit_is_said_in_several_ways() {
        for (main, period) in [(0, 1), (100, 1), (0, 0)] {
            let clock = GtpClocks::new(main * S, period * S, 0);
            assert_eq!(clock.left(Side::White), None, "{main} {period}");
        }
    }
}
