//! The screen of a game that a person plays.

use std::time::{Duration, Instant};

use games::{Board, Move, Rules, Side, Square};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::session::{Session, State};
use crate::terminal::board::View;
use crate::terminal::replay::last_square;
use crate::terminal::{Look, STRONG, Screen, Step, cut, line, text, wrapped};
use referee::record::{Ply, harmless};

/// Finds a move for a person and says what it is worth; `None` where nobody knows the game.
pub type Hint = dyn FnMut(&Board, &[Move]) -> Option<(Move, String)>;

/// A game at a board in a terminal.
pub struct PlayScreen<'a> {
    session: &'a mut Session,
    hint: &'a mut Hint,
    /// How a game ended, in a line.
    ending: fn(&referee::record::GameRecord) -> String,
    cursor: Square,
    typed: String,
    message: String,
    resigns: bool,
}

/// All that is drawn.
#[derive(Debug)]
struct Sight<'a> {
    names: [String; 2],
    board: &'a Board,
    last: Option<Square>,
    side: Side,
    /// `None` while the bot thinks, and at the end.
    cursor: Option<Square>,
    /// The bot's last half-move and its number.
    answered: Option<(usize, &'a Ply)>,
    waited: Duration,
    over: String,
    message: &'a str,
    typed: &'a str,
    history: &'a [Move],
}

impl<'a> PlayScreen<'a> {
    /// The screen of a game; `ending` tells how a finished one ended.
    pub fn new(
        session: &'a mut Session,
        hint: &'a mut Hint,
        ending: fn(&referee::record::GameRecord) -> String,
    ) -> PlayScreen<'a> {
        let size = session.position(&session.state()).1.size();
        PlayScreen {
            session,
            hint,
            ending,
            cursor: Square::new(size / 2, size / 2),
            typed: String::new(),
            message: String::new(),
            resigns: false,
        }
    }

    fn play(&mut self, played: Move) {
        let state = self.session.state();
        let (_, board) = self.session.position(&state);
        let refused = refusal(&state, &board, played);
        if refused.is_none() {
            self.session.answer(&played.to_string());
        }
        self.message = refused.unwrap_or_default();
    }

    fn step(&mut self, [columns, rows]: [i8; 2]) {
        let size = self.session.position(&self.session.state()).1.size() as i8;
        let column = (self.cursor.column() as i8 + columns).clamp(0, size - 1);
        let row = (self.cursor.row() as i8 + rows).clamp(0, size - 1);
        self.cursor = Square::new(column as u8, row as u8);
    }

    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        match typed.as_str() {
            "" => self.play(Move::Place(self.cursor)),
            square => match square.parse() {
                Ok(played) => self.play(played),
                Err(error) => self.message = error.to_string(),
            },
        }
    }

    fn give_hint(&mut self) {
        let state = self.session.state();
        if !state.asked {
            return;
        }
        let (moves, board) = self.session.position(&state);
        self.message = match (self.hint)(&board, &moves) {
            Some((played, worth)) => {
                if let Move::Place(square) = played {
                    self.cursor = square;
                }
                format!("hint: {played}, {worth}")
            }
            None => "nobody here can give a hint in this game".to_owned(),
        };
    }
}

/// Why a person may not play this now.
fn refusal(state: &State, board: &Board, played: Move) -> Option<String> {
    if state.over.is_some() {
        return Some("the game is over".to_owned());
    }
    if !state.asked {
        return Some("it is not your turn".to_owned());
    }
    let mover = board.side_to_move();
    let mut after = board.clone();
    if let Err(error) = after.play(played) {
        return Some(error.to_string());
    }
    // A forbidden point may be played, and loses: a person is told instead.
    let lost = after.ending().filter(|end| end.winner == Some(!mover))?;
    let is_legal = board.legal_moves().contains(&played);
    (!is_legal).then(|| format!("{played} is forbidden for {mover}: {}", lost.reason.word()))
}

/// Empty squares that lose at once.
fn forbidden(board: &Board, legal: &[Square]) -> Vec<Square> {
    if board.ending().is_some() || board.game().family().has_passes() {
        return Vec::new();
    }
    let size = board.size();
    let all =
        (0..usize::from(size) * usize::from(size)).map(|index| Square::from_index(index, size));
    all.filter(|square| board.at(*square).is_none() && !legal.contains(square))
        .collect()
}

