//! An exhaustive proof of a forced win: the attacker follows a solver, and every legal answer of the defender is tried.
//! After each answer, the solver runs again, and the attacker plays the first move of its line. The crate `games`
//! judges moves and wins.

use std::collections::HashSet;

use alphabeta::gomoku::{Cell, SearchBoard, Vcf, VcfLimits, Vct, VctLimits};
use games::gomoku::{GomokuBoard, Rule};
use games::{Move, Rules, Side, Square};

use crate::{Positions, drawn, stages};

/// A solver. Returns a line in which the side to move wins within the plies, or an empty line if it finds none.
pub type WinFinder<'a> = &'a mut dyn FnMut(&mut SearchBoard, u32) -> Vec<Cell>;

#[derive(Clone, Copy, Debug, Default)]
pub struct ProofCounts {
    pub answers: usize,
    pub asked: usize,
}

/// Proves that the side to move wins within `plies` plies if it follows `solver`. The error contains a refutation.
pub fn prove(
    stones: &GomokuBoard,
    plies: u32,
    solver: WinFinder<'_>,
) -> Result<ProofCounts, String> {
    let mut proof = Proof {
        attacker: stones.side_to_move(),
        solver,
        proven: HashSet::new(),
        path: Vec::new(),
        counts: ProofCounts::default(),
    };
    proof.attack(stones, &mut SearchBoard::from_rules(stones), plies)?;
    Ok(proof.counts)
}

struct Proof<'a> {
    attacker: Side,
    solver: WinFinder<'a>,
    /// Proven positions with the attacker to move, and the number of plies left.
    proven: HashSet<(GomokuBoard, u32)>,
    path: Vec<Square>,
    counts: ProofCounts,
}

impl Proof<'_> {
    fn attack(
        &mut self,
        stones: &GomokuBoard,
        board: &mut SearchBoard,
        plies: u32,
    ) -> Result<(), String> {
        if self.proven.contains(&(stones.clone(), plies)) {
            return Ok(());
        }
        self.counts.asked += 1;
        let line = (self.solver)(board, plies);
        let Some(&cell) = line.first() else {
            return Err(self.fails(stones, &format!("no win within {plies} plies is known")));
        };
        let then = self.after(stones, cell.square())?;
        match then.ending() {
            Some(ending) if ending.winner == Some(self.attacker) => {}
            Some(ending) => {
                return Err(self.fails(stones, &format!("{cell:?} ends it: {ending:?}")));
            }
            None if plies < 3 => return Err(self.fails(stones, &format!("{cell:?} is not a five"))),
            None => {
                self.path.push(cell.square());
                board.play(cell);
                self.defend(&then, board, plies - 1)?;
                board.undo();
                self.path.pop();
            }
        }
        self.proven.insert((stones.clone(), plies));
        Ok(())
    }

    fn defend(
        &mut self,
        stones: &GomokuBoard,
        board: &mut SearchBoard,
        plies: u32,
    ) -> Result<(), String> {
        let fives: Vec<Square> = stones
            .empty_squares()
            .filter(|&square| stones.wins(square, self.attacker))
            .collect();
        for answer in stones.legal_squares() {
            self.counts.answers += 1;
            let then = self.after(stones, answer)?;
            if let Some(ending) = then.ending() {
                return Err(self.fails(stones, &format!("{answer} ends it: {ending:?}")));
            }
            // If the answer does not prevent the five, the attacker plays it at once.
            if let Some(&five) = fives
                .iter()
                .find(|&&five| five != answer && then.wins(five, self.attacker))
            {
                let end = self.after(&then, five)?.ending();
                if end.and_then(|end| end.winner) != Some(self.attacker) {
                    return Err(self.fails(&then, &format!("{five} is not a five")));
                }
                continue;
            }
            self.path.push(answer);
            board.play(answer.into());
            self.attack(&then, board, plies - 1)?;
            board.undo();
            self.path.pop();
        }
        Ok(())
    }

    fn after(&self, stones: &GomokuBoard, square: Square) -> Result<GomokuBoard, String> {
        let mut then = stones.clone();
        match then.play(Move::Place(square)) {
            Ok(()) => Ok(then),
            Err(error) => Err(self.fails(stones, &error.to_string())),
        }
    }

    fn fails(&self, stones: &GomokuBoard, why: &str) -> String {
        let path: Vec<String> = self.path.iter().map(Square::to_string).collect();
        format!("after {}: {why}\n{stones}", path.join(" "))
    }
}

