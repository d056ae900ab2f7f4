//! The ways in which the reference opponents choose: at sight, by a search to a fixed depth, or by random games.

mod at_sight;
mod mcts;
mod searching;

pub(crate) use at_sight::{greedy, mobility, random, weights};
pub(crate) use mcts::Mcts;
#[cfg(test)]
pub(crate) use searching::FiveCells;
pub(crate) use searching::{Hexatuple, Minimax, Pattern15, ThreePly};

#[cfg(test)]
mod tests {
    //! Tests with the rows of `tests.txt`:
    //!
    //! | Row | Meaning |
    //! |---|---|
    //! | `BOT line = 20 + 400` | the value of a line for the bot's program |
    //! | `window cells = Class` | the class of a window of `hexatuple` |
    //! | `count-SHAPE line = 2` | the number of occurrences of the shape in the line |
    //! | `answer BOT+BOT rows = f2` | the move of these bots as black in a position of Othello (8 rows) or of freestyle Gomoku |
    //! | `greedy-RULE line = 0 7 …` | the values of the first row's squares for `greedy`; 0 for a stone |

    use std::time::Instant;

    use games::gomoku::Rule;
    use games::{Board, Game, Side, Square};
    use protocol::{Question, Start};

    use super::at_sight::line_worth;
    use super::searching::{Class, FifteenShapes, FiveCells, Rows, SixCells};
    use crate::Options;
    use crate::gomoku::{Line, Program, StonePattern};

    #[test]
    fn lines_have_the_values_of_the_table() {
        let mut wrong = String::new();
        for (number, row) in (1..).zip(include_str!("tests.txt").lines()) {
            if row.is_empty() || row.starts_with('#') {
                continue;
            }
            let (call, expected) = row.split_once(" = ").expect("a row");
            let (kind, line) = call.split_once(' ').expect("a kind and a line");
            let found = found(kind, line);
            let terms: Option<Vec<i32>> = expected
                .split(" + ")
                .map(|term| term.parse().ok())
                .collect();
            let expected = terms.map_or(expected.to_owned(), |terms| {
                terms.iter().sum::<i32>().to_string()
            });
            if found != expected {
                wrong += &format!("tests.txt:{number}: {row}: got {found}\n");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    fn found(kind: &str, line: &str) -> String {
        let (kind, of) = kind.split_once('-').unwrap_or((kind, ""));
        match kind {
            "minimax" => FiveCells::line(Line::parse(line)).to_string(),
            "pattern15" => FifteenShapes::line(Line::parse(line)).to_string(),
            "three" => Rows::line(Line::parse(line)).to_string(),
            "hexatuple" => SixCells::line(Line::parse(line)).to_string(),
            "count" => StonePattern::new(of).count(Line::parse(line)).to_string(),
            "window" => {
                let set = |symbols: &str| {
                    let cells = line.chars().enumerate();
                    cells
                        .filter(|&(_, cell)| symbols.contains(cell))
                        .fold(0, |set, (bit, _)| set | 1 << bit)
                };
                format!("{:?}", Class::of(set("x"), set("o#")))
            }
            "answer" => {
                let (names, rows) = line.split_once(' ').expect("bots and rows");
                let rows: Vec<&str> = rows.split('/').collect();
                let mut answers: Vec<String> =
                    names.split('+').map(|name| answer(name, &rows)).collect();
                answers.dedup();
                answers.join(" ")
            }
            "greedy" => worths(&line.to_uppercase().replace('_', "."), of),
            kind => panic!("no kind {kind}"),
        }
    }

    fn answer(name: &str, rows: &[&str]) -> String {
        let game = match rows.len() {
            8 => Game::OTHELLO,
            size => Game::gomoku(size as u8, Rule::Freestyle),
        };
        let board = game.position(rows, Side::Black).expect("it is a position");
        let mut bot = crate::bot(name, &Options::default()).expect("it is in the catalogue");
        let start = Start {
            seed: 11,
            ..Start::untimed(game, Side::Black)
        };
        bot.start(&start).expect("it plays this game");
        let question = Question::untimed(board, &[], Instant::now());
        bot.choose(&question, &mut |_| {}).to_string()
    }

    fn worths(row: &str, rule: &str) -> String {
        let rule = Rule::ALL.into_iter().find(|one| one.name() == rule);
        let size = row.len() as u8;
        let mut rows = vec![".".repeat(row.len()); row.len()];
        rows[0] = row.to_owned();
        let game = Game::gomoku(size, rule.expect("a rule"));
        let Board::Gomoku(board) = game.position(&rows, Side::Black).expect("it is a board") else {
            unreachable!()
        };
        let worth = |column| {
            let square = Square::new(column, 0);
            let is_empty = board.stone(square).is_none();
            if is_empty {
                line_worth(&board, square)
            } else {
                0
            }
        };
        let worths: Vec<String> = (0..size).map(|column| worth(column).to_string()).collect();
        worths.join(" ")
    }
}
