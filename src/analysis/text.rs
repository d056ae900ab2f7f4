//! An analysis for a person ([`table`], [`scores`]) and for programs ([`json`]).

use games::{Game, Move, Scoring, Side};
use serde_json::{Value, json};
use textwrap::core::display_width;

use super::{Analysis, JudgedPly, Remark, Scored, Win, Worth};
use message::number::{rounded, signed};
use message::width::{left, right};
use message::{Lang, Message, message};

const SHOWN: usize = 6;

/// Returns the turning points, all moves, and the cost of each player's moves. `players`: black's name first.
pub fn table(analysis: &Analysis, players: [&str; 2], lang: &Lang) -> String {
    let unit = Unit(analysis.game.scoring());
    let turning = analysis.turning_points();
    let mut text = match turning.as_slice() {
        [] => format!("{}\n", lang.fixed("no move cost much")),
        some => format!(
            "{}\n{}",
            lang.fixed(
                "where the game turned: first the moves that changed the lead, then by cost"
            ),
            rows(some, players, unit, lang)
        ),
    };
    let all: Vec<&JudgedPly> = analysis.plies.iter().collect();
    text += &format!(
        "\n{}\n{}",
        lang.fixed("all moves"),
        rows(&all, players, unit, lang)
    );
    text += "\n";
    for side in Side::BOTH {
        let player = players[side.index()];
        let lost = match unit.0 {
            Scoring::Discs => {
                let cost = unit.cost(analysis.cost(side));
                message!("{player} ({side}) lost {cost} discs")
            }
            Scoring::Win => {
                let [missed, allowed] = analysis.wins(side);
                message!("{player} ({side}): forced wins missed {missed}, allowed {allowed}")
            }
        };
        text += &format!("{}\n", lang.render(&lost));
    }
    text + &lang.fixed(unit.legend()) + "\n"
}

/// Describes a move: `e8 cost about 18 discs; g8 was better`.
pub fn sentence(game: Game, judged: &JudgedPly) -> Message {
    let cost = match game.scoring() {
        Scoring::Discs => message!("about {:.0} discs", judged.cost),
        Scoring::Win => message!(
            "about {:.0} percentage points of winning chance",
            100.0 * judged.cost
        ),
    };
    let best = judged
        .better
        .as_ref()
        .and_then(|better| better.line.first());
    let played = judged.played;
    match best {
        Some(best) => message!("{played} cost {cost}; {best} was better"),
        None => message!("{played} cost {cost}"),
    }
}

#[derive(Clone, Copy)]
struct Unit(Scoring);

impl Unit {
    fn cost(self, cost: f64) -> String {
        match self.0 {
            Scoring::Discs if (cost - cost.round()).abs() < 1e-9 => format!("{cost:.0}"),
            Scoring::Discs => format!("{cost:.2}"),
            Scoring::Win => format!("{:.0} %", 100.0 * cost),
        }
    }

    const fn legend(self) -> &'static str {
        match self.0 {
            Scoring::Discs => {
                "worth: the lead in discs at the end, for the player who moved; whole numbers are exact, decimals \
                 come from a search"
            }
            Scoring::Win => {
                "worth: the chance of winning for the player of the move; +n wins and -n loses by \
                 force in n plies"
            }
        }
    }
}

fn worth(worth: Worth) -> Message {
    let figure = match worth {
        Worth::Discs(discs) => signed(discs, 2),
        Worth::ExactDiscs(discs) => format!("{discs:+}"),
        Worth::Chance(chance) => format!("{:.0} %", 100.0 * chance),
        Worth::Wins(0) => return "wins".into(),
        Worth::Wins(plies) => format!("+{plies}"),
        Worth::Loses(0) => return "loses".into(),
        Worth::Loses(plies) => format!("-{plies}"),
        Worth::Drawn => return "draw".into(),
    };
    Message::quote(figure)
}

fn line(moves: &[Move]) -> String {
    let words: Vec<String> = moves.iter().take(SHOWN).map(Move::to_string).collect();
    let more = if moves.len() > SHOWN { " …" } else { "" };
    words.join(" ") + more
}

