//! Alphabeta's evaluation of every square, turn by turn, and the effect of pruning.

use alphabeta::gomoku::lesson::{Method, affordable};
use alphabeta::gomoku::{Worth, matrix};
use games::gomoku::{GomokuBoard, Rule};
use games::{Side, Square};
use message::number::rounded;
use message::spoken;
use message::width::left;

use crate::stages::{Attempt, Stage};

/// Search depth for the matrix, in plies.
const DEPTH: i32 = 6;
/// Limits of plain minimax: plies and positions.
const LESSON: (i32, u64) = (3, 3_000_000);

/// A matrix and the nodes for each turn of black.
pub(super) fn explain(stage: &Stage, attempt: &Attempt) -> String {
    let turns = attempt.turns(stage);
    let mut text = String::new();
    for (number, board) in turns.iter().enumerate() {
        let played = attempt
            .plies
            .get(2 * number)
            .and_then(|ply| ply.played.square());
        text += &turn(number, board, played);
    }
    text
}

fn turn(number: usize, board: &GomokuBoard, played: Option<Square>) -> String {
    let worths = matrix(board, DEPTH);
    let mut text = format!("\n  {}\n", heading(number, &worths, played));
    text += &grid(board, &worths, played);
    text += &format!("{}\n", pruning(board));
    text
}

fn heading(number: usize, worths: &[(Square, Worth)], played: Option<Square>) -> String {
    let played = played.map_or(String::new(), |square| format!(" {square} was played;"));
    let best = match worths.first() {
        Some((square, worth)) => {
            let link = match worth {
                Worth::Wins(_) => ": it",
                Worth::Score(_) => ":",
                Worth::Loses(_) => ", but it",
            };
            format!(" alphabeta prefers {square}{link} {}", words(*worth))
        }
        None => " every move loses at once".to_owned(),
    };
    format!("black's move {}:{played}{best}", number + 1)
}

fn words(worth: Worth) -> String {
    match worth {
        Worth::Wins(1) => "wins at once".to_owned(),
        Worth::Wins(plies) => format!("wins in {plies} plies"),
        Worth::Score(score) => format!("score {}", tenths(score)),
        Worth::Loses(plies) => format!("loses in {plies} plies"),
    }
}

/// The meaning of the signs on the board.
const LEGEND: &str = "  X black, O white; · is not considered; > the best square, * the one played;
  +n wins and -n loses in n plies; other numbers are black's score in log-odds:
  0 is even, 1.0 a chance of 73 %, -1.0 of 27 %
";

const FORBIDDEN: &str = "  ! is forbidden to black: a double three, a double four or an overline\n";

/// The board with a score on every square that the engine considers; five columns a square.
fn grid(board: &GomokuBoard, worths: &[(Square, Worth)], played: Option<Square>) -> String {
    let size = board.size();
    let mut text = "  ".to_owned();
    for column in 0..size {
        text += &format!("{:>5}", char::from(b'a' + column));
    }
    text.push('\n');
    for row in 0..size {
        let cells = (0..size).map(|column| cell(board, worths, played, Square::new(column, row)));
        text += &format!("{:2}{}\n", row + 1, cells.collect::<String>());
    }
    text += LEGEND;
    if board.rule() == Rule::Renju {
        text += FORBIDDEN;
    }
    text
}

fn cell(
    board: &GomokuBoard,
    worths: &[(Square, Worth)],
    played: Option<Square>,
    square: Square,
) -> String {
    match board.stone(square) {
        Some(Side::Black) => return "    X".to_owned(),
        Some(Side::White) => return "    O".to_owned(),
        None if board.rule() == Rule::Renju && board.renju_forbids(square).is_some() => {
            let mark = if played == Some(square) { "*!" } else { "!" };
            return format!("{mark:>5}");
        }
        None => {}
    }
    let place = worths.iter().position(|(of, _)| *of == square);
    let text = match place.map(|place| worths[place].1) {
        None => "·".to_owned(),
        Some(Worth::Wins(plies)) => format!("+{plies}"),
        Some(Worth::Loses(plies)) => format!("-{plies}"),
        Some(Worth::Score(score)) => tenths(score),
    };
    let mark = match place {
        _ if played == Some(square) => "*",
        Some(0) => ">",
        _ => "",
    };
    format!("{:>5}", format!("{mark}{text}"))
}

/// Scores have a decimal point, in units of log-odds to the tenth, because signed whole numbers are wins
/// and losses.
fn tenths(score: i32) -> String {
    format!(
        "{:.1}",
        rounded(f64::from(score) / 256.0, 1).clamp(-9.9, 9.9)
    )
}

/// Nodes of the same search with and without pruning.
fn pruning(board: &GomokuBoard) -> String {
    let mut board = alphabeta::gomoku::SearchBoard::from_rules(board);
    let depth = affordable(&mut board, LESSON.0, LESSON.1);
    let mut all = None;
    let (mut lines, lang) = (Vec::new(), spoken());
    for method in Method::ALL {
        let (score, nodes) = method.search(&mut board, depth);
        let all = *all.get_or_insert(nodes) as f64;
        let share = 100.0 * nodes as f64 / all;
        lines.push(format!(
            "  {} {nodes:>9} {}  {share:>5.1} %  {}",
            left(&lang.say(method.name()), 34),
            lang.say("nodes"),
            lang.say(&words(Worth::of(score)))
        ));
    }
    format!(
        "  to depth {depth}, without and with pruning:\n{}",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::tenths;

    #[test]
    fn scores_are_read_at_a_glance() {
        for (score, text) in [
            (0, "0.0"),
            (-5, "0.0"),
            (-20, "-0.1"),
            (256, "1.0"),
            (-9000, "-9.9"),
        ] {
            assert_eq!(tenths(score), text, "{score}");
        }
    }
}
