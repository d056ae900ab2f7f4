//! A grade for readers: in a terminal, and as `summary.md` for a GitHub step summary or an issue.

use std::fmt::Write as _;

use message::{Lang, Message, message};
use tournament::mark::{Card, GradeState};

use super::{Audience, COLUMNS, remarks, sign};
use crate::report::terminal::Grid;

/// Returns the table, the remarks and the mark. `run` is the folder of the games, for the commands in the remarks.
/// Leaves out columns if the lines of the table would be longer than `width` characters (`None`: no limit).
pub fn terminal(card: &Card, run: &str, width: Option<usize>, lang: &Lang) -> String {
    let title = message!(
        "{bot} in {suite} ({game}, {conditions})",
        bot = card.bot,
        suite = card.suite,
        game = card.game,
        conditions = card.conditions
    );
    let mut text = format!("{}\n\n", lang.render(&title));
    if card.can_play() {
        let cells = |row| COLUMNS.map(|(_, cell)| lang.render(&cell(row))).to_vec();
        let rows = card.rows.iter().map(cells).collect();
        let table = Grid::new(COLUMNS.map(|(title, _)| title), rows, "opponent", lang);
        text += &format!("{}\n\n", table.text(width, &FIRST_TO_GO));
        for row in &card.rows {
            let settled = lang.render(&row.how_settled());
            text += &format!("{} {}: {settled}\n", sign(row), row.opponent);
            for remark in remarks(row, Audience::Grader(run)) {
                text += &format!("    {}\n", lang.render(&remark));
            }
        }
        if let Some(line) = super::accuracy(card) {
            text += &format!("{}\n", lang.render(&line));
        }
        text += "\n";
    }
    text + &format!("{}\n", lang.render(&message!("mark: {}", card.headline())))
}

/// The columns that are left out on a narrow terminal, in this order.
const FIRST_TO_GO: [&[&str]; 6] = [
    &["mean ms"],
    &["95 %"],
    &["max ms"],
    &["faults"],
    &["needed"],
    &["win rate"],
];

pub fn markdown(card: &Card, lang: &Lang) -> String {
    let said = |message: &Message| plain(&lang.render(message));
    let title = message!("{bot} in {suite}", bot = card.bot, suite = card.suite);
    let mut text = format!("### {}\n\n", said(&title));
    let _ = write!(text, "**{}**\n\n", said(&card.headline()));
    if let GradeState::Unusable { stderr, .. } = &card.state {
        if !stderr.trim().is_empty() {
            // Markdown shows indented text as code.
            for line in stderr.quoted() {
                text += &format!("    {line}\n");
            }
        }
        return text;
    }
    if !card.can_play() {
        return text;
    }
    // The last column, the points, is replaced by the reason of the verdict.
    let columns = COLUMNS.split_last().map_or(&[][..], |(_, columns)| columns);
    let head = columns.iter().map(|(title, _)| match *title {
        "" => " |".to_owned(),
        title => format!(" {} |", lang.word("table", title)),
    });
    text += &format!("|{} |\n", head.collect::<String>());
    text += &format!("|---|---|{}---|\n", "---:|".repeat(columns.len() - 2));
    for row in &card.rows {
        for (_, cell) in columns {
            let _ = write!(text, "| {} ", said(&cell(row)));
        }
        let _ = writeln!(text, "| {} |", lang.render(&row.how_settled()));
    }
    if let Some(line) = super::accuracy(card) {
        let _ = writeln!(text, "\n{}", said(&line));
    }
    let conditions = Message::enumeration([card.game.clone(), card.conditions.clone()]);
    let _ = write!(text, "\n{}\n\n", lang.render(&conditions));
    for row in &card.rows {
        for remark in remarks(row, Audience::Student) {
            // Indented text in a list item is code, too.
            let rendered = lang.render(&remark);
            let _ = if let Some(quoted) = rendered.strip_prefix("    ") {
                writeln!(text, "\n      {quoted}")
            } else {
                let remark = message!("{name}: {remark}", name = row.opponent);
                writeln!(text, "- {}", said(&remark))
            };
        }
    }
    text
}

fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            '|' | '*' | '`' | '[' | ']' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::example::card;
    use super::*;

    fn terminal(card: &Card, run: &str, width: Option<usize>) -> String {
        super::terminal(card, run, width, Lang::usual())
    }

    #[test]
    fn the_text_for_a_grader() {
        let text = terminal(&card(GradeState::Graded), "results/two-mine", None);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_snapshot!(lines.join("\n"), @r"
        mine in two (othello, at most 20 games an opponent, 1000 ms a move)

              opponent    W–D–L   win rate      95 %            needed   again   faults   mean ms   max ms   points
         ───────────────────────────────────────────────────────────────────────────────────────────────────────────
          ✓   random     11–0–1     91.7 %   65–99 %   55 % (11 of 20)    99 %        0       1.2      9.0       10
          ✗   greedy      0–1–9      5.0 %    1–34 %   55 % (11 of 20)   100 %        1       1.2      9.0        0

        ✓ random: decided early, after 12 of 20: losing the rest could not change the verdict
            lost normally: game 0; why: arena analyze results/two-mine/0
        ✗ greedy: decided early, after 10 of 20: winning the rest could not change the verdict
            lost by its own fault: crashed 1× in game 0; what happened: results/two-mine/failures/0/
            lost normally: games 2, 4, 6, 8, 10, 12, 14, 16; why: arena analyze results/two-mine/2

        mark: 10 of 20 points, 1 of 2 opponents beaten: not passed (20 needed)
        ");
    }

    #[test]
    fn a_narrow_terminal_gets_fewer_columns() {
        let text = terminal(&card(GradeState::Graded), "results/two-mine", Some(60));
        let table = text.lines().skip(2).take(4);
        let widths: Vec<usize> = table.map(|line| line.trim_end().chars().count()).collect();
        assert!(widths.iter().all(|&width| width <= 60), "{text}");
        assert!(text.contains("11–0–1") && text.contains("again"), "{text}");
    }

    #[test]
    fn each_opponent_is_a_row() {
        let mut card = card(GradeState::Graded);
        card.rows[1].void = (11..=23).collect();
        let text = markdown(&card, Lang::usual());
        assert!(text.contains("games 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 3 more"));
        assert!(text.contains("| ✗ | greedy | 0–1–9 |"), "{text}");
        assert!(
            text.contains("- greedy: lost by its own fault: crashed 1× in game 0\n"),
            "{text}"
        );
    }

    #[test]
    fn text_of_a_bot_is_escaped() {
        let state = GradeState::Unusable {
            why: "wrote \"<img src=x>|`\"".into(),
            stderr: "<b>\r\r# passed \u{1b}]0;taken\u{7}\u{2028}\u{202e}".into(),
        };
        let text = markdown(&card(state), Lang::usual());
        assert!(text.contains(r"&lt;img src=x>\|\`"), "{text}");
        assert!(
            text.contains("\n    | <b>\\r\\r# passed \\u{1b}]0;taken"),
            "{text}"
        );
    }
}