fn rows(plies: &[&JudgedPly], players: [&str; 2], unit: Unit, lang: &Lang) -> String {
    let names = players.iter().map(|name| display_width(name));
    let width = names.max().unwrap_or_default() + 4;
    let word = |word| lang.word("analysis-table", word);
    let mut text = format!(
        "{}  {}  {} {}  {}  {} {}  {}\n",
        right(word("ply"), 4),
        left(word("player"), width),
        left(word("move"), 4),
        right(word("worth"), 7),
        right(word("cost"), 6),
        left(word("better"), 6),
        right(word("worth"), 6),
        word("line")
    );
    for ply in plies {
        let symbol = ['X', 'O'][ply.side.index()];
        let player = format!("{} ({symbol})", players[ply.side.index()]);
        let cost = match ply.cost {
            cost if cost > 0.0 => unit.cost(cost),
            _ => "–".to_owned(),
        };
        let (played, own) = (ply.played.to_string(), worth(ply.worth));
        let mut row = format!(
            "{:4}  {}  {played:4} {}  {cost:>6}",
            ply.ply,
            left(&player, width),
            right(&lang.render(&own), 7)
        );
        if let Some(better) = &ply.better {
            let first = better.line.first().map_or(String::new(), Move::to_string);
            let (value, rest) = (worth(better.worth), line(&better.line));
            row += &format!("  {first:6} {}  {rest}", right(&lang.render(&value), 6));
        }
        text += &format!("{row}\n");
        if let Some(remark) = &ply.remark
            && let Some(sentence) = remarked(remark)
        {
            text += &format!("      {}\n", lang.render(&sentence));
        }
    }
    text
}

fn remarked(remark: &Remark) -> Option<Message> {
    let (Remark::MissedWin(win) | Remark::AllowedWin(win)) = remark else {
        return None;
    };
    let (plies, line) = (win.plies, line(&win.line));
    Some(match remark {
        Remark::MissedWin(_) => message!("missed a win in {plies} {plies|ply|plies}: {line}"),
        _ => message!("allowed a win in {plies} {plies|ply|plies}: {line}"),
    })
}

pub fn scores(scored: &[Scored], lang: &Lang) -> String {
    let rows = scored.iter().map(|one| {
        let (played, value) = (one.played.to_string(), worth(one.worth));
        let value = right(&lang.render(&value), 7);
        format!("{played:4}  {value}  {}\n", line(&one.line))
    });
    let word = |word| lang.word("analysis-table", word);
    let head = format!(
        "{}  {}  {}\n",
        left(word("move"), 4),
        right(word("worth"), 7),
        word("line")
    );
    std::iter::once(head).chain(rows).collect()
}

pub fn json(analysis: &Analysis, players: [&str; 2]) -> Value {
    let turning: Vec<usize> = analysis
        .turning_points()
        .iter()
        .map(|ply| ply.ply)
        .collect();
    json!({
        "game": analysis.game.name(),
        "black": players[0],
        "white": players[1],
        "unit": match analysis.game.scoring() {
            Scoring::Discs => "discs",
            Scoring::Win => "chance",
        },
        "cost": Side::BOTH.map(|side| rounded(analysis.cost(side), 3)),
        "turning_points": turning,
        "plies": analysis.plies.iter().map(ply).collect::<Vec<_>>(),
    })
}

pub fn scores_json(scored: &[Scored]) -> Value {
    let one = |one: &Scored| json!({ "move": one.played.to_string(), "worth": value(one.worth), "line": words(&one.line) });
    scored.iter().map(one).collect()
}

fn ply(ply: &JudgedPly) -> Value {
    let win = |win: &Win| json!({ "plies": win.plies, "line": words(&win.line) });
    let (remark, win) = match &ply.remark {
        None => (Value::Null, Value::Null),
        Some(Remark::MissedWin(missed)) => ("missed-win".into(), win(missed)),
        Some(Remark::AllowedWin(allowed)) => ("allowed-win".into(), win(allowed)),
        Some(Remark::Lost) => ("lost".into(), Value::Null),
    };
    json!({
        "ply": ply.ply,
        "side": ply.side.word(),
        "move": ply.played.to_string(),
        "worth": value(ply.worth),
        "cost": rounded(ply.cost, 3),
        "better": ply.better.as_ref().map(|better| {
            json!({ "worth": value(better.worth), "line": words(&better.line) })
        }),
        "remark": remark,
        "win": win,
    })
}

fn words(moves: &[Move]) -> Value {
    moves.iter().map(Move::to_string).collect()
}

/// Returns an object with the key `discs` (and `exact`), `chance`, `wins_in` or `loses_in`.
fn value(worth: Worth) -> Value {
    match worth {
        Worth::Discs(discs) => json!({ "discs": rounded(discs, 3), "exact": false }),
        Worth::ExactDiscs(discs) => json!({ "discs": discs, "exact": true }),
        Worth::Chance(chance) => json!({ "chance": rounded(chance, 3) }),
        Worth::Wins(plies) => json!({ "wins_in": plies }),
        Worth::Loses(plies) => json!({ "loses_in": plies }),
        Worth::Drawn => json!({ "chance": 0.5 }),
    }
}
