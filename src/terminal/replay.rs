//! Steps through a finished game.

use games::{Board, Move, Rules};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::board::BoardView;
use super::{Look, STRONG, Screen, ScreenStep, cut, keys, line, wrapped};
use referee::record::harmless;

#[derive(Clone, Debug)]
pub struct Shown {
    pub played: Move,
    pub note: String,
    pub is_given: bool,
}

#[derive(Debug)]
pub struct ReplayScreen {
    title: String,
    players: [String; 2],
    moves: Vec<Shown>,
    /// The boards before the first move and after each.
    boards: Vec<Board>,
    ending: String,
    /// The half-move at which the loser's own score falls most.
    turning: Option<usize>,
    ply: usize,
}

impl ReplayScreen {
    /// Creates a screen that shows the final position. `players`: black's name first. Drops the first illegal move and
    /// all moves after it.
    pub fn new(
        title: &str,
        players: [&str; 2],
        start: &Board,
        moves: Vec<Shown>,
        ending: &str,
    ) -> ReplayScreen {
        let mut boards = vec![start.clone()];
        for shown in &moves {
            let mut board = boards[boards.len() - 1].clone();
            let put = if shown.is_given {
                Board::give
            } else {
                Board::play
            };
            if put(&mut board, shown.played).is_err() {
                break;
            }
            boards.push(board);
        }
        ReplayScreen {
            title: harmless(title.trim_end()),
            players: players.map(harmless),
            ply: boards.len() - 1,
            boards,
            moves,
            ending: ending.lines().map(harmless).collect::<Vec<_>>().join("\n"),
            turning: None,
        }
    }

    #[must_use]
    pub fn with_turning_point(self, turning: Option<usize>) -> ReplayScreen {
        ReplayScreen { turning, ..self }
    }

    fn go(&mut self, ply: usize) {
        self.ply = ply.min(self.boards.len() - 1);
    }

    fn last(&self) -> Option<&Shown> {
        self.moves.get(self.ply.checked_sub(1)?)
    }

    fn describe(&self, index: usize) -> String {
        let (board, played) = (&self.boards[index], self.moves[index].played);
        let side = match played {
            Move::Place(_) => board.next_stone(),
            Move::Pass | Move::Choose(_) => board.side_to_move(),
        };
        format!("{:3}. {} {played}", index + 1, side.symbol())
    }

    fn state(&self, look: Look) -> Vec<Line<'static>> {
        let board = &self.boards[self.ply];
        let [black, white] = board.counts();
        let mut lines = vec![
            Line::from(format!("X {}  {black}", self.players[0])),
            Line::from(format!("O {}  {white}", self.players[1])),
            Line::default(),
        ];
        match self.last() {
            None => lines.push(Line::styled(look.text("ply.start"), STRONG)),
            Some(shown) => {
                lines.push(Line::styled(self.describe(self.ply - 1), STRONG));
                let note = shown.note.trim_start().split('\n');
                lines.extend(note.map(|line| Line::from(harmless(line))));
            }
        }
        lines.push(Line::default());
        if self.ply == self.boards.len() - 1 {
            lines.extend(self.ending.lines().map(|line| Line::from(line.to_owned())));
        }
        lines
    }

    fn moves(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        const WIDTH: u16 = 14;
        let columns = usize::from((area.width / WIDTH).max(1));
        let (rows, count) = (usize::from(area.height), self.boards.len() - 1);
        let page = (rows * columns).max(1);
        let first = self.ply.saturating_sub(1) / page * page;
        for (place, index) in (first..count.min(first + page)).enumerate() {
            let here = Rect {
                x: area.x + WIDTH * (place / rows.max(1)) as u16,
                width: WIDTH,
                ..area
            };
            let is_here = index + 1 == self.ply;
            let mark = if is_here { ">" } else { " " };
            let style = match (is_here, self.moves[index].is_given) {
                (true, _) => STRONG,
                (false, true) => look.quiet(),
                (false, false) => ratatui::style::Style::new(),
            };
            let told = Line::styled(format!("{mark}{}", self.describe(index)), style);
            line(frame, here, (place % rows.max(1)) as u16, told);
        }
    }
}

