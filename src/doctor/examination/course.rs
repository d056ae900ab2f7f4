//! The games: scene after scene in one process. A scene that fails in a later game is played again in
//! a new process.

use std::time::Duration;

use super::super::code::Code;
use super::super::evidence::Moment;
use super::super::finding::Finding;
use super::super::scene::{Scene, Theme, scenes};
use super::super::session::{Session, Trouble};
use super::super::slip::Slip;
use super::super::subject::Course;
use super::super::{symptom, traceback};
use super::cause::theme_code;
use super::{AGAIN, Doctor};
use referee::bot::{ArenaError, Restart};

impl<'a> Doctor<'a> {
    pub(super) fn course(
        &mut self,
        course: Course,
        session: &mut Option<Session<'a>>,
    ) -> Result<(), ArenaError> {
        let title = course.title();
        if self.stopped {
            if self.started {
                self.check(title, None, "");
            }
            return Ok(());
        }
        let (found, slips) = (self.found_in_games(), self.slips.len());
        let found_before = self.findings.len();
        let (questions, sound) = (self.measured.questions, self.found_in_all_games());
        let mut is_sound = true;
        for scene in scenes(course.game, course.all) {
            let alone = self.subject.restart == Restart::Always || self.has_found(&AGAIN);
            if alone && session.is_some() {
                self.leave(session.take(), false)?;
            }
            let goes_on = self.scene(&scene, session, is_sound)?;
            is_sound = self.found_in_all_games() == sound;
            if !goes_on {
                break;
            }
        }
        if !self.started {
            self.check("starts", Some(false), self.last_title());
            return Ok(());
        }
        let wrong = self.slips.len() - slips;
        let asked = self.measured.questions - questions;
        if asked == 0 && wrong == 0 && self.found_in_games() == found {
            // The cause that stopped the earlier games also stops these.
            self.check(title, None, "");
            return Ok(());
        }
        let passes = self.found_in_games() == found && wrong == 0;
        let game = course.game.name();
        if let Some(other) = self.plays.filter(|_| !passes && asked <= wrong as u32) {
            let symptom = match wrong {
                0 => self.last_title(),
                _ => Code::IllegalMove.title().to_owned(),
            };
            self.findings.truncate(found_before);
            self.slips.truncate(slips);
            self.stopped = false;
            *session = None;
            self.find(one_game(other, game, &symptom));
            self.check(title, None, format!("it seems to play {other} only"));
            return Ok(());
        }
        self.plays = self.plays.or(passes.then_some(game));
        let detail = match (wrong, passes) {
            (0, true) => format!("{asked} questions, all answers legal"),
            (0, false) => self.last_title(),
            _ => format!(
                "{wrong} illegal moves in {} questions",
                asked.max(wrong as u32)
            ),
        };
        self.check(title, Some(passes), detail);
        Ok(())
    }

    fn last_title(&self) -> String {
        let last = self.findings.last();
        last.map(|finding| finding.code.title().to_owned())
            .unwrap_or_default()
    }

