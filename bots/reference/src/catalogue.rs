//! The opponents: names, options and construction.

use std::num::{NonZeroU32, NonZeroU64};

use games::{Board, Move, Opening, OpeningRule, Rules, Square};
use message::{Message, message};
use protocol::{Bot, Info, Question, Start};

use crate::bots::{
    Hexatuple, Mcts, Minimax, Pattern15, ThreePly, greedy, mobility, random, weights,
};
use crate::draw::Draw;
use crate::search::Method;
use crate::thinker::Thinker;

struct AtSight {
    seed: u64,
    choice: fn(&Question, &mut Draw) -> Square,
}

impl AtSight {
    pub(crate) fn new(choice: fn(&Question, &mut Draw) -> Square) -> AtSight {
        AtSight { seed: 0, choice }
    }
}

impl Thinker for AtSight {
    fn start(&mut self, start: &Start) {
        self.seed = start.seed;
    }

    fn choose(&mut self, question: &Question, _say: &mut dyn FnMut(&Info)) -> Move {
        let mut draw = Draw::new(self.seed, question.moves.len());
        Move::Place((self.choice)(question, &mut draw))
    }
}

/// Options of a reference opponent. An option that the opponent does not have is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Plies to look ahead, 1 to 20
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<NonZeroU32>,

    /// Random games to play before each move
    #[arg(long, value_name = "COUNT")]
    pub playouts: Option<NonZeroU64>,

    /// Thinking time per move in ms; a shorter time limit of the arena takes precedence
    #[arg(long, value_name = "MS")]
    pub move_ms: Option<NonZeroU64>,
}

impl Options {
    /// The largest valid depth: no opponent reaches it on a real board.
    pub const MAX_DEPTH: u32 = 20;

    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("depth", self.depth.is_some()),
            ("playouts", self.playouts.is_some()),
            ("move-ms", self.move_ms.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, is_given)| is_given.then_some(name))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// The names of the games that the opponent plays; empty: all games.
    only: &'static [&'static str],
    pub about: &'static str,
    pub options: &'static [&'static str],
    make: fn(&Options) -> Box<dyn Thinker>,
}

impl Entry {
    pub fn games(&self) -> Vec<&'static str> {
        match self.only {
            [] => games::names(),
            only => only.to_vec(),
        }
    }
}

const ANY: &[&str] = &[];
const BOTH: &[&str] = &["othello", "gomoku"];
const OTHELLO: &[&str] = &["othello"];
const GOMOKU: &[&str] = &["gomoku"];

/// All opponents, weakest first. The order is a compromise between both games; `README.md` has the measured strengths.
pub const CATALOGUE: &[Entry] = &[
    Entry {
        name: "random",
        only: ANY,
        about: "plays any legal move, each equally likely",
        options: &[],
        make: |_| Box::new(AtSight::new(random)),
    },
    Entry {
        name: "greedy",
        only: BOTH,
        about: "turns over the most discs, makes or blocks the longest line",
        options: &[],
        make: |_| Box::new(AtSight::new(greedy)),
    },
    Entry {
        name: "weights",
        only: BOTH,
        about: "takes the square that is worth most by a fixed table",
        options: &[],
        make: |_| Box::new(AtSight::new(weights)),
    },
    Entry {
        name: "mobility",
        only: OTHELLO,
        about: "the table of weights and the number of moves, one ply ahead",
        options: &[],
        make: |_| Box::new(AtSight::new(mobility)),
    },
    Entry {
        name: "three-ply",
        only: GOMOKU,
        about: "unbroken rows, 3 plies ahead",
        options: &["depth"],
        make: |options| Box::new(ThreePly::new(depth(options).unwrap_or(3))),
    },
    Entry {
        name: "pattern15",
        only: GOMOKU,
        about: "counts fifteen shapes, 2 plies ahead",
        options: &["depth"],
        make: |options| Box::new(Pattern15::new(depth(options).unwrap_or(2))),
    },
    Entry {
        name: "minimax",
        only: BOTH,
        about: "looks 4 plies ahead in Othello, 2 in Gomoku, without pruning",
        options: &["depth"],
        make: |options| Box::new(Minimax::new(Method::Minimax, depth(options))),
    },
    Entry {
        name: "hexatuple",
        only: GOMOKU,
        about: "a table of six cells in a row, 4 plies of the 10 best moves",
        options: &["depth"],
        make: |options| Box::new(Hexatuple::new(depth(options).unwrap_or(4))),
    },
    Entry {
        name: "mcts",
        only: BOTH,
        about: "a tree of random games (UCT): 5000 of them, or what the clock allows",
        options: &["playouts", "move-ms"],
        make: |options| Box::new(Mcts::new(options.playouts, options.move_ms)),
    },
    Entry {
        name: "minimax-ab",
        only: BOTH,
        about: "minimax with alpha-beta pruning: 6 plies in Othello, 4 in Gomoku",
        options: &["depth"],
        make: |options| Box::new(Minimax::new(Method::AlphaBeta, depth(options))),
    },
];

