//! The loop of a bot: lines in, moves out.

use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Write};
use std::time::Instant;

use crate::read::{Heard, hear};
use crate::{Bot, LineBuffer, LineTooLong, MoveMessage, Question, Ready, Start, ToArena};

/// A line of the arena that a bot cannot go on after.
#[derive(Debug, thiserror::Error)]
pub enum BadLine {
    /// It is not a message of the protocol, or says what cannot be.
    #[error("cannot understand {line:?}: {why}")]
    NotUnderstood {
        /// The line, cut short.
        line: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is longer than the protocol allows.
    #[error(transparent)]
    TooLong(#[from] LineTooLong),
}

impl From<BadLine> for io::Error {
    fn from(bad: BadLine) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, bad)
    }
}

/// Plays games over `input` and `output` until `quit` or the end of the input.
///
/// Blank lines, carriage returns, a byte-order mark at the start, messages of unknown type and
/// unknown fields are ignored. Any other line that is not understood is an error that names the
/// line and what is wrong with it (a [`BadLine`] inside): print it to standard error and exit with
/// a status other than 0, as the arena then shows it to the bot's author.
///
/// ```
/// # use games::Move;
/// # use protocol::{Bot, Info, Question, Start, serve};
/// struct First;
///
/// impl Bot for First {
///     fn name(&self) -> &str {
///         "first"
///     }
///     fn start(&mut self, _: &Start) -> Result<(), String> {
///         Ok(())
///     }
///     fn choose(&mut self, question: &Question, _: &mut dyn FnMut(&Info)) -> Move {
///         Move::Place(question.legal()[0])
///     }
/// }
///
/// let result = serve(&mut First, std::io::stdin().lock(), std::io::stdout().lock());
/// if let Err(error) = result {
///     eprintln!("first: {error}");
///     std::process::exit(1);
/// }
/// ```
pub fn serve(bot: &mut dyn Bot, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut lines = LineBuffer::new();
    let mut game = None;
    loop {
        while let Some(line) = lines.next_line() {
            let asked_at = Instant::now();
            let line = line.map_err(BadLine::from)?;
            let bad = |why: &dyn Display| BadLine::NotUnderstood {
                line: excerpt(line),
                why: why.to_string(),
            };
            match hear(line, game, asked_at).map_err(|why| bad(&why))? {
                Heard::Hello(hello) => {
                    let start = Start::try_from(&hello).map_err(|why| bad(&why))?;
                    bot.start(&start).map_err(|why| bad(&why))?;
                    game = Some(start.game);
                    send(&mut output, &ToArena::Ready(introduction(bot)))?;
                }
                Heard::Turn(id, question) => answer(bot, id, &question, &mut output)?,
                Heard::Quit => return Ok(()),
                Heard::Nothing => {}
            }
        }
        if !fill(&mut lines, &mut input, LineBuffer::extend)? {
            return Ok(());
        }
    }
}

/// Takes in what has arrived by `take`, after waiting for something; false at the end of the input.
/// The last line may lack its newline there.
pub(crate) fn fill(
    lines: &mut LineBuffer,
    input: &mut impl BufRead,
    take: impl Fn(&mut LineBuffer, &[u8]),
) -> io::Result<bool> {
    match input.fill_buf() {
        Ok([]) if lines.is_blank() => return Ok(false),
        Ok([]) => lines.extend(b"\n"),
        Ok(bytes) => {
            take(lines, bytes);
            let taken = bytes.len();
            input.consume(taken);
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        Err(error) => return Err(error),
    }
    Ok(true)
}

fn introduction(bot: &dyn Bot) -> Ready {
    Ready {
        name: bot.name().to_owned(),
        version: bot.version().to_owned(),
    }
}

fn answer(
    bot: &mut dyn Bot,
    id: u64,
    question: &Question,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut sent = Ok(());
    let played = bot.choose(question, &mut |info| {
        if sent.is_ok() {
            sent = send(output, &ToArena::Info(info.clone()));
        }
    });
    sent?;
    let played = MoveMessage {
        id: Some(id),
        played: played.to_string(),
    };
    send(output, &ToArena::Move(played))
}

/// One line, at once: output that stays in a buffer is the classic way to lose on time.
fn send(output: &mut impl Write, message: &ToArena) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// The beginning of a line, short enough for a message.
fn excerpt(line: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(&line[..line.len().min(LONGEST)]).into_owned();
    if line.len() > LONGEST {
        text + "…"
    } else {
        text
    }
}
