//! A game: its family, its rules, the size of its board and its opening rule.
//!
//! A [`Family`] describes a game with all its rules and sizes. A [`Game`] is a small handle: a family with one of its
//! rules and sizes, and perhaps an opening rule. `families.rs` lists the families.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use message::{Message, ToValue, Value, message};

use crate::gomoku::OpeningRule;
use crate::transcript::play_transcript;
use crate::{DynRules, Move, Reason, Scene, Side, Square, Theme};

/// A game with all its rules and sizes, such as Gomoku. The required methods come first.
pub trait Family: Send + Sync {
    /// Returns the name on the wire, in files and on the command line: one word in lower case.
    fn name(&self) -> &'static str;
    /// Returns the name in a sentence.
    fn title(&self) -> &'static str;
    /// Returns the valid board sizes.
    fn sizes(&self) -> RangeInclusive<u8>;
    /// Returns the reasons why a game can end by its rules.
    fn reasons(&self) -> &'static [Reason];
    /// Returns the position before the first move.
    fn start(&self, game: Game) -> Box<dyn DynRules>;
    /// Returns the position with these discs or stones, at most one per square. A winning line does not end the game.
    fn set_up(&self, game: Game, stones: &[(Square, Side)], to_move: Side) -> Box<dyn DynRules>;

    /// Returns the names of the rules, the default first.
    fn rules(&self) -> &'static [&'static str] {
        &["standard"]
    }
    /// Returns the opening rules that a game may have.
    fn opening_rules(&self) -> &'static [OpeningRule] {
        &[]
    }
    /// Returns the default board size.
    fn usual_size(&self) -> u8 {
        *self.sizes().end()
    }
    /// Returns the kind of score that a finished game has.
    fn scoring(&self) -> Scoring {
        Scoring::Win
    }
    /// Returns true if a side without a legal square passes.
    fn has_passes(&self) -> bool {
        false
    }
    /// Returns a number for hashes, different for any two families or rules; the size and the opening rule have no
    /// effect. It must never change, because hashes may be stored.
    fn number(&self, game: Game) -> u64 {
        let name = self.name().bytes().chain(game.rules().bytes());
        // FNV-1a.
        name.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
    /// Returns the built-in openings, at least one. Each is legal and does not end the game; it may have no moves.
    fn openings(&self, _game: Game) -> Vec<Vec<Move>> {
        vec![Vec::new()]
    }
    /// Reads an opening from a line of a file. The error is the reason why the line is refused.
    fn read_opening(&self, game: Game, line: &str) -> Result<Vec<Move>, String> {
        play_transcript(&mut *self.start(game), line).map_err(|error| error.to_string())
    }
    /// Reads openings from a text of positions; `None` if the text is in no format of this game.
    fn read_positions(&self, _text: &str) -> Option<Result<Vec<Vec<Move>>, String>> {
        None
    }
    /// Returns the positions that test a bot, including the start for both colours. `all` adds other boards and rules.
    fn scenes(&self, game: Game, _all: bool) -> Vec<(Game, Scene)> {
        let begin = |moves, questions| Scene {
            theme: Theme::Beginning,
            moves,
            questions,
        };
        let first = self.start(game).legal_squares().into_iter().next();
        let scenes = [
            begin(Vec::new(), 3),
            begin(first.map(Move::Place).into_iter().collect(), 2),
        ];
        scenes.map(|scene| (game, scene)).into()
    }
    /// Returns the name that a report gives to the [`scenes`](Family::scenes).
    fn course(&self, game: Game, _all: bool) -> Message {
        message!("{game}")
    }
}

/// The kind of score that a finished game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// The winner only.
    Win,
    /// The difference of discs; empty squares count for the winner.
    Discs,
}

/// A game with its rules, the size of its board and its opening rule.
#[derive(Clone, Copy)]
pub struct Game {
    family: &'static dyn Family,
    rules: u8,
    size: u8,
    opening: Option<OpeningRule>,
}

impl Game {
    pub(crate) const fn of(family: &'static dyn Family, rules: u8, size: u8) -> Game {
        Game {
            family,
            rules,
            size,
            opening: None,
        }
    }

    /// Returns this game with the opening rule of this name. `None` and `none` mean no opening rule.
    pub fn with_opening(self, name: Option<&str>) -> Result<Game, UnknownGame> {
        let Some(name) = name.filter(|&name| name != "none") else {
            return Ok(self.without_opening());
        };
        let (game, rules) = (self.name(), self.family.opening_rules());
        let Some(rule) = rules.iter().find(|rule| rule.name() == name) else {
            let names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
            return Err(if names.is_empty() {
                UnknownGame::NoOpenings { game }
            } else {
                UnknownGame::Opening {
                    game,
                    opening: name.to_owned(),
                    known: listed(&names, "and"),
                }
            });
        };
        let least = rule.least_size();
        if self.size < least {
            return Err(UnknownGame::OpeningSize {
                opening: rule.name(),
                least,
                size: self.size,
            });
        }
        Ok(Game {
            opening: Some(*rule),
            ..self
        })
    }

    /// Returns the opening rule.
    pub const fn opening(self) -> Option<OpeningRule> {
        self.opening
    }

    /// Returns the same game without an opening rule.
    #[must_use]
    pub const fn without_opening(self) -> Game {
        Game::of(self.family, self.rules, self.size)
    }