fn depth(options: &Options) -> Option<u32> {
    options.depth.map(NonZeroU32::get)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum BadBot {
    #[error("there is no reference opponent {name:?}; valid names: {}", names())]
    Unknown { name: String },
    #[error("{name} takes no --{option}: {}", takes(taken))]
    Option {
        name: &'static str,
        option: &'static str,
        taken: &'static [&'static str],
    },
    #[error("a depth of {depth} is out of the range 1 to {}", Options::MAX_DEPTH)]
    Depth { depth: u32 },
}

fn names() -> String {
    let names: Vec<_> = CATALOGUE.iter().map(|entry| entry.name).collect();
    names.join(", ")
}

fn takes(options: &[&str]) -> Message {
    if options.is_empty() {
        return "it has no options".into();
    }
    let options: Vec<_> = options.iter().map(|name| format!("--{name}")).collect();
    message!("it takes {}", options.join(" and "))
}

pub fn bot(name: &str, options: &Options) -> Result<Box<dyn Bot>, BadBot> {
    let Some(entry) = CATALOGUE.iter().find(|entry| entry.name == name) else {
        let name = name.to_owned();
        return Err(BadBot::Unknown { name });
    };
    let (name, taken) = (entry.name, entry.options);
    if let Some(option) = options.given().find(|option| !taken.contains(option)) {
        return Err(BadBot::Option {
            name,
            option,
            taken,
        });
    }
    if let Some(depth) = depth(options).filter(|&depth| depth > Options::MAX_DEPTH) {
        return Err(BadBot::Depth { depth });
    }
    let thinker = (entry.make)(options);
    Ok(Box::new(Opponent {
        entry,
        thinker,
        seed: 0,
    }))
}

struct Opponent {
    entry: &'static Entry,
    thinker: Box<dyn Thinker>,
    seed: u64,
}

/// Returns a random legal decision under an opening rule, with stones near the centre if possible.
fn open(board: &Board, opening: &Opening, seed: u64) -> Move {
    const NEAR: u8 = 3;
    let centre = board.size() / 2;
    let is_near = |played: &Move| {
        played.square().is_none_or(|square| {
            square.column().abs_diff(centre) <= NEAR && square.row().abs_diff(centre) <= NEAR
        })
    };
    let legal = board.legal_moves();
    let near: Vec<Move> = legal.iter().copied().filter(is_near).collect();
    let mut draw = Draw::new(seed, opening.so_far().len());
    let chosen = draw.one_of(&near).or_else(|| draw.one_of(&legal));
    chosen.expect("a question has a legal move")
}

impl Bot for Opponent {
    fn name(&self) -> &'static str {
        self.entry.name
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        let (games, game) = (self.entry.games(), start.game.name());
        if !games.contains(&game) {
            let (name, only) = (self.entry.name, games.join(" and "));
            return Err(format!("{name} plays {only} only, not {game}"));
        }
        self.thinker.start(start);
        self.seed = start.seed;
        Ok(())
    }

    fn openings(&self) -> &'static [OpeningRule] {
        &OpeningRule::ALL
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        match question.board.opening() {
            None => self.thinker.choose(question, say),
            Some(opening) => open(&question.board, opening, self.seed),
        }
    }
}
