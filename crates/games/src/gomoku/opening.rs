//! Opening rules of Gomoku, by which two players agree on the first stones and on their colours.
//!
//! An [`Opening`] is a list of steps. Each step has a kind of decision, and the colour that the deciding player has at
//! this step. The first player begins with black. The stones alternate in colour, black first, even when one player
//! places several. [`Choice::Swap`] exchanges the colours, whichever player chooses it.
//!
//! After the last step, the game continues like any other. The choices are among the moves of the game, so playing all
//! moves again restores the state: see [`retrace`](crate::retrace).
//!
//! Sources: swap2 and swap: <https://www.renju.net/rule/11/>,
//! <https://gomocup.org/news/experimental-tournament-update-2020/>; RIF: <https://www.renju.net/rifrules/>; Soosyrv-8:
//! <https://en.wikipedia.org/wiki/Soosõrv_opening_rule>; Taraguchi-10: <https://www.renju.net/rule/25/>.

use std::fmt;
use std::str::FromStr;

use super::GomokuBoard;
use crate::{Move, Side, Square, Symmetry};

/// An opening rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// The first player puts three stones, the second chooses a colour.
    Swap,
    /// Like swap, but the second player may put two more stones and let the first choose.
    Swap2,
    /// The first player puts one of renju's 26 openings; white may swap; white plays the fourth move; white says how
    /// many fifth moves black must offer, 1 to 8; black may swap; black offers the fifth moves, and white chooses one.
    Soosyrv8,
    /// After each of the first five moves, which must lie near the centre (1×1, 3×3 … 9×9), the other player may swap.
    /// After the fourth move, black may instead offer ten fifth moves, and white chooses one.
    Taraguchi10,
    /// Like Soosyrv-8, but black always offers two fifth moves, and there is no second swap.
    Rif,
}

impl OpeningRule {
    /// All opening rules.
    pub const ALL: [OpeningRule; 5] = [
        OpeningRule::Swap,
        OpeningRule::Swap2,
        OpeningRule::Soosyrv8,
        OpeningRule::Taraguchi10,
        OpeningRule::Rif,
    ];

    /// Returns the word in tournament files and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Soosyrv8 => "soosyrv-8",
            OpeningRule::Taraguchi10 => "taraguchi-10",
            OpeningRule::Rif => "rif",
        }
    }

    /// Returns the smallest board size for this rule. Renju's opening rules need 9, for ten different fifth moves.
    pub const fn least_size(self) -> u8 {
        match self {
            OpeningRule::Swap | OpeningRule::Swap2 => super::MIN_SIZE,
            OpeningRule::Soosyrv8 | OpeningRule::Taraguchi10 | OpeningRule::Rif => 9,
        }
    }

    const fn steps(self) -> &'static [Step] {
        use OpeningRule::{Rif, Soosyrv8, Swap, Swap2, Taraguchi10};
        use Side::{Black, White};
        use Step::{Choose, Offer, Pick, Place};
        match self {
            Swap => &[FREE, FREE, FREE, Choose(White, COLOUR)],
            Swap2 => &[FREE, FREE, FREE, Choose(White, SWAP2)],
            Rif => &[
                CENTRE,
                RING,
                THIRD,
                Choose(White, COLOUR),
                FOURTH,
                Offer,
                Pick,
            ],
            Soosyrv8 => &[
                CENTRE,
                RING,
                THIRD,
                Choose(White, COLOUR),
                FOURTH,
                Choose(White, UP_TO_EIGHT),
                Choose(Black, COLOUR),
                Offer,
                Pick,
            ],
            Taraguchi10 => &[
                Place(Black, 0),
                Choose(White, COLOUR),
                Place(White, 1),
                Choose(Black, COLOUR),
                Place(Black, 2),
                Choose(White, COLOUR),
                Place(White, 3),
                Choose(Black, OR_TEN),
                Place(Black, 4),
                Choose(White, COLOUR),
            ],
        }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A player's choice in an opening: a word instead of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    /// The players keep their colours: `stay`.
    Stay,
    /// The players exchange their colours: `swap`.
    Swap,
    /// This player puts two more stones, and the other chooses a colour: `two-more`.
    TwoMore,
    /// Black must offer this number of fifth moves: `offer-3`.
    Offer(u8),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Stay => f.write_str("stay"),
            Choice::Swap => f.write_str("swap"),
            Choice::TwoMore => f.write_str("two-more"),
            Choice::Offer(number) => write!(f, "offer-{number}"),
        }
    }
}

