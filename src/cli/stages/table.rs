//! The results of stages, as rows and as JSON, with the win that black missed and the output of `--explain`.

use std::path::Path;
use std::time::Duration;

use alphabeta::gomoku::lesson::{GomokuMethod, affordable};
use alphabeta::gomoku::{Worth, matrix, winning_line};
use games::gomoku::{GomokuBoard, Rule};
use games::{Board, Rules, Side, Square};
use textwrap::core::display_width;

use crate::stages::{Attempt, Changes, Proof, Stage, StageSet};
use message::number::rounded;
use message::width::{left, right};
use message::{Lang, Message, message};
use referee::record::SafeText;
use run::report::{MissedWin, StageRunResults};

const STDERR_LINES: usize = 10;

pub(super) fn name_width(stages: &[Stage]) -> usize {
    let widths = stages.iter().map(|stage| display_width(&stage.name));
    widths.max().unwrap_or_default().clamp(5, 40)
}

/// The columns after the name: title, width, and whether they are right-aligned.
const COLUMNS: [(&str, usize, bool); 5] = [
    ("win in", 8, true),
    ("result", 13, false),
    ("moves", 5, true),
    ("longest", 9, true),
    ("mean", 9, true),
];

fn cells(cells: [&str; 5]) -> String {
    let padded = |(cell, (_, width, is_right)): (&str, (&str, usize, bool))| {
        let align = if is_right { right } else { left };
        format!("  {}", align(cell, width))
    };
    cells.into_iter().zip(COLUMNS).map(padded).collect()
}

/// Returns the heading with the players and the columns. `name` is the width of the first column.
pub(super) fn head(
    name: usize,
    set: &StageSet,
    defender: &str,
    move_ms: u128,
    lang: &Lang,
) -> String {
    let bot = &set.contestants[0].name;
    let time = match move_ms {
        0 => "no time limit".into(),
        ms => message!("{ms} ms per move"),
    };
    let players = if set.is_blacks() {
        message!("{bot} plays black against {defender}, {time}")
    } else {
        message!("{bot} is to move in each stage against {defender}, {time}")
    };
    let titles = COLUMNS.map(|(title, ..)| lang.word("stages-table", title));
    format!(
        "{}\n\n   {}{}\n \
         ─{:─<name$}────────────────────────────────────────────────────────",
        lang.render(&players),
        left(lang.word("stages-table", "stage"), name),
        cells(titles),
        ""
    )
}

pub(super) fn row(
    name: usize,
    stage: &Stage,
    attempt: &Attempt,
    missed: Option<&Missed>,
    lang: &Lang,
) -> String {
    let sign = if attempt.is_passed() { "✓" } else { "✗" };
    let win = stage.win.as_ref();
    let win = win.map(|win| message!("{} {0|ply|plies}", win.plies));
    let proof = stage.answer.as_ref().map(|answer| match answer.proof {
        Proof::Hold(_) => "hold".into(),
        Proof::Discs(lead) => Message::quote(format!("{lead:+}")),
    });
    let win = win.or(proof).map(|goal| lang.render(&goal));
    let [longest, mean] = attempt.times().map(ms);
    let mut text = format!(
        " {sign} {}{}\n",
        left(&stage.name, name),
        cells([
            &win.unwrap_or_default(),
            &lang.fixed(attempt.word()),
            &attempt.moves().to_string(),
            &longest,
            &mean,
        ])
    );
    if let Some(remark) = attempt.remark(stage) {
        text += &format!("     {}\n", lang.render(&remark));
    }
    if let Some(answered) = other_answer(stage, attempt) {
        text += &format!("     {}\n", lang.render(&answered));
    }
    if let Some(missed) = missed {
        text += &format!("     {}\n", lang.render(&missed.sentence()));
    }
    let stderr: Vec<String> = SafeText::from(attempt.stderr.trim()).quoted().collect();
    let first = stderr.len().saturating_sub(STDERR_LINES);
    for line in &stderr[first..] {
        text += &format!("     {line}\n");
    }
    text
}

