//! A run in a terminal: standings, progress, games and faults. The caller makes an [`Overview`] for each change.

use games::Square;
use message::message;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use std::fmt::Display;

use super::board::BoardView;
use super::{Look, STRONG, Screen, ScreenStep, cut, keys, line};
use referee::record::Outcome;
use run::report::page::game_view::BoardCard;

#[derive(Clone, Debug, Default)]
pub struct Overview {
    pub title: String,
    /// The number of games played, and the number planned as far as known.
    pub games: [u64; 2],
    /// The state of the match's goal in a few words, and the progress from 0 to 1 (from H0 to H1 in a test).
    pub goal: Option<(String, f64)>,
    pub standings: Vec<String>,
    /// The latest games, the newest last.
    pub latest: Vec<BoardCard>,
    /// Faults and void games, the newest last.
    pub faults: Vec<String>,
    /// The reason why the run cannot be read; empty if it can be read.
    pub trouble: String,
    pub is_over: bool,
}

/// The least width of a board with its texts.
const LEAST_WIDTH: u16 = 19;

fn result(card: &BoardCard, look: Look) -> String {
    let Some(over) = &card.over else {
        return String::new();
    };
    let how = look.lang.word("reason", &over.reason);
    match over.outcome {
        Outcome::Win(side) => {
            let name = side.symbol();
            look.lang
                .with("said.won", &[("name", &name), ("how", &how)])
        }
        outcome => {
            let outcome = look.lang.word("outcome", outcome.word());
            look.lang.render(&message!("{outcome}: {how}"))
        }
    }
}

fn board(card: &BoardCard) -> BoardView {
    let last = card.last.map(|at| Square::from_index(at, card.size));
    BoardView::new(card.size, &card.stones, last)
}

fn height(card: &BoardCard) -> u16 {
    u16::from(card.size) + 4
}

pub struct WatchScreen<'a> {
    overview: Overview,
    /// Returns the new state of the run if it has changed.
    follow: Box<dyn FnMut() -> Option<Overview> + 'a>,
    /// The number of games that the user has stepped back.
    back: usize,
    chosen: Option<u64>,
}

