//! A game of a run, and hints for the next step.

use std::path::Path;

use games::Side;

use super::drawing::{Shown, draw};
use crate::analysis::{self, Played, Settings, analyse};
use crate::terminal::{Replay, text};
use message::Lang;
use referee::record::{GameRecord, Outcome, Ply, Verdict};

/// The game as a text.
pub fn show(record: &GameRecord, run: &Path, boards: bool, lang: &Lang) -> String {
    let players = Side::BOTH.map(|side| record.player(side));
    format!(
        "{}\n{}{}{}",
        title(record),
        draw(&record.game.start(), players, &moves(record, lang), boards),
        ending(record),
        where_to_look(record, run, lang)
    )
}

/// The game for a terminal.
pub fn screen(record: &GameRecord, run: &Path, lang: &Lang) -> Replay {
    let players = Side::BOTH.map(|side| record.player(side));
    let mut ending = text::ending(record, lang) + "\n";
    for side in Side::BOTH {
        if let Some(fault) = record.verdict.fault_of(side) {
            let (name, why) = (record.player(side), fault.to_string());
            let why = lang.say(&why);
            ending += &lang.with("said.fault", &[("name", name), ("why", &why)]);
            ending += "\n";
        }
    }
    ending += &where_to_look(record, run, lang);
    let number = record.id.0.to_string();
    let title = lang.with("game.title", &[("game", &number)]);
    let title = format!("{title}: {}", record.game);
    let (start, moves) = (record.game.start(), moves(record, lang));
    Replay::new(&title, players, &start, moves, &ending)
        .with_turning_point(turning_point(record).map(|(ply, _, _)| ply))
}

fn title(record: &GameRecord) -> String {
    let [black, white] = Side::BOTH.map(|side| record.player(side));
    let (game, id) = (record.game, record.id.0);
    format!("game {id}: {black} (X) against {white} (O), {game}")
}

fn moves(record: &GameRecord, lang: &Lang) -> Vec<Shown> {
    let given = record.opening.iter().map(|&played| Shown {
        played,
        note: format!("   ({})", lang.get("ply.opening")),
        is_given: true,
    });
    let plies = record.plies.iter().map(|ply| Shown {
        played: ply.played,
        note: note(ply, lang),
        is_given: false,
    });
    given.chain(plies).collect()
}

/// How many moves of a principal variation are shown.
const SHOWN: usize = 10;

fn note(ply: &Ply, lang: &Lang) -> String {
    let told = |key: &str, value: String| format!(", {}", lang.with(key, &[("value", &value)]));
    let (Some(effort), thought) = (ply.effort, &ply.thought) else {
        return format!("   ({})", lang.get("note.forced"));
    };
    let mut note = format!("   {:.1} ms", effort.wall.as_secs_f64() * 1000.0);
    if let Some(depth) = thought.depth {
        note += &told("note.depth", depth.to_string());
    }
    if let Some(score) = thought.score {
        note += &told("note.score", text::score(score));
    }
    if let Some(nodes) = thought.nodes {
        note += &told("note.nodes", nodes.to_string());
    }
    if !thought.pv.is_empty() {
        note += ", ";
        note += lang.get("note.line");
        for expected in thought.pv.iter().take(SHOWN) {
            note += &format!(" {expected}");
        }
        if thought.pv.len() > SHOWN {
            note += " …";
        }
    }
    note
}

/// How a game ended, as one line.
pub fn ending(record: &GameRecord) -> String {
    let [black, white] = record.counts;
    let won_by = |winner: Option<Side>, how: &str| match winner {
        Some(side) => format!("{} wins ({how}), {black}–{white}\n", record.player(side)),
        None => format!("drawn ({how}), {black}–{white}\n"),
    };
    match &record.verdict {
        Verdict::Rules { winner, reason } => won_by(*winner, reason.word()),
        Verdict::Adjudicated { winner, ground } => won_by(*winner, ground.word()),
        Verdict::Resigned(side) => format!("{} resigns\n", record.player(*side)),
        Verdict::Forfeit { by, fault } => {
            let (name, word) = (record.player(*by), fault.word());
            format!("{name} ({by}) is at fault and loses: {word}: {fault}\n")
        }
        Verdict::BothFailed([black, white]) => format!("both failed: {black}; {white}\n"),
        Verdict::Void { why } => format!("void: {why}\n"),
    }
}

/// Hints for the author of a bot.
fn where_to_look(record: &GameRecord, run: &Path, lang: &Lang) -> String {
    let (game, shown) = (record.id.0.to_string(), run.display().to_string());
    let said = |key: &str, values: &[(&str, &str)]| {
        let place = [("run", shown.as_str()), ("game", &game)];
        lang.with(key, &[&place[..], values].concat()) + "\n"
    };
    let mut hints = String::new();
    if run.join("failures").join(&game).is_dir() {
        hints += &said("look.messages", &[]);
    }
    for warning in &record.warnings {
        hints += &said("look.note", &[("note", &lang.say(warning))]);
    }
    if let Verdict::Void { .. } = record.verdict {
        return hints;
    }
    if let Some((ply, what)) = turned(record) {
        let name = record.player(side_at(ply));
        let ply = (ply + 1).to_string();
        hints += &said(
            "look.lost-most",
            &[("name", name), ("ply", &ply), ("what", &lang.say(&what))],
        );
    } else if let Some((ply, from, to)) = turning_point(record) {
        let name = record.player(side_at(ply));
        let [from, to] = [from, to].map(text::score);
        let ply = (ply + 1).to_string();
        let values = [("name", name), ("ply", &ply), ("from", &from), ("to", &to)];
        hints += &said("look.fell-most", &values);
    } else if Side::BOTH
        .into_iter()
        .any(|side| record.verdict.fault_of(side).is_some())
    {
        let ply = last_question(record) + 1;
        let (name, ply) = (record.player(side_at(ply - 1)), ply.to_string());
        hints += &said("look.ask-again", &[("name", name), ("ply", &ply)]);
    }
    if record.plies.iter().any(|ply| ply.effort.is_some()) {
        hints += &said("look.analyze", &[]);
    }
    hints
}

