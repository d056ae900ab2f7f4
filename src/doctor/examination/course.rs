//! The games: scene after scene in one process. A scene that fails in a later game is played again in
//! a new process.

use std::time::Duration;

use super::super::code::Code;
use super::super::evidence::{Evidence, Moment, Silence};
use super::super::finding::Finding;
use super::super::scene::{Scene, Theme, scenes};
use super::super::session::{Session, Trouble};
use super::super::slip::{self, Slip};
use super::super::subject::Course;
use super::super::{line, traceback};
use super::cause::theme_code;
use super::played::{Failure, Played};
use super::{AGAIN, Doctor};
use referee::bot::{ArenaError, Restart};

impl<'a> Doctor<'a> {
    /// Plays the scenes of a game. `further`: other games follow, of which it may be a bot.
    pub(super) fn course(
        &mut self,
        course: Course,
        session: &mut Option<Session<'a>>,
        further: bool,
    ) -> Result<(), ArenaError> {
        if self.stopped {
            if self.started {
                self.check(course.title(), None, "");
            }
            return Ok(());
        }
        let (found, slips) = (self.found_in_games(), self.slips.len());
        let known = self.findings.len();
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
        let (asked, wrong) = (
            self.measured.questions - questions,
            self.slips.len() - slips,
        );
        let nothing_new = self.started && self.found_in_games() == found && wrong == 0;
        if nothing_new && asked == 0 && self.failed.is_none() {
            // The cause that stopped the earlier games also stops these.
            self.check(course.title(), None, "");
            return Ok(());
        }
        let played = Played {
            course,
            asked,
            wrong,
            passes: nothing_new && asked > 0,
            started: self.started,
            title: self.last_title(),
        };
        let is_lost = !played.passes && played.is_in_vain();
        if is_lost && (self.plays.is_some() || further && self.may_play_another(slips)) {
            let failure = Failure {
                findings: self.findings.split_off(known),
                slips: self.slips.split_off(slips),
                stopped: std::mem::take(&mut self.stopped),
                played,
            };
            *session = None;
            match self.plays {
                Some(other) => self.plays_only(other, &failure),
                None => self.failed = Some(failure),
            }
            return Ok(());
        }
        match self.failed.take() {
            Some(failure) if played.passes => {
                self.conclude_course(&played);
                self.plays_only(played.course.game.name(), &failure);
            }
            // It plays neither: the first game says why.
            Some(failure) if is_lost => {
                self.findings.truncate(known);
                self.slips.truncate(slips);
                self.stopped |= failure.stopped;
                self.findings.extend(failure.findings);
                self.slips.extend(failure.slips);
                self.conclude_course(&failure.played);
                if failure.played.started {
                    self.check(course.title(), None, "");
                }
            }
            Some(mut failure) => {
                let late = self.findings.split_off(known);
                self.findings.append(&mut failure.findings);
                for finding in late {
                    self.add(finding);
                }
                self.slips.append(&mut failure.slips);
                self.conclude_course(&failure.played);
                self.conclude_course(&played);
            }
            None => self.conclude_course(&played),
        }
        Ok(())
    }

    /// The check of a game that was played.
    fn conclude_course(&mut self, played: &Played) {
        let title = played.course.title();
        if !played.started {
            self.check("starts", Some(false), played.title.clone());
            return;
        }
        let Played { asked, wrong, .. } = *played;
        if played.passes {
            self.plays = self.plays.or(Some(played.course.game.name()));
        }
        let detail = match (wrong, played.passes) {
            (0, true) => format!("{asked} questions, all answers legal"),
            (0, false) => played.title.clone(),
            _ => format!(
                "{wrong} illegal moves in {} questions",
                asked.max(wrong as u32)
            ),
        };
        self.check(title, Some(played.passes), detail);
    }

    /// Whether a bot that gave no legal answer may be one of another game: nothing that it did is
    /// wrong in every game.
    fn may_play_another(&self, slips: usize) -> bool {
        let slips: Vec<Slip> = self.slips[slips..]
            .iter()
            .map(|(slip, _)| slip.clone())
            .collect();
        let is_way = slip::habit(&slips).is_some() || slip::other_colours(&slips);
        !self.hopeless && (slips.is_empty() || !is_way)
    }

    /// It plays `other`, and nothing of this game, which is no fault.
    fn plays_only(&mut self, other: &str, failure: &Failure) {
        let symptom = match failure.played.wrong {
            0 => failure.played.title.as_str(),
            _ => Code::IllegalMove.title(),
        };
        let course = failure.played.course;
        self.find(one_game(other, course.game.name(), symptom));
        let detail = format!("it seems to play {other} only");
        self.check(course.title(), None, detail);
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
                if let Some(answer) = line::answer_in(&evidence.fault) {
                    let slip = Slip::new(scene.board.clone(), answer);
                    self.slips.push((slip, scene.theme));
                    return Ok(true);
                }
                // There are passes at the end of a game, too.
                if scene.theme == Theme::End && self.has_found(&[Code::AfterAPass]) {
                    return Ok(false);
                }
                self.stopped |= evidence.silence.is_some() || !self.started;
                self.hopeless |= is_the_same_in_every_game(&evidence);
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
            let (new, identity, after) =
                Session::start(self.subject, self.waits, self.witness, None, scene)?;
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

/// Whether a failure has nothing to do with the game that is played.
fn is_the_same_in_every_game(evidence: &Evidence) -> bool {
    match &evidence.silence {
        Some(Silence::Held(_) | Silence::Unended(_)) => true,
        // One that refuses a game it does not know is idle, or has ended.
        Some(Silence::Idle) => false,
        Some(_) => evidence.moment == Moment::Start,
        None => evidence.moment == Moment::Launch,
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
