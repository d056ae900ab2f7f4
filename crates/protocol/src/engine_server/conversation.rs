//! A bot and the server of its protocol, line by line or over pipes.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, Write};
use std::time::Instant;

use crate::serve::fill;
use crate::{Bot, Info, LineBuffer, Question, Start, serve};

use super::botzone::BotzoneServer;
use super::gomocup::GomocupServer;
use super::gtp::GtpServer;
use super::nboard::NboardServer;
use super::{Action, Answer, Ask, BadSetting, EngineProtocol, EngineServer, Introduction, Setting};

/// An error that ends a conversation.
#[derive(Debug, thiserror::Error, message::Message)]
pub enum NotSpoken {
    /// The setting cannot be used.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// A pipe failed, or the arena sent a bad line.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Plays over `input` and `output` in the protocol of `setting`, until the manager ends the session or closes the
/// input. Lines end with CR, LF or both. A bad line ends the process only in the arena's own protocol: see [`serve()`].
pub fn speak(
    bot: &mut dyn Bot,
    setting: &Setting,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), NotSpoken> {
    if setting.protocol == EngineProtocol::Arena {
        return match setting.beyond_the_arena() {
            Some(option) => Err(BadSetting::OfTheArena { option }.into()),
            None => Ok(serve(bot, input, output)?),
        };
    }
    let mut conversation = Conversation::new(bot, setting)?;
    let mut lines = LineBuffer::new();
    let mut say = |line: &str| {
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    };
    loop {
        while let Some(line) = next_line(&mut lines) {
            if !conversation.hear(&line, Instant::now(), &mut say)? {
                return Ok(());
            }
        }
        let newlines = |lines: &mut LineBuffer, bytes: &[u8]| {
            let end = |&byte: &u8| if byte == b'\r' { b'\n' } else { byte };
            lines.extend(&bytes.iter().map(end).collect::<Vec<_>>());
        };
        if !fill(&mut lines, &mut input, newlines)? {
            return Ok(());
        }
    }
}

/// Returns the next complete line. Cuts a line that exceeds the limit, so that it becomes an unknown command.
fn next_line(lines: &mut LineBuffer) -> Option<String> {
    const KEPT: usize = 100;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if let Ok(line) = lines.next_line()? {
        return Some(text(line));
    }
    let rest = lines.rest().to_vec();
    lines.clear();
    if let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        lines.extend(&rest[end..]);
    }
    Some(text(&rest[..KEPT]))
}

/// A bot with the server of its protocol.
pub struct Conversation<'a> {
    server: Box<dyn EngineServer>,
    game: BotGame<'a>,
}

impl<'a> Conversation<'a> {
    /// Makes `bot` an engine in the protocol of `setting`.
    pub fn new(bot: &'a mut dyn Bot, setting: &Setting) -> Result<Conversation<'a>, BadSetting> {
        let name = bot.name().to_owned();
        let games = setting.games(&name, |game| {
            bot.start(&Start::untimed(game, games::Side::Black))
        })?;
        let introduction = Introduction {
            version: bot.version().to_owned(),
            name,
            games,
            openings: bot.openings(),
        };
        let server: Box<dyn EngineServer> = match setting.protocol {
            EngineProtocol::Gomocup => Box::new(GomocupServer::new(introduction)),
            EngineProtocol::Gtp => Box::new(GtpServer::new(introduction)),
            EngineProtocol::Nboard => Box::new(NboardServer::new(introduction)),
            EngineProtocol::Botzone => Box::new(BotzoneServer::new(&introduction, false)),
            EngineProtocol::BotzoneKeepRunning => Box::new(BotzoneServer::new(&introduction, true)),
            EngineProtocol::Arena => return Err(BadSetting::OfTheArena { option: "protocol" }),
        };
        Ok(Conversation {
            server,
            game: BotGame {
                bot,
                seed: setting.seed.unwrap_or_else(any_seed),
                under: None,
                asked: false,
            },
        })
    }

    /// Runs the actions for `line`, read at `now`; `say` writes output. Returns false at the end of the session.
    pub fn hear(
        &mut self,
        line: &str,
        now: Instant,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut asked_at = now;
        let mut to_do = VecDeque::from(self.server.on_line(line));
        while let Some(action) = to_do.pop_front() {
            let done = match action {
                Action::Say(line) => {
                    say(&line)?;
                    continue;
                }
                Action::Quit => return Ok(false),
                Action::Depth(plies) => {
                    self.game.bot.limit_depth(plies);
                    self.game.under = None;
                    continue;
                }
                Action::Start(start) => self.game.new_game(&start).map(|()| Vec::new()),
                Action::Ask(ask) => {
                    let answer = self.game.ask(*ask, asked_at, &mut |info| {
                        self.server
                            .on_thought(info)
                            .map_or(Ok(()), |line| say(&line))
                    })?;
                    // If this line causes another question, the clock of that question starts now.
                    asked_at = Instant::now();
                    answer.map(|answer| self.server.on_answer(&answer))
                }
            };
            match done {
                // Actions that follow from this action run before the others.
                Ok(more) => more
                    .into_iter()
                    .rev()
                    .for_each(|action| to_do.push_front(action)),
                Err(why) => to_do = self.server.on_refusal(&why).into(),
            }
        }
        Ok(true)
    }
}

struct BotGame<'a> {
    bot: &'a mut dyn Bot,
    seed: u64,
    /// The terms that the bot accepted last; `None` if it must be started before the next question.
    under: Option<Start>,
    asked: bool,
}

impl BotGame<'_> {
    fn new_game(&mut self, start: &Start) -> Result<(), String> {
        // If the last game had no question, the new game has the same seed.
        if self.asked {
            self.seed = (self.seed + 1) % SEEDS;
        }
        self.begin(start)
    }

    fn begin(&mut self, start: &Start) -> Result<(), String> {
        let start = Start {
            seed: self.seed,
            ..start.clone()
        };
        if self.asked || self.under.as_ref() != Some(&start) {
            self.under = None;
            self.asked = false;
            self.bot.start(&start)?;
            self.under = Some(start);
        }
        Ok(())
    }

    fn ask(
        &mut self,
        ask: Ask,
        asked_at: Instant,
        tell: &mut dyn FnMut(&Info) -> io::Result<()>,
    ) -> io::Result<Result<Answer, String>> {
        if !self.is_under(&ask.start)
            && let Err(why) = self.begin(&ask.start)
        {
            return Ok(Err(why));
        }
        self.asked = true;
        let question = Question {
            board: ask.board,
            moves: ask.moves,
            left: ask.left,
            opponent_left: ask.opponent_left,
            // In a period, the protocol's clock gives each move an equal share.
            moves_to_go: None,
            asked_at,
        };
        let mut thought = None;
        let mut result = Ok(());
        let played = self.bot.choose(&question, &mut |info| {
            if result.is_ok() {
                result = tell(info);
            }
            thought = Some(info.clone());
        });
        result?;
        Ok(Ok(Answer {
            played,
            thought,
            used: asked_at.elapsed(),
        }))
    }

    /// Returns true if the bot already plays under these terms. After the first question, the side is not compared.
    fn is_under(&self, start: &Start) -> bool {
        self.under.as_ref().is_some_and(|under| {
            let you = if self.asked { under.you } else { start.you };
            let (start, seed) = (start.clone(), under.seed);
            Start { you, seed, ..start } == *under
        })
    }
}

/// Seeds are below this number, as in the arena.
const SEEDS: u64 = 1 << 53;

fn any_seed() -> u64 {
    RandomState::new().hash_one(0u8) % SEEDS
}