impl<'a> WatchScreen<'a> {
    /// Makes a screen that calls `follow` at every tick, and shows the overview that `follow` returns.
    pub fn new(follow: impl FnMut() -> Option<Overview> + 'a) -> WatchScreen<'a> {
        WatchScreen {
            overview: Overview::default(),
            follow: Box::new(follow),
            back: 0,
            chosen: None,
        }
    }

    pub fn take_chosen(&mut self) -> Option<u64> {
        self.chosen.take()
    }

    /// Returns the latest games up to the game on the screen, which is `back` games before the last.
    fn shown(&self) -> &[BoardCard] {
        let latest = &self.overview.latest;
        &latest[..latest.len().saturating_sub(self.back)]
    }

    fn head(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let overview = &self.overview;
        let state = if !overview.trouble.is_empty() {
            overview.trouble.as_str()
        } else if overview.is_over {
            look.text("terminal.over")
        } else {
            ""
        };
        let [played, games] = overview.games;
        let values: [(&str, &dyn Display); _] = [("games", &played), ("planned", &games)];
        let count = look.lang.with("run.games-of", &values);
        let title = format!("{}  {count}  {state}", overview.title);
        let title = cut(&title, usize::from(area.width), look);
        line(frame, area, 0, Line::styled(title, STRONG));
        let share = if games == 0 {
            0.0
        } else {
            played as f64 / games as f64
        };
        line(frame, area, 1, gauge(share, usize::from(area.width), look));
        if let Some((words, share)) = &overview.goal {
            let width = usize::from(area.width) / 3;
            let needle = scale(*share, width, look);
            line(
                frame,
                area,
                2,
                Line::styled(format!("{needle} {words}"), STRONG),
            );
        }
    }

    fn boards(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let shown = self.shown();
        if shown.is_empty() {
            let text = Line::styled(look.text("terminal.no-game"), look.quiet());
            line(frame, area, 0, text);
            return;
        }
        let mut right = area.x + area.width;
        let mut drawn = Vec::new();
        for seen in shown.iter().rev() {
            let width = board(seen).width().max(LEAST_WIDTH);
            if right < area.x + width || area.height < height(seen) {
                break;
            }
            right -= width + 2;
            drawn.push(seen);
            if right < area.x {
                break;
            }
        }
        if drawn.is_empty() {
            for (row, seen) in (0..area.height).zip(shown.iter().rev()) {
                let [black, white] = &seen.players;
                let told = format!("{}: {black} - {white}  {}", seen.id, result(seen, look));
                line(frame, area, row, cut(&told, usize::from(area.width), look));
            }
            return;
        }
        let mut x = area.x;
        for (index, seen) in drawn.iter().rev().enumerate() {
            let width = board(seen).width().max(LEAST_WIDTH);
            let place = Rect {
                x,
                width: width.min(area.x + area.width - x),
                ..area
            };
            let room = usize::from(place.width);
            let is_chosen = index + 1 == drawn.len();
            let mark = if is_chosen { ">" } else { " " };
            let style = if is_chosen { STRONG } else { look.quiet() };
            let told = format!("{mark}{} {}", seen.id, result(seen, look));
            line(frame, place, 0, Line::styled(cut(&told, room, look), style));
            for (row, symbol) in [(0, 'X'), (1, 'O')] {
                let name = format!(" {symbol} {}", seen.players[usize::from(row)]);
                line(frame, place, 1 + row, cut(&name, room, look));
            }
            let [_, below] = Layout::vertical([Length(3), Fill(1)]).areas(place);
            frame.render_widget(Paragraph::new(board(seen).lines(look)), below);
            x += width + 2;
        }
    }
}

impl Screen for WatchScreen<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look) {
        let area = frame.area();
        if area.height < 12 || area.width < 40 {
            line(frame, area, 0, look.text("terminal.too-small"));
            return;
        }
        let head = if self.overview.goal.is_some() { 3 } else { 2 };
        self.head(frame, area, look);
        let faults = if area.height < 30 { 2 } else { area.height / 8 };
        let middle = area.height - head - faults - 2;
        let boards = self
            .shown()
            .last()
            .map_or(3, height)
            .min(middle.saturating_sub(3));
        let rows = [head, middle - boards, boards, faults + 1, 1].map(Length);
        let [_, table, place, log, _] = Layout::vertical(rows).areas(area);
        for (row, told) in (0..table.height).zip(&self.overview.standings) {
            let style = if row == 0 {
                look.quiet()
            } else {
                ratatui::style::Style::new()
            };
            line(
                frame,
                table,
                row,
                Line::styled(cut(told, usize::from(area.width), look), style),
            );
        }
        self.boards(frame, place, look);
        let rule = look.or_ascii("─", "-").repeat(usize::from(area.width));
        line(frame, log, 0, Line::styled(rule, look.quiet()));
        let latest = self.overview.faults.iter().rev().take(usize::from(faults));
        for (row, fault) in (1..).zip(latest.rev()) {
            let told = cut(fault, usize::from(area.width), look);
            line(frame, log, row, Line::styled(told, look.warning()));
        }
        if self.overview.faults.is_empty() {
            let text = Line::styled(look.text("terminal.no-fault"), look.quiet());
            line(frame, log, 1, text);
        }
        let text = match self.back {
            0 => look.text("terminal.watch-keys").to_owned(),
            back => {
                let told = look.lang.with("terminal.back", &[("games", &back)]);
                format!("{told}  {}", look.text("terminal.watch-keys"))
            }
        };
        keys(frame, &text, look);
    }

    fn key(&mut self, key: KeyCode) -> ScreenStep {
        let most = self.overview.latest.len().saturating_sub(1);
        match key {
            KeyCode::Left => self.back = (self.back + 1).min(most),
            KeyCode::Right => self.back = self.back.saturating_sub(1),
            KeyCode::Home => self.back = most,
            KeyCode::End => self.back = 0,
            KeyCode::Enter => {
                self.chosen = self.shown().last().map(|seen| seen.id);
                if self.chosen.is_some() {
                    return ScreenStep::Leave;
                }
            }
            KeyCode::Char('q') | KeyCode::Esc => return ScreenStep::Leave,
            _ => {}
        }
        ScreenStep::Stay
    }

    fn tick(&mut self) -> ScreenStep {
        if let Some(news) = (self.follow)() {
            // If the user has stepped back, the same game stays on the screen.
            if self.back > 0 {
                let more = news.latest.iter().rev();
                let shown = self.shown().last().map(|seen| seen.id);
                let place = more
                    .map(|seen| Some(seen.id))
                    .position(|game| game == shown);
                self.back = place.unwrap_or(news.latest.len().saturating_sub(1));
            }
            self.overview = news;
        }
        ScreenStep::Stay
    }
}

