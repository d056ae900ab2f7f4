//! Compares the search with the lines and positions of `drawn.txt`.
//!
//! | Row | Meaning |
//! |---|---|
//! | `line XX*X. = Four` | the shape of a stone on `*`. `X` is an own stone, `O` the opponent's; cells outside the drawing are the rim. Three words, for freestyle, standard and renju's black; one word if all agree |
//! | `caro OXX*XXO = Dead` | the same under caro |
//! | `kind Four Dead = Four`, `renju …` | the threat kind of a cell with these line shapes (missing ones are `Dead`); `renju`: for renju's black |
//! | `drawing NAME RULE` | begins a position with black to move: its rows follow |
//! | `matrix 2 = f2 Wins(3)` | the best move of `analysis::matrix` at this depth, and its value |
//! | `minimax 2 = wins in 3` | the score by each search method of the module `lesson` |
//! | `candidates = f5 f6` | the moves that the search considers |
//! | `fours = f2, won by black` | the first move of the win by fours, and the result of its line; or `none` |
//! | `threats = none` | the first move of the win by threats; or `none` |
//! | `forced = Wins(3) in 3 plies` | the result of `Analyst::search`, and the length of the line of `Analyst::win` |

use games::gomoku::{GomokuBoard, Rule};
use games::{Game, Move, Rules, Side};

use super::analysis::Analyst;
use super::evaluation::WIN;
use super::lesson::GomokuMethod;
use super::lines::{HalfCodes, LineTable};
use super::shape::{Shape, ThreatKind};
use super::{LineShape, SearchBoard, Vcf, VcfLimits, Vct, VctLimits, matrix};

pub(super) fn drawn(name: &str) -> GomokuBoard {
    let text = include_str!("drawn.txt");
    let after = text
        .split("\ndrawing ")
        .find_map(|part| part.strip_prefix(name));
    let (rule, rows) = after.and_then(|part| part.split_once('\n')).expect(name);
    let rows: Vec<&str> = rows.lines().take_while(|row| is_row(row)).collect();
    let game = Game::new("gomoku", Some(rule.trim()), Some(rows.len() as i64)).expect("a game");
    match game.position(&rows, Side::Black).expect("a position") {
        games::Board::Gomoku(board) => board,
        _ => unreachable!("the game is Gomoku"),
    }
}

fn is_row(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|cell| ".XO".contains(cell))
}

#[test]
fn lines_and_positions_match_the_drawings() {
    let mut wrong = String::new();
    let mut position = None;
    for (number, line) in (1..).zip(include_str!("drawn.txt").lines()) {
        if let Some(drawing) = line.strip_prefix("drawing ") {
            position = drawing.split(' ').next().map(drawn);
        } else if let Some((call, expected)) = line.split_once(" = ") {
            let (kind, of) = call.split_once(' ').unwrap_or((call, ""));
            let found = match kind {
                "line" => shapes(of, &[Rule::Freestyle, Rule::Standard, Rule::Renju]),
                "caro" => shapes(of, &[Rule::Caro]),
                "kind" | "renju" => kind_of(of, kind == "renju"),
                _ => found(kind, of, position.as_ref().expect("a position")),
            };
            if found != expected {
                wrong += &format!("drawn.txt:{number}: {line}: got {found}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn shapes(drawing: &str, rules: &[Rule]) -> String {
    let cells: Vec<char> = drawing.chars().collect();
    let at = cells.iter().position(|&cell| cell == '*').expect("a stone");
    let bits = |symbol| -> u32 {
        let place = |steps: usize| cells.get((at + steps).checked_sub(5)?);
        let is = |&steps: &usize| steps != 5 && place(steps).unwrap_or(&'#') == symbol;
        (0..11).filter(is).map(|steps| 1 << steps).sum()
    };
    let [own, opponent, rim] = [&'X', &'O', &'#'].map(bits);
    let shape = |&rule| {
        let [key, _] = HalfCodes::of(rule).keys(own | rim, opponent | rim, 5);
        format!("{:?}", LineTable::of(rule, Side::Black).shape(key))
    };
    let mut words: Vec<String> = rules.iter().map(shape).collect();
    if words.iter().all(|word| *word == words[0]) {
        words.truncate(1);
    }
    words.join(" ")
}

fn kind_of(shapes: &str, is_renju_black: bool) -> String {
    let mut lines = [LineShape::Dead; 4];
    for (line, name) in lines.iter_mut().zip(shapes.split_whitespace()) {
        let mut all = LineShape::ALL.into_iter();
        *line = all.find(|one| format!("{one:?}") == name).expect(name);
    }
    format!("{:?}", ThreatKind::of(Shape::of(lines), is_renju_black))
}

fn found(kind: &str, of: &str, rules: &GomokuBoard) -> String {
    let mut board = SearchBoard::from_rules(rules);
    let depth = || of.parse().expect("a depth");
    match kind {
        "matrix" => {
            let (square, worth) = matrix(rules, depth())[0];
            format!("{square} {worth:?}")
        }
        "minimax" => {
            let score = |method: GomokuMethod| method.search(&mut board, depth()).0;
            let [score, others @ ..] = GomokuMethod::ALL.map(score);
            assert_eq!(others, [score; 2], "other methods");
            match score {
                0.. => format!("wins in {}", WIN - score),
                _ => format!("loses in {}", WIN + score),
            }
        }
        "candidates" => {
            let cells = board.candidates();
            let squares: Vec<String> = cells.iter().map(|cell| cell.square().to_string()).collect();
            squares.join(" ")
        }
        "fours" => {
            let limits = VcfLimits {
                fours: 30,
                nodes: 100_000,
            };
            let line = Vcf::new().solve(&mut board, limits).to_vec();
            let Some(first) = line.first() else {
                return "none".to_owned();
            };
            let mut end = rules.clone();
            for cell in &line {
                end.play(Move::Place(cell.square())).expect("legal");
            }
            let winner = end.ending().and_then(|end| end.winner).expect("a winner");
            format!("{}, won by {winner}", first.square())
        }
        "threats" => {
            let limits = VctLimits {
                plies: 21,
                nodes: 200_000,
            };
            let line = Vct::new().solve(&mut board, limits);
            match line.expect("small positions are solved").first() {
                Some(first) => first.square().to_string(),
                None => "none".to_owned(),
            }
        }
        "forced" => {
            let analyst = Analyst::new(10_000, 1);
            let plies = analyst.win(rules).map_or(0, |line| line.len());
            format!("{:?} in {plies} plies", analyst.search(rules).0)
        }
        kind => panic!("no kind {kind}"),
    }
}
