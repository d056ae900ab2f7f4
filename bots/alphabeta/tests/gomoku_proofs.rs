//! Every win that the solvers claim is proven by trying every answer; see `proof`.

mod drawn;
mod positions;
mod proof;

use alphabeta::gomoku::{Cell, SearchBoard, Vcf, VcfLimits, Vct, VctLimits};
use drawn::drawn;
use games::Square;
use games::gomoku::{GomokuBoard, Rule};
use positions::Positions;
use proof::prove;

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

/// Proves what `solve` claims of random positions, and says how many wins it claimed, and how many
/// of them take seven plies or more.
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

/// The solver claims the shortest win by threats, so after every answer it must win in the plies
/// that are left.
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
    // Begins with an open three alone, which white answers.
    let mut boastful = |board: &mut SearchBoard, plies| match plies {
        5 => vec!["c3".parse::<Square>().expect("a square").into()],
        _ => honest(board, plies),
    };
    let refuted = prove(&stones, 5, &mut boastful).expect_err("white answers");
    assert!(refuted.contains("after c3 b3"), "{refuted}");
}
