//! A board in a terminal: two columns per square, coordinates, marks.

use games::{Board, Rules, Side, Square};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use run::report::page::position::drawn;

use super::Look;

#[derive(Clone, Debug, Default)]
pub(super) struct BoardView {
    pub size: u8,
    /// The stones row by row, as in [`run::report::page::game_view`].
    pub stones: String,
    /// The last move, shown in round brackets.
    pub last: Option<Square>,
    /// Squares marked with `+`.
    pub legal: Vec<Square>,
    /// Forbidden squares, marked with `!`.
    pub forbidden: Vec<Square>,
    /// The person's cursor, shown in square brackets.
    pub cursor: Option<Square>,
}

impl BoardView {
    /// Makes a view without marks, except for the last move.
    pub fn new(size: u8, stones: &str, last: Option<Square>) -> BoardView {
        BoardView {
            size,
            stones: stones.to_owned(),
            last,
            ..BoardView::default()
        }
    }

    pub fn of(board: &Board, last: Option<Square>) -> BoardView {
        BoardView::new(board.size(), &drawn(board), last)
    }

    pub fn width(&self) -> u16 {
        2 * u16::from(self.size) + 3
    }

    pub fn lines(&self, look: Look) -> Vec<Line<'static>> {
        let size = self.size;
        let letters = (0..size).flat_map(|column| [' ', char::from(b'a' + column)]);
        let head = format!("  {}", letters.collect::<String>());
        let mut lines = vec![Line::styled(head, look.quiet())];
        for row in 0..size {
            let mut spans = vec![Span::styled(format!("{:2}", row + 1), look.quiet())];
            for column in 0..size {
                let square = Square::new(column, row);
                let left = match column {
                    0 => None,
                    column => Some(Square::new(column - 1, row)),
                };
                spans.push(Span::styled(self.between(left, Some(square)), ground(look)));
                spans.push(self.square(square, look));
            }
            let last = Square::new(size - 1, row);
            spans.push(Span::styled(self.between(Some(last), None), ground(look)));
            lines.push(Line::from(spans));
        }
        lines
    }

    fn between(&self, left: Option<Square>, right: Option<Square>) -> &'static str {
        let is =
            |marked: Option<Square>, square: Option<Square>| marked.is_some() && marked == square;
        match () {
            () if is(self.cursor, right) => "[",
            () if is(self.cursor, left) => "]",
            () if is(self.last, right) => "(",
            () if is(self.last, left) => ")",
            () => " ",
        }
    }

    fn square(&self, square: Square, look: Look) -> Span<'static> {
        let discs = look.colour && look.unicode;
        let symbol = self.stones.as_bytes()[square.index(self.size)];
        let side = Side::BOTH
            .into_iter()
            .find(|side| side.symbol() == char::from(symbol));
        match side {
            Some(side) => {
                // The shapes also differ, since some people and terminals cannot distinguish colours.
                let text = match (discs, side) {
                    (false, side) => side.symbol(),
                    (true, Side::Black) => '●',
                    (true, Side::White) => '○',
                };
                Span::styled(text.to_string(), stone(side, look))
            }
            None if self.legal.contains(&square) => {
                Span::styled("+", ground(look).patch(look.warning()))
            }
            None if self.forbidden.contains(&square) => {
                Span::styled("!", ground(look).patch(look.warning()))
            }
            None => Span::styled(look.or_ascii("·", "."), ground(look)),
        }
    }
}

fn ground(look: Look) -> Style {
    if look.colour {
        Style::new().bg(Color::Indexed(29)).fg(Color::Indexed(150))
    } else {
        Style::new()
    }
}

fn stone(side: Side, look: Look) -> Style {
    let style = ground(look).add_modifier(Modifier::BOLD);
    match (look.colour, side) {
        (false, _) => style,
        (true, Side::Black) => style.fg(Color::Indexed(16)),
        (true, Side::White) => style.fg(Color::Indexed(231)),
    }
}
