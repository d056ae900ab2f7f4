//! The input of a format (meetings) and its output (pairings and places).

use stats::Pentanomial;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    pub bots: [usize; 2],
    pub half_points: [u64; 2],
    /// The pairs of games, seen from the first bot. A pair with a game in which both bots failed does not count.
    pub pairs: Pentanomial,
}

pub type History = [Vec<Meeting>];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairings {
    pub bots: Vec<[usize; 2]>,
    pub rounds: u64,
    /// Whether each pair has an opening of its own. Otherwise, all pairs of a round have the same opening.
    pub own_openings: bool,
    /// Whether these games are play-offs, which `Format::games` does not count.
    pub play_off: bool,
}

impl Pairings {
    pub fn new(bots: Vec<[usize; 2]>, rounds: u64) -> Pairings {
        Pairings {
            bots,
            rounds,
            own_openings: false,
            play_off: false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// The bots by number, best first.
    pub order: Vec<usize>,
    /// Swiss: the points of each bot by its number, byes included.
    pub points: Option<Vec<f64>>,
    /// Swiss: the sum of the points of each bot's opponents. A bye counts as an opponent with the bot's own points.
    pub buchholz: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of bots. Their numbers are their order in the file. Formats seed bot 0 as the strongest.
    pub bots: usize,
    pub rounds: u64,
}
