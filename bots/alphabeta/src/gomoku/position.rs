//! What the shared search asks of Gomoku.

use std::sync::LazyLock;

use super::board::Board;
use super::cell::Cell;
use super::evaluation::{PROVEN, from_table, to_table, win_in};
use super::shape::Kind;
use super::vcf::{Vcf, VcfLimits};
use crate::search::{Depth, Hints, Move, Score, ScoredMove, Search, SearchPosition, Window};

/// A board that is searched, with the solver that its leaves use.
pub struct GomokuPosition {
    pub(super) board: Board,
    vcf: Vcf,
}

/// Effort of the search for a win by fours at a leaf.
const AT_LEAF: VcfLimits = VcfLimits {
    fours: 12,
    nodes: 300,
};

impl GomokuPosition {
    /// Ready to be searched.
    pub fn new(board: Board) -> GomokuPosition {
        GomokuPosition {
            board,
            vcf: Vcf::new(),
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    fn mover(&self) -> usize {
        self.board.side_to_move().index()
    }

    /// The score of a win of the side to move by fours alone, looked for where some four makes more
    /// than a four.
    fn wins_by_fours(search: &mut Search<Self>, ply: usize) -> Option<Score> {
        let position = &mut search.position;
        let mover = position.mover();
        let rich = [Kind::FourPlus, Kind::FourThree];
        if rich
            .iter()
            .all(|&kind| position.board.count(mover, kind) == 0)
        {
            return None;
        }
        let before = position.vcf.nodes;
        let line = position.vcf.solve(&mut position.board, AT_LEAF).len();
        search.nodes += position.vcf.nodes - before;
        (line > 0).then(|| win_in(ply + line))
    }

    /// Gives the turn away: where even that is good enough, a move will be. Gomoku has no zugzwang,
    /// and a threat of the opponent's shows.
    fn null_move(
        search: &mut Search<Self>,
        static_score: Score,
        depth: Depth,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        if depth < 3 || !window.fail_high(static_score) {
            return None;
        }
        search.position.board.toggle_side();
        let score = -search.node(depth - 3 - depth / 4, window.flipped(), ply + 1);
        search.position.board.toggle_side();
        (window.fail_high(score) && score < PROVEN).then_some(score)
    }

    /// Whether the side to move must answer a four or an open three.
    fn is_pressed(&self) -> bool {
        let other = self.mover() ^ 1;
        self.board.count(other, Kind::Five) > 0 || self.board.count(other, Kind::OpenFour) > 0
    }
}

/// Plies taken off a late move, by depth and place in the order.
static LATE: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|index| {
            let product = (depth.max(1) as f64).ln() * (index.max(1) as f64).ln();
            (0.6 + product / 1.5) as u8
        })
    })
});

/// So far above the window, `depth` plies from the leaves, quiet moves will not spoil it.
const fn safe_margin(depth: Depth) -> Score {
    150 * depth
}

/// So far below the window, quiet moves late in the order will not mend it.
const fn hopeless_margin(depth: Depth) -> Score {
    100 + 80 * depth
}

const fn cell(played: Move) -> Cell {
    Cell::from_index(played.index())
}

impl SearchPosition for GomokuPosition {
    const MOVES: usize = Cell::COUNT;

    fn side(&self) -> usize {
        self.mover()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>) {
        let mover = self.mover();
        let renju_black = self.board.rule() == games::gomoku::Rule::Renju && mover == 0;
        for cell in self.board.candidates().iter() {
            if renju_black && self.board.is_foul(cell) {
                continue;
            }
            let played = Move(cell.index() as u16);
            let own = self.board.shape(cell, mover);
            let theirs = self.board.shape(cell, mover ^ 1);
            let mut score = 16 * self.board.tables.promise(own, theirs);
            score += hints.history[cell.index()] / 4;
            if hints.killers.contains(&played) {
                score += 6000;
            }
            list.push(ScoredMove { played, score });
        }
    }

    fn is_legal(&self, played: Move) -> bool {
        self.board.is_empty(cell(played))
    }

    fn play(&mut self, played: Move) {
        self.board.play(cell(played));
    }

    fn undo(&mut self, _: Move) {
        self.board.undo();
    }

    fn evaluate(&mut self) -> Score {
        self.board.evaluate()
    }

    fn outcome(&self, _: usize) -> Option<Score> {
        None
    }

    fn final_score(&self, ply: usize) -> Score {
        let other = self.mover() ^ 1;
        if self.board.count(other, Kind::Five) > 0 {
            -win_in(ply + 2)
        } else if self.board.count(other, Kind::OpenFour) > 0 {
            -win_in(ply + 4)
        } else {
            0
        }
    }

    fn quiesce(search: &mut Search<Self>, window: Window, ply: usize) -> Score {
        let position = &mut search.position;
        if let Some(score) = position.board.decided(ply) {
            return score;
        }
        if let Some(score) = Self::wins_by_fours(search, ply) {
            return score;
        }
        let mover = search.position.mover();
        let board = &mut search.position.board;
        if let Some(answer) = board.fives[mover ^ 1].first() {
            if !board.is_allowed(answer) {
                return -win_in(ply + 2);
            }
            board.play(answer);
            search.nodes += 1;
            let score = -Self::quiesce(search, window.flipped(), ply + 1);
            search.position.board.undo();
            return score;
        }
        search.position.board.evaluate()
    }

    fn prune(search: &mut Search<Self>, depth: Depth, window: Window, ply: usize) -> Option<Score> {
        let position = &mut search.position;
        if let Some(score) = position.board.decided(ply) {
            return Some(score);
        }
        if position.is_pressed() || !window.is_zero() {
            return None;
        }
        // So good that a few quiet plies will not spoil it.
        let static_score = position.board.evaluate();
        if depth <= 3 && window.fail_high(static_score - safe_margin(depth)) {
            return Some(static_score);
        }
        // So bad that only a win by fours can save it.
        if depth <= 2 && window.fail_low(static_score + 300 * depth) {
            let score = Self::quiesce(search, window, ply);
            return window.fail_low(score).then_some(score);
        }
        Self::null_move(search, static_score, depth, window, ply)
    }

    fn key_after(&self, played: Move) -> Option<u64> {
        Some(self.board.key_after(cell(played)))
    }

    fn extension(&self, _: Move) -> Depth {
        // A four stands: its answer is forced, and costs no depth.
        Depth::from(self.board.count(self.mover() ^ 1, Kind::Five) > 0)
    }

    fn is_enough(&self, tried: usize, depth: Depth, window: Window, best: Score) -> bool {
        if tried < 2 || !window.is_zero() || best <= -PROVEN || self.is_pressed() {
            return false;
        }
        let plenty = (3 + depth + depth * depth / 2) as usize;
        if depth <= 8 && tried >= plenty {
            return true;
        }
        let hopeless = || window.fail_low(self.board.evaluate() + hopeless_margin(depth));
        depth <= 4 && tried >= 3 && hopeless()
    }

    fn reduction(&self, _: Move, depth: Depth, index: usize) -> Depth {
        if depth < 2 || index < 1 || self.is_pressed() {
            return 0;
        }
        let late = LATE[(depth as usize).min(63)][index.min(63)];
        Depth::from(late).min(depth - 1)
    }

    fn score_to_table(score: Score, ply: usize) -> Score {
        to_table(score, ply)
    }

    fn score_from_table(score: Score, ply: usize) -> Score {
        from_table(score, ply)
    }
}
