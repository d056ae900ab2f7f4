//! Every stage that ships is proven by trying every answer; see `proof`.

mod proof;
mod shipped;

use alphabeta::gomoku::{Vcf, VcfLimits, Vct, VctLimits};
use proof::prove;
use shipped::stages;

const NODES: u64 = 1_000_000;

/// Black wins every stage against every legal answer of white's at every turn: where threes are
/// needed within the plies that the file names, by fours within the board. The solvers say black's
/// moves, the rules say the rest.
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
            // What it finds need not be the shortest.
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
