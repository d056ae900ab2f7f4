//! The illegal moves of a bot, and the one cause of all of them, if there is one.

use games::{Rules as _, Side};

use super::super::code::Code;
use super::super::drawing::drawn;
use super::super::finding::Finding;
use super::super::language::Language;
use super::super::line::NOTHING_CHOSEN;
use super::super::slip::{self, Slip};
use super::Doctor;
use super::cause::theme_code;

/// What languages write for a value that is not there.
const NOTHING: [&str; 4] = ["", "null", "None", "undefined"];

impl Doctor<'_> {
    /// Finds the cause of the illegal moves.
    pub(super) fn conclude_moves(&mut self) {
        let slips: Vec<Slip> = self.slips.iter().map(|(slip, _)| slip.clone()).collect();
        // The clearest example: with a square on the board and few legal moves.
        let telling = slips
            .iter()
            .min_by_key(|slip| (!slip::is_square(&slip.answer), slip.legal.len()));
        let Some(shown) = telling else {
            return;
        };
        let mut themes = self.slips.iter().map(|&(_, of)| theme_code(of));
        let first = themes.next().flatten();
        let only = first.filter(|_| themes.all(|theme| theme == first));
        let answers = answers(&slips);
        let habit = slip::habit(&slips);
        let others = slip::other_colours(&slips) && (habit.is_none() || slips.len() > 1);
        let finding = if others {
            let side = shown.board.side_to_move();
            Finding::new(
                Code::OtherColour,
                format!(
                    "It answered {answers}. Each of them is a legal move of the other colour: it plays \
                     for its opponent."
                ),
                format!(
                    "Take your colour from \"you\" of every question, not from who moves first: here \
                     it is {side}, {}.",
                    match side {
                        Side::Black => "X on the board",
                        Side::White => "O on the board",
                    }
                ),
            )
        } else if let Some(habit) = habit {
            let meant = habit
                .meant(shown)
                .map(|square| square.to_string())
                .unwrap_or_default();
            Finding::new(
                habit.code,
                format!(
                    "It answered {answers}. Each of them is a legal move if it is read in this way: \
                     {}.",
                    habit.described
                ),
                format!(
                    "Write a square as a column letter from a and a row number from 1 at the top: \
                     here {meant:?}, not {:?}.",
                    shown.answer
                ),
            )
            .example(self.language.idioms().square)
        } else {
            self.without_habit(&slips, &answers, only)
        };
        self.find(finding.seen(drawn(shown)));
    }

    /// The finding for illegal answers that no other notation explains. `only`: the code of the only kind of
    /// position in which they came.
    fn without_habit(&self, slips: &[Slip], answers: &str, only: Option<Code>) -> Finding {
        if slips
            .iter()
            .all(|slip| slip.answer.eq_ignore_ascii_case("pass"))
        {
            Finding::new(
                Code::Passes,
                format!("It answered {answers}, and had a legal move every time."),
                "Play one of the moves in \"legal\". The arena passes for you: it asks only if you \
                 have a legal move.",
            )
        } else if slips
            .iter()
            .all(|slip| NOTHING.contains(&slip.answer.trim()))
        {
            let what = format!("It answered {answers}: it has chosen no move.");
            Finding::new(Code::NotASquare, what, NOTHING_CHOSEN)
        } else if !slips.iter().any(|slip| slip::is_square(&slip.answer)) {
            Finding::new(
                Code::NotASquare,
                format!("It answered {answers}."),
                format!(
                    "Write a move as a column letter from a and a row number from 1 at the top, such as \
                     d3.{}",
                    self.unset()
                ),
            )
            .example(self.language.idioms().square)
        } else if let Some(code) = only {
            let fix = match code {
                Code::AfterAPass => {
                    "A side that cannot move passes: \"moves\" then holds \"pass\", and the other \
                     side moves twice in a row. Take the position from \"board\", or handle the pass."
                }
                _ => {
                    "Take the size from \"size\" or from the board, and the move from \"legal\": in \
                     renju, black has forbidden moves."
                }
            };
            Finding::new(
                code,
                format!("It answered {answers}. Its other answers were legal."),
                fix,
            )
        } else {
            Finding::new(
                Code::IllegalMove,
                format!("It answered {answers}."),
                format!(
                    "Play one of the moves in \"legal\". If you keep your own board, compare it with \
                     \"board\": each question has the complete position.{}",
                    self.unset()
                ),
            )
        }
    }

    /// What an answer without sense may come from, in languages where a variable may have any value.
    fn unset(&self) -> &'static str {
        match self.language {
            Language::C | Language::Cpp => {
                " A variable that was never set may have any value: build with -O2 -Wall -Wextra, and look \
                 at every warning."
            }
            _ => "",
        }
    }
}

/// The answers, without duplicates.
fn answers(slips: &[Slip]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for slip in slips {
        let one = match slip.legal.as_slice() {
            [only] => format!("{:?} where the only move is {only}", slip.answer),
            _ => format!("{:?}", slip.answer),
        };
        if !shown.contains(&one) {
            shown.push(one);
        }
    }
    // The clearest first.
    shown.sort_by_key(|one| !one.contains("only"));
    let more = shown.len().saturating_sub(3);
    shown.truncate(3);
    let mut text = shown.join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