impl Screen for PlayScreen<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
        let state = self.session.state();
        let (moves, board) = self.session.position(&state);
        let side = self.session.side();
        let first = moves.len() - state.plies.len();
        let is_bots = |index: &usize| {
            (first + index) % 2 != side.index() && state.plies[*index].effort.is_some()
        };
        let answered = (0..state.plies.len()).rev().find(is_bots);
        let over = match (&state.failed, &state.over) {
            (Some(why), _) => format!("the game cannot go on: {why}"),
            (None, Some(record)) => (self.ending)(record),
            (None, None) => String::new(),
        };
        let sight = Sight {
            names: self.session.names().map(harmless),
            board: &board,
            last: last_square(&moves),
            side,
            cursor: (state.asked && over.is_empty()).then_some(self.cursor),
            answered: answered.map(|index| (first + index, &state.plies[index])),
            waited: Instant::now().saturating_duration_since(state.since),
            over,
            message: &self.message,
            typed: &self.typed,
            history: &moves,
        };
        sight.draw(frame, look);
    }

    fn key(&mut self, key: KeyCode) -> Step {
        let resigns = std::mem::take(&mut self.resigns);
        match key {
            KeyCode::Left => self.step([-1, 0]),
            KeyCode::Right => self.step([1, 0]),
            KeyCode::Up => self.step([0, -1]),
            KeyCode::Down => self.step([0, 1]),
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Esc if !self.typed.is_empty() => self.typed.clear(),
            // A row number follows a column letter, and no command is a digit.
            KeyCode::Char(c @ '0'..='9') if !self.typed.is_empty() && self.typed.len() < 3 => {
                self.typed.push(c);
            }
            KeyCode::Char('?') => self.give_hint(),
            KeyCode::Char('U') => {
                let taken = self.session.take_back();
                self.message = taken.err().unwrap_or_default();
            }
            KeyCode::Char('R') if resigns => self.session.answer("resign"),
            KeyCode::Char('R') => {
                self.resigns = true;
                text::RESIGN.clone_into(&mut self.message);
            }
            KeyCode::Char('Q') | KeyCode::Esc => return Step::Leave,
            KeyCode::Char(c @ 'a'..='v') => self.typed = c.to_string(),
            _ => {}
        }
        Step::Stay
    }
}

impl Sight<'_> {
    fn draw(&self, frame: &mut Frame<'_>, look: Look) {
        let area = frame.area();
        let legal = self.board.legal_squares();
        let forbidden = match self.cursor {
            Some(_) => forbidden(self.board, &legal),
            None => Vec::new(),
        };
        let is_choice = legal.len() < usize::from(self.board.empties());
        let view = View {
            // Where every empty square may be played, marking them tells nothing.
            legal: if is_choice && self.cursor.is_some() && self.board.game().family().has_passes()
            {
                &legal
            } else {
                &[]
            },
            forbidden: &forbidden,
            cursor: self.cursor,
            ..View::of(self.board, self.last)
        };
        let (wide, high) = (view.width(), u16::from(self.board.size()) + 1);
        if area.height < high + 1 || area.width < wide + 20 {
            line(frame, area, 0, text::TOO_SMALL);
            return;
        }
        let board = Rect {
            width: wide,
            height: high,
            ..area
        };
        frame.render_widget(Paragraph::new(view.lines(look)), board);
        let beside = Rect {
            x: area.x + wide + 2,
            width: area.width - wide - 2,
            height: area.height - 1,
            ..area
        };
        let told = wrapped(self.told(look), beside.width);
        frame.render_widget(Paragraph::new(told), beside);
        let keys = if self.over.is_empty() {
            text::PLAY_KEYS
        } else {
            text::OVER_KEYS
        };
        let keys = cut(keys, usize::from(area.width), look);
        line(
            frame,
            area,
            area.height - 1,
            Line::styled(keys, look.quiet()),
        );
    }

    fn told(&self, look: Look) -> Vec<Line<'static>> {
        let counts = self.board.counts();
        let mut lines = Vec::new();
        for side in Side::BOTH {
            let you = if side == self.side { " (you)" } else { "" };
            let name = &self.names[side.index()];
            let (symbol, count) = (side.symbol(), counts[side.index()]);
            let to_move = self.over.is_empty() && self.board.side_to_move() == side;
            let told = format!("{symbol} {name}{you}: {count}");
            lines.push(if to_move {
                Line::styled(told + " <", STRONG)
            } else {
                Line::from(told)
            });
        }
        lines.push(Line::default());
        lines.push(if !self.over.is_empty() {
            Line::styled(harmless(self.over.trim_end()), STRONG)
        } else if self.cursor.is_some() {
            Line::styled(format!("your move: {}_", self.typed), STRONG)
        } else {
            let bot = &self.names[(!self.side).index()];
            Line::from(format!("{bot} thinks: {:.1} s", self.waited.as_secs_f64()))
        });
        if !self.message.is_empty() {
            lines.push(Line::styled(harmless(self.message), look.warning()));
        }
        if let Some((number, ply)) = self.answered {
            lines.push(Line::default());
            lines.extend(thought(number, ply).into_iter().map(Line::from));
        }
        lines.push(Line::default());
        let from = self.history.len().saturating_sub(16);
        let recent = self.history[from..].iter().enumerate();
        let recent = recent.map(|(index, played)| format!("{}.{played}", from + index + 1));
        lines.push(Line::styled(
            recent.collect::<Vec<_>>().join(" "),
            look.quiet(),
        ));
        lines
    }
}

