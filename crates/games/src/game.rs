//! A game as everybody above names it: its family, its rules, the size of its board.
//!
//! [`Family`] is what a game has to say of itself, once for all its rules and sizes. [`Game`] is a
//! small handle: a family with one of its rules and sizes. Neither knows which families there are.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;

use message::{Message, ToValue, Value, message};

use crate::transcript::play_transcript;
use crate::{DynRules, Move, Reason, Scene, Side, Square, Theme};

/// A game with all its rules and sizes, such as Gomoku: what a referee, a tournament, the record and
/// the doctor have to know of it.
///
/// What a new game must say comes first; what has a default follows.
pub trait Family: Send + Sync {
    /// Its name on the wire, in files and on the command line: one word in lower case.
    fn name(&self) -> &'static str;
    /// Its name in a sentence.
    fn title(&self) -> &'static str;
    /// Sides of the boards that it is played on.
    fn sizes(&self) -> RangeInclusive<u8>;
    /// How a game may end by its rules.
    fn reasons(&self) -> &'static [Reason];
    /// The position before the first move.
    fn start(&self, game: Game) -> Box<dyn DynRules>;
    /// The position with these discs or stones, which are on the board and on different squares.
    /// Whether the last of them ended the game is not checked: it is not known which it was.
    fn set_up(&self, game: Game, stones: &[(Square, Side)], to_move: Side) -> Box<dyn DynRules>;

    /// The names of its rules, the usual ones first.
    fn rules(&self) -> &'static [&'static str] {
        &["standard"]
    }
    /// The size that is played where nobody says which.
    fn usual_size(&self) -> u8 {
        *self.sizes().end()
    }
    /// What a finished game is scored by.
    fn scoring(&self) -> Scoring {
        Scoring::Win
    }
    /// Whether a side without a move passes. Where nobody ever passes, GTP lets either colour play at
    /// any time.
    fn has_passes(&self) -> bool {
        false
    }
    /// A number that hashes of positions are told apart by, different for any two games. It stays the
    /// same for good, since hashes may be stored.
    fn number(&self, game: Game) -> u64 {
        let name = self.name().bytes().chain(game.rules().bytes());
        // FNV-1a.
        name.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }
    /// The built-in openings, each legal and not ending the game. At least one; it may be empty.
    fn openings(&self, _game: Game) -> Vec<Vec<Move>> {
        vec![Vec::new()]
    }
    /// The moves of an opening that is a line of a file: a transcript, unless the game has another
    /// notation, too. On an error: what is wrong with the line.
    fn read_opening(&self, game: Game, line: &str) -> Result<Vec<Move>, String> {
        play_transcript(&mut *self.start(game), line).map_err(|error| error.to_string())
    }
    /// The openings that lead to the positions of a text, if it holds positions in a format of this
    /// game. On an error: what is wrong, and where.
    fn read_positions(&self, _text: &str) -> Option<Result<Vec<Vec<Move>>, String>> {
        None
    }
    /// What a bot is examined with: for both colours at least the beginning. With `all`: on other
    /// boards and by other rules, too.
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
    /// What a report calls these scenes.
    fn course(&self, game: Game, _all: bool) -> String {
        game.to_string()
    }
}

/// What a finished game is scored by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// By who has won, and by nothing else.
    Win,
    /// By discs: empty squares count for the winner.
    Discs,
}

/// A game, its rules and the size of its board.
#[derive(Clone, Copy)]
pub struct Game {
    family: &'static dyn Family,
    rules: u8,
    size: u8,
}

impl Game {
    /// The game by rules number `rules` of the family, on a board of `size`.
    pub(crate) const fn of(family: &'static dyn Family, rules: u8, size: u8) -> Game {
        Game {
            family,
            rules,
            size,
        }
    }

    /// The game of `family`, with the usual rules and size where none are given.
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

    /// Which game, whatever its rules and size.
    pub const fn family(self) -> &'static dyn Family {
        self.family
    }

    /// Its name on the wire, in files and on the command line: `othello`.
    pub fn name(self) -> &'static str {
        self.family.name()
    }

    /// Its name in a sentence: `Othello`.
    pub fn title(self) -> &'static str {
        self.family.title()
    }

    /// The name of its rules: `standard`; for Gomoku also `freestyle` or `renju`.
    pub fn rules(self) -> &'static str {
        self.family.rules()[usize::from(self.rules)]
    }

    /// The place of its rules among those of the family.
    pub(crate) const fn rules_index(self) -> usize {
        self.rules as usize
    }

    /// Side of the board.
    pub const fn size(self) -> u8 {
        self.size
    }

    /// What a finished game is scored by.
    pub fn scoring(self) -> Scoring {
        self.family.scoring()
    }

    /// By how many discs black has won; less than 0 where white has. `counts` are the discs at the
    /// end, black's first; empty squares are the winner's. `None` where discs do not count.
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

    /// The number of squares: what a game that was not played on is lost by, where discs count.
    pub fn greatest_margin(self) -> i32 {
        i32::from(self.size) * i32::from(self.size)
    }

    /// How a game may end by its rules.
    pub fn reasons(self) -> &'static [Reason] {
        self.family.reasons()
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        (self.size, self.rules) == (other.size, other.rules) && self.name() == other.name()
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.rules, self.size).hash(state);
    }
}

/// Size and rules are named where there is a choice.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if self.family.has_choice() {
            write!(f, " {0}×{0} {1}", self.size, self.rules())?;
        }
        Ok(())
    }
}

impl ToValue for Game {
    fn to_value(&self) -> Value {
        let (name, size) = (Message::from(self.name()), self.size);
        let rules = Message::from(self.rules());
        Value::Message(if self.family.has_choice() {
            message!("{name} {size}×{size} {rules}")
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
    /// Whether there are several rules or sizes to choose from.
    pub fn has_choice(&self) -> bool {
        self.rules().len() > 1 || self.sizes().start() < self.sizes().end()
    }
}

/// A [`Game`] that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum UnknownGame {
    /// No game of that name.
    #[error("unknown game {name:?}: there are {known}")]
    Name {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The game has no such rules.
    #[error("{game} has no rules {rules:?}: there are {known}")]
    Rules {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        rules: String,
        /// What there is.
        known: String,
    },
    /// The game is not played on such a board.
    #[error("{game} is not played on a board of {size}: {known}")]
    Size {
        /// The game's name.
        game: &'static str,
        /// What was asked for.
        size: i64,
        /// What there is.
        known: String,
    },
}

/// `a, b and c`.
pub fn listed(names: &[&str], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} {and} {last}", first.join(", ")),
    }
}
