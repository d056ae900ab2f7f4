//! The opponents, and how to make one by its name.

use std::num::NonZeroU32;

use protocol::Bot;

use crate::Options;
use crate::bots::{
    BOTH, GOMOKU, Greedy, Hexatuple, Mcts, Minimax, Mobility, OTHELLO, Pattern15, Random, ThreePly,
    Weights,
};
use crate::search::Method;

/// The description of an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name on the command line and in tournament files.
    pub name: &'static str,
    /// The games it plays, by their names; empty: any.
    only: &'static [&'static str],
    /// One line on what it does.
    pub about: &'static str,
    /// The options it takes, such as `depth`.
    pub options: &'static [&'static str],
}

impl Entry {
    /// The games it plays, by their names.
    pub fn games(&self) -> Vec<&'static str> {
        match self.only {
            [] => games::names(),
            only => only.to_vec(),
        }
    }
}

/// An entry and the function that makes the bot; kept together so that neither can be forgotten.
struct Maker {
    entry: Entry,
    make: fn(&Options) -> Box<dyn Bot>,
}

const ANY: &[&str] = &[];

const MAKERS: &[Maker] = &[
    Maker {
        entry: Entry {
            name: "random",
            only: ANY,
            about: "plays any legal move, each equally likely",
            options: &[],
        },
        make: |_| Box::new(Random::default()),
    },
    Maker {
        entry: Entry {
            name: "greedy",
            only: BOTH,
            about: "turns over the most discs, makes or blocks the longest line",
            options: &[],
        },
        make: |_| Box::new(Greedy::default()),
    },
    Maker {
        entry: Entry {
            name: "weights",
            only: BOTH,
            about: "takes the square that is worth most by a fixed table",
            options: &[],
        },
        make: |_| Box::new(Weights::default()),
    },
    Maker {
        entry: Entry {
            name: "mobility",
            only: OTHELLO,
            about: "the table of weights and the number of moves, one ply ahead",
            options: &[],
        },
        make: |_| Box::new(Mobility::default()),
    },
    Maker {
        entry: Entry {
            name: "three-ply",
            only: GOMOKU,
            about: "unbroken rows, 3 plies ahead",
            options: &["depth"],
        },
        make: |options| Box::new(ThreePly::new(depth(options))),
    },
    Maker {
        entry: Entry {
            name: "pattern15",
            only: GOMOKU,
            about: "counts fifteen shapes, 2 plies ahead",
            options: &["depth"],
        },
        make: |options| Box::new(Pattern15::new(depth(options))),
    },
    Maker {
        entry: Entry {
            name: "minimax",
            only: BOTH,
            about: "looks 4 plies ahead in Othello, 2 in Gomoku, without pruning",
            options: &["depth"],
        },
        make: |options| Box::new(Minimax::new(Method::Minimax, depth(options))),
    },
    Maker {
        entry: Entry {
            name: "hexatuple",
            only: GOMOKU,
            about: "a table of six cells in a row, 4 plies of the 10 best moves",
            options: &["depth"],
        },
        make: |options| Box::new(Hexatuple::new(depth(options))),
    },
    Maker {
        entry: Entry {
            name: "mcts",
            only: BOTH,
            about: "a tree of random games (UCT): 5000 of them, or what the clock allows",
            options: &["playouts", "move-ms"],
        },
        make: |options| Box::new(Mcts::new(options.playouts, options.move_ms)),
    },
    Maker {
        entry: Entry {
            name: "minimax-ab",
            only: BOTH,
            about: "minimax with alpha-beta pruning: 6 plies in Othello, 4 in Gomoku",
            options: &["depth"],
        },
        make: |options| Box::new(Minimax::new(Method::AlphaBeta, depth(options))),
    },
];

fn depth(options: &Options) -> Option<u32> {
    options.depth.map(NonZeroU32::get)
}

/// All opponents, the weakest first, as far as one order can serve two games; the `README.md` of
/// this crate has the strength measured in each.
pub const CATALOGUE: &[Entry] = &{
    let mut entries = [MAKERS[0].entry; MAKERS.len()];
    let mut index = 0;
    while index < entries.len() {
        entries[index] = MAKERS[index].entry;
        index += 1;
    }
    entries
};

/// Why there is no such bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadBot {
    /// No opponent of that name.
    #[error("there is no reference opponent {name:?}: there are {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// An option that means nothing to this opponent.
    #[error("{name} takes no --{option}: {}", takes(taken))]
    Option {
        /// The opponent.
        name: &'static str,
        /// What was given.
        option: &'static str,
        /// What it takes.
        taken: &'static [&'static str],
    },
    /// A depth that is out of range.
    #[error("a depth of {depth} is out of the range 1 to {}", Options::MAX_DEPTH)]
    Depth {
        /// What was asked for.
        depth: u32,
    },
}

fn names() -> String {
    let names: Vec<_> = CATALOGUE.iter().map(|entry| entry.name).collect();
    names.join(", ")
}

fn takes(options: &[&str]) -> String {
    if options.is_empty() {
        return "it has no options".to_owned();
    }
    let options: Vec<_> = options.iter().map(|name| format!("--{name}")).collect();
    format!("it takes {}", options.join(" and "))
}

/// The opponent called `name`, thinking as hard as `options` say.
pub fn bot(name: &str, options: &Options) -> Result<Box<dyn Bot>, BadBot> {
    let Some(maker) = MAKERS.iter().find(|maker| maker.entry.name == name) else {
        return Err(BadBot::Unknown {
            name: name.to_owned(),
        });
    };
    let Entry {
        name,
        options: taken,
        ..
    } = maker.entry;
    if let Some(option) = options.given().find(|option| !taken.contains(option)) {
        return Err(BadBot::Option {
            name,
            option,
            taken,
        });
    }
    if let Some(depth) = options
        .depth
        .filter(|depth| depth.get() > Options::MAX_DEPTH)
    {
        let depth = depth.get();
        return Err(BadBot::Depth { depth });
    }
    Ok((maker.make)(options))
}