/// Names a right first move of a stage that was not passed, if the bot's first move was another one.
fn other_answer(stage: &Stage, attempt: &Attempt) -> Option<Message> {
    let answer = stage.answer.as_ref()?;
    let best = answer.line.first()?;
    let played = attempt.plies.first()?.played;
    let is_wrong = !attempt.is_passed() && !attempt.is_void() && played != *best;
    is_wrong.then(|| match answer.proof {
        Proof::Hold(_) => {
            message!(
                "the first move was {played}; after {best}, the opponent has no known forced win"
            )
        }
        Proof::Discs(lead) => {
            let lead = format!("{lead:+}");
            message!("the first move was {played}; {best} is proven to reach {lead}")
        }
    })
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

pub(super) fn summary(
    attempts: &[Option<Attempt>],
    run: &Path,
    changes: Option<&Changes>,
    lang: &Lang,
) -> String {
    let played: Vec<&Attempt> = attempts.iter().flatten().collect();
    let passed = played.iter().filter(|attempt| attempt.is_passed()).count();
    let longest = played.iter().map(|attempt| attempt.times()[0]).max();
    let mut text = lang.render(&message!(
        "\n{passed} of {} stages passed; the longest move took {}\n",
        attempts.len(),
        ms(longest.unwrap_or_default())
    ));
    if let Some(changes) = changes {
        text += &format!("{}\n", lang.render(&since(changes)));
    }
    if let Some(failed) = played.iter().find(|attempt| !attempt.is_passed()) {
        let game = run.join(failed.game.0.to_string());
        text += &lang.render(&message!(
            "the first that was not passed: arena replay {}\n",
            game.display()
        ));
    }
    text
}

fn since(changes: &Changes) -> Message {
    let run = changes.run.display();
    let part = |names: &[String], what: Message| {
        let names = names.join(", ");
        (!names.is_empty()).then(|| message!("{what}: {names}"))
    };
    let parts = [
        part(&changes.gained, "now passed".into()),
        part(&changes.lost, "no longer passed".into()),
    ];
    let parts: Vec<Message> = parts.into_iter().flatten().collect();
    match parts.as_slice() {
        [] => message!("compared with {run}: no change"),
        _ => message!(
            "compared with {run}: {changes}",
            changes = Message::list(parts)
        ),
    }
}

pub(super) fn results(
    stages: &[Stage],
    attempts: &[Option<Attempt>],
    [bot, defender]: [&str; 2],
    move_ms: u128,
    run: &Path,
) -> StageRunResults {
    let row = |(stage, attempt): (&Stage, &Option<Attempt>)| {
        let mut results = attempt.as_ref()?.results(stage);
        results.missed = Missed::first(stage, attempt.as_ref()?).map(|missed| MissedWin {
            r#move: missed.number,
            played: missed.played.to_string(),
            win: missed.line.iter().map(Square::to_string).collect(),
            win_plies: missed.line.len(),
        });
        Some(results)
    };
    let rows: Vec<_> = stages.iter().zip(attempts).filter_map(row).collect();
    StageRunResults {
        bot: bot.to_owned(),
        defender: defender.to_owned(),
        move_ms: move_ms as u64,
        run: run.display().to_string(),
        passed: rows.iter().filter(|row| row.passed).count(),
        of: stages.len(),
        stages: rows,
    }
}

const NODES: u64 = 500_000;

/// A turn at which black gave away a forced win that alphabeta finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missed {
    /// Black's move, counted from 1.
    number: usize,
    played: Square,
    line: Vec<Square>,
}

impl Missed {
    /// Finds the first win that black missed. Returns `None` for a stage that was passed, is void or has an answer.
    pub fn first(stage: &Stage, attempt: &Attempt) -> Option<Missed> {
        if attempt.is_passed() || attempt.is_void() || stage.answer.is_some() {
            return None;
        }
        let turns = attempt.turns(stage);
        let lines = turns
            .iter()
            .map(|board| winning_line(gomoku(board)?, NODES));
        // The end of the game counts as a turn without a win, so the last move is checked, too.
        let is_over = attempt.board(stage).ending().is_some();
        let mut before = None;
        for (index, line) in lines.chain(is_over.then_some(None)).enumerate() {
            if line.is_none()
                && let Some(line) = before
            {
                let ply = attempt.plies.get(2 * (index - 1))?;
                return Some(Missed {
                    number: index,
                    played: ply.played.square()?,
                    line,
                });
            }
            before = line;
        }
        None
    }

