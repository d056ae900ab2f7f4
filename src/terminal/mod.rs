//! Watches, replays and plays games in a terminal of at least 80×24.
//!
//! A [`Screen`] draws itself and handles keys; [`show`] runs it. The picture depends only on the screen's state and a
//! [`Look`], so tests can draw it without a terminal. With `NO_COLOR` or without Unicode, discs are `X` and `O`. Colour
//! is never the only difference. Texts of bots are escaped before they are drawn.

mod board;
pub mod play;
mod replay;
mod watch;

use std::io::{self, IsTerminal};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use message::Lang;
use message::number::rounded;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use referee::record::{GameRecord, Outcome, Verdict, harmless};

pub use replay::{ReplayScreen, Shown};
pub use watch::{Overview, WatchScreen};

#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colour: bool,
    pub unicode: bool,
    pub lang: &'static Lang,
}

impl Look {
    /// Reads `NO_COLOR`, `TERM`, and the locale's character set from the environment.
    pub fn of_environment(lang: &'static Lang) -> Look {
        let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value);
        let is_utf8 = |locale: String| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        let plain = value("TERM").is_some_and(|term| term == "dumb" || term == "linux");
        let unicode = cfg!(windows) || (!plain && locale.is_some_and(is_utf8));
        Look {
            colour: value("NO_COLOR").is_none() && value("TERM").is_none_or(|term| term != "dumb"),
            unicode,
            // A terminal with only ASCII cannot show Chinese.
            lang: if unicode { lang } else { Lang::usual() },
        }
    }

    fn quiet(self) -> Style {
        if self.colour {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new()
        }
    }

    fn warning(self) -> Style {
        if self.colour {
            Style::new().fg(Color::Yellow)
        } else {
            STRONG
        }
    }

    fn text(self, key: &'static str) -> &'static str {
        self.lang.get(key)
    }

    fn or_ascii<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenStep {
    Stay,
    Leave,
}

pub trait Screen {
    fn draw(&mut self, frame: &mut Frame<'_>, look: Look);
    fn key(&mut self, key: KeyCode) -> ScreenStep;
    /// Updates the screen. [`show`] calls it before each wait for a key, which lasts at most 100 ms.
    fn tick(&mut self) -> ScreenStep {
        ScreenStep::Stay
    }
}

const TICK: Duration = Duration::from_millis(100);

pub fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns whether a signal has asked this process to end. From the first call on, such a signal does not end it.
fn is_interrupted() -> bool {
    static LISTENS: Once = Once::new();
    static HEARD: AtomicBool = AtomicBool::new(false);
    // Without a thread, the signal ends the process as usual.
    LISTENS.call_once(|| drop(host::on_interrupt(|| HEARD.store(true, Ordering::Relaxed))));
    HEARD.load(Ordering::Relaxed)
}

/// Shows a screen until the user leaves it or presses Ctrl-C or Ctrl-D, or a signal asks this process to end. Restores
/// the terminal, even after a panic.
pub fn show(screen: &mut dyn Screen, lang: &'static Lang) -> io::Result<()> {
    let look = Look::of_environment(lang);
    let mut is_over = is_interrupted();
    let mut terminal = ratatui::try_init()?;
    let shown = (|| {
        while !is_over {
            terminal.draw(|frame| screen.draw(frame, look))?;
            let mut step = screen.tick();
            if event::poll(TICK)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                let leaves = key.modifiers.contains(KeyModifiers::CONTROL)
                    && matches!(key.code, KeyCode::Char('c' | 'd'));
                step = if leaves {
                    ScreenStep::Leave
                } else {
                    screen.key(key.code)
                };
            }
            is_over = step == ScreenStep::Leave || is_interrupted();
        }
        Ok(())
    })();
    ratatui::try_restore()?;
    shown
}

fn line(frame: &mut Frame<'_>, area: Rect, row: u16, text: impl Into<Line<'static>>) {
    if let Some(place) = area.rows().nth(usize::from(row)) {
        frame.render_widget(Paragraph::new(text.into()), place);
    }
}

fn keys(frame: &mut Frame<'_>, text: &str, look: Look) {
    let area = frame.area();
    let text = cut(text, usize::from(area.width), look);
    let text = Line::styled(text, look.quiet());
    line(frame, area, area.height - 1, text);
}

fn wrapped(lines: Vec<Line<'static>>, width: u16) -> Vec<Line<'static>> {
    let wrap = |line: Line<'static>| {
        let style = line.style;
        let text: String = line
            .spans
            .iter()
            .map(|span| span.content.as_ref())
            .collect();
        let parts = textwrap::wrap(&text, usize::from(width)).into_iter();
        let parts = parts.map(|part| Line::styled(part.into_owned(), style));
        parts.collect::<Vec<_>>()
    };
    lines.into_iter().flat_map(wrap).collect()
}

fn cut(text: &str, width: usize, look: Look) -> String {
    let columns = |text: &str| Line::raw(text.to_owned()).width();
    if columns(text) <= width {
        return text.to_owned();
    }
    let mark = look.or_ascii("…", "~");
    let mut kept = text.to_owned();
    while columns(&kept) >= width && kept.pop().is_some() {}
    kept + mark
}

pub fn game_ending(record: &GameRecord, lang: &Lang) -> String {
    let how = lang.word("reason", record.verdict.reason()).to_owned();
    let (key, name, how) = match (record.verdict.outcome(), &record.verdict) {
        (Outcome::Win(side), _) => ("said.won", record.player(side), how),
        (Outcome::DoubleForfeit, _) => ("said.both-failed", "", how),
        (Outcome::Void, Verdict::Void { why }) => ("said.void", "", lang.render(why)),
        (Outcome::Draw | Outcome::Void, _) => ("said.drawn", "", how),
    };
    let [black, white] = record.counts;
    let said = lang.with(key, &[("name", &name), ("how", &how)]);
    harmless(&format!("{said}, {black}-{white}"))
}

/// Rounds a score to a hundredth, because bots write up to seventeen digits.
pub fn score(score: f64) -> String {
    format!("{:+}", rounded(score, 2))
}

#[cfg(test)]
impl Look {
    fn plain() -> Look {
        Look {
            colour: false,
            unicode: false,
            lang: Lang::usual(),
        }
    }

    fn rich() -> Look {
        Look {
            colour: true,
            unicode: true,
            ..Look::plain()
        }
    }

    fn chinese() -> Look {
        Look {
            unicode: true,
            lang: Lang::of("zh").expect("Chinese texts"),
            ..Look::plain()
        }
    }
}

#[cfg(test)]
fn drawn(screen: &mut dyn Screen, [width, height]: [u16; 2], look: Look) -> String {
    let backend = ratatui::backend::TestBackend::new(width, height);
    let mut terminal = ratatui::Terminal::new(backend).expect("a terminal of memory");
    terminal
        .draw(|frame| screen.draw(frame, look))
        .expect("it draws");
    let buffer = terminal.backend().buffer();
    let rows = (0..height).map(|y| {
        let mut row = String::new();
        let mut x = 0;
        while x < width {
            // A wide letter takes two cells; the second one is skipped.
            let symbol = buffer[(x, y)].symbol();
            row += symbol;
            x += Line::raw(symbol).width().max(1) as u16;
        }
        row.trim_end().to_owned()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_two_decimals_at_most() {
        let shown = [1.220_281_782, -21.730_750_717, 56.0, -0.5, -0.001].map(score);
        assert_eq!(shown, ["+1.22", "-21.73", "+56", "-0.5", "+0"]);
    }
}
