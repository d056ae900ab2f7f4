//! The screen of a person's game: [`PlayScreen`] turns keys into moves. [`GameView`] draws the game and needs no
//! running game, so tests can use it.

use std::fmt::Display;
use std::time::{Duration, Instant};

use games::{Board, Move, Opening, Rules, Side, Square, retrace};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::Layout;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::board::BoardView;
use super::{Look, STRONG, Screen, ScreenStep, game_ending, keys, line, score, wrapped};
use message::number::signed;
use message::{Lang, message};
use referee::record::{Ply, harmless};
use run::report::page::position::forbidden;
use run::{GameState, HumanGame, Illegal, NotTakenBack};

#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    pub played: Move,
    pub by: &'static str,
    /// The score for the side to move, in the game's units.
    pub score: f64,
    pub depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum Message {
    /// The typed move, and the reason for refusing it.
    Refused(String, Illegal),
    Hint(Advice),
    NoHint,
    NotTakenBack(NotTakenBack),
    /// Asks the person to press the key once more to resign.
    Resign,
}

impl Message {
    fn text(&self, lang: &Lang) -> String {
        match self {
            Message::Refused(square, illegal) => {
                let (key, why) = illegal.key();
                let why = lang.word("reason", why);
                lang.with(key, &[("square", square), ("why", &why)])
            }
            Message::Hint(advice) => {
                let score = signed(advice.score, 1);
                let values: [(&str, &dyn Display); _] = [
                    ("move", &advice.played),
                    ("bot", &advice.by),
                    ("score", &score),
                    ("depth", &advice.depth),
                ];
                lang.with("terminal.hint", &values)
            }
            Message::NoHint => lang.get("terminal.no-hint").to_owned(),
            Message::NotTakenBack(why) => {
                let (key, why) = why.key();
                let why = why.map_or_else(String::new, |why| lang.render(why));
                lang.with(key, &[("why", &why)])
            }
            Message::Resign => lang.get("terminal.resign").to_owned(),
        }
    }
}

#[derive(Debug)]
struct GameView<'a> {
    names: [String; 2],
    board: &'a Board,
    last: Option<Square>,
    side: Side,
    /// The cursor; `None` during the bot's turn and at the end.
    cursor: Option<Square>,
    answered: Option<(usize, &'a Ply)>,
    waited: Duration,
    over: String,
    message: Option<&'a Message>,
    typed: &'a str,
    history: &'a [Move],
}

fn forbidden_squares(board: &Board) -> Vec<Square> {
    let named = if board.opening().is_none() && board.ending().is_none() {
        forbidden(board)
    } else {
        Vec::new()
    };
    let square = |(at, _)| Square::from_index(at, board.size());
    named.into_iter().map(square).collect()
}

