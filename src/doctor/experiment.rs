//! Experiments: each runs the bot again with one change, which shows whether that change removes the failure.

use games::{Game, Move, Rules};
use message::{Message, message};

use super::changed::Change;
use super::evidence::{Evidence, Moment, Silence};
use super::examination::{Age, Examination, ms};
use super::fault::{self, FLUSH};
use super::language::BotLanguage;
use super::report::{Code, Finding};
use super::session::{Measured, Scene, SceneError, Session, scenes};
use super::wrong_line;
use referee::bot::ArenaError;
use referee::dialect::{Due, Protocol, Question};

/// The usual board sizes of programs for other platforms. Such a program may support only one of them.
const OTHER_SIZES: [i64; 4] = [20, 19, 15, 8];

impl<'a> Examination<'a> {
    /// Returns the finding for a fault in a scene. `is_special`: whether the first fault is in a special position.
    pub(super) fn diagnose_in_scene(
        &mut self,
        evidence: &Evidence,
        scene: &Scene,
        is_special: bool,
    ) -> Result<Finding, ArenaError> {
        let mut finding = fault::diagnose(evidence, self.bench.subject);
        if !self.bench.subject.speaks_our_protocol() {
            let is_slow = matches!(evidence.silence, Some(Silence::Busy | Silence::Late(_)));
            let other = (!is_slow).then(|| self.at_another_size(scene));
            let other = other.flatten().map(|other| other.seen(evidence.shown()));
            return Ok(other.unwrap_or(finding));
        }
        let is_held = matches!(evidence.silence, Some(Silence::Held(_)));
        if is_held || evidence.silence == Some(Silence::Idle) {
            let again = self.silence_again(scene)?;
            let silence = again.as_ref().and_then(|again| again.silence.as_ref());
            match (silence, &again) {
                (Some(Silence::Ahead(_) | Silence::Late(_)), Some(again)) => {
                    finding = fault::diagnose(again, self.bench.subject);
                }
                // If the bot answers at the end of its input again, that end is the cause. Otherwise the bot was
                // sleeping, and the first answer came at the end of the input by chance.
                (silence, _) if is_held && !matches!(silence, Some(Silence::Held(_))) => {
                    let mut late = evidence.clone();
                    late.silence = late.silence.map(Silence::by_itself);
                    finding = fault::diagnose(&late, self.bench.subject);
                }
                _ if !self.started => self.find_buffer(&mut finding, is_held, scene),
                _ => {}
            }
        }
        if let Some(length) = self.fails_at_length(evidence, scene) {
            let why = message!(
                "It answers the first question of a game, but not if blanks make every line {length} bytes long. \
                 The question above has half as many."
            );
            let mut finding = fault::recoded(finding, Code::ShortBuffer, why);
            finding.fix =
                "Read a whole line, however long it is: a line of the arena has up to 64 KiB."
                    .into();
            return Ok(finding);
        }
        if self.fails_after_a_pass(evidence, scene) {
            let why = "A side has passed: \"moves\" has \"pass\", and the same side moves again. With a square in \
                       the place of that word, it answers the same question.";
            return Ok(fault::recoded(finding, Code::AfterAPass, why));
        }
        if let Some(code @ Code::BoardSize) = fault::theme_code(scene.theme).filter(|_| is_special)
        {
            let why = message!("It plays on other boards, but not {}.", scene.game);
            finding = fault::recoded(finding, code, why);
        }
        if let Some(rule) = scene.game.opening() {
            let why = message!(
                "It lists the opening rule {rule}, and fails in games that begin with it."
            );
            finding = fault::recoded(finding, Code::OpeningRule, why);
        }
        Ok(finding)
    }

