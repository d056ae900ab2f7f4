//! What the shared search asks of Gomoku.

use std::sync::LazyLock;

use super::board::Board;
use super::cell::Cell;
use super::evaluation::{PROVEN, from_table, to_table, win_in};
use super::shape::Kind;
use super::vcf::{Vcf, VcfLimits};
use crate::search::{
    Depth, Hints, Late, Move, Node, Score, ScoredMove, Search, SearchPosition, Window,
};

/// A board that is searched, with the solver that its leaves use.
pub struct GomokuPosition {
    pub(super) board: Board,
    vcf: Vcf,
    at_leaf: VcfLimits,
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
            at_leaf: AT_LEAF,
        }
    }

    /// The same, but blind for wins by fours beyond the depth of the search.
    #[must_use]
    pub(super) fn without_solver(self) -> GomokuPosition {
        let at_leaf = VcfLimits { fours: 0, nodes: 0 };
        GomokuPosition { at_leaf, ..self }
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
        if position.at_leaf.fours == 0
            || rich
                .iter()
                .all(|&kind| position.board.count(mover, kind) == 0)
        {
            return None;
        }
        let before = position.vcf.nodes;
        let line = position
            .vcf
            .solve(&mut position.board, position.at_leaf)
            .len();
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

    /// Whether the side to move must answer a four.
    fn faces_four(&self) -> bool {
        self.board.count(self.mover() ^ 1, Kind::Five) > 0
    }
}

/// Natural logarithms of small numbers.
static LN: LazyLock<[f32; 128]> =
    LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f32).ln()));

fn ln(number: usize) -> f32 {
    LN[number.min(127)]
}

/// So far above the window, `depth` plies from the leaves, the opponent will not mend it.
const fn safe_margin(depth: Depth, improving: bool) -> Score {
    80 * (depth - improving as Depth)
}

/// So far below the window, `depth` plies from the leaves, only a win by fours will do.
const fn hopeless_margin(depth: Depth) -> Score {
    24 + 18 * depth
}

/// Moves that are enough where none of them is good, `depth` plies from the leaves.
fn plenty(depth: Depth, improving: bool) -> usize {
    let moves = 3 + (1.32 * ln(depth as usize)).exp() as usize;
    if improving { moves } else { moves / 2 }
}

const fn cell(played: Move) -> Cell {
    Cell::from_index(played.index())
}

impl SearchPosition for GomokuPosition {
    const MOVES: usize = Cell::COUNT;
    const REDUCED_WITHOUT_TABLE: Depth = 5;

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
        if position.faces_four() {
            // The answer is forced; the evaluation of a position that stands still is that of the
            // one before.
            let before = ply
                .checked_sub(1)
                .and_then(|ply| search.frame(ply).static_score);
            search.frame(ply).static_score = before.map(|score| -score);
            return None;
        }
        let static_score = position.board.evaluate();
        search.frame(ply).static_score = Some(static_score);
        if !window.is_zero() {
            return None;
        }
        // So bad that only a win by fours can save it.
        if depth <= 2 && window.fail_low(static_score + hopeless_margin(depth)) {
            return Some(Self::quiesce(search, window, ply));
        }
        // So good that the opponent will not mend it.
        let node = search.describe(depth, window, ply);
        if window.fail_high(static_score - safe_margin(depth, node.improving))
            && static_score.abs() < PROVEN
            && window.beta > -PROVEN
        {
            return Some(static_score);
        }
        if search.position.board.is_pressed() {
            return None;
        }
        Self::null_move(search, static_score, depth, window, ply)
    }

    fn key_after(&self, played: Move) -> Option<u64> {
        Some(self.board.key_after(cell(played)))
    }

    fn extension(&self, node: &Node, _: &Late) -> Depth {
        // A four stands: its answer is forced, and costs no depth.
        let four = Depth::from(self.faces_four());
        // Where a cutoff is expected and the evaluation is beyond the window already, a shallower
        // look will do.
        let likely = node.cut
            && node.window.is_zero()
            && node
                .static_score
                .is_some_and(|score| node.window.fail_high(score - 19 * node.depth));
        four - Depth::from(likely && four == 0)
    }

    fn is_skipped(&self, node: &Node, late: &Late, best: Score) -> bool {
        node.ply > 0
            && late.index >= 2
            && best > -PROVEN
            && !self.board.is_pressed()
            && late.index >= plenty(node.depth, node.improving)
            && self.board.kind(cell(late.played), self.mover()) < Kind::Three
    }

    fn reduction(&self, node: &Node, late: &Late, depth: Depth) -> Depth {
        if node.depth < 2 || depth < 2 || late.index == 0 {
            return 0;
        }
        let mut plies = ln(node.depth as usize) * ln(late.index + 1);
        if node.window.is_zero() {
            plies += f32::from(u8::from(!node.improving && plies > 1.0));
            plies += f32::from(u8::from(node.cut && !late.killer)) * 1.2;
        } else {
            plies -= 0.5;
        }
        plies += (late.behind as f32 / (16.0 * 256.0) - 1.0).clamp(-0.5, 2.0) * 0.5;
        plies -= late.history as f32 / 12_000.0;
        // The move makes a four or an open three: wins are made of these.
        if self.board.is_pressed() {
            plies -= 2.0;
        }
        (plies.round() as Depth).clamp(0, depth - 1)
    }

    fn depth_after_improvement(depth: Depth, score: Score) -> Depth {
        if (3..12).contains(&depth) && score.abs() < PROVEN {
            depth - 1
        } else {
            depth
        }
    }

    fn score_to_table(score: Score, ply: usize) -> Score {
        to_table(score, ply)
    }

    fn score_from_table(score: Score, ply: usize) -> Score {
        from_table(score, ply)
    }
}
