//! What a person at the board does: keys become squares, moves, wishes.

use std::time::Instant;

use games::{Board, Move, Side, Square};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;

use super::sight::{Advice, Message, Sight};
use crate::terminal::replay::last_square;
use crate::terminal::{Look, Screen, Step, text};
use referee::record::harmless;
use run::{GameState, HumanGame, Illegal};

/// Finds a move for a person; `None` where nobody knows the game.
pub type Hint = dyn FnMut(&Board, &[Move]) -> Option<Advice>;

/// A game at a board in a terminal.
pub struct PlayScreen<'a> {
    game: &'a HumanGame,
    hint: &'a mut Hint,
    side: Side,
    cursor: Square,
    typed: String,
    message: Option<Message>,
}

impl<'a> PlayScreen<'a> {
    /// The screen of a game in which one person plays.
    pub fn new(game: &'a HumanGame, hint: &'a mut Hint) -> PlayScreen<'a> {
        let size = game.tournament().game.size();
        let person = game.people().iter().position(|&is_person| is_person);
        PlayScreen {
            game,
            hint,
            side: Side::BOTH[person.unwrap_or(0)],
            cursor: Square::new(size / 2, size / 2),
            typed: String::new(),
            message: None,
        }
    }

    fn play(&mut self, played: &str) {
        let refused = self.game.put(played).err();
        self.message = refused.map(|why| Message::Refused(played.to_owned(), why));
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

/// How a game ended, or why it cannot go on.
fn over(state: &GameState, look: Look) -> String {
    match (&state.failed, &state.over) {
        (Some(why), _) => look.lang.with("said.failed", &[("why", why)]),
        (None, Some(record)) => text::ending(record, look.lang),
        (None, None) => String::new(),
    }
}

impl Screen for PlayScreen<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
        let state = self.game.state();
        let (moves, board) = self.game.position(&state);
        let first = self.game.opening().len();
        let is_bots = |index: &usize| {
            (first + index) % 2 != self.side.index() && state.plies[*index].effort.is_some()
        };
        let answered = (0..state.plies.len()).rev().find(is_bots);
        let over = over(&state, look);
        let sight = Sight {
            names: self.game.names().map(harmless),
            board: &board,
            last: last_square(&moves),
            side: self.side,
            cursor: (state.asked.is_some() && over.is_empty()).then_some(self.cursor),
            answered: answered.map(|index| (first + index, &state.plies[index])),
            waited: Instant::now().saturating_duration_since(state.since),
            over,
            message: self.message.as_ref(),
            typed: &self.typed,
            history: &moves,
        };
        sight.draw(frame, look);
    }

    fn key(&mut self, key: KeyCode) -> Step {
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
            // A row number follows a column letter, and no command is a digit.
            KeyCode::Char(c @ '0'..='9') if !self.typed.is_empty() && self.typed.len() < 3 => {
                self.typed.push(c);
            }
            KeyCode::Char('?') => self.give_hint(),
            KeyCode::Char('U') => {
                self.message = self.game.take_back().err().map(Message::NotTakenBack);
            }
            KeyCode::Char('R') if resigns.is_some() => self.play("resign"),
            KeyCode::Char('R') => self.message = Some(Message::Resign),
            KeyCode::Char('Q') | KeyCode::Esc => return Step::Leave,
            KeyCode::Char(c @ 'a'..='v') => self.typed = c.to_string(),
            _ => {}
        }
        Step::Stay
    }
}