    /// Plays a scene again, and then the game's scenes on the usual boards of other sizes. Returns a finding if only
    /// the repeated scene fails: such an engine accepts every size at `START`, but plays only one.
    pub(super) fn at_another_size(&self, scene: &Scene) -> Option<Finding> {
        let plays = |scene: &Scene| {
            let mut measured = Measured {
                budget: self.bench.waits.move_time * 10,
                ..Measured::default()
            };
            Session::start(&self.bench, None, scene)
                .and_then(|(mut session, ..)| session.play(scene, &mut measured))
                .is_ok()
        };
        if self.bench.subject.speaks_our_protocol() || plays(scene) {
            return None;
        }
        let game = scene.game;
        let other = OTHER_SIZES
            .into_iter()
            .filter(|&size| size != i64::from(game.size()))
            .filter_map(|size| Game::new(game.name(), Some(game.rules()), Some(size)).ok())
            .find(|&other| scenes(other, false).iter().all(plays))?;
        let (size, other) = (game.size(), other.size());
        Some(Finding::new(
            Code::BoardSize,
            message!(
                "It fails on a board of size {size}, and plays the same positions without a problem at size {other}."
            ),
            message!(
                "Play with --size {other}. Or let the program use the size that the arena gives it, instead of a constant."
            ),
        ))
    }

    /// Asks the first question of a scene again, with blanks that make its lines twice as long as the question that
    /// failed, and so too long for the same buffer. Returns the length if the bot fails only with the blanks.
    fn fails_at_length(&self, evidence: &Evidence, scene: &Scene) -> Option<usize> {
        let (board, moves) = evidence.position.as_ref()?;
        // Languages other than C and C++ read whole lines. A traceback explains more than this experiment.
        let has_buffers = matches!(self.language, BotLanguage::C | BotLanguage::Cpp);
        if evidence.asked < 2 || !has_buffers || !evidence.stderr.trim().is_empty() {
            return None;
        }
        let question = Question {
            board,
            legal: &board.legal_squares(),
            moves,
            left_ms: [self.bench.waits.move_time.as_millis() as u64; 2],
            moves_to_go: None,
        };
        let mut line = Vec::new();
        Protocol::Arena
            .adapter(&[])
            .turn(u64::from(evidence.asked), &question, &mut line);
        let length = 2 * line.len();
        let first = Scene {
            questions: 1,
            ..scene.clone()
        };
        let fails = |length| {
            let change = Some(Change::Length(length));
            let played = match Session::start(&self.bench, change, &first) {
                Ok((mut session, ..)) => session.play(&first, &mut Measured::default()),
                Err(error) => Err(error),
            };
            matches!(played, Err(SceneError::Fault(_)))
        };
        (!fails(0) && fails(length)).then_some(length)
    }

    /// Repeats the question unchanged, then with squares instead of passes. Returns whether only the first fails.
    fn fails_after_a_pass(&mut self, evidence: &Evidence, scene: &Scene) -> bool {
        let Some((board, moves)) = &evidence.position else {
            return false;
        };
        if evidence.silence.is_some() || !moves.contains(&Move::Pass) {
            return false;
        }
        let mut question = Scene {
            board: board.clone(),
            moves: moves.clone(),
            questions: 1,
            ..scene.clone()
        };
        let fails = matches!(self.play(&question, &mut None), Err(SceneError::Fault(_)));
        let square = moves[0];
        let passes = question
            .moves
            .iter_mut()
            .filter(|played| **played == Move::Pass);
        passes.for_each(|played| *played = square);
        fails && self.play(&question, &mut None).is_ok()
    }

    /// Plays a scene with a silent bot again: gives less time, then one more line, then the end of the input.
    fn silence_again(&mut self, scene: &Scene) -> Result<Option<Box<Evidence>>, ArenaError> {
        let waits = self.bench.waits;
        self.bench.waits.silence /= 4;
        self.bench.nudges = true;
        let again = self.play(scene, &mut None);
        (self.bench.waits, self.bench.nudges) = (waits, false);
        match again {
            Err(SceneError::Arena(error)) => Err(error),
            Err(SceneError::Fault(evidence)) => Ok(Some(evidence)),
            Err(SceneError::IllegalMove(_)) | Ok(()) => Ok(None),
        }
    }

