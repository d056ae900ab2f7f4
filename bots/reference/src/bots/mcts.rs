//! `mcts`: Monte-Carlo tree search ([`Uct`]) with random playouts. In Gomoku, playouts prefer squares near stones, and
//! complete or prevent fives.
//!
//! A search ends at the time limit, or earlier after a set number of playouts, by default [`PLAYOUTS`].

use std::num::NonZeroU64;
use std::time::Duration;

use games::{Board, Move};
use protocol::{Info, Question, Start};

use crate::clock::{Deadline, TimeManager};
use crate::draw::Draw;
use crate::gomoku::Playout;
use crate::othello::OthelloPlayout;
use crate::thinker::{Thinker, allowed};
use crate::uct::{Estimate, Playable, Uct};

/// Playouts for each move if neither an option nor a clock sets a limit.
const PLAYOUTS: u64 = 5000;
/// Playouts between two readings of the clock. They take about 50 µs.
const PLAYOUTS_A_CLOCK_READING: u64 = 16;
const TREE_MIB: u64 = 256;
/// The tree gets at most the bot's memory limit divided by this number.
const TREE_PART: u64 = 2;

#[derive(Debug, Default)]
pub(crate) struct Mcts {
    playouts: Option<u64>,
    move_time: Option<Duration>,
    clock: TimeManager,
    seed: u64,
    tree_mib: u64,
}

impl Mcts {
    pub(crate) fn new(playouts: Option<NonZeroU64>, move_ms: Option<NonZeroU64>) -> Mcts {
        Mcts {
            playouts: playouts.map(NonZeroU64::get),
            move_time: move_ms.map(|ms| Duration::from_millis(ms.get())),
            ..Mcts::default()
        }
    }

    fn think<P: Playable>(&self, root: P, question: &Question) -> (Estimate, u64) {
        let budget = self.clock.budget(question.left, question.moves_to_go);
        let budget = [budget, self.move_time].into_iter().flatten().min();
        let deadline = Deadline::after(question, budget);
        let moves = allowed(root.moves(), &question.board);
        let most = match (self.playouts, budget) {
            _ if moves.len() == 1 => 1,
            (Some(playouts), _) => playouts,
            (None, Some(_)) => u64::MAX,
            (None, None) => PLAYOUTS,
        };
        let capacity = (self.tree_mib as usize) << 20;
        let draw = Draw::new(self.seed, question.moves.len());
        let mut uct = Uct::new(root, &moves, capacity / Uct::<P>::NODE_BYTES, draw);
        let mut playouts = 0;
        while playouts < most {
            uct.play_out();
            playouts += 1;
            if playouts % PLAYOUTS_A_CLOCK_READING == 0 && deadline.has_passed() {
                break;
            }
        }
        (uct.estimate(), playouts)
    }
}

impl Thinker for Mcts {
    fn start(&mut self, start: &Start) {
        self.clock = TimeManager::new(start);
        self.seed = start.seed;
        self.tree_mib = start
            .memory_mib
            .map_or(TREE_MIB, |limit| TREE_MIB.min(limit / TREE_PART));
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let ((estimate, playouts), unit) = match &question.board {
            Board::Othello(board) => (self.think(OthelloPlayout::new(board), question), 1.0),
            // The score is the number of wins minus losses, in percent of the playouts.
            Board::Gomoku(board) => (self.think(Playout::new(board), question), 100.0),
            Board::Other(..) => unreachable!("other games are refused at their start"),
        };
        say(&Info {
            depth: Some(estimate.line.len() as u32),
            score: Some(unit * estimate.margin),
            nodes: Some(playouts),
            time_ms: Some(question.asked_at.elapsed().as_millis() as u64),
            pv: estimate.line.iter().map(Move::to_string).collect(),
            text: Some(format!("{:.0} % of points", 100.0 * estimate.points)),
            ..Info::default()
        });
        estimate.line[0]
    }
}