fn gauge(share: f64, width: usize, look: Look) -> Line<'static> {
    let full = (share.clamp(0.0, 1.0) * width as f64) as usize;
    let text = look.or_ascii("━", "=").repeat(full) + &look.or_ascii("╌", ".").repeat(width - full);
    Line::from(text)
}

/// Draws a scale with the position of a value between its bounds.
fn scale(share: f64, width: usize, look: Look) -> String {
    let inner = width.saturating_sub(2).max(1);
    let at = (share.clamp(0.0, 1.0) * (inner - 1) as f64).round() as usize;
    let rule = look.or_ascii("─", "-");
    format!(
        "[{}{}{}]",
        rule.repeat(at),
        look.or_ascii("◆", "#"),
        rule.repeat(inner - 1 - at)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::drawn;
    use games::{Game, Side, parse_transcript};
    use insta::assert_snapshot;
    use referee::record::{Effort, GameId, GameRecord, Ply, Thought, Verdict};

    fn game(id: u64) -> BoardCard {
        let (moves, _) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4f4c5b3").expect("legal");
        let plies = moves[..(id as usize).min(8)].iter().map(|&played| Ply {
            played,
            effort: Some(Effort::default()),
            thought: Thought::default(),
        });
        BoardCard::ended(&GameRecord {
            plies: plies.collect(),
            ..GameRecord::new(
                GameId(id),
                Game::OTHELLO,
                ["mine\u{1b}", "other"],
                Verdict::Resigned(Side::Black),
            )
        })
    }

    fn overview(games: u64) -> Overview {
        Overview {
            title: "five: othello".to_owned(),
            games: [games, 20],
            goal: None,
            standings: [
                "#  bot      games  score",
                "1  mine        12  75.0 %",
                "2  other       12  25.0 %",
            ]
            .map(str::to_owned)
            .into(),
            latest: (0..games).map(game).collect(),
            faults: (0..games / 4)
                .map(|game| format!("game {game}: other: crashed"))
                .collect(),
            trouble: String::new(),
            is_over: false,
        }
    }

    #[test]
    fn a_run_before_its_first_game_in_the_middle_and_under_a_test() {
        let mut news = vec![Some(overview(6)), Some(overview(0))];
        let mut watch = WatchScreen::new(|| news.pop().flatten());
        watch.tick();
        let empty = drawn(&mut watch, [80, 24], Look::plain());
        assert!(empty.contains("no game has ended yet"), "{empty}");
        watch.tick();
        watch.overview.goal = Some(("LLR 1.47 (-2.94, 2.94)".to_owned(), 0.75));
        assert_snapshot!("watch_zh", drawn(&mut watch, [80, 24], Look::chinese()));
        assert!(drawn(&mut watch, [30, 10], Look::plain()).starts_with("this needs a terminal"));
    }

    #[test]
    fn stepping_back_keeps_the_same_game() {
        let mut news = vec![overview(9), overview(6)];
        let mut watch = WatchScreen::new(|| news.pop());
        watch.tick();
        watch.key(KeyCode::Left);
        watch.key(KeyCode::Left);
        assert_eq!(watch.shown().last().map(|seen| seen.id), Some(3));
        watch.tick();
        assert_eq!(watch.shown().last().map(|seen| seen.id), Some(3));
        assert_eq!(watch.key(KeyCode::Enter), ScreenStep::Leave);
        assert_eq!(watch.take_chosen(), Some(3));
        watch.key(KeyCode::End);
        assert_eq!(watch.shown().last().map(|seen| seen.id), Some(8));
    }
}
