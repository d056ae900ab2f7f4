//! Compares analyses with exact solving, published scores, and the forced wins of the stages.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::common::assert_nothing_is_wrong;
use alphabeta::gomoku::winning_line;
use arena::analysis::summary::{AnalysedGame, summaries};
use arena::analysis::{Analysis, GameMoves, JudgedPly, Remark, Settings, Worth, analyse};
use arena::stages::{self, Proof, Stage};
use games::{Board, Game, Move, Rules, Side, parse_transcript};

const GAMES: &str = include_str!("../games/grhino-level1.txt");
const SOLVED: &str = include_str!("../games/grhino-level1-solved.txt");

/// The analyses solve positions with at most this many empty squares after a move. Each more doubles their time.
const FROM: u32 = 18;

fn quick() -> Settings {
    Settings {
        depth: 2,
        solve_from: 8,
        nodes: 50_000,
        hash_mib: 16,
    }
}

fn gone_through(played: &GameMoves) -> Analysis {
    analyse(played, &quick(), &mut |_, _| ()).expect("a game")
}

fn games() -> Vec<(Vec<Move>, Vec<Board>)> {
    let lines = GAMES.lines().filter(|line| !line.starts_with('#'));
    let game = |line| {
        let (moves, _) = parse_transcript(Game::OTHELLO, line).expect("a game");
        let mut board = Game::OTHELLO.start();
        let mut boards = vec![board.clone()];
        for &played in &moves {
            board.play(played).expect("legal");
            boards.push(board.clone());
        }
        (moves, boards)
    };
    lines.map(game).collect()
}

fn exact(worth: Worth) -> i32 {
    match worth {
        Worth::ExactDiscs(discs) => discs,
        other => panic!("{other:?} is not exact"),
    }
}

/// Another program's result: the score for the side to move, and the best moves.
#[derive(Debug)]
struct Solved {
    score: i32,
    best: Vec<Move>,
}

/// Returns the other program's results for the last positions of each game, by the number (from 1) of the next disc.
fn solved() -> Vec<BTreeMap<usize, Solved>> {
    let lines = SOLVED.lines().filter(|line| !line.starts_with('#'));
    let entry = |entry: &str| {
        let parts: Vec<&str> = entry.split(':').collect();
        let solved = Solved {
            score: parts[1].parse().expect("a score"),
            best: parts[2]
                .split(',')
                .map(|text| text.parse().expect("a move"))
                .collect(),
        };
        (parts[0].parse().expect("a number"), solved)
    };
    lines
        .map(|line| line.split(' ').map(entry).collect())
        .collect()
}

/// Checks the score and the cost of a move against the other program's scores, and the better move against its best
/// moves. `after` is the position after the move, `score_after` its score for the side to move.
fn agrees(judged: &JudgedPly, before: &Solved, after: &Board, score_after: Option<i32>) {
    let worth = match (score_after, after.ending()) {
        (Some(score), _) if after.side_to_move() == judged.side => score,
        (Some(score), _) => -score,
        (None, _) => {
            let ending = after.ending().expect("it has ended");
            let margin = after.game().margin(after.counts(), ending.winner);
            let margin = margin.expect("discs count");
            if judged.side == Side::Black {
                margin
            } else {
                -margin
            }
        }
    };
    assert_eq!(exact(judged.worth), worth, "{judged:?}");
    let cost = f64::from(before.score - worth);
    assert!((judged.cost - cost).abs() < 1e-9, "{judged:?}: {before:?}");
    match &judged.better {
        None => assert!(
            before.best.contains(&judged.played),
            "{judged:?}: {before:?}"
        ),
        Some(better) => {
            assert_eq!(exact(better.worth), before.score, "{judged:?}");
            assert!(
                before.best.contains(&better.line[0]),
                "{judged:?}: {before:?}"
            );
        }
    }
}

