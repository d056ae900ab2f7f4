//! UCT: a tree that grows where random games go well.
//!
//! Each playout walks down the tree, at every node to the child with the highest upper confidence
//! bound; adds the children of the leaf it reaches; plays on at random to the end; and counts the
//! result in every node it came through. The most visited child of the root is the move.
//!
//! Source: L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006.

use games::{Move, Side};

use crate::draw::Draw;

/// How much a rarely tried child is favoured: the constant before √(ln N / n). The theory's √2 is
/// for any game; less suits games where a good move shows early.
const EXPLORATION: f64 = 0.7;

/// A game that can be played to its end at random.
pub(crate) trait Playable: Clone {
    /// Whose turn it is.
    fn side_to_move(&self) -> Side;
    /// The moves worth a node of the tree; empty exactly when the game has ended.
    fn moves(&self) -> Vec<Move>;
    /// Plays one of them.
    fn play(&mut self, played: Move);
    /// Plays on at random; by how much black wins in the end (negative: white). The unit is the
    /// game's: discs in Othello, 1 in Gomoku.
    fn play_out(self, draw: &mut Draw) -> i32;
}

/// A move in the tree.
#[derive(Clone, Debug)]
struct Node {
    played: Move,
    /// Who played it.
    mover: Side,
    visits: u32,
    /// Points of the mover: 1 a win, ½ a draw.
    points: f64,
    /// Sum of the mover's margins.
    margin: f64,
    /// Where its children are; empty until it is visited a second time.
    children: std::ops::Range<u32>,
}

impl Node {
    fn new(played: Move, mover: Side) -> Node {
        Node {
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

    /// The upper confidence bound of the mover's points a game.
    fn bound(&self, log_parent_visits: f64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = f64::from(self.visits);
        self.points / visits + EXPLORATION * (log_parent_visits / visits).sqrt()
    }
}

/// What is known of the best move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The most visited line; its first move is the one to play.
    pub(crate) line: Vec<Move>,
    /// Points of the side to move a game, 0 to 1.
    pub(crate) points: f64,
    /// Its mean margin.
    pub(crate) margin: f64,
}

/// The tree and its random numbers.
#[derive(Debug)]
pub(crate) struct Uct<P> {
    root: P,
    nodes: Vec<Node>,
    capacity: usize,
    draw: Draw,
}

impl<P: Playable> Uct<P> {
    /// A tree of at most `capacity` nodes below `root`, where `moves` may be played (at least one).
    pub(crate) fn new(root: P, moves: &[Move], capacity: usize, draw: Draw) -> Uct<P> {
        let mut uct = Uct {
            nodes: vec![Node::new(Move::Pass, !root.side_to_move())],
            root,
            capacity,
            draw,
        };
        let mover = uct.root.side_to_move();
        uct.add_children(0, mover, moves.to_vec());
        uct
    }

    /// Bytes of one node.
    pub(crate) const NODE_BYTES: usize = size_of::<Node>();

    /// One game from the root to the end.
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

    /// In an order of chance, so that no direction of the board is tried first.
    fn add_children(&mut self, parent: usize, mover: Side, mut moves: Vec<Move>) {
        let first = self.nodes.len() as u32;
        while !moves.is_empty() {
            let played = moves.swap_remove(self.draw.below(moves.len()));
            self.nodes.push(Node::new(played, mover));
        }
        self.nodes[parent].children = first..self.nodes.len() as u32;
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> + use<P> {
        let children = self.nodes[node].children.clone();
        children.map(|child| child as usize)
    }

    fn most_promising(&self, node: usize) -> Option<usize> {
        // Not the system's logarithm, whose last digits differ from one machine to the next.
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

    /// Of two visited equally often, the one with more points, then the first.
    fn most_visited(&self, node: usize) -> Option<usize> {
        self.children(node).reduce(|best, child| {
            let [one, other] = [best, child].map(|index| &self.nodes[index]);
            let is_better = (other.visits, other.points) > (one.visits, one.points);
            if is_better { child } else { best }
        })
    }

    /// What the playouts say.
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
