//! OBF files: positions for solvers, one a line, with what is known of their moves.
//!
//! `64 squares side; move:score move:score …; % comment`: the format of the FFO test positions and
//! of Edax. Lines that are empty or begin with `%` are skipped.

use games::Square;
use games::othello::{BadPosition, Position};

/// A position and, where the file says so, its best moves and score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position, seen from the side to move.
    pub position: Position,
    /// The best moves known, all of one score.
    pub best: Vec<Square>,
    /// The final score of the best move, in discs for the side to move.
    pub score: Option<i32>,
}

/// A line that is no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadObf {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: BadLine,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// No position at its beginning.
    #[error(transparent)]
    Position(#[from] BadPosition),
    /// A position that no game reaches.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// What follows the position is no `move:score`.
    #[error("{0:?} is not a move and its score, such as g2:+6")]
    Move(String),
}

/// A position that no game reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game reaches this position: d4, e4, d5 and e5 are never empty")]
pub struct Impossible;

/// A position as a line of 64 squares and the side to move draws it, if a game can reach it as far
/// as is easily seen.
pub fn position(text: &str) -> Result<Position, BadLine> {
    const CENTRE: u64 = 0x0000_0018_1800_0000;
    let position = Position::parse(text)?;
    if position.empties() & CENTRE != 0 {
        return Err(Impossible.into());
    }
    Ok(position)
}

/// Reads a whole file.
pub fn parse(text: &str) -> Result<Vec<Problem>, BadObf> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('%').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let problem = problem(line).map_err(|why| BadObf {
                line: index + 1,
                why,
            })?;
            problems.push(problem);
        }
    }
    Ok(problems)
}

fn problem(line: &str) -> Result<Problem, BadLine> {
    let (board, rest) = line.split_once(';').unwrap_or((line, ""));
    let mut problem = Problem {
        position: position(board)?,
        best: Vec::new(),
        score: None,
    };
    // Scores without a sign belong to the moves before them: `G6 B7 E2 G4:+0`.
    for word in rest.split([';', ' ', '\t']).filter(|word| !word.is_empty()) {
        let bad = || BadLine::Move(word.to_owned());
        let (square, score) = match word.split_once(':') {
            Some((square, score)) => (square, Some(score.parse().map_err(|_| bad())?)),
            None => (word, None),
        };
        let square = square.parse().map_err(|_| bad())?;
        match (problem.score, score) {
            (Some(best), Some(score)) if score < best => {}
            (Some(best), Some(score)) if score > best => {
                problem.best = vec![square];
                problem.score = Some(score);
            }
            (_, score) => {
                problem.best.push(square);
                problem.score = score.or(problem.score);
            }
        }
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FFO_43: &str = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O";

    #[test]
    fn moves_of_the_best_score_are_kept() {
        for (rest, best, score) in [
            ("", "", None),
            ("; G3:-12 C7:-12; % 43", "g3 c7", Some(-12)),
            ("; g3:-12; c7:-12; a1:-30;", "g3 c7", Some(-12)),
            ("; a1:-30 g3:-12", "g3", Some(-12)),
            ("; G6 B7 E2 G4:+0", "g6 b7 e2 g4", Some(0)),
        ] {
            let read = parse(&format!("% a comment\n\n{FFO_43}{rest}\n")).expect(rest);
            let squares: Vec<String> = read[0].best.iter().map(Square::to_string).collect();
            assert_eq!(squares.join(" "), best, "{rest}");
            assert_eq!(read[0].score, score, "{rest}");
        }
    }

    #[test]
    fn broken_lines_are_named() {
        for (text, message) in [
            ("X-O", "line 1: 3 squares instead of 64"),
            (
                &format!("\n{FFO_43}; z9:3"),
                "line 2: \"z9:3\" is not a move",
            ),
            (&format!("{FFO_43}; a1:?"), "line 1: \"a1:?\" is not a move"),
            (&FFO_43.replace('O', "?"), "line 1: square 18 holds '?'"),
            (&FFO_43[..64], "line 1: "),
            (
                &format!("{:->64} X", "XO"),
                "line 1: no game reaches this position",
            ),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