    fn sentence(&self) -> Message {
        let plies = message!("{} {0|ply|plies}", self.line.len());
        message!(
            "a win was missed at move {}: {} was played, {} would have won in {plies}",
            self.number,
            self.played,
            self.line[0]
        )
    }
}

/// The depth of the evaluation of every square, in plies.
const DEPTH: i32 = 6;
/// The limits of plain minimax, in plies and in positions.
const LESSON: (i32, u64) = (3, 3_000_000);

fn gomoku(board: &Board) -> Option<&GomokuBoard> {
    match board {
        Board::Gomoku(board) => Some(board),
        _ => None,
    }
}

/// Returns, for each turn of black, the evaluation of every square and the nodes of each search.
pub(super) fn explain(stage: &Stage, attempt: &Attempt, lang: &Lang) -> String {
    let turns = attempt.turns(stage);
    let mut text = String::new();
    for (number, board) in turns.iter().filter_map(gomoku).enumerate() {
        let played = attempt
            .plies
            .get(2 * number)
            .and_then(|ply| ply.played.square());
        text += &turn(number, board, played, lang);
    }
    text
}

fn turn(number: usize, board: &GomokuBoard, played: Option<Square>, lang: &Lang) -> String {
    let worths = matrix(board, DEPTH);
    let heading = lang.render(&heading(board.side_to_move(), number, &worths, played));
    let grid = grid(board, &worths, played, lang);
    format!("\n  {heading}\n{grid}{}", pruning(board, lang))
}

fn heading(
    side: Side,
    number: usize,
    worths: &[(Square, Worth)],
    played: Option<Square>,
) -> Message {
    let best = match worths.first() {
        Some((square, worth)) => {
            let value = words(*worth);
            match worth {
                Worth::Score(_) => message!("alphabeta prefers {square}: {value}"),
                Worth::Wins(_) => message!("alphabeta prefers {square}: it {value}"),
                Worth::Loses(_) => message!("alphabeta prefers {square}, but it {value}"),
            }
        }
        None => "every move loses at once".into(),
    };
    let parts = played.map(|played| message!("{played} was played"));
    let parts = Message::list(parts.into_iter().chain([best]));
    message!("{side}'s move {number}: {parts}", number = number + 1)
}

fn words(worth: Worth) -> Message {
    match worth {
        Worth::Wins(1) => "wins at once".into(),
        Worth::Wins(plies) => message!("wins in {plies} {plies|ply|plies}"),
        Worth::Score(score) => message!("score {}", tenths(score)),
        Worth::Loses(plies) => message!("loses in {plies} {plies|ply|plies}"),
    }
}

const LEGEND: &str = "  X black, O white; · is not considered; > the best square, * the one played;
  +n wins and -n loses in n plies; others are the mover's score in log-odds:
  0 is even, 1.0 a chance of 73 %, -1.0 of 27 %
";

const FORBIDDEN: &str = "  ! is forbidden to black: a double three, a double four or an overline\n";

/// Draws the board with a score of five characters on every square that the engine considers.
fn grid(
    board: &GomokuBoard,
    worths: &[(Square, Worth)],
    played: Option<Square>,
    lang: &Lang,
) -> String {
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
    text += &lang.fixed(LEGEND);
    if board.rule() == Rule::Renju {
        text += &lang.fixed(FORBIDDEN);
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

/// Formats a score as log-odds with one decimal, from -9.9 to 9.9.
fn tenths(score: i32) -> String {
    format!(
        "{:.1}",
        rounded(f64::from(score) / 256.0, 1).clamp(-9.9, 9.9)
    )
}

fn pruning(board: &GomokuBoard, lang: &Lang) -> String {
    let mut board = alphabeta::gomoku::SearchBoard::from_rules(board);
    let depth = affordable(&mut board, LESSON.0, LESSON.1);
    let mut all = None;
    let head = lang.render(&message!(
        "positions searched to depth {depth}, without and with pruning:"
    ));
    let mut text = format!("  {head}\n");
    for method in GomokuMethod::ALL {
        let (score, nodes) = method.search(&mut board, depth);
        let all = *all.get_or_insert(nodes) as f64;
        let share = 100.0 * nodes as f64 / all;
        text += &format!(
            "  {} {nodes:>9} {}  {share:>5.1} %  {}\n",
            left(&lang.fixed(method.name()), 34),
            lang.fixed("nodes"),
            lang.render(&words(Worth::of(score)))
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

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
