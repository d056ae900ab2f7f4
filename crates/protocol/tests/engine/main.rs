//! A bot as an engine in other people's programs: what they say, and what they hear.
//!
//! Where a transcript stands in a published text or comes from a real program, the test says which.

mod botzone;
mod gomocup;
mod gtp;
mod nboard;
mod setting;

use std::time::{Duration, Instant};

use games::{Move, Rules as _};
use protocol::engine::{Conversation, Language, Setting};
use protocol::{Bot, Info, Question, Start};

/// Plays the first legal square, row by row; remembers all it is told.
#[derive(Default)]
struct First {
    /// A score to say before each move.
    score: Option<f64>,
    /// Says its seed and its limits in ms: move, game, left.
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
        Move::Place(question.board.legal_squares()[0])
    }
}

fn setting(protocol: Language) -> Setting {
    Setting {
        protocol,
        seed: Some(5),
        ..Setting::default()
    }
}

/// Plays through a transcript: `> ` is said to the engine, and all it says until the next such line
/// must be what stands there. The last line is `end` where the process is to end.
fn play(bot: &mut First, setting: &Setting, transcript: &str) {
    let mut conversation = Conversation::new(bot, setting).expect("a setting that can be");
    let mut lines = transcript.trim().lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let said = line.trim_start().strip_prefix("> ");
        let said = said.unwrap_or_else(|| panic!("{line:?} follows no question"));
        let mut heard = Vec::new();
        let mut say = |line: &str| {
            heard.extend(line.split('\n').map(untimed));
            Ok(())
        };
        let goes_on = conversation
            .hear(said, Instant::now(), &mut say)
            .expect("the transcript never fails");
        if !goes_on {
            heard.push("end".to_owned());
        }
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.trim_start().starts_with("> ")) {
            expected.push(line.trim().to_owned());
        }
        heard.retain(|line| !line.is_empty());
        expected.retain(|line| !line.is_empty());
        assert_eq!(heard, expected, "after {said:?}");
    }
}

/// A line of the engine without the time that a move took, which is the last thing in it.
fn untimed(line: &str) -> String {
    let line = line.trim();
    let end = match line.split(' ').next() {
        Some("===") if line.contains('/') => line.rfind('/'),
        Some("nodestats") => line.rfind(' '),
        _ => None,
    };
    end.map_or(line, |end| &line[..end]).to_owned()
}
