//! A bot, the dialect it is spoken to in, and what both have come to.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::Instant;

use crate::{Bot, Info, Question, Start};

use super::botzone::Botzone;
use super::dialect::{Action, Answer, Ask, Dialect, Introduction};
use super::gomocup::Gomocup;
use super::gtp::Gtp;
use super::nboard::Nboard;
use super::{BadSetting, Language, Setting};

/// A bot that a foreign manager speaks to, line by line.
pub struct Conversation<'a> {
    dialect: Box<dyn Dialect>,
    seat: Seat<'a>,
}

impl<'a> Conversation<'a> {
    /// `bot` in the protocol that `setting` names, before the first line.
    pub fn new(bot: &'a mut dyn Bot, setting: &Setting) -> Result<Conversation<'a>, BadSetting> {
        let name = bot.name().to_owned();
        let games = setting.games(&name, |game| {
            bot.start(&Start::untimed(game, games::Side::Black))
        })?;
        let introduction = Introduction {
            version: bot.version().to_owned(),
            name,
            games,
        };
        let dialect: Box<dyn Dialect> = match setting.protocol {
            Language::Gomocup => Box::new(Gomocup::new(introduction)),
            Language::Gtp => Box::new(Gtp::new(introduction)),
            Language::Nboard => Box::new(Nboard::new(introduction)),
            Language::Botzone => Box::new(Botzone::new(&introduction, false)),
            Language::BotzoneKeepRunning => Box::new(Botzone::new(&introduction, true)),
            Language::Arena => return Err(BadSetting::OfTheArena { option: "protocol" }),
        };
        let seed = setting.seed.unwrap_or_else(any_seed);
        Ok(Conversation {
            dialect,
            seat: Seat::new(bot, seed),
        })
    }

    /// Does all that `line`, read at `now`, asks for, and hands what is to be said to `say`. False
    /// when the process is to end.
    pub fn hear(
        &mut self,
        line: &str,
        now: Instant,
        say: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut asked_at = now;
        let mut to_do = VecDeque::from(self.dialect.hear(line));
        while let Some(action) = to_do.pop_front() {
            let done = match action {
                Action::Say(line) => {
                    say(&line)?;
                    continue;
                }
                Action::Quit => return Ok(false),
                Action::Depth(plies) => {
                    self.seat.bot.limit_depth(plies);
                    self.seat.under = None;
                    continue;
                }
                Action::Start(start) => self.seat.new_game(&start).map(|()| Vec::new()),
                Action::Ask(ask) => {
                    let answer = self.seat.ask(*ask, asked_at, &mut |info| {
                        self.dialect.thought(info).map_or(Ok(()), |line| say(&line))
                    })?;
                    // Whatever else the line asks for is asked now.
                    asked_at = Instant::now();
                    answer.map(|answer| self.dialect.answer(&answer))
                }
            };
            match done {
                // What follows from an action comes before what was to be done after it.
                Ok(more) => more
                    .into_iter()
                    .rev()
                    .for_each(|action| to_do.push_front(action)),
                // What was to be done after it is not to be done without it.
                Err(why) => to_do = self.dialect.refused(&why).into(),
            }
        }
        Ok(true)
    }
}

/// The bot, and the game it has been told of.
struct Seat<'a> {
    bot: &'a mut dyn Bot,
    /// Of the game at hand.
    seed: u64,
    /// The terms it was started with, unless it refused them.
    under: Option<Start>,
    /// Whether it has been asked anything in this game.
    asked: bool,
}

impl<'a> Seat<'a> {
    fn new(bot: &'a mut dyn Bot, seed: u64) -> Seat<'a> {
        Seat {
            bot,
            seed,
            under: None,
            asked: false,
        }
    }

    fn new_game(&mut self, start: &Start) -> Result<(), String> {
        // A game that was begun and never played is still the same game.
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

    /// The bot's answer, or why it does not play this game.
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
            // In a period the clock of a protocol gives each move its share.
            moves_to_go: None,
            asked_at,
        };
        let mut thought = None;
        let mut told = Ok(());
        let played = self.bot.choose(&question, &mut |info| {
            if told.is_ok() {
                told = tell(info);
            }
            thought = Some(info.clone());
        });
        told?;
        Ok(Ok(Answer {
            played,
            thought,
            used: asked_at.elapsed(),
        }))
    }

    /// Whether the bot plays under these terms already. Once it has been asked, the side does not
    /// matter: a manager may have it play both.
    fn is_under(&self, start: &Start) -> bool {
        self.under.as_ref().is_some_and(|under| {
            let you = if self.asked { under.you } else { start.you };
            let (start, seed) = (start.clone(), under.seed);
            Start { you, seed, ..start } == *under
        })
    }
}

/// Seeds are below this, as in the arena.
const SEEDS: u64 = 1 << 53;

/// A seed that nobody chose: the standard library keys its hash maps by chance.
fn any_seed() -> u64 {
    RandomState::new().hash_one(0u8) % SEEDS
}