const FOURS: VcfLimits = VcfLimits {
    fours: 30,
    nodes: 100_000,
};

fn threats(plies: u32) -> VctLimits {
    VctLimits {
        plies,
        nodes: 100_000,
    }
}

/// Proves the wins that `solve` finds. Returns the number of wins, and the number of wins with at least seven plies.
fn proven(
    positions: impl Iterator<Item = GomokuBoard>,
    mut solve: impl FnMut(&mut SearchBoard, u32) -> Vec<Cell>,
) -> [usize; 2] {
    let (mut wins, mut long) = (0, 0);
    for stones in positions {
        let plies = stones.empties().into();
        let line = solve(&mut SearchBoard::from_rules(&stones), plies);
        if !line.is_empty() {
            prove(&stones, line.len() as u32, &mut solve)
                .unwrap_or_else(|why| panic!("{}, {why}", stones.rule().name()));
            wins += 1;
            long += usize::from(line.len() >= 7);
        }
    }
    [wins, long]
}

#[test]
fn every_win_by_fours_is_proven_by_trying_every_answer() {
    for rule in Rule::ALL {
        for new in [Vcf::new, Vcf::of_rich_fours] {
            let solve = |board: &mut SearchBoard, _| new().solve(board, FOURS).to_vec();
            let [wins, long] = proven(Positions::of(rule, 7..=12).take(3000), solve);
            assert!(wins > 500 && long > 100, "{rule:?}: {wins}, {long} long");
        }
    }
}

/// The solver finds the shortest win by threats, so it must win in the remaining plies after every answer.
#[test]
fn every_win_by_threats_is_proven_by_trying_every_answer() {
    for rule in Rule::ALL {
        let mut solver = Vct::new();
        let solve = |board: &mut SearchBoard, plies: u32| {
            let solved = solver.solve(board, threats(plies.min(9)));
            solved.unwrap_or_default()
        };
        let [wins, long] = proven(Positions::of(rule, 7..=10).take(1000), solve);
        assert!(wins > 300 && long > 50, "{rule:?}: {wins}, {long} long");
    }
}

#[test]
fn a_claim_that_is_false_finds_its_refutation() {
    let stones = drawn(
        "......... ......... ...XX.... .....X... .....X... \
         ......... ..O...... ...OO.... .........",
    );
    let mut solver = Vct::new();
    let mut honest = |board: &mut SearchBoard, plies| {
        let solved = solver.solve(board, threats(plies));
        solved.unwrap_or_default()
    };
    let counts = prove(&stones, 5, &mut honest).expect("f3 is a double three");
    assert!(counts.answers > 60 * 60 && counts.asked > 60, "{counts:?}");
    let short = prove(&stones, 3, &mut honest).expect_err("it takes five plies");
    assert!(short.contains("no win within 3 plies is known"), "{short}");
    // This solver claims a win that begins with an open three, but white can answer it.
    let mut boastful = |board: &mut SearchBoard, plies| match plies {
        5 => vec!["c3".parse::<Square>().expect("a square").into()],
        _ => honest(board, plies),
    };
    let refuted = prove(&stones, 5, &mut boastful).expect_err("white answers");
    assert!(refuted.contains("after c3 b3"), "{refuted}");
}

const NODES: u64 = 1_000_000;

/// Black wins every stage: by threats within the plies in the file, or by fours in any number of plies.
#[test]
fn every_stage_is_proven_by_trying_every_answer() {
    let (mut vcf, mut vct) = (Vcf::new(), Vct::new());
    for stage in stages() {
        let board = &stage.board;
        let proof = if stage.by_fours {
            let limits = VcfLimits {
                fours: 60,
                nodes: NODES,
            };
            // This win need not be the shortest.
            prove(board, board.empties().into(), &mut |board, _| {
                vcf.solve(board, limits).to_vec()
            })
        } else {
            prove(board, stage.plies, &mut |board, plies| {
                let limits = VctLimits {
                    plies,
                    nodes: NODES,
                };
                vct.solve(board, limits).unwrap_or_default()
            })
        };
        proof.unwrap_or_else(|why| panic!("{}: {why}", stage.path.display()));
    }
}