impl GameView<'_> {
    fn draw(&self, frame: &mut Frame<'_>, look: Look) {
        let area = frame.area();
        let legal = self.board.legal_squares();
        let is_choice = legal.len() < usize::from(self.board.empties());
        let is_marked = self.board.game().family().has_passes() || self.board.opening().is_some();
        let board_view = BoardView {
            // If every empty square is legal, marks would not help.
            legal: if is_choice && self.cursor.is_some() && is_marked {
                legal
            } else {
                Vec::new()
            },
            forbidden: self
                .cursor
                .map_or_else(Vec::new, |_| forbidden_squares(self.board)),
            cursor: self.cursor,
            ..BoardView::of(self.board, self.last)
        };
        let (wide, high) = (board_view.width(), u16::from(self.board.size()) + 1);
        if area.height < high + 1 || area.width < wide + 20 {
            line(frame, area, 0, look.text("terminal.too-small"));
            return;
        }
        let [body, _] = Layout::vertical([Fill(1), Length(1)]).areas(area);
        let across = Layout::horizontal([Length(wide), Fill(1)]).spacing(2);
        let [board, beside] = across.areas(body);
        frame.render_widget(Paragraph::new(board_view.lines(look)), board);
        let told = wrapped(self.status(look), beside.width);
        frame.render_widget(Paragraph::new(told), beside);
        let text = if self.over.is_empty() {
            "terminal.play-keys"
        } else {
            "terminal.over-keys"
        };
        keys(frame, look.text(text), look);
    }

    /// Describes the decision of an opening: the words to choose from, with their keys, or the offered fifth moves.
    fn decision(&self, opening: &Opening, look: Look) -> Vec<Line<'static>> {
        let side = |side: Side| look.lang.word("side", side.word());
        let values: [(&str, &dyn Display); _] = [
            ("you", &side(self.side)),
            ("stone", &side(self.board.next_stone())),
            ("number", &(opening.offered().len() + 1)),
            ("count", &opening.fifths()),
        ];
        let asked = look
            .lang
            .with(&format!("ask.{}", opening.step().word()), &values);
        let words = (1..).zip(opening.choices());
        let words = words
            .map(|(key, word)| format!("{key} {}", look.lang.word("choice", &word.to_string())));
        let offered = opening.offered().iter().map(Square::to_string);
        let offered: Vec<String> = offered.collect();
        let lines = std::iter::once(asked)
            .chain(words)
            .chain([offered.join(" ")]);
        lines
            .filter(|line| !line.is_empty())
            .map(Line::from)
            .collect()
    }

    fn status(&self, look: Look) -> Vec<Line<'static>> {
        let counts = self.board.counts();
        let mut lines = Vec::new();
        for side in Side::BOTH {
            let name = &self.names[side.index()];
            let (symbol, count) = (side.symbol(), counts[side.index()]);
            let to_move = self.over.is_empty() && self.board.side_to_move() == side;
            let told = look.lang.render(&if side == self.side {
                let you = look.text("terminal.you");
                message!("{symbol} {name} ({you}): {count}")
            } else {
                message!("{symbol} {name}: {count}")
            });
            lines.push(if to_move {
                Line::styled(told + " <", STRONG)
            } else {
                Line::from(told)
            });
        }
        lines.push(Line::default());
        let asked = self.board.opening().filter(|_| self.cursor.is_some());
        lines.extend(
            asked
                .iter()
                .flat_map(|opening| self.decision(opening, look)),
        );
        lines.push(if !self.over.is_empty() {
            Line::styled(harmless(self.over.trim_end()), STRONG)
        } else if asked.is_some_and(|opening| !opening.choices().is_empty()) {
            Line::default()
        } else if self.cursor.is_some() {
            let told = look.text("terminal.your-move");
            Line::styled(format!("{told} {}_", self.typed), STRONG)
        } else {
            let name = self.names[(!self.side).index()].as_str();
            let seconds = format!("{:.1}", self.waited.as_secs_f64());
            let (lang, key) = (look.lang, "terminal.thinks");
            Line::from(lang.with(key, &[("name", &name), ("seconds", &seconds)]))
        });
        if let Some(message) = self.message {
            let said = harmless(&message.text(look.lang));
            lines.push(Line::styled(said, look.warning()));
        }
        if let Some((number, ply)) = self.answered {
            lines.push(Line::default());
            lines.extend(thought(number, ply, look.lang).into_iter().map(Line::from));
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

fn thought(number: usize, ply: &Ply, lang: &Lang) -> Vec<String> {
    let thought = &ply.thought;
    let mut lines = vec![format!("{}. {}", number + 1, ply.played)];
    if let Some(effort) = ply.effort {
        lines[0] += &format!(" ({:.2} s)", effort.wall.as_secs_f64());
    }
    let told = [
        (
            "thought.depth",
            thought.depth.map(|depth| depth.to_string()),
        ),
        ("thought.score", thought.score.map(score)),
        (
            "thought.nodes",
            thought.nodes.map(|nodes| nodes.to_string()),
        ),
    ];
    let told = told.into_iter().filter_map(|(key, value)| {
        let name = lang.get(key);
        Some(format!("{name} {}", value?))
    });
    let told = told.collect::<Vec<_>>().join(", ");
    if !told.is_empty() {
        lines.push(told);
    }
    if thought.pv.len() > 1 {
        let line = thought.pv[1..].iter().take(8).map(Move::to_string);
        let line = line.collect::<Vec<_>>().join(" ");
        lines.push(lang.render(&message!("{}: {line}", lang.get("thought.line"))));
    }
    lines
}

/// Finds a move for the person; `None` if there is no bot for the game.
pub type Hint = dyn FnMut(&Board, &[Move]) -> Option<Advice>;

pub struct PlayScreen<'a> {
    game: &'a HumanGame,
    hint: &'a mut Hint,
    cursor: Square,
    typed: String,
    message: Option<Message>,
}

impl<'a> PlayScreen<'a> {
    pub fn new(game: &'a HumanGame, hint: &'a mut Hint) -> PlayScreen<'a> {
        let size = game.tournament().game.size();
        PlayScreen {
            game,
            hint,
            cursor: Square::new(size / 2, size / 2),
            typed: String::new(),
            message: None,
        }
    }

    fn play(&mut self, played: &str) {
        let refused = self.game.put(played).err();
        self.message = refused.map(|why| Message::Refused(played.to_owned(), why));
    }

    /// Chooses the word with this key, if an opening asks for one.
    fn say(&mut self, digit: char) {
        let board = self.game.position(&self.game.state()).1;
        let choices = board.opening().map_or(&[][..], Opening::choices);
        let index = digit.to_digit(10).and_then(|digit| digit.checked_sub(1));
        if let Some(word) = index.and_then(|index| choices.get(index as usize)) {
            self.play(&word.to_string());
        }
    }

    fn step(&mut self, [columns, rows]: [i8; 2]) {
        let size = self.game.tournament().game.size() as i8;
        let column = (self.cursor.column() as i8 + columns).clamp(0, size - 1);
        let row = (self.cursor.row() as i8 + rows).clamp(0, size - 1);
        self.cursor = Square::new(column as u8, row as u8);
    }

    fn enter(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        if typed.is_empty() {
            self.play(&self.cursor.to_string());
        } else {
            self.play(&typed);
        }
    }

    fn give_hint(&mut self) {
        let state = self.game.state();
        if state.asked.is_none() {
            self.message = Some(Message::Refused(String::new(), Illegal::NotAsked));
            return;
        }
        let (moves, board) = self.game.position(&state);
        let advice = (self.hint)(&board, &moves);
        if let Some(Move::Place(square)) = advice.as_ref().map(|advice| advice.played) {
            self.cursor = square;
        }
        self.message = Some(advice.map_or(Message::NoHint, Message::Hint));
    }
}

