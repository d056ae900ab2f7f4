//! The implementation of [`SearchPosition`] for Gomoku.

use super::board::SearchBoard;
use super::cell::Cell;
use super::evaluation::{EvaluationCache, MOST, PROVEN, UNIT, win_in};
use super::network::Accumulators;
use super::shape::ThreatKind;
use super::threat_search::{Vcf, VcfLimits};
use crate::options::Evaluation;
use crate::search::{
    Depth, Hints, Margins, Move, Score, ScoredMove, SearchPosition, Threat, Window,
};

pub struct GomokuPosition {
    pub(super) board: SearchBoard,
    vcf: Vcf,
    at_leaf: VcfLimits,
    /// The network's features and a cache of its evaluations; `None`: the patterns evaluate.
    learned: Option<(Accumulators, EvaluationCache)>,
}

/// Limits of the search for a win by fours at a leaf. With 300 nodes, it took over half of the time in late games.
const AT_LEAF: VcfLimits = VcfLimits {
    fours: 12,
    nodes: 40,
};

/// The depth limit of a search with other limits.
pub(super) const DEEPEST: Depth = 100;

/// The number of points in move ordering for one unit of the policy.
const ORDER: i32 = 16;

/// The margins in engine units and plies. `search::selectivity` describes how they were chosen.
pub(super) const MARGINS: Margins = Margins {
    reverse_futility: 80,
    razoring: 42,
    razoring_far: 60,
    cut_node: 19,
    null_move: 3,
    late_moves: 100,
    history: 12_000,
    late_move_count: 100,
    promise: ORDER,
    log_odds: ORDER * UNIT,
};

impl GomokuPosition {
    pub fn new(board: SearchBoard) -> GomokuPosition {
        GomokuPosition {
            board,
            vcf: Vcf::of_rich_fours(),
            at_leaf: AT_LEAF,
            learned: None,
        }
    }

    pub fn with_evaluation(evaluation: Evaluation, board: SearchBoard) -> GomokuPosition {
        let learned = evaluation.network(board.rule()).map(|network| {
            let features = Accumulators::new(network, &board);
            (features, EvaluationCache::default())
        });
        GomokuPosition {
            learned,
            ..GomokuPosition::new(board)
        }
    }

    #[must_use]
    pub(super) fn without_solver(self) -> GomokuPosition {
        let at_leaf = VcfLimits { fours: 0, nodes: 0 };
        GomokuPosition { at_leaf, ..self }
    }

    pub fn board(&self) -> &SearchBoard {
        &self.board
    }

    fn mover(&self) -> usize {
        self.board.side_to_move().index()
    }

    /// Returns the score if the side to move wins by fours. Searches only if it can make a `FourPlus` or a `FourThree`.
    fn wins_by_fours(&mut self, ply: usize, nodes: &mut u64) -> Option<Score> {
        let mover = self.mover();
        let rich = [ThreatKind::FourPlus, ThreatKind::FourThree];
        if self.at_leaf.fours == 0 || rich.iter().all(|&kind| self.board.count(mover, kind) == 0) {
            return None;
        }
        let before = self.vcf.nodes;
        let plies = self.vcf.wins(&mut self.board, self.at_leaf);
        *nodes += self.vcf.nodes - before;
        plies.map(|plies| win_in(ply + plies))
    }
}

impl SearchPosition for GomokuPosition {
    const MOVES: usize = Cell::COUNT;
    const ASPIRATION: Score = 40;
    const PROVEN: Score = PROVEN;
    const MARGINS: Option<Margins> = Some(MARGINS);

    fn side(&self) -> usize {
        self.mover()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn generate(&mut self, hints: &Hints<'_>, list: &mut Vec<ScoredMove>) {
        let mover = self.mover();
        for cell in self.board.candidates().iter() {
            if !self.board.is_allowed(cell) {
                continue;
            }
            let played = Move::from(cell);
            let promise = match &mut self.learned {
                Some((learned, _)) => learned.promise(mover, cell),
                None => self.board.promise(cell, mover),
            };
            let mut score = hints.promise * promise;
            score += hints.history[cell.index()] / 4;
            if hints.killers.contains(&played) {
                score += 6000;
            }
            list.push(ScoredMove { played, score });
        }
    }

    fn play(&mut self, played: Move) {
        if let Some((learned, _)) = &mut self.learned {
            learned.play(played.into(), self.board.side_to_move().index());
        }
        self.board.play(played.into());
    }

    fn undo(&mut self, _: Move) {
        if let Some((learned, _)) = &mut self.learned {
            learned.undo();
        }
        self.board.undo();
    }

    /// Null moves are safe in Gomoku: there is no zugzwang, and the shapes show the opponent's threats.
    fn null_move(&mut self) {
        self.board.toggle_side();
    }

    fn evaluate(&mut self) -> Score {
        let mover = self.mover();
        let Some((learned, cache)) = &mut self.learned else {
            return self.board.evaluate();
        };
        cache.get_or(self.board.key(), || {
            let value = learned.value(mover, self.board.threats());
            value.clamp(-MOST, MOST)
        })
    }

    fn outcome(&self, ply: usize) -> Option<Score> {
        self.board.decided(ply)
    }

    fn final_score(&self, ply: usize) -> Score {
        match self.threat() {
            Threat::Forcing => -win_in(ply + 2),
            Threat::Serious => -win_in(ply + 4),
            Threat::None => 0,
        }
    }

    fn quiesce(&mut self, window: Window, ply: usize, nodes: &mut u64) -> Score {
        if self.threat() != Threat::Forcing {
            let score = self.evaluate();
            // With a cutoff, a proof of a win would change nothing.
            if window.fail_high(score) {
                return score;
            }
            return self.wins_by_fours(ply, nodes).unwrap_or(score);
        }
        if let Some(score) = self.wins_by_fours(ply, nodes) {
            return score;
        }
        let (mut best, mut open) = (-win_in(ply + 2), window);
        for answer in self.board.answers_to_a_four(self.mover() ^ 1).iter() {
            if !self.board.is_allowed(answer) {
                continue;
            }
            let answer = Move::from(answer);
            self.play(answer);
            *nodes += 1;
            let decided = self.board.decided(ply + 1);
            let score = decided.unwrap_or_else(|| self.quiesce(open.flipped(), ply + 1, nodes));
            self.undo(answer);
            best = best.max(-score);
            if window.fail_high(best) {
                break;
            }
            open = open.raised(best);
        }
        best
    }

    fn threat(&self) -> Threat {
        let other = self.mover() ^ 1;
        if self.board.count(other, ThreatKind::Five) > 0 {
            Threat::Forcing
        } else if self.board.count(other, ThreatKind::OpenFour) > 0 {
            Threat::Serious
        } else {
            Threat::None
        }
    }

    fn is_quiet(&self, played: Move) -> bool {
        self.board.kind(played.into(), self.mover()) < ThreatKind::Three
    }

    /// A forced answer to a four costs no depth.
    fn extension(&self, _: Move) -> Depth {
        Depth::from(self.threat() == Threat::Forcing)
    }

    fn key_after(&self, played: Move) -> Option<u64> {
        Some(self.board.key_after(played.into()))
    }
}
