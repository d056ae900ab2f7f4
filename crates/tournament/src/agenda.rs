//! The agenda: which games were played, which come next, and whether a run is over.
//!
//! An [`Agenda`] receives results, from the record of an interrupted run or when games finish, and returns the games to
//! play. All games of a phase can be played at the same time; a phase begins only when the phase before it has ended.
//! After the goal of a match is reached, no game is returned. The agenda has no threads and no clock.

use referee::problem;
use std::collections::BTreeSet;
use std::ops::Range;

use games::Side;

use super::Tournament;
use super::format::{Field, Format, Meeting, Pairings, Places};
use super::schedule::{Fixture, Schedule};
use super::stopping::{Stopping, result};
use super::tuning::{TunedCommand, Tuner};
use super::yardstick::Yardstick;
use referee::Contradiction;
use referee::problem::Problem;
use referee::record::{GameId, GameRecord, Outcome};

#[derive(Clone, Debug)]
pub struct Agenda {
    names: Vec<String>,
    format: Format,
    field: Field,
    schedule: Schedule,
    stopping: Option<Stopping>,
    tuner: Option<Tuner>,
    yardstick: Option<Yardstick>,
    listed: Vec<[usize; 2]>,
    results: Vec<Option<Outcome>>,
    played: u64,
    /// The number of games of the current phase that have not ended.
    left: u64,
    /// The finished phases, if pairings depend on them.
    history: Vec<Vec<Meeting>>,
    /// The number of the first game that [`Agenda::take`] has not looked at.
    next: u64,
    /// Whether a void game has stopped the run, because later games depend on its result.
    halted: bool,
    needless: Vec<[usize; 2]>,
    /// The pairs that this machine plays, if other machines play the rest.
    block: Option<Range<u64>>,
    /// The games to play, if not all games are to be played.
    chosen: Option<BTreeSet<GameId>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Game(Fixture),
    /// The next game depends on games in progress, so the caller must wait.
    Wait,
    Over,
}

impl Agenda {
    pub fn new(tournament: &Tournament) -> Agenda {
        let stages = tournament.stages.iter().enumerate();
        let by_white = stages.filter(|(_, stage)| stage.attacker == Side::White);
        let by_white = by_white.map(|(index, _)| index);
        let names = tournament.contestants.iter().map(|bot| bot.name.clone());
        let mut agenda = Agenda {
            names: names.collect(),
            format: tournament.format,
            field: tournament.field(),
            schedule: Schedule::new(tournament.openings.len()).reversing(by_white),
            stopping: tournament
                .goal
                .map(|goal| Stopping::new(goal, tournament.openings_a_lap())),
            tuner: tournament.tuning.clone().map(Tuner::new),
            yardstick: tournament.yardstick.clone(),
            listed: tournament.pairings.clone(),
            results: Vec::new(),
            played: 0,
            left: 0,
            history: Vec::new(),
            next: 0,
            halted: false,
            needless: Vec::new(),
            block: None,
            chosen: None,
        };
        agenda.begin_phase();
        agenda
    }

    /// Limits the agenda to these pairs, counted from 0; other machines play the rest. Removes the goal of a match,
    /// which needs the games of all machines. Fails if pairings depend on results, or if there are no such pairs.
    pub fn keep_to(&mut self, pairs: Range<u64>) -> Result<(), Problem> {
        let format = self.format.name();
        if self.format.is_adaptive() {
            return Err(problem!(
                "a {format} tournament cannot be played in blocks: its pairings depend on results"
            )
            .help("play it as one run, or choose match, round-robin, gauntlet or pairings"));
        }
        if pairs.is_empty() || pairs.end > self.schedule.pairs() {
            return Err(problem!(
                "there is no block of pairs {} to {}: the tournament has {} pairs",
                pairs.start,
                pairs.end,
                self.schedule.pairs()
            ));
        }
        let legs = self.format.legs();
        let ids = pairs
            .clone()
            .flat_map(|pair| (0..legs).map(move |leg| GameId::new(pair, leg)));
        self.left = ids.filter(|&id| self.result(id).is_none()).count() as u64;
        self.next = 2 * pairs.start;
        self.stopping = None;
        self.block = Some(pairs);
        Ok(())
    }

    /// Limits an agenda to these games, such as those that a check of a record plays again. Removes the goal of a match.
    /// Fails if pairings depend on results.
    pub fn choose(&mut self, games: BTreeSet<GameId>) -> Result<(), Problem> {
        self.keep_to(0..self.schedule.pairs())?;
        self.left = games
            .iter()
            .filter(|id| self.result(**id).is_none())
            .count() as u64;
        self.chosen = Some(games);
        Ok(())
    }