    /// Adds to `finding` whether many greetings make a silent bot answer. `is_held`: it answers when its input ends.
    fn find_buffer(&self, finding: &mut Finding, is_held: bool, scene: &Scene) {
        let idioms = self.language.idioms();
        if Session::overflows(&self.bench, scene) {
            finding.code = Code::NotFlushed;
            let what = std::mem::take(&mut finding.what);
            let why = "When the arena greeted it 500 times at once, its answers arrived, because they filled the buffer.";
            finding.what = Message::sentences([what, why.into()]);
            finding.fix = FLUSH.into();
            finding.example = Some(idioms.flush.to_owned());
        } else if is_held {
            finding.code = Code::ReadsToTheEnd;
            finding.what = "It answered only when its input ended, and not when more lines came: it reads all its \
                            input before it answers."
                .into();
            finding.fix =
                "Read standard input line by line, and answer each line before you read the next."
                    .into();
            finding.example = Some(idioms.main_loop.to_owned());
        }
        finding.example = finding.example.take().filter(|code| !code.is_empty());
    }

    /// Diagnoses a failure in a later game of a process, but not in a new one. The second game is the cause if the bot
    /// fails in it even after a first game of one turn, and after fewer turns than its longest game had.
    pub(super) fn find_in_further_game(
        &mut self,
        evidence: &Evidence,
        scene: &Scene,
        age: Age,
    ) -> Result<(), ArenaError> {
        let mut short = scenes(scene.game, false).swap_remove(0);
        short.questions = 1;
        let mut session = None;
        let second = match self.play(&short, &mut session) {
            Ok(()) => self.play(scene, &mut session),
            first => first,
        };
        let finding = fault::diagnose(evidence, self.bench.subject);
        match second {
            Err(SceneError::Arena(error)) => return Err(error),
            Err(SceneError::Fault(again)) if again.asked < self.longest_game.max(2) => {
                let why = message!(
                    "It played one game of {} turns, but fails in the second game of a process, even after a \
                     game of one turn.",
                    self.longest_game
                );
                let mut finding = fault::recoded(finding, Code::SecondGame, why);
                let is_ours = self.bench.subject.launch.protocol == Protocol::Arena;
                if is_ours && evidence.stderr.trim().is_empty() {
                    finding.fix =
                        "Each hello begins a new game: forget the last game, and answer ready again.".into();
                }
                self.find(finding.example(self.main_loop()));
            }
            _ => {
                let why = message!(
                    "It failed after {turns} turns in {games} games of one process. A new process plays the same \
                     position, also as its second game.",
                    turns = age.turns,
                    games = age.games
                );
                let code = finding.code;
                let mut finding = fault::recoded(finding, code, why);
                finding.fix =
                    "It keeps something of earlier games: set everything back when hello comes."
                        .into();
                self.find(finding);
            }
        }
        Ok(())
    }

    /// Reports the lines that were no messages. The game continued without them.
    pub(super) fn find_lines(&mut self) {
        if !self.started || self.bench.subject.launch.protocol != Protocol::Arena {
            return;
        }
        let notes = self.bench.notes.take(0);
        let lines = notes.len();
        self.check(
            "writes messages and nothing else",
            Some(lines == 0),
            match lines {
                0 => Message::default(),
                _ => message!("{lines} other {lines|line|lines}"),
            },
        );
        for note in notes {
            let moment = match note.due {
                Due::Ready => Moment::Start,
                Due::Move => Moment::Question,
                Due::Nothing => Moment::Waiting,
            };
            let (language, arena) = (self.language, Protocol::Arena);
            let is_message = serde_json::from_str::<serde_json::Value>(&note.line);
            let mut finding = if moment == Moment::Waiting {
                wrong_line::diagnose_unasked_output(&note.line, moment, language, arena)
            } else if note.is_repaired || is_message.is_ok_and(|line| line.is_object()) {
                wrong_line::diagnose_bad_line(&note.line, &note.why, moment, language, arena)
            } else {
                wrong_line::stray(&note.line, language, arena)
            };
            if finding.code == Code::StrayOutput && self.measured.questions > 0 {
                let goes_on = "If the arena ignores this line, the game goes on.".into();
                finding.what = Message::sentences([finding.what, goes_on]);
            }
            self.find(finding);
        }
    }