    /// Plays a scene; false if the course ends with it. `is_sound`: the scenes before had no problem.
    fn scene(
        &mut self,
        scene: &Scene,
        session: &mut Option<Session<'a>>,
        is_sound: bool,
    ) -> Result<bool, ArenaError> {
        let mut played = self.play(scene, session);
        let games = session.as_ref().map_or(1, |session| session.games);
        if let Err(Trouble::Wrong(evidence)) = &played
            && games > 1
        {
            // The cause is the position or an earlier game of the process: a new process shows which.
            let evidence = evidence.clone();
            *session = None;
            played = self.play(scene, session);
            if played.is_ok() {
                if evidence.moment == Moment::Again && evidence.exit.is_some() {
                    // It may have exited after the over of the last game, but late.
                    self.look_after(session, self.waits.silence)?;
                }
                if !self.has_found(&[Code::DiesOnOver]) {
                    self.find(self.of_a_further_game(&evidence));
                }
            }
        }
        match played {
            Ok(()) => {
                self.look_after(session, self.waits.settle)?;
                Ok(true)
            }
            Err(Trouble::Arena(error)) => Err(error),
            Err(Trouble::Illegal(slip)) => {
                self.slips.push((*slip, scene.theme));
                self.look_after(session, self.waits.settle)?;
                Ok(true)
            }
            Err(Trouble::Wrong(evidence)) => {
                *session = None;
                if let Some(answer) = symptom::answer_in(&evidence.fault) {
                    let slip = Slip::new(scene.board.clone(), answer);
                    self.slips.push((slip, scene.theme));
                    return Ok(true);
                }
                // There are passes at the end of a game, too.
                if scene.theme == Theme::End && self.has_found(&[Code::AfterAPass]) {
                    return Ok(false);
                }
                self.stopped |= evidence.silence.is_some() || !self.started;
                let is_special = is_sound && theme_code(scene.theme).is_some();
                self.find(self.of_scene(&evidence, scene, is_special));
                Ok(is_special && !self.stopped)
            }
        }
    }

    fn play(&mut self, scene: &Scene, session: &mut Option<Session<'a>>) -> Result<(), Trouble> {
        let session = if let Some(session) = session {
            session.greet(scene)?;
            session
        } else {
            let (new, identity, after) = Session::start(self.subject, self.waits, None, scene)?;
            self.has_started(&identity, after);
            session.insert(new)
        };
        let played = session.play(scene, &mut self.measured);
        self.replayed |= session.games > 1 && played.is_ok();
        played
    }

    /// A process may exit after its first game; this is checked after a short wait.
    fn look_after(
        &mut self,
        session: &mut Option<Session<'a>>,
        wait: Duration,
    ) -> Result<(), ArenaError> {
        let is_due = |session: &&mut Session| session.games == 1;
        if self.subject.restart == Restart::Always {
            return Ok(());
        }
        let Some(playing) = session.as_mut().filter(is_due) else {
            return Ok(());
        };
        if let Some(evidence) = playing.has_left(wait)? {
            *session = None;
            let how = evidence
                .exit
                .map(|exit| exit.to_string())
                .unwrap_or_default();
            let fix = traceback::advice(&evidence.stderr).unwrap_or_default();
            let finding = Finding::new(
                Code::DiesOnOver,
                format!(
                    "It exited when \"over\" came ({how}). The arena then starts a new process for \
                     each game, which takes time."
                ),
                format!(
                    "{fix} After over comes the next hello, or quit: continue to read. Or write \
                     restart = \"always\" in bot.toml, if each process plays one game."
                )
                .trim()
                .to_owned(),
            );
            self.find(
                finding
                    .seen(evidence.shown())
                    .example(self.language.idioms().main_loop),
            );
        }
        Ok(())
    }

    pub(super) fn further_games(&mut self) {
        if self.subject.restart == Restart::Always || !self.started {
            return;
        }
        let title = "plays game after game";
        if self.has_found(&[Code::SecondGame]) {
            self.check(title, Some(false), "");
        } else if self.has_found(&AGAIN) || self.replayed {
            self.check_warning(title, self.has_found(&AGAIN), "");
        } else {
            self.check(title, None, "");
        }
    }
}

/// A bot that plays one game without a problem, and gives no legal answer in another.
fn one_game(plays: &str, other: &str, symptom: &str) -> Finding {
    let what = format!(
        "It plays {plays} without a problem, and gave no legal answer in {other} ({symptom})."
    );
    let fix = format!(
        "Nothing, if it is a bot of {plays}: check it with --game {plays}, or write games = \
         [\"{plays}\"] in bot.toml. If it is to play {other}, too: arena check --game {other} shows \
         what is wrong."
    );
    Finding::new(Code::OneGame, what, fix)
}
