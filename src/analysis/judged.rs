//! What is said of a move, and which moves to look at first.

use games::{Game, Move, Side};

/// The moves that turned the game, at most this many.
const TURNING_POINTS: usize = 5;

/// What a position is worth to the player who moves in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// So many discs more than the opponent at the end, by a search.
    Discs(f64),
    /// The same with perfect play of both sides.
    ExactDiscs(i32),
    /// The chance of winning, from 0 to 1; a draw counts half.
    Chance(f64),
    /// The player wins by force in so many plies.
    Wins(usize),
    /// The opponent wins by force in so many plies.
    Loses(usize),
    /// The game is drawn.
    Drawn,
}

impl Worth {
    /// For the side that leads: 1, for an even game 0, for the other −1. A search leads by half a disc or
    /// by 60 %.
    pub fn lead(self) -> i8 {
        let of = |lead: f64, least: f64| match lead {
            lead if lead >= least => 1,
            lead if lead <= -least => -1,
            _ => 0,
        };
        match self {
            Worth::Discs(discs) => of(discs, 0.5),
            Worth::ExactDiscs(discs) => discs.signum() as i8,
            Worth::Chance(chance) => of(chance - 0.5, 0.1),
            Worth::Wins(_) => 1,
            Worth::Loses(_) => -1,
            Worth::Drawn => 0,
        }
    }
}

/// A move that was better than the one that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Better {
    /// What it was worth.
    pub worth: Worth,
    /// It, and the expected moves after it.
    pub line: Vec<Move>,
}

/// A win by force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Half-moves to its end, both sides'.
    pub plies: usize,
    /// How it begins, as far as it is known.
    pub line: Vec<Move>,
}

/// What else is to be said of a move.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The player had this forced win, and had none at its next turn.
    MissedWin(Win),
    /// The opponent got this forced win, which another move would have prevented.
    AllowedWin(Win),
    /// Every move loses to a forced win by now.
    Lost,
}

/// A move that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The half-move, counted from 1 with the opening.
    pub ply: usize,
    /// Who chose it.
    pub side: Side,
    /// The move.
    pub played: Move,
    /// What it was worth to the player.
    pub worth: Worth,
    /// A better move, if one is known.
    pub better: Option<Better>,
    /// What it cost: discs in Othello, chances of winning from 0 to 1 in Gomoku. Never negative.
    pub cost: f64,
    /// What else is to be said.
    pub remark: Option<Remark>,
}

impl Judged {
    /// Whether the lead changed with this move.
    pub fn turned(&self) -> bool {
        let before = self
            .better
            .as_ref()
            .map_or(self.worth, |better| better.worth);
        before.lead() > self.worth.lead()
    }
}

/// A game, gone through.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What was played.
    pub game: Game,
    /// Every chosen move, in order.
    pub plies: Vec<Judged>,
}

impl Analysis {
    /// The moves to look at first, the worst first: those with which the lead changed, then those that
    /// cost most. Empty if no move cost anything to speak of.
    pub fn turning_points(&self) -> Vec<&Judged> {
        let least = match self.game.scoring() {
            games::Scoring::Discs => 2.0,
            games::Scoring::Win => 0.1,
        };
        let mut worst: Vec<&Judged> = self.plies.iter().filter(|ply| ply.cost >= least).collect();
        worst.sort_by(|a, b| {
            let keys = (b.turned(), b.cost);
            let (turned, cost) = (a.turned(), a.cost);
            keys.0.cmp(&turned).then(keys.1.total_cmp(&cost))
        });
        worst.truncate(TURNING_POINTS);
        worst
    }

    /// How many forced wins `side` missed, and how many it allowed.
    pub fn wins(&self, side: Side) -> [usize; 2] {
        let own = self.plies.iter().filter(|ply| ply.side == side);
        own.fold([0, 0], |[missed, allowed], ply| match ply.remark {
            Some(Remark::MissedWin(_)) => [missed + 1, allowed],
            Some(Remark::AllowedWin(_)) => [missed, allowed + 1],
            Some(Remark::Lost) | None => [missed, allowed],
        })
    }

    /// What the moves of `side` cost in all.
    pub fn cost(&self, side: Side) -> f64 {
        let own = self.plies.iter().filter(|ply| ply.side == side);
        own.map(|ply| ply.cost).sum()
    }
}