/// What a bot told of a half-move.
fn thought(number: usize, ply: &Ply) -> Vec<String> {
    let thought = &ply.thought;
    let mut lines = vec![format!("{}. {}", number + 1, ply.played)];
    if let Some(effort) = ply.effort {
        lines[0] += &format!(" after {:.2} s", effort.wall.as_secs_f64());
    }
    let mut told = Vec::new();
    if let Some(depth) = thought.depth {
        told.push(format!("depth {depth}"));
    }
    if let Some(score) = thought.score {
        told.push(format!("score {:+}", (score * 100.0).round() / 100.0 + 0.0));
    }
    if let Some(nodes) = thought.nodes {
        told.push(format!("{nodes} leaves"));
    }
    if !told.is_empty() {
        lines.push(told.join(", "));
    }
    if thought.pv.len() > 1 {
        let line: Vec<String> = thought.pv[1..]
            .iter()
            .take(8)
            .map(Move::to_string)
            .collect();
        lines.push(format!("expects {}", line.join(" ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, parse_transcript};
    use insta::assert_snapshot;
    use referee::record::{Effort, Thought};

    const PLAIN: Look = Look {
        colour: false,
        unicode: false,
    };

    /// Draws what a test has put together.
    struct Fixed<'a>(Sight<'a>);

    impl Screen for Fixed<'_> {
        fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
            self.0.draw(frame, look);
        }
        fn key(&mut self, _: KeyCode) -> Step {
            Step::Leave
        }
    }

    fn sight<'a>(board: &'a Board, moves: &'a [Move]) -> Sight<'a> {
        Sight {
            names: ["you", "alphabeta-easy"].map(str::to_owned),
            board,
            last: last_square(moves),
            side: Side::Black,
            cursor: None,
            answered: None,
            waited: Duration::from_millis(1234),
            over: String::new(),
            message: "",
            typed: "",
            history: moves,
        }
    }

    #[test]
    fn the_person_to_move_the_bot_to_move_and_the_end() {
        let (moves, board) = parse_transcript(Game::OTHELLO, "f5d6c3d3").expect("legal");
        let ply = Ply {
            played: moves[3],
            effort: Some(Effort {
                wall: Duration::from_millis(150),
                ..Effort::default()
            }),
            thought: Thought {
                depth: Some(7),
                score: Some(-2.5),
                nodes: Some(184_000),
                pv: ["d3", "c4", "f4"]
                    .map(|played| played.parse().expect("a move"))
                    .into(),
                ..Thought::default()
            },
        };
        let asked = Sight {
            cursor: Some(Square::new(2, 3)),
            answered: Some((3, &ply)),
            message: "a1 is not a legal move for black: it turns no disc",
            typed: "a",
            ..sight(&board, &moves)
        };
        assert_snapshot!(
            "play_asked",
            crate::terminal::drawn(&mut Fixed(asked), [80, 24], PLAIN)
        );
        let thinks = sight(&board, &moves);
        let rich = Look {
            colour: true,
            unicode: true,
        };
        assert_snapshot!(
            "play_thinks",
            crate::terminal::drawn(&mut Fixed(thinks), [80, 24], rich)
        );
        let over = Sight {
            over: "you wins (discs), 40-24\n".to_owned(),
            ..sight(&board, &moves)
        };
        assert_snapshot!(
            "play_over",
            crate::terminal::drawn(&mut Fixed(over), [80, 24], PLAIN)
        );
    }

    #[test]
    fn an_illegal_move_says_why_and_a_forbidden_point_its_name() {
        let state = |asked| State::for_tests(asked);
        let board = Game::OTHELLO.start();
        let played = |text: &str| text.parse().expect("a move");
        assert_eq!(
            refusal(&state(false), &board, played("f5")).as_deref(),
            Some("it is not your turn")
        );
        assert_eq!(refusal(&state(true), &board, played("f5")), None);
        let why = refusal(&state(true), &board, played("a1")).expect("illegal");
        assert!(why.contains("a1 is not a legal move for black"), "{why}");
        // Two open threes at once: h8 is forbidden to black in renju.
        let renju = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
        let mut rows = vec![".".repeat(15); 15];
        rows[7] = ".....XX........".to_owned();
        for row in [5, 6] {
            rows[row] = ".......X.......".to_owned();
        }
        rows[0] = "O.O.O.O........".to_owned();
        let board = renju.position(&rows, Side::Black).expect("a position");
        let why = refusal(&state(true), &board, played("h8")).expect("forbidden");
        assert_eq!(why, "h8 is forbidden for black: double-three");
        assert_eq!(
            forbidden(&board, &board.legal_squares()),
            [Square::new(7, 7)]
        );
    }
}