fn over(state: &GameState, look: Look) -> String {
    match (&state.failed, &state.over) {
        (Some(why), _) => look
            .lang
            .with("said.failed", &[("why", &look.lang.render(why))]),
        (None, Some(record)) => game_ending(record, look.lang),
        (None, None) => String::new(),
    }
}

impl Screen for PlayScreen<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
        let state = self.game.state();
        let (moves, board) = self.game.position(&state);
        let first = self.game.opening().len();
        let person = self.game.people(&state).iter().position(|&is| is);
        let side = Side::BOTH[person.unwrap_or(0)];
        let movers = retrace(&self.game.tournament().game.start(), &moves).movers;
        let is_bots =
            |index: &usize| movers[first + index] != side && state.plies[*index].effort.is_some();
        let answered = (0..state.plies.len()).rev().find(is_bots);
        let over = over(&state, look);
        GameView {
            names: self.game.names(&state).map(harmless),
            board: &board,
            last: moves
                .iter()
                .rfind(|played| !matches!(played, Move::Choose(_)))
                .and_then(|played| played.square()),
            side,
            cursor: (state.asked.is_some() && over.is_empty()).then_some(self.cursor),
            answered: answered.map(|index| (first + index, &state.plies[index])),
            waited: Instant::now().saturating_duration_since(state.since),
            over,
            message: self.message.as_ref(),
            typed: &self.typed,
            history: &moves,
        }
        .draw(frame, look);
    }

    fn key(&mut self, key: KeyCode) -> ScreenStep {
        let resigns = self.message.take_if(|said| *said == Message::Resign);
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
            // After a column letter, a digit is a part of the row number, never a choice of a word.
            KeyCode::Char(c @ '0'..='9') if !self.typed.is_empty() && self.typed.len() < 3 => {
                self.typed.push(c);
            }
            // In an opening, a digit chooses a word.
            KeyCode::Char(digit @ '1'..='9') if self.typed.is_empty() => self.say(digit),
            KeyCode::Char('?') => self.give_hint(),
            KeyCode::Char('U') => {
                self.message = self.game.take_back().err().map(Message::NotTakenBack);
            }
            KeyCode::Char('R') if resigns.is_some() => self.play("resign"),
            KeyCode::Char('R') => self.message = Some(Message::Resign),
            KeyCode::Char('Q') | KeyCode::Esc => return ScreenStep::Leave,
            KeyCode::Char(c @ 'a'..='v') => self.typed = c.to_string(),
            _ => {}
        }
        ScreenStep::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::drawn;
    use games::{Game, parse_transcript};
    use insta::assert_snapshot;
    use referee::record::{Effort, Thought};

    struct Fixed<'a>(GameView<'a>);

    impl Screen for Fixed<'_> {
        fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
            self.0.draw(frame, look);
        }
        fn key(&mut self, _: KeyCode) -> ScreenStep {
            ScreenStep::Leave
        }
    }

    fn view<'a>(board: &'a Board, moves: &'a [Move]) -> GameView<'a> {
        GameView {
            names: ["you", "alphabeta-easy"].map(str::to_owned),
            board,
            last: moves.last().and_then(|played| played.square()),
            side: Side::Black,
            cursor: None,
            answered: None,
            waited: Duration::from_millis(1234),
            over: String::new(),
            message: None,
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
        let refused = Message::Refused("a1".to_owned(), Illegal::Rules("it turns over no disc"));
        let asked = GameView {
            cursor: Some(Square::new(2, 3)),
            answered: Some((3, &ply)),
            message: Some(&refused),
            typed: "a",
            ..view(&board, &moves)
        };
        let asked = drawn(&mut Fixed(asked), [80, 24], Look::chinese());
        assert_snapshot!("play_asked_zh", asked);
        let thinks = view(&board, &moves);
        let thinks = drawn(&mut Fixed(thinks), [80, 24], Look::rich());
        assert!(thinks.contains("alphabeta-easy thinks: 1.2 s"), "{thinks}");
        let over = GameView {
            over: "you wins: by discs, 40-24\n".to_owned(),
            ..view(&board, &moves)
        };
        let over = drawn(&mut Fixed(over), [80, 24], Look::plain());
        assert!(over.contains("you wins: by discs, 40-24"), "{over}");
    }

    #[test]
    fn a_forbidden_point_is_marked() {
        // A move to h8 makes two open threes, so renju forbids this move to black.
        let renju = Game::new("gomoku", Some("renju"), Some(15)).expect("a game");
        let (_, board) = parse_transcript(renju, "f8a1g8c1h9e1h10g1").expect("moves");
        assert_eq!(forbidden_squares(&board), [Square::new(7, 7)]);
    }
}