/// The side to move after `ply` half-moves; passes are half-moves, so the sides always alternate.
fn side_at(ply: usize) -> Side {
    Side::BOTH[ply % 2]
}

/// The number of half-moves before the last turn of the bot that was at fault, or that lost, or that
/// moved last.
pub fn last_question(record: &GameRecord) -> usize {
    let moves = record.moves().len();
    let at_fault = Side::BOTH.map(|side| record.verdict.fault_of(side).is_some());
    if at_fault[side_at(moves).index()] {
        // It was asked for a move and did not answer.
        return moves;
    }
    let of_interest = match record.verdict.outcome() {
        Outcome::Win(winner) => Some(!winner),
        Outcome::Draw | Outcome::NobodyScores | Outcome::Void => None,
    };
    let asked = (0..record.plies.len()).rev().filter_map(|after| {
        let ply = record.opening.len() + after;
        record.plies[after].effort.map(|_| ply)
    });
    asked
        .into_iter()
        .find(|&ply| of_interest.is_none_or(|side| side_at(ply) == side))
        .unwrap_or(moves)
}

/// The half-move with which the loser of a game without a fault lost most, by a quick analysis, and what
/// it cost. `None` where nothing stands out.
fn turned(record: &GameRecord) -> Option<(usize, String)> {
    let Outcome::Win(winner) = record.verdict.outcome() else {
        return None;
    };
    if record.verdict.fault_of(!winner).is_some() {
        return None;
    }
    let analysis = analyse(&played(record), &Settings::QUICK, &mut |_, _| ()).ok()?;
    let points = analysis.turning_points();
    let worst = points.into_iter().find(|point| point.side != winner)?;
    Some((worst.ply - 1, analysis::text::sentence(record.game, worst)))
}

/// The moves of a game, for going through it.
pub fn played(record: &GameRecord) -> Played {
    Played {
        start: record.game.start(),
        moves: record.moves(),
        given: record.opening.len(),
    }
}

/// The half-move with the largest fall of the loser's own score since its previous move, and both scores.
fn turning_point(record: &GameRecord) -> Option<(usize, f64, f64)> {
    let Outcome::Win(winner) = record.verdict.outcome() else {
        return None;
    };
    let scores: Vec<(usize, f64)> = (record.opening.len()..)
        .zip(&record.plies)
        .filter(|(ply, _)| side_at(*ply) == !winner)
        .filter_map(|(ply, played)| Some((ply, played.thought.score?)))
        .collect();
    let falls = scores
        .windows(2)
        .map(|pair| (pair[1].0, pair[0].1, pair[1].1));
    falls
        .filter(|(_, from, to)| to < from)
        .max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Game, parse_transcript};
    use referee::record::{Effort, Fault, GameId, Thought};

    /// Othello with black's scores, an even number of moves after an opening of two.
    fn record(scores: &[f64], verdict: Verdict) -> GameRecord {
        let (moves, _) = parse_transcript(Game::OTHELLO, "f5d6c3d3c4f4c5b3").expect("legal");
        let plies = moves[2..].iter().enumerate().map(|(index, &played)| Ply {
            played,
            effort: Some(Effort::default()),
            thought: Thought {
                score: scores.get(index / 2).copied().filter(|_| index % 2 == 0),
                ..Thought::default()
            },
        });
        GameRecord {
            opening: moves[..2].to_vec(),
            plies: plies.collect(),
            ..GameRecord::new(GameId(4), Game::OTHELLO, ["mine", "other"], verdict)
        }
    }

    fn lost_by(side: Side) -> Verdict {
        Verdict::Rules {
            winner: Some(!side),
            reason: games::Reason::DISCS,
        }
    }

    #[test]
    fn the_last_question_is_that_of_the_bot_to_blame() {
        let fault = Fault::ClosedOutput;
        let by_black = Verdict::Forfeit {
            by: Side::Black,
            fault,
        };
        assert_eq!(
            last_question(&record(&[], by_black)),
            8,
            "the move that never came"
        );
        assert_eq!(last_question(&record(&[], lost_by(Side::White))), 7);
        assert_eq!(last_question(&record(&[], lost_by(Side::Black))), 6);
    }

    #[test]
    fn the_turning_point_is_where_the_loser_saw_it_coming() {
        let lost = record(&[4.0, 3.0, -20.0], lost_by(Side::Black));
        assert_eq!(turning_point(&lost), Some((6, 3.0, -20.0)));
        let text = where_to_look(&lost, Path::new("results/x"), Lang::usual());
        assert!(
            text.contains("half-move 7, from +3 to -20: arena ask results/x/4 --ply 7"),
            "{text}"
        );
        assert_eq!(
            turning_point(&record(&[1.0, 2.0], lost_by(Side::Black))),
            None
        );
    }
}