impl FromStr for Choice {
    type Err = ();

    fn from_str(text: &str) -> Result<Choice, ()> {
        let known = [Choice::Stay, Choice::Swap, Choice::TwoMore];
        let offers = (1..=10).map(Choice::Offer);
        let is_it = |choice: &Choice| choice.to_string().eq_ignore_ascii_case(text);
        known.into_iter().chain(offers).find(is_it).ok_or(())
    }
}

const ANYWHERE: u8 = u8::MAX;
// The first player, who has black, puts the first three stones. `CENTRE`, `RING` and `THIRD` allow renju's 26 openings.
const FREE: Step = Step::Place(Side::Black, ANYWHERE);
const CENTRE: Step = Step::Place(Side::Black, 0);
const RING: Step = Step::Place(Side::Black, 1);
const THIRD: Step = Step::Place(Side::Black, 2);
const FOURTH: Step = Step::Place(Side::White, ANYWHERE);

const COLOUR: &[Choice] = &[Choice::Stay, Choice::Swap];
const SWAP2: &[Choice] = &[Choice::Stay, Choice::Swap, Choice::TwoMore];
const OR_TEN: &[Choice] = &[Choice::Stay, Choice::Swap, Choice::Offer(10)];
const UP_TO_EIGHT: &[Choice] = &{
    let mut offers = [Choice::Offer(1); 8];
    let mut index = 1;
    while index < offers.len() {
        offers[index] = Choice::Offer(index as u8 + 1);
        index += 1;
    }
    offers
};

const TWO_MORE: &[Step] = &[FOURTH, FOURTH, Step::Choose(Side::Black, COLOUR)];
const FIFTHS: &[Step] = &[Step::Offer, Step::Pick];

/// A decision. Sides are the colours that the players have at this step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// This player puts the next stone, at most this number of rows and of columns from the centre.
    Place(Side, u8),
    /// This player makes one of these choices.
    Choose(Side, &'static [Choice]),
    /// Black offers a fifth move, which is not put on the board yet. No two offered moves may be symmetrical.
    Offer,
    /// White chooses one of the fifth moves.
    Pick,
}

impl Step {
    /// Returns the word on the wire: `place`, `choose`, `offer` or `pick`.
    pub const fn word(self) -> &'static str {
        match self {
            Step::Place(..) => "place",
            Step::Choose(..) => "choose",
            Step::Offer => "offer",
            Step::Pick => "pick",
        }
    }

    const fn decider(self) -> Side {
        match self {
            Step::Place(side, _) | Step::Choose(side, _) => side,
            Step::Offer => Side::Black,
            Step::Pick => Side::White,
        }
    }
}

/// An opening that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Opening {
    rule: OpeningRule,
    steps: &'static [Step],
    so_far: Vec<Move>,
    fifths: u8,
    offered: Vec<Square>,
}

impl Opening {
    pub(super) const fn new(rule: OpeningRule) -> Opening {
        Opening {
            rule,
            steps: rule.steps(),
            so_far: Vec::new(),
            fifths: 2,
            offered: Vec::new(),
        }
    }