/// Checks with another program's scores that a move gives a stage if it gave a proven result away, and only then.
fn is_stage(judged: &JudgedPly, played: &GameMoves, before: &Solved) {
    let own = f64::from(before.score) - judged.cost;
    let gave_away = before.score > 0 && own <= 0.0 || before.score == 0 && own < 0.0;
    let stage = Stage::of_lapse("lapse".to_owned(), "a game", played, judged);
    assert_eq!(stage.is_some(), gave_away, "{judged:?}: {before:?}");
    if let Some(stage) = stage {
        let answer = stage.answer.as_ref().expect("discs are proven");
        assert_eq!(answer.proof, Proof::Discs(before.score), "{judged:?}");
        assert!(
            before.best.contains(&answer.line[0]),
            "{judged:?}: {before:?}"
        );
        assert_eq!(stages::read(&stage.to_string(), "x").as_ref(), Ok(&stage));
    }
}

/// R computes the same mean and interval: `t.test(c(1, 2, 4))`.
#[test]
fn the_unit_of_a_summary_is_the_game() {
    let start = Game::new("gomoku", None, None).expect("a game").start();
    let played = from(&start, &["h8", "a1", "i8", "c1", "j8", "e1"]);
    let game = |cost: f64| {
        let ply = |(index, &played): (usize, &Move)| JudgedPly {
            ply: index + 1,
            side: if index % 2 == 0 {
                Side::Black
            } else {
                Side::White
            },
            played,
            worth: Worth::Chance(0.0),
            better: None,
            // Of three moves of black, two cost nothing.
            cost: if index == 0 { 3.0 * cost } else { 0.0 },
            remark: None,
        };
        AnalysedGame {
            players: ["mine", "other"].map(str::to_owned),
            played: played.clone(),
            winner: Some(Side::White),
            analysis: Analysis {
                game: start.game(),
                plies: played.moves.iter().enumerate().map(ply).collect(),
            },
        }
    };
    let summed = summaries(&[1.0, 2.0, 4.0].map(game));
    let [other, mine] = summed.as_slice() else {
        panic!("{summed:?}")
    };
    assert_eq!((other.bot.as_str(), other.not_won), ("other", 0));
    assert_eq!((mine.loss.count, mine.not_won), (3, 3));
    assert!((mine.loss.mean - 7.0 / 3.0).abs() < 1e-9);
    assert!((mine.loss.error_95.expect("an interval") - 3.7946).abs() < 1e-3);
    assert!((mine.phases[0].share - 1.0).abs() < 1e-9);
    let advice = mine.advice().to_string();
    assert!(
        advice.contains("no phase costs clearly more"),
        "the interval has 0: {advice}"
    );
    let alike = summaries(&[2.0, 2.1, 1.9, 2.0, 2.2].map(game));
    let advice = alike[1].advice().to_string();
    assert_eq!(
        advice,
        "mine: 100 % of its loss comes from moves in the opening: look at its first moves"
    );
}

#[test]
fn losses_against_grhino_are_those_of_exact_solving() {
    let (held, lost) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let games: Vec<_> = games().into_iter().zip(solved()).collect();
    assert_eq!(games.len(), 20);
    assert_nothing_is_wrong(&games, |((moves, boards), solved)| {
        let played = GameMoves {
            start: Game::OTHELLO.start(),
            moves: moves.clone(),
            given: 0,
        };
        let settings = Settings {
            solve_from: FROM,
            ..quick()
        };
        let analysis = analyse(&played, &settings, &mut |_, _| ()).expect("a game");
        for judged in &analysis.plies {
            let (board, after) = (&boards[judged.ply - 1], &boards[judged.ply]);
            assert_eq!(judged.side, board.side_to_move());
            let number = 61 - board.empties() as usize;
            if u32::from(board.empties()) > FROM + 1 {
                continue;
            }
            let before = &solved[&number];
            // If the side to move must pass, the score is for the other side.
            let mut next = after.clone();
            if next.ending().is_none() && next.must_pass() {
                next.play(Move::Pass).expect("legal");
            }
            let score = solved.get(&(number + 1)).map(|next| next.score);
            is_stage(judged, &played, before);
            agrees(
                judged,
                before,
                &next,
                score.filter(|_| next.ending().is_none()),
            );
            held.fetch_add(1, Relaxed);
            lost.fetch_add(usize::from(judged.cost > 0.0), Relaxed);
        }
        None
    });
    let [held, lost] = [held, lost].map(AtomicUsize::into_inner);
    // Each of the 20 games has at most 19 such positions. Passes and early ends leave fewer.
    assert!(held > 310 && lost > 60, "{held} {lost}");
}

