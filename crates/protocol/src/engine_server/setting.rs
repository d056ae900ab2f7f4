//! The options that choose a bot's protocol and game, and errors for options that cannot be used together.

use games::{Game, UnknownGame};

use crate::codec;

/// A protocol that a built-in bot supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EngineProtocol {
    /// The arena's own protocol, in JSON lines
    #[default]
    Arena,
    /// Gomoku managers: Piskvork, c-gomoku-cli, Gomocup
    Gomocup,
    /// The Go Text Protocol, for Othello (Quarry) or Gomoku
    Gtp,
    /// `NBoard`, and other Othello programs that use its protocol
    #[cfg_attr(
        feature = "clap",
        value(help = "NBoard, and other Othello programs that use its protocol")
    )]
    Nboard,
    /// Botzone's JSON, one process per turn
    Botzone,
    /// Botzone's JSON, one process for all turns
    BotzoneKeepRunning,
}

impl EngineProtocol {
    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            EngineProtocol::Arena => "arena",
            EngineProtocol::Gomocup => "gomocup",
            EngineProtocol::Gtp => "gtp",
            EngineProtocol::Nboard => "nboard",
            EngineProtocol::Botzone => "botzone",
            EngineProtocol::BotzoneKeepRunning => "botzone-keep-running",
        }
    }

    fn games(self) -> Vec<&'static str> {
        match self {
            EngineProtocol::Gomocup => codec::gomocup::GAMES.to_vec(),
            EngineProtocol::Nboard => codec::nboard::GAMES.to_vec(),
            EngineProtocol::Botzone | EngineProtocol::BotzoneKeepRunning => {
                codec::botzone::GAMES.to_vec()
            }
            EngineProtocol::Arena | EngineProtocol::Gtp => games::names(),
        }
    }
}

/// The protocol to use, and what some protocols do not name: the game, its rules and a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Setting {
    /// The protocol to speak
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "PROTOCOL", value_enum, default_value = "arena")
    )]
    pub protocol: EngineProtocol,
    /// The game to play, if the protocol does not name it: othello or gomoku
    #[cfg_attr(feature = "clap", arg(long, value_name = "GAME"))]
    pub game: Option<String>,
    /// The rules of gomoku, if the protocol does not name them [default: freestyle]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RULES"))]
    pub rules: Option<String>,
    /// Seed of the bot's random choices, if the protocol sends none [default: a new one each time]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub seed: Option<u64>,
}

/// A [`Setting`] that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
#[expect(missing_docs, reason = "the texts say what they are")]
pub enum BadSetting {
    #[error(
        "--{option} is only for other protocols: the arena's own protocol sends the game, its rules and the seed"
    )]
    OfTheArena { option: &'static str },
    #[error("the protocol {protocol} does not support {game}; it supports {known}")]
    NotItsGame {
        protocol: &'static str,
        game: &'static str,
        known: String,
    },
    #[error("{bot} cannot speak {protocol}: {why}")]
    NotItsBot {
        bot: String,
        protocol: &'static str,
        why: String,
    },
    #[error("{protocol} does not name the game: add --game {}", .games.join(" or --game "))]
    NoGame {
        protocol: &'static str,
        games: Vec<&'static str>,
    },
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
}

impl Setting {
    /// Returns the games that protocol, options and bot allow, the default first. `plays` fails for games that the bot
    /// lacks.
    pub(super) fn games(
        &self,
        bot: &str,
        mut plays: impl FnMut(Game) -> Result<(), String>,
    ) -> Result<Vec<Game>, BadSetting> {
        let protocol = self.protocol.name();
        let known = self.protocol.games();
        let names = match self.game.as_deref() {
            None => known,
            Some(name) => {
                // First checks that the game exists, then that the protocol supports it.
                let name = Game::new(name, None, None)?.name();
                if !known.contains(&name) {
                    return Err(BadSetting::NotItsGame {
                        protocol,
                        game: name,
                        known: known.join(" and "),
                    });
                }
                vec![name]
            }
        };
        let mut games = Vec::new();
        let mut refusal = String::new();
        for &name in &names {
            // If several games are possible, the rules apply only to games that have a choice of rules.
            let usual = Game::new(name, None, None)?;
            let has_choice = usual.family().rules().len() > 1;
            let rules = self.rules.as_deref();
            let rules = rules.filter(|_| has_choice || names.len() == 1);
            let game = Game::new(name, rules, None)?;
            match plays(game) {
                Ok(()) => games.push(game),
                Err(why) => refusal = why,
            }
        }
        if games.is_empty() {
            return Err(BadSetting::NotItsBot {
                bot: bot.to_owned(),
                protocol,
                why: refusal,
            });
        }
        let says_the_game = !matches!(
            self.protocol,
            EngineProtocol::Botzone | EngineProtocol::BotzoneKeepRunning
        );
        if games.len() > 1 && !says_the_game {
            let games = games.iter().map(|game| game.name()).collect();
            return Err(BadSetting::NoGame { protocol, games });
        }
        Ok(games)
    }

    /// Returns the first option that was given but cannot be used with the arena's own protocol.
    pub(super) fn beyond_the_arena(&self) -> Option<&'static str> {
        [
            ("game", self.game.is_some()),
            ("rules", self.rules.is_some()),
            ("seed", self.seed.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }
}
