//! A network as it is computed with.

use std::sync::LazyLock;

use games::gomoku::Rule;

use super::file;
use super::head::Head;
use super::view::{BOTH, FEATURES, View, row_of};

/// The views of black and of white under one rule.
pub struct Network {
    /// For black's stones and for white's: what a key adds to the view of black, then to that of white.
    pub(super) rows: [Box<[[i16; BOTH]]>; 2],
    /// What the sums of a cell begin with.
    pub(super) bias: [i16; BOTH],
    /// How black judges, and how white.
    pub(super) heads: [Head; 2],
}

impl Network {
    /// The network of a rule that comes with the program.
    pub fn of(rule: Rule) -> &'static Network {
        static ALL: [LazyLock<Network>; 3] = [
            LazyLock::new(|| Network::built_in(Rule::Freestyle)),
            LazyLock::new(|| Network::built_in(Rule::Standard)),
            LazyLock::new(|| Network::built_in(Rule::Renju)),
        ];
        &ALL[rule as usize]
    }

    fn built_in(rule: Rule) -> Network {
        let bytes = match rule {
            Rule::Freestyle => &include_bytes!("../weights/freestyle.abgn")[..],
            Rule::Standard => include_bytes!("../weights/standard.abgn"),
            Rule::Renju => include_bytes!("../weights/renju.abgn"),
        };
        let views = file::built_in(bytes).expect("a test reads what comes with the program");
        Network::new(&views)
    }

    /// A network of one view for both sides, or of black's and white's.
    pub fn new(views: &[View]) -> Network {
        let (black, white) = (&views[0], &views[views.len() - 1]);
        let (row, _) = row_of();
        let table = |of_black: &[[i16; FEATURES]], of_white: &[[i16; FEATURES]]| {
            let both = |&row: &u16| both(of_black[usize::from(row)], of_white[usize::from(row)]);
            row.iter().map(both).collect()
        };
        Network {
            rows: [
                table(&black.own, &white.other),
                table(&black.other, &white.own),
            ],
            bias: both(black.bias, white.bias),
            heads: [Head::new(black, false), Head::new(white, true)],
        }
    }
}

/// The features of black's view and of white's, one after the other.
fn both(black: [i16; FEATURES], white: [i16; FEATURES]) -> [i16; BOTH] {
    std::array::from_fn(|at| {
        if at < FEATURES {
            black[at]
        } else {
            white[at - FEATURES]
        }
    })
}
