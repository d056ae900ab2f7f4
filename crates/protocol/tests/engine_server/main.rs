//! Tests our bots as engines of other programs. Dialogues in files have the input and the expected output.

mod arena;
#[path = "../dialogues/mod.rs"]
mod dialogues;
mod setting;

use std::time::{Duration, Instant};

use dialogues::{Dialogue, dialogues, hold_again};
use games::gomoku::{Choice, OpeningRule};
use games::{Move, Rules as _, Side};
use protocol::engine_server::{Conversation, EngineProtocol, Setting};
use protocol::{Bot, Info, Question, Start};

#[derive(Default)]
struct First {
    /// The score to report before each move.
    score: Option<f64>,
    /// True if the bot reports its terms: the game, its side, its seed and its limits, with times in ms.
    says_terms: bool,
    start: Option<Start>,
}

impl Bot for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn version(&self) -> &'static str {
        "7"
    }

    fn openings(&self) -> &'static [OpeningRule] {
        &[OpeningRule::Swap2]
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        if start.game.size() == 6 {
            return Err("I know no board of 6".to_owned());
        }
        self.start = Some(start.clone());
        Ok(())
    }

    fn choose(&mut self, question: &Question, say: &mut dyn FnMut(&Info)) -> Move {
        let start = self.start.as_ref().expect("it was started");
        let ms = |time: Option<Duration>| time.map_or(0, |time| time.as_millis());
        let text = self.says_terms.then(|| {
            format!(
                "{} you {} ply {} seed {} move {} game {} left {} memory {}",
                start.game,
                start.you,
                question.moves.len(),
                start.seed,
                ms(start.move_time),
                ms(start.game_time),
                ms(question.left),
                start.memory_mib.unwrap_or(0),
            )
        });
        if text.is_some() || self.score.is_some() {
            say(&Info {
                score: self.score,
                text,
                ..Info::default()
            });
        }
        let Some(opening) = question
            .board
            .opening()
            .filter(|it| !it.choices().is_empty())
        else {
            return Move::Place(question.board.legal_squares()[0]);
        };
        // In swap2, white makes the move after the choice, so the score is for white.
        let is_white = opening.decider() == Side::White;
        let wants_white = self.score.is_none_or(|score| score >= 0.0);
        Move::Choose(if is_white == wants_white {
            Choice::Stay
        } else {
            Choice::Swap
        })
    }
}

fn setting(protocol: EngineProtocol) -> Setting {
    Setting {
        protocol,
        seed: Some(5),
        ..Setting::default()
    }
}

/// In a dialogue, a line of the manager is followed by all lines of the engine's reply; `end` ends the session.
#[test]
fn an_engine_says_what_the_dialogues_have() {
    hold_again(&dialogues("bot"), |dialogue| {
        let found = played_again(dialogue);
        if dialogue.head.contains_key("game") {
            in_their_places(dialogue, &found)
        } else {
            found
        }
    });
}

/// Puts the bot's answers into a dialogue with the arena, where several lines of the arena may come before an answer.
fn in_their_places(dialogue: &Dialogue, found: &[String]) -> Vec<String> {
    let is_answer = |line: &&String| line.starts_with("< ");
    let mut answers = found.iter().filter(is_answer).cloned();
    let mut lines = dialogue.lines.clone();
    for line in lines.iter_mut().filter(|line| is_answer(&&**line)) {
        *line = answers.next().unwrap_or_default();
    }
    lines.extend(answers);
    lines
}

/// Returns the manager's lines of a dialogue, each with the engine's output.
fn played_again(dialogue: &Dialogue) -> Vec<String> {
    let protocol = &dialogue.head["protocol"];
    let mut bot = First::default();
    let mut setting = setting(engine_protocol(protocol));
    for option in dialogue.head["bot"].split_whitespace() {
        match option.split_once('=').unwrap_or((option, "")) {
            ("terms", _) => bot.says_terms = true,
            ("score", score) => bot.score = Some(score.parse().expect("a score")),
            ("game", game) => setting.game = Some(game.to_owned()),
            other => panic!("{}: there is no option {other:?}", dialogue.title),
        }
    }
    let mut conversation = Conversation::new(&mut bot, &setting).expect("a setting that can be");
    let mut lines = Vec::new();
    let printed = dialogue
        .lines
        .iter()
        .filter_map(|line| line.strip_prefix("> "));
    for printed in printed {
        lines.push(format!("> {printed}"));
        let mut say = |line: &str| {
            let written = line.split('\n').map(|line| untimed(line.trim_end()));
            let written = written.filter(|line| !line.is_empty());
            lines.extend(written.map(|line| format!("< {line}")));
            Ok(())
        };
        let goes_on = conversation.hear(printed, Instant::now(), &mut say);
        if !goes_on.expect("nothing fails here") {
            lines.push("end".to_owned());
        }
    }
    lines
}

fn engine_protocol(name: &str) -> EngineProtocol {
    let all = [
        EngineProtocol::Arena,
        EngineProtocol::Gomocup,
        EngineProtocol::Gtp,
        EngineProtocol::Nboard,
        EngineProtocol::Botzone,
        EngineProtocol::BotzoneKeepRunning,
    ];
    let named = all.into_iter().find(|language| language.name() == name);
    named.unwrap_or_else(|| panic!("no engine speaks {name}"))
}

fn untimed(line: &str) -> &str {
    let end = match line.split(' ').next() {
        Some("===") if line.contains('/') => line.rfind('/'),
        Some("nodestats") => line.rfind(' '),
        _ => None,
    };
    end.map_or(line, |end| &line[..end])
}