    /// Returns the rule.
    pub fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// Returns the steps that are left, the next one first; a choice may replace them.
    pub fn steps(&self) -> &'static [Step] {
        self.steps
    }

    /// Returns the next decision.
    pub fn step(&self) -> Step {
        self.steps[0]
    }

    /// Returns the player who makes the next decision, as the colour that this player has now.
    pub fn decider(&self) -> Side {
        self.step().decider()
    }

    /// Returns all moves so far: choices, stones and offered fifth moves.
    pub fn so_far(&self) -> &[Move] {
        &self.so_far
    }

    /// Returns the fifth moves that black has offered so far.
    pub fn offered(&self) -> &[Square] {
        &self.offered
    }

    /// Returns the number of fifth moves that black must offer.
    pub fn fifths(&self) -> u8 {
        self.fifths
    }

    /// Returns the legal choices; empty if the next decision is a square.
    pub fn choices(&self) -> &'static [Choice] {
        match self.step() {
            Step::Choose(_, choices) => choices,
            Step::Place(..) | Step::Offer | Step::Pick => &[],
        }
    }

    /// Returns the legal squares on `board`, row by row; empty if the next decision is a choice.
    pub(super) fn squares(&self, board: &GomokuBoard) -> Vec<Square> {
        if self.step() == Step::Offer {
            let like = self.images_of_offered(board);
            let squares = board.empty_squares();
            return squares.filter(|square| !like.contains(square)).collect();
        }
        let is_allowed = |&square: &Square| self.refusal(board, Move::Place(square)).is_none();
        board.empty_squares().filter(is_allowed).collect()
    }

    pub(super) fn refusal(&self, board: &GomokuBoard, played: Move) -> Option<&'static str> {
        let centre = board.size() / 2;
        let is_near = |square: Square, most: u8| {
            square.column().abs_diff(centre) <= most && square.row().abs_diff(centre) <= most
        };
        let why = match (self.step(), played) {
            (_, Move::Pass) => "gomoku has no pass",
            (Step::Choose(_, choices), Move::Choose(choice)) if choices.contains(&choice) => {
                return None;
            }
            (Step::Choose(..), _) => "the opening rule asks for one of the legal choices",
            (_, Move::Choose(_)) => "the opening rule asks for a square",
            (_, Move::Place(square)) if !square.is_on(board.size()) => "it is off the board",
            (_, Move::Place(square)) if board.stone(square).is_some() => "the square is taken",
            (Step::Place(_, most), Move::Place(square)) if !is_near(square, most) => {
                "the opening rule asks for a square nearer to the centre"
            }
            (Step::Offer, Move::Place(square))
                if self.images_of_offered(board).contains(&square) =>
            {
                "this fifth move, or one that is symmetrical to it, was already offered"
            }
            (Step::Pick, Move::Place(square)) if !self.offered.contains(&square) => {
                "it is not one of the offered fifth moves"
            }
            (_, Move::Place(_)) => return None,
        };
        Some(why)
    }

    fn images_of_offered(&self, board: &GomokuBoard) -> Vec<Square> {
        if self.offered.is_empty() {
            return Vec::new();
        }
        let size = board.size();
        let squares = 0..usize::from(size) * usize::from(size);
        let stones = squares.map(|index| Square::from_index(index, size));
        let stones: Vec<Square> = stones.filter(|&at| board.stone(at).is_some()).collect();
        let is_kept = |symmetry: &Symmetry| {
            let keeps = |&at: &Square| board.stone(symmetry.apply(at, size)) == board.stone(at);
            stones.iter().all(keeps)
        };
        let kept = Symmetry::ALL.into_iter().filter(is_kept);
        let images = kept.flat_map(|symmetry| {
            let offered = self.offered.iter();
            offered.map(move |&square| symmetry.apply(square, size))
        });
        images.collect()
    }

    /// Makes a legal step. Returns the square of the stone that this step puts, if any.
    pub(super) fn take(&mut self, played: Move) -> Option<Square> {
        let (step, rest) = (self.step(), &self.steps[1..]);
        self.so_far.push(played);
        match (step, played) {
            (_, Move::Choose(Choice::TwoMore)) => self.steps = TWO_MORE,
            (_, Move::Choose(Choice::Offer(number))) => {
                self.fifths = number;
                let is_instead = self.rule == OpeningRule::Taraguchi10;
                self.steps = if is_instead { FIFTHS } else { rest };
            }
            (Step::Offer, Move::Place(square)) => {
                self.offered.push(square);
                if self.offered.len() == usize::from(self.fifths) {
                    self.steps = rest;
                }
            }
            _ => self.steps = rest,
        }
        played.square().filter(|_| step != Step::Offer)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.steps.is_empty()
    }
}