fn from(start: &Board, moves: &[&str]) -> GameMoves {
    let moves = moves.iter().map(|text| text.parse().expect("a move"));
    GameMoves {
        start: start.clone(),
        moves: moves.collect(),
        given: 0,
    }
}

fn stage(file: &str) -> Stage {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tournaments/stages");
    let text = fs::read_to_string(format!("{folder}/{file}.txt")).expect("a stage");
    stages::read(&text, file).expect("a stage")
}

#[test]
fn a_missed_win_is_that_of_the_stage() {
    for file in [
        "01-scattered-5",
        "03-scattered-7",
        "06-natural-9",
        "10-scattered-11",
    ] {
        let stage = stage(file);
        let win = stage.win.as_ref().expect("the file names it");
        let board = stage.board.clone();
        let Board::Gomoku(gomoku) = &board else {
            panic!("{board:?}")
        };
        let proven = winning_line(gomoku, 20_000_000).expect("proven");
        assert_eq!(proven.len(), win.plies as usize, "{file}");
        let far = board
            .legal_squares()
            .into_iter()
            .rfind(|square| !win.line.contains(square));
        let far = far.expect("a square").to_string();
        let settings = Settings {
            nodes: 500_000,
            ..quick()
        };
        let of = |moves: &[&str]| {
            let analysis = analyse(&from(&board, moves), &settings, &mut |_, _| ());
            analysis.expect("a game").plies[0].clone()
        };
        let Some(Remark::MissedWin(missed)) = of(&[&far]).remark else {
            panic!("{file}: {far} wins?")
        };
        assert_eq!(missed.plies, proven.len(), "{file}");
        assert_eq!(
            missed.line,
            proven
                .iter()
                .map(|&square| Move::Place(square))
                .collect::<Vec<_>>()
        );
        let kept = of(&[&proven[0].to_string()]);
        assert_eq!((kept.remark, kept.cost), (None, 0.0), "{file}");
        assert_eq!(kept.worth, Worth::Wins(proven.len()), "{file}");
    }
}

#[test]
fn a_forced_win_that_is_given_away_names_the_move_that_gave_it() {
    // White could close one end of black's open three, but plays elsewhere and loses to an open four.
    let game = Game::new("gomoku", None, None).expect("a game");
    let played = from(
        &game.start(),
        &["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"],
    );
    let analysis = gone_through(&played);
    let turned = analysis.turning_points();
    assert!(!turned.is_empty() && turned.iter().all(|ply| ply.side == Side::White));
    let mut allowed = analysis
        .plies
        .iter()
        .filter(|ply| matches!(ply.remark, Some(Remark::AllowedWin(_))));
    let last = allowed.next_back().expect("white could have held");
    assert_eq!(last.side, Side::White);
    assert!(
        last.ply <= 6,
        "black has an open four after half-move 7: {last:?}"
    );
    assert_eq!(analysis.wins(Side::Black), [0, 0]);
    let after = analysis.plies.iter().filter(|ply| ply.ply > last.ply);
    for ply in after {
        assert!(ply.cost.abs() < f64::EPSILON, "all is decided: {ply:?}");
    }
}