    /// Plays a scene with new fields or messages. After new fields, also checks that the bot exits when its input ends.
    pub(super) fn check_later_version(
        &mut self,
        change: Change,
        scene: Option<&Scene>,
    ) -> Result<(), ArenaError> {
        let (title, code, why, fix) = if change == Change::Field {
            (
                "ignores unknown fields",
                Code::UnknownField,
                "It answers correctly until a message has a field that it does not know.",
                "Read the fields that you need by their names, and ignore all others: later \
                 versions may add some.",
            )
        } else {
            (
                "ignores unknown messages",
                Code::UnknownMessage,
                "It answers correctly until a message comes whose type it does not know.",
                "Answer hello and turn, end at quit, and ignore every other type.",
            )
        };
        let Some(scene) = scene.filter(|_| self.started) else {
            return Ok(());
        };
        // A bot that also fails without the change makes this experiment useless.
        if self.stopped || self.has_found(&[Code::Crashes, Code::SecondAnswer]) {
            self.check(title, None, "");
            return Ok(());
        }
        let mut unheeded = Measured::default();
        let mut played = Session::start(&self.bench, Some(change), scene);
        if let Ok((session, ..)) = &mut played {
            match session.play(scene, &mut unheeded) {
                Err(SceneError::IllegalMove(_)) | Ok(()) => {}
                Err(trouble) => played = Err(trouble),
            }
        }
        match played {
            Err(SceneError::Arena(error)) => return Err(error),
            Err(SceneError::IllegalMove(_)) => {}
            Err(SceneError::Fault(evidence)) => {
                let finding = fault::diagnose(&evidence, self.bench.subject);
                if finding.code == Code::LoadsTooLong && !self.has_found(&[Code::LoadsTooLong]) {
                    // A slow start is not an effect of the change.
                    self.find(finding.clone());
                }
                if self.has_found(&[finding.code]) {
                    self.check(title, None, "");
                    return Ok(());
                }
                let mut finding = fault::recoded(finding, code, why);
                finding.fix = fix.into();
                self.find(finding.example(self.main_loop()));
                self.check(title, Some(false), "");
            }
            Ok((mut session, ..)) => {
                let died = match change {
                    Change::Field => None,
                    _ => session.exits_within(self.bench.waits.settle)?,
                };
                let died = died.filter(|_| !self.has_found(&[Code::DiesOnOver]));
                self.check(title, Some(died.is_none()), "");
                if let Some((_, evidence)) = died {
                    let finding = Finding::new(code, why, fix).seen(evidence.shown());
                    self.find(finding.example(self.main_loop()));
                }
                if change == Change::Field {
                    self.check_end_of_input(session)?;
                }
            }
        }
        Ok(())
    }

    fn check_end_of_input(&mut self, session: Session<'a>) -> Result<(), ArenaError> {
        if self.has_found(&[Code::IgnoresQuit]) {
            return Ok(());
        }
        let (parting, _) = session.end(false)?;
        self.check_warning("exits when its input ends", parting.exit.is_none(), "");
        if parting.exit.is_none() {
            let what = message!(
                "{} after the end of its input it was still running. If the arena is killed, it runs \
                 for ever.",
                ms(self.bench.waits.parting)
            );
            let fix = "Exit when there are no more lines to read.";
            self.find(Finding::new(Code::IgnoresEndOfInput, what, fix).example(self.main_loop()));
        }
        Ok(())
    }
}
