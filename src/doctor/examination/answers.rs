//! What it answered: one cause for all the illegal moves, where there is one.

use super::super::code::Code;
use super::super::drawing::drawn;
use super::super::finding::Finding;
use super::super::scene::Theme;
use super::super::slip::{self, Slip};
use super::Doctor;
use super::cause::theme_code;

impl Doctor<'_> {
    /// Names what is behind the illegal moves.
    pub(super) fn conclude_moves(&mut self) {
        let slips: Vec<Slip> = self.slips.iter().map(|(slip, _)| slip.clone()).collect();
        // The one that shows most: with a square on the board, and few moves to choose from.
        let telling = slips
            .iter()
            .min_by_key(|slip| (!slip::is_square(&slip.answer), slip.legal.len()));
        let Some(shown) = telling else {
            return;
        };
        let only = |theme: fn(Theme) -> Option<Code>| {
            let codes: Vec<_> = self.slips.iter().map(|&(_, of)| theme(of)).collect();
            codes
                .iter()
                .all(|code| *code == codes[0])
                .then_some(codes[0])
                .flatten()
        };
        let answers = answers(&slips);
        let finding = if let Some(habit) = slip::habit(&slips) {
            let meant = habit
                .meant(shown)
                .map(|square| square.to_string())
                .unwrap_or_default();
            Finding::new(
                habit.code,
                format!(
                    "It answered {answers}. Every one of them is a legal move if it is read so: \
                     {}.",
                    habit.described
                ),
                format!(
                    "A square is a column letter from a and a row number from 1 at the top: here \
                     {meant:?}, not {:?}.",
                    shown.answer
                ),
            )
            .example(self.language.idioms().square)
        } else if slips
            .iter()
            .all(|slip| slip.answer.eq_ignore_ascii_case("pass"))
        {
            Finding::new(
                Code::Passes,
                format!("It answered {answers}, and had a legal move every time."),
                "The arena passes for you: who is asked has a move. Play one of the question's \
                 \"legal\".",
            )
        } else if !slips.iter().any(|slip| slip::is_square(&slip.answer)) {
            Finding::new(
                Code::NotASquare,
                format!("It answered {answers}."),
                "A move is a column letter from a and a row number from 1 at the top, such as d3.",
            )
            .example(self.language.idioms().square)
        } else if let Some(code) = only(theme_code) {
            let fix = match code {
                Code::AfterAPass => {
                    "A side that cannot move passes: \"moves\" then holds \"pass\", and the other \
                     side moves twice running. Take the position from \"board\", or mind the pass."
                }
                _ => {
                    "Take the size from \"size\" or from the board, and the move from \"legal\": in \
                     renju black may not play everywhere."
                }
            };
            Finding::new(
                code,
                format!("It answered {answers}, and nothing illegal elsewhere."),
                fix,
            )
        } else {
            Finding::new(
                Code::IllegalMove,
                format!("It answered {answers}."),
                "Play one of the question's \"legal\". If you keep a board of your own, compare it \
                 with \"board\": each question stands for itself.",
            )
        };
        self.find(finding.seen(drawn(shown)));
    }
}

/// The answers, each once.
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
    // Those that say most first.
    shown.sort_by_key(|one| !one.contains("only"));
    let more = shown.len().saturating_sub(3);
    shown.truncate(3);
    let mut text = shown.join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