impl Screen for ReplayScreen {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
        let area = frame.area();
        let last = self.last().and_then(|shown| shown.played.square());
        let view = BoardView::of(&self.boards[self.ply], last);
        let (wide, high) = (view.width(), u16::from(self.boards[0].size()) + 1);
        if area.height < high + 1 || area.width < wide + 20 {
            line(frame, area, 0, look.text("terminal.too-small"));
            return;
        }
        // On the smallest screen, a board of 22 rows leaves only one line for the status, so the title is left out.
        let has_room = area.height > high + 2;
        let rows = Layout::vertical([Length(u16::from(has_room)), Fill(1), Length(1)]);
        let [_, body, _] = rows.areas(area);
        if has_room {
            let title = cut(&self.title, usize::from(area.width), look);
            line(frame, area, 0, Line::styled(title, STRONG));
        }
        let across = Layout::horizontal([Length(wide), Fill(1)]).spacing(2);
        let [board, beside] = across.areas(body);
        frame.render_widget(Paragraph::new(view.lines(look)), board);
        let state = wrapped(self.state(look), beside.width);
        let tall = (state.len() as u16 + 1).min(beside.height);
        let [top, rest] = Layout::vertical([Length(tall), Fill(1)]).areas(beside);
        frame.render_widget(Paragraph::new(state), top);
        self.moves(frame, rest, look);
        keys(frame, look.text("terminal.replay-keys"), look);
    }

    fn key(&mut self, key: KeyCode) -> ScreenStep {
        match key {
            KeyCode::Left | KeyCode::Char('k') => self.go(self.ply.saturating_sub(1)),
            KeyCode::Right | KeyCode::Char('j' | ' ') => self.go(self.ply + 1),
            KeyCode::PageUp => self.go(self.ply.saturating_sub(10)),
            KeyCode::PageDown => self.go(self.ply + 10),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(usize::MAX),
            KeyCode::Char('t') => {
                if let Some(turning) = self.turning {
                    self.go(turning + 1);
                }
            }
            KeyCode::Char('q') | KeyCode::Esc => return ScreenStep::Leave,
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

    fn replay() -> ReplayScreen {
        let (moves, _) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4f4c5b3").expect("legal");
        let moves = moves.into_iter().enumerate().map(|(index, played)| Shown {
            played,
            note: match index {
                0 | 1 => "   (opening)".to_owned(),
                _ => "   12.5 ms, depth 7, score +2, 12345 nodes, pv c4 f4 c5".to_owned(),
            },
            is_given: index < 2,
        });
        let ending = "mine\u{1b}[31m wins (discs), 40-24";
        let start = Game::OTHELLO.start();
        ReplayScreen::new(
            "game 7: othello",
            ["mine", "other"],
            &start,
            moves.collect(),
            ending,
        )
        .with_turning_point(Some(4))
    }

    #[test]
    fn the_end_and_the_middle_of_a_game() {
        let mut replay = replay();
        let end = drawn(&mut replay, [80, 24], Look::plain());
        assert!(end.contains("mine\\u{1b}[31m wins (discs), 40-24"), "{end}");
        replay.key(KeyCode::Char('t'));
        assert_eq!(replay.ply, 5);
        let middle = drawn(&mut replay, [80, 24], Look::rich());
        for shown in ["(●)", ">  5. X c4\n", "12.5 ms, depth 7"] {
            assert!(middle.contains(shown), "{middle}");
        }
    }

    #[test]
    fn keys_stay_within_the_game() {
        let mut replay = replay();
        for (key, ply) in [
            (KeyCode::Right, 8),
            (KeyCode::Left, 7),
            (KeyCode::Home, 0),
            (KeyCode::Left, 0),
            (KeyCode::PageDown, 8),
            (KeyCode::PageUp, 0),
            (KeyCode::End, 8),
        ] {
            assert_eq!(replay.key(key), ScreenStep::Stay);
            assert_eq!(replay.ply, ply, "{key:?}");
        }
        assert_eq!(replay.key(KeyCode::Esc), ScreenStep::Leave);
    }

    #[test]
    fn the_largest_board_fits_and_a_small_terminal_gets_a_message() {
        let game = Game::new("gomoku", Some("freestyle"), Some(22)).expect("a game");
        let moves = ["k11", "v22", "a1"].map(|played| Shown {
            played: played.parse().expect("a square"),
            note: String::new(),
            is_given: false,
        });
        let players = ["a", "b"];
        let mut replay = ReplayScreen::new("game 1", players, &game.start(), moves.into(), "");
        let largest = drawn(&mut replay, [80, 24], Look::plain());
        assert!(
            largest.contains("\n22 .") && largest.starts_with("   a b"),
            "{largest}"
        );
        assert!(drawn(&mut replay, [40, 10], Look::plain()).starts_with("this needs a terminal"));
    }
}
