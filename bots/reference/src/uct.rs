//! UCT: Monte-Carlo tree search by upper confidence bounds. It uses only the rules.
//!
//! Each playout goes down the tree. At each node it goes to the child with the highest upper confidence bound. When it
//! visits a leaf for the second time, it adds the leaf's children. It then plays at random to the end, and counts the
//! result in every node on the way. The bot plays the most visited move.
//!
//! Source: L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006.

use games::{Move, Side};

use crate::draw::Draw;

/// The exploration constant: the factor of √(ln N / n), for N visits of the node and n visits of the child. In theory,
/// √2 suits any game. A smaller value suits games in which a few playouts show a good move.
const EXPLORATION: f64 = 0.7;

pub(crate) trait Playable: Clone {
    fn side_to_move(&self) -> Side;
    /// Returns the moves that become nodes of the tree; empty exactly when the game has ended.
    fn moves(&self) -> Vec<Move>;
    fn play(&mut self, played: Move);
    /// Plays at random to the end and returns black's margin: in discs for Othello, ±1 for Gomoku.
    fn play_out(self, draw: &mut Draw) -> i32;
}

#[derive(Clone, Debug)]
struct TreeNode {
    played: Move,
    mover: Side,
    visits: u32,
    /// The sum of the mover's points: 1 for a win, ½ for a draw.
    points: f64,
    margin: f64,
    /// The indices of the children; empty until the second visit.
    children: std::ops::Range<u32>,
}

impl TreeNode {
    fn new(played: Move, mover: Side) -> TreeNode {
        TreeNode {
            played,
            mover,
            visits: 0,
            points: 0.0,
            margin: 0.0,
            children: 0..0,
        }
    }

    fn count(&mut self, black_margin: i32) {
        let margin = match self.mover {
            Side::Black => black_margin,
            Side::White => -black_margin,
        };
        self.visits += 1;
        self.margin += f64::from(margin);
        self.points += f64::from(1 + margin.signum()) / 2.0;
    }

    /// Returns the upper confidence bound of the mover's points per game.
    fn bound(&self, log_parent_visits: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = f64::from(self.visits);
        self.points / visits + EXPLORATION * (log_parent_visits / visits).sqrt()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The most visited line; its first move is the move to play.
    pub(crate) line: Vec<Move>,
    /// Points of the side to move per game, 0 to 1.
    pub(crate) points: f64,
    pub(crate) margin: f64,
}

#[derive(Debug)]
pub(crate) struct Uct<P> {
    root: P,
    nodes: Vec<TreeNode>,
    capacity: usize,
    draw: Draw,
}

impl<P: Playable> Uct<P> {
    /// Creates a tree with a child for each of `moves`, at least one. With `capacity` or more nodes, it does not grow.
    pub(crate) fn new(root: P, moves: &[Move], capacity: usize, draw: Draw) -> Uct<P> {
        let mut uct = Uct {
            nodes: vec![TreeNode::new(Move::Pass, !root.side_to_move())],
            root,
            capacity,
            draw,
        };
        let mover = uct.root.side_to_move();
        uct.add_children(0, mover, moves.to_vec());
        uct
    }

    pub(crate) const NODE_BYTES: usize = size_of::<TreeNode>();

    pub(crate) fn play_out(&mut self) {
        let mut state = self.root.clone();
        let mut path = vec![0];
        let mut node = 0;
        while let Some(child) = self.most_promising(node) {
            state.play(self.nodes[child].played);
            path.push(child);
            node = child;
            if self.nodes[node].visits == 1 && self.nodes.len() < self.capacity {
                let moves = state.moves();
                self.add_children(node, state.side_to_move(), moves);
            }
        }
        let black_margin = state.play_out(&mut self.draw);
        for node in path {
            self.nodes[node].count(black_margin);
        }
    }

    /// Adds children in random order, so that no part of the board comes first.
    fn add_children(&mut self, parent: usize, mover: Side, mut moves: Vec<Move>) {
        let first = self.nodes.len() as u32;
        while !moves.is_empty() {
            let played = moves.swap_remove(self.draw.below(moves.len()));
            self.nodes.push(TreeNode::new(played, mover));
        }
        self.nodes[parent].children = first..self.nodes.len() as u32;
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> + use<P> {
        let children = self.nodes[node].children.clone();
        children.map(|child| child as usize)
    }

    fn most_promising(&self, node: usize) -> Option<usize> {
        // The last digits of the system's logarithm differ between machines; those of `libm` do not.
        let log_visits = libm::log(self.nodes[node].visits.max(1).into());
        let mut best = None;
        let mut best_bound = f64::NEG_INFINITY;
        for child in self.children(node) {
            let bound = self.nodes[child].bound(log_visits);
            if bound > best_bound {
                (best, best_bound) = (Some(child), bound);
            }
        }
        best
    }

    /// Returns the most visited child: of equally visited children the one with the most points, of these the first.
    fn most_visited(&self, node: usize) -> Option<usize> {
        self.children(node).reduce(|best, child| {
            let [one, other] = [best, child].map(|index| &self.nodes[index]);
            let is_better = (other.visits, other.points) > (one.visits, one.points);
            if is_better { child } else { best }
        })
    }

    pub(crate) fn estimate(&self) -> Estimate {
        let mut line = Vec::new();
        let mut node = 0;
        while let Some(child) = self
            .most_visited(node)
            .filter(|&child| node == 0 || self.nodes[child].visits > 0)
        {
            line.push(self.nodes[child].played);
            node = child;
        }
        let best = &self.nodes[self.most_visited(0).expect("the root has moves")];
        let visits = f64::from(best.visits.max(1));
        Estimate {
            line,
            points: best.points / visits,
            margin: best.margin / visits,
        }
    }
}
