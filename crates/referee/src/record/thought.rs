//! What a bot reports about its thinking, from its line to the record.

use std::time::Duration;

use games::{Board, Move, Rules};

/// What a bot reported about its thinking for a move. Nothing here is measured or checked: see
/// [`Effort`] for what the move took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Plies searched.
    pub depth: Option<u32>,
    /// From the mover's side: discs in Othello, the engine's own units in Gomoku.
    pub score: Option<f64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time spent, by the bot's own clock.
    pub time: Option<Duration>,
    /// The principal variation: the moves that the bot expects, its own first; empty if it reported
    /// none. At most [`Thought::LONGEST_PV`] moves.
    pub pv: Vec<Move>,
}

impl Thought {
    /// The most moves of a principal variation that are kept.
    pub const LONGEST_PV: usize = 64;

    /// The most plies that a depth may have.
    pub const DEEPEST: u32 = 1000;
    /// The largest score, positive or negative.
    pub const LARGEST_SCORE: f64 = 1e9;
    /// The most positions.
    pub const MOST_NODES: u64 = 1_000_000_000_000_000;
    /// The longest time.
    pub const LONGEST: Duration = Duration::from_secs(1_000_000);

    /// A new value replaces an earlier one; a value out of its range is ignored, in every protocol.
    pub fn update(&mut self, news: Thought) {
        let depth = news.depth.filter(|&depth| depth <= Thought::DEEPEST);
        let score = news
            .score
            .filter(|score| score.abs() <= Thought::LARGEST_SCORE);
        let nodes = news.nodes.filter(|&nodes| nodes <= Thought::MOST_NODES);
        let time = news.time.filter(|&time| time <= Thought::LONGEST);
        self.depth = depth.or(self.depth);
        self.score = score.or(self.score);
        self.nodes = nodes.or(self.nodes);
        self.time = time.or(self.time);
        if !news.pv.is_empty() {
            self.pv = news.pv;
        }
    }

    /// Ends the principal variation before its first move that is illegal from `board` on. Forced
    /// passes that the bot left out are put in.
    pub fn keep_legal(&mut self, board: &Board) {
        if self.pv.is_empty() {
            return;
        }
        let mut board = board.clone();
        let mut legal = Vec::with_capacity(self.pv.len());
        for &expected in &self.pv {
            if board.must_pass() && expected != Move::Pass && board.play(Move::Pass).is_ok() {
                legal.push(Move::Pass);
            }
            if board.ending().is_some() || board.play(expected).is_err() {
                break;
            }
            legal.push(expected);
        }
        legal.truncate(Thought::LONGEST_PV);
        self.pv = legal;
    }
}

/// What a move took, as the referee measured it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// From the last byte of the question to the newline of the answer.
    pub wall: Duration,
    /// CPU time of the bot's process meanwhile; `None`: not known, or under 0.1 ms.
    pub cpu: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, Side, parse_transcript};

    fn kept(board: &Board, pv: &str) -> String {
        let moves = pv.split(' ').map(|text| text.parse().expect("a move"));
        let mut thought = Thought {
            pv: moves.collect(),
            ..Thought::default()
        };
        thought.keep_legal(board);
        let kept: Vec<String> = thought.pv.iter().map(Move::to_string).collect();
        kept.join(" ")
    }

    #[test]
    fn the_first_illegal_move_ends_the_principal_variation() {
        let gomoku = Game::new("gomoku", None, Some(15)).expect("a game");
        for (game, played, pv, expected) in [
            (Game::OTHELLO, "f5", "d6 c3 d3", "d6 c3 d3"),
            (Game::OTHELLO, "f5", "d6 a1 d3", "d6"),
            (Game::OTHELLO, "f5", "a1 d6", ""),
            (Game::OTHELLO, "f5", "pass d6", ""),
            (gomoku, "h8", "h8 i9", ""),
            (gomoku, "h8", "i9 j10 i9", "i9 j10"),
            // The board has 15 rows.
            (gomoku, "h8", "i9 a16 b2", "i9"),
            // Five in a row is the end.
            (gomoku, "a1a2b1b2c1c2d1d2", "e1 e2", "e1"),
        ] {
            let (_, board) = parse_transcript(game, played).expect("legal");
            assert_eq!(kept(&board, pv), expected, "{pv} after {played}");
        }
    }

    #[test]
    fn a_value_out_of_its_range_is_ignored() {
        let thought = |depth, score, nodes, seconds| Thought {
            depth: Some(depth),
            score: Some(score),
            nodes: Some(nodes),
            time: Some(Duration::from_secs(seconds)),
            pv: Vec::new(),
        };
        let good = thought(12, -3.5, 99, 1);
        for bad in [
            thought(u32::MAX, 1.7e308, u64::MAX, u64::MAX),
            thought(1001, -1.1e9, 1_000_000_000_000_001, 1_000_001),
            thought(u32::MAX, f64::INFINITY, u64::MAX, u64::MAX),
            thought(u32::MAX, f64::NAN, u64::MAX, u64::MAX),
        ] {
            let mut kept = good.clone();
            kept.update(bad.clone());
            assert_eq!(kept, good, "{bad:?}");
        }
        let mut kept = good;
        let edge = thought(1000, -1e9, 1_000_000_000_000_000, 1_000_000);
        kept.update(edge.clone());
        assert_eq!(kept, edge);
    }

    /// White on a1, black on b1, nothing else: black encloses nothing, white takes b1 from c1.
    #[test]
    fn a_forced_pass_that_was_left_out_is_put_in() {
        let mut rows = ["........"; 8];
        rows[0] = "OX......";
        let board = Game::OTHELLO.position(&rows, Side::Black).expect("rows");
        assert!(board.must_pass());
        assert_eq!(kept(&board, "c1"), "pass c1");
        assert_eq!(kept(&board, "pass c1"), "pass c1");
    }
}