    /// Returns the game of `family`. `None` means the default rules or size.
    pub fn of_family(
        family: &'static dyn Family,
        rules: Option<&str>,
        size: Option<i64>,
    ) -> Result<Game, UnknownGame> {
        let known = family.rules();
        let rules = rules.unwrap_or(known[0]);
        let Some(index) = known.iter().position(|&name| name == rules) else {
            return Err(UnknownGame::Rules {
                game: family.name(),
                rules: rules.to_owned(),
                known: listed(known, "and"),
            });
        };
        let sizes = family.sizes();
        let size = size.unwrap_or_else(|| i64::from(family.usual_size()));
        match u8::try_from(size).ok().filter(|size| sizes.contains(size)) {
            Some(size) => Ok(Game::of(family, index as u8, size)),
            None => Err(UnknownGame::Size {
                game: family.name(),
                size,
                known: match (sizes.start(), sizes.end()) {
                    (least, most) if least == most => format!("it is played on {least}"),
                    (least, most) => format!("choose {least} to {most}"),
                },
            }),
        }
    }

    /// Returns the family of this game.
    pub const fn family(self) -> &'static dyn Family {
        self.family
    }

    /// Returns the name on the wire, in files and on the command line: `othello`.
    pub fn name(self) -> &'static str {
        self.family.name()
    }

    /// Returns the name in a sentence: `Othello`.
    pub fn title(self) -> &'static str {
        self.family.title()
    }

    /// Returns the name of the rules: `standard`; for Gomoku also `freestyle`, `renju` or `caro`.
    pub fn rules(self) -> &'static str {
        self.family.rules()[usize::from(self.rules)]
    }

    pub(crate) const fn rules_index(self) -> usize {
        self.rules as usize
    }

    /// Returns the number of rows and of columns.
    pub const fn size(self) -> u8 {
        self.size
    }

    /// Returns the kind of score that a finished game has.
    pub fn scoring(self) -> Scoring {
        self.family.scoring()
    }

    /// Returns black's final discs minus white's, where empty squares count for the winner; `None` in games without
    /// disc scores. `counts` has black's discs first.
    pub fn margin(self, counts: [u16; 2], winner: Option<Side>) -> Option<i32> {
        let Scoring::Discs = self.scoring() else {
            return None;
        };
        let [black, white] = counts.map(i32::from);
        let empty = self.greatest_margin() - black - white;
        Some(match winner {
            Some(Side::Black) => black - white + empty,
            Some(Side::White) => black - white - empty,
            None => black - white,
        })
    }

    /// Returns the number of squares, which is the margin of a forfeit in games that are scored by discs.
    pub fn greatest_margin(self) -> i32 {
        i32::from(self.size) * i32::from(self.size)
    }

    /// Returns the reasons why a game can end by its rules.
    pub fn reasons(self) -> &'static [Reason] {
        self.family.reasons()
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        let parts = |game: &Game| (game.size, game.rules, game.opening);
        parts(self) == parts(other) && self.name() == other.name()
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.rules, self.size, self.opening).hash(state);
    }
}

/// Writes the name, the size and rules if the family has a choice of them, and the opening rule if there is one.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if self.family.has_choice() {
            write!(f, " {0}×{0} {1}", self.size, self.rules())?;
        }
        if let Some(opening) = self.opening {
            write!(f, " {opening}")?;
        }
        Ok(())
    }
}

impl ToValue for Game {
    fn to_value(&self) -> Value {
        let name = Message::from(self.name());
        Value::Message(if self.family.has_choice() {
            let (size, rules) = (self.size, Message::from(self.rules()));
            match self.opening {
                None => message!("{name} {size}×{size} {rules}"),
                Some(opening) => {
                    let opening = opening.name();
                    message!("{name} {size}×{size} {rules} {opening}")
                }
            }
        } else {
            name
        })
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl dyn Family {
    /// Returns true if there are several rules or sizes.
    pub fn has_choice(&self) -> bool {
        self.rules().len() > 1 || self.sizes().start() < self.sizes().end()
    }
}

/// The error for a game that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum UnknownGame {
    /// No game has this name.
    #[error("unknown game {name:?}; valid values: {known}")]
    Name {
        /// The requested name.
        name: String,
        /// The valid names.
        known: String,
    },
    /// The game has no such rules.
    #[error("{game} has no rules {rules:?}; valid values: {known}")]
    Rules {
        /// The game's name.
        game: &'static str,
        /// The requested rules.
        rules: String,
        /// The valid rules.
        known: String,
    },
    /// The game has no such opening rule.
    #[error("{game} has no opening rule {opening:?}; valid values: {known}")]
    Opening {
        /// The game's name.
        game: &'static str,
        /// The requested rule.
        opening: String,
        /// The valid rules.
        known: String,
    },
    /// The game has no opening rules.
    #[error("{game} has no opening rules")]
    NoOpenings {
        /// The game's name.
        game: &'static str,
    },
    /// The board is too small for the opening rule.
    #[error("{opening} needs a board of size at least {least}, not {size}")]
    OpeningSize {
        /// The rule.
        opening: &'static str,
        /// The smallest board for it.
        least: u8,
        /// The size of the board.
        size: u8,
    },
    /// The game has no such board size.
    #[error("{game} is not played on a board of size {size}: {known}")]
    Size {
        /// The game's name.
        game: &'static str,
        /// The requested size.
        size: i64,
        /// The valid sizes.
        known: String,
    },
}

/// Joins names as in `a, b and c`.
pub fn listed(names: &[&str], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}