    /// Withdraws the games of these bots that have no result. Fails if pairings depend on results.
    pub fn withdraw(&mut self, bots: &BTreeSet<usize>) -> Result<(), Problem> {
        let is_withdrawn = |id| {
            self.schedule
                .fixture(id)
                .players
                .iter()
                .any(|bot| bots.contains(bot))
        };
        let legs = self.format.legs();
        let all = (0..self.schedule.pairs())
            .flat_map(|pair| (0..legs).map(move |leg| GameId::new(pair, leg)));
        let left = all
            .filter(|&id| self.result(id).is_some() || !is_withdrawn(id))
            .collect();
        self.choose(left)
    }

    /// Adds a game of the record, with the players and the outcome from [`GameRecord::scheduled`]. The caller adds the
    /// games in the order of their numbers. A void game is ignored.
    pub fn restore(
        &mut self,
        id: GameId,
        players: [&str; 2],
        outcome: Outcome,
        fingerprint: u64,
    ) -> Result<(), Problem> {
        self.scheduled(id, players)?;
        if outcome != Outcome::Void {
            self.finished(id, outcome, fingerprint);
        }
        Ok(())
    }

    /// Returns the game with this number. Fails if no phase so far has it, or if it has other players.
    pub fn scheduled(&self, id: GameId, players: [&str; 2]) -> Result<Fixture, Problem> {
        if id.0 >= self.schedule.games() || id.leg() >= self.format.legs() {
            return Err(problem!(
                "the record has game {}, but the tournament does not: the record is another run's, or \
                 damaged",
                id.0
            ));
        }
        let fixture = self.schedule.fixture(id);
        let scheduled = fixture.players.map(|bot| self.names[bot].as_str());
        if scheduled != players {
            let [recorded, scheduled] =
                [players, scheduled].map(|[black, white]| format!("{black} against {white}"));
            return Err(problem!(
                "game {} of the record is {recorded}, but the tournament says {scheduled}: the record is \
                 another run's, or run.toml was changed",
                id.0
            ));
        }
        Ok(fixture)
    }

    /// Checks that `record` is a game of this agenda, whose tournament is `tournament`, and does not contradict itself
    /// ([`referee::Terms::check`]). The error proposes no fix, because only the caller knows the source of the record.
    pub fn check(&self, tournament: &Tournament, record: &GameRecord) -> Result<(), Problem> {
        let (id, fixture) = (
            record.id.0,
            self.scheduled(record.id, record.scheduled().0)?,
        );
        let checked = tournament.terms(&fixture).check(record);
        checked.map_err(|why| match (&why, &tournament.openings_file) {
            (Contradiction::Opening { .. }, Some(file)) => {
                let file = file.display();
                problem!("game {id} of the record {why}, by its openings in {file}")
            }
            _ => problem!("game {id} of the record {why}"),
        })
    }

    /// Adds a finished game. A void game counts as not played, so a resumed run plays it again.
    pub fn finished(&mut self, id: GameId, outcome: Outcome, fingerprint: u64) {
        if outcome == Outcome::Void {
            self.halted |= self.format.is_adaptive() || self.stopping.is_some();
            return;
        }
        let place = id.0 as usize;
        if self.results.len() <= place {
            self.results.resize(place + 1, None);
        }
        self.results[place] = Some(outcome);
        self.played += 1;
        self.left -= 1;
        if let Some(stopping) = &mut self.stopping {
            stopping.add(id, outcome, fingerprint);
        }
        if self.left == 0 && self.format.is_adaptive() {
            self.tune();
            self.history.push(self.meetings());
            self.begin_phase();
        }
    }

    /// Returns the next game. No game is handed out twice.
    pub fn take(&mut self) -> Next {
        if self.halted || self.is_decided() {
            return Next::Over;
        }
        while self.next < self.end() {
            let id = GameId(self.next);
            self.next += 1;
            let is_chosen = self
                .chosen
                .as_ref()
                .is_none_or(|chosen| chosen.contains(&id));
            if id.leg() >= self.format.legs() || self.result(id).is_some() || !is_chosen {
                continue;
            }
            let fixture = self.schedule.fixture(id);
            let [black, white] = fixture.players;
            if !self
                .needless
                .contains(&[black.min(white), black.max(white)])
            {
                return Next::Game(fixture);
            }
        }
        if self.format.is_adaptive() && self.left > 0 {
            Next::Wait
        } else {
            Next::Over
        }
    }

    /// Skips all further games of these two bots, because their result is decided.
    pub fn pass_over(&mut self, [one, two]: [usize; 2]) {
        let bots = [one.min(two), one.max(two)];
        if !self.needless.contains(&bots) {
            self.needless.push(bots);
        }
    }

    pub fn fixture(&self, id: GameId) -> Fixture {
        self.schedule.fixture(id)
    }

    pub fn result(&self, id: GameId) -> Option<Outcome> {
        self.results.get(id.0 as usize).copied().flatten()
    }

    pub fn played(&self) -> u64 {
        self.played
    }

    pub fn tuner(&self) -> Option<&Tuner> {
        self.tuner.as_ref()
    }

    /// Returns the command of this bot in a game of the current phase; `None` unless the run is a tuning.
    pub fn command(&self, bot: usize, fixture: &Fixture) -> Option<TunedCommand> {
        let tuner = self.tuner.as_ref()?;
        Some(tuner.command(bot, fixture))
    }

    /// Returns the number of games of the run as far as known: ties add play-offs, and a goal may end the run earlier.
    pub fn games(&self) -> u64 {
        if let Some(chosen) = &self.chosen {
            return chosen.len() as u64;
        }
        if let Some(pairs) = &self.block {
            return (pairs.end - pairs.start) * self.format.legs();
        }
        self.format.games(self.field) + self.schedule.play_offs()
    }

    pub fn is_over(&self) -> bool {
        self.left == 0 || self.is_decided()
    }

    pub fn stopping(&self) -> Option<&Stopping> {
        self.stopping.as_ref()
    }

    pub fn is_rating(&self) -> bool {
        self.yardstick.is_some()
    }

    /// Returns the ranking after the finished phases, if the format has its own order.
    pub fn places(&self) -> Option<Places> {
        self.format.places(self.field, &self.history)
    }

    fn end(&self) -> u64 {
        let all = self.schedule.games();
        self.block
            .as_ref()
            .map_or(all, |pairs| all.min(2 * pairs.end))
    }

    fn is_decided(&self) -> bool {
        self.stopping.as_ref().is_some_and(Stopping::is_over)
    }

    fn begin_phase(&mut self) {
        let pairings = match (&self.yardstick, self.format) {
            (Some(yardstick), _) => yardstick.next(self.field, &self.history),
            (None, Format::Pairings { .. }) => Some(Pairings {
                own_openings: true,
                ..Pairings::new(std::mem::take(&mut self.listed), self.field.rounds)
            }),
            (None, format) => format.next(self.field, &self.history),
        };
        if let Some(pairings) = pairings {
            self.schedule.push(pairings);
            let games = self.schedule.last_phase().1;
            self.left = (games.end - games.start) / 2 * self.format.legs();
        }
    }

    fn tune(&mut self) {
        let Some(mut tuner) = self.tuner.take() else {
            return;
        };
        let games = self.schedule.last_phase().1;
        tuner.end_iteration(games.start / 2..games.end / 2, |pair| {
            let legs = [(0, Side::Black), (1, Side::White)];
            let won = legs.map(|(leg, side)| {
                let points = self.result(GameId::new(pair, leg)).map(|outcome| {
                    let [own, other] = [side, !side].map(|side| outcome.half_points(side));
                    f64::from(own.unwrap_or(0)) - f64::from(other.unwrap_or(0))
                });
                points.unwrap_or(0.0) / 2.0
            });
            won.iter().sum()
        });
        self.tuner = Some(tuner);
    }

    fn meetings(&self) -> Vec<Meeting> {
        let (pairings, games) = self.schedule.last_phase();
        let mut meetings: Vec<Meeting> = pairings
            .iter()
            .map(|&bots| Meeting {
                bots,
                ..Meeting::default()
            })
            .collect();
        let mut first = None;
        for (index, id) in games.map(GameId).enumerate() {
            let meeting = &mut meetings[index / 2 % pairings.len()];
            let sides = if id.leg() == 0 {
                [Side::Black, Side::White]
            } else {
                [Side::White, Side::Black]
            };
            let outcome = self.result(id);
            for (sum, side) in meeting.half_points.iter_mut().zip(sides) {
                let won = outcome.and_then(|outcome| outcome.half_points(side));
                *sum += u64::from(won.unwrap_or(0));
            }
            let own = outcome.and_then(|outcome| result(outcome, sides[0]));
            if id.leg() == 0 {
                first = own;
            } else if let (Some(one), Some(other)) = (first.take(), own) {
                meeting.pairs.add(one, other);
            }
        }
        meetings
    }
}

#[cfg(test)]
pub(crate) mod tests;
