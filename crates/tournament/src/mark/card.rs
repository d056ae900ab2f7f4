use std::collections::{BTreeMap, BTreeSet};

use message::{Message, message};
use serde::{Deserialize, Serialize};

use super::Accuracy;
use referee::record::SafeText;
use schemars::JsonSchema;
use stats::{Interval, Score, Z_95, reach, wilson};

/// All results of one graded bot. As JSON it is `grade.json`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Card {
    /// The name of the suite.
    pub suite: String,
    /// The game, its rules and its board size in words.
    #[serde(serialize_with = "message::in_english")]
    #[schemars(with = "String")]
    pub game: Message,
    /// The rules of the suite in words: games, time, illegal answers.
    #[serde(serialize_with = "message::in_english")]
    #[schemars(with = "String")]
    pub conditions: Message,
    /// The name of the hand-in.
    pub bot: String,
    /// SHA-256 of the files of the hand-in.
    pub submission_sha256: String,
    /// SHA-256 of the suite: its text with all options, openings and opponents' files.
    pub suite_sha256: String,
    #[serde(flatten)]
    pub state: GradeState,
    /// The points that are needed to pass.
    pub pass: f64,
    /// One row per opponent, weakest first.
    pub rows: Vec<OpponentResult>,
    /// The points for accurate moves; only in a suite that gives any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<Accuracy>,
    /// The version of the arena.
    pub arena: String,
    /// The texts above that have values, in parts: the English text with its gaps, and the values. Pages in other
    /// languages are made from them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<MessageParts>")]
    pub messages: Vec<Message>,
}

/// The schema of a message with values.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct MessageParts {
    /// The English text with a gap for each value, such as `{why}`.
    text: String,
    /// The values by the names of their gaps: a text for all languages, or a message in parts again.
    #[schemars(skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, MessageValue>,
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum MessageValue {
    Text(String),
    Message(MessageParts),
}

#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum GradeState {
    /// Games are missing.
    Unfinished,
    /// There is a mark.
    Graded,
    /// The bot could not play, by its own fault: zero points.
    Unusable {
        /// The reason.
        #[serde(serialize_with = "message::in_english")]
        #[schemars(with = "String")]
        why: Message,
        /// The end of the bot's standard error.
        #[schemars(with = "String")]
        stderr: SafeText,
    },
    /// The hand-in is not a bot that can be started. There is no mark, and a person decides.
    NotABot {
        /// The reason.
        #[serde(serialize_with = "message::in_english")]
        #[schemars(with = "String")]
        why: Message,
        /// What the author can do.
        #[serde(serialize_with = "message::in_english")]
        #[schemars(with = "String")]
        fix: Message,
    },
    /// The arena or the machine failed: there is no mark.
    NotGraded {
        /// The reason.
        #[serde(serialize_with = "message::in_english")]
        #[schemars(with = "String")]
        why: Message,
        /// Whether all failures happened in games while the arena waited for this bot. Then a person should look at the
        /// bot, because it may have caused them.
        #[serde(default)]
        only_its_turns: bool,
    },
}

/// The result against one opponent.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct OpponentResult {
    /// The name of the opponent.
    pub opponent: String,
    /// The verdict; null while it is open.
    pub beaten: Option<bool>,
    /// Games won; void games do not count.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost, including forfeits and games in which both bots failed.
    pub losses: u64,
    /// The most games that can count.
    pub most: u64,
    /// The share of all points that is needed to beat the opponent, from 0 to 1.
    pub threshold: f64,
    /// The points of the mark for beating the opponent.
    pub points: f64,
    /// The number of the bot's faults, by keyword.
    pub faults: BTreeMap<String, u64>,
    /// The number of faults of the opponent, by keyword.
    pub opponent_faults: BTreeMap<String, u64>,
    /// Mean wall time of the bot's moves, in ms; null without a move.
    pub mean_ms: Option<f64>,
    /// The longest of these moves, and of the moves that came too late, in ms.
    pub max_ms: Option<f64>,
    /// The numbers of the lost games, each with the bot's fault if there was one.
    pub lost: Vec<(u64, Option<String>)>,
    /// The numbers of the games that do not count because the arena or the machine failed.
    pub void: Vec<u64>,
    /// The first game with a fault of the bot.
    #[serde(default)]
    pub first_fault: Option<FirstFault>,
    /// The certainty of the verdict, if the suite has `confirm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
}

/// The certainty of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Confirm {
    /// The wanted certainty, from 0 to 1.
    pub level: f64,
    /// Whether the wanted certainty is reached.
    pub is_certain: bool,
}

/// A game with a fault.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct FirstFault {
    /// The number of the game in the run.
    pub game: u64,
    /// The bot's side: `black` or `white`.
    pub side: String,
    /// What the bot did, in words.
    #[serde(serialize_with = "message::in_english")]
    #[schemars(with = "String")]
    pub what: Message,
    /// The end of the bot's standard error in that game, such as a traceback.
    #[schemars(with = "String")]
    pub said: SafeText,
}

/// A verdict needs a person's decision if the chance of the same verdict in new games is lower than this.
pub const BORDERLINE: f64 = 0.9;

impl OpponentResult {
    pub fn games(&self) -> u64 {
        self.score().games()
    }

    pub fn score(&self) -> Score {
        Score::new(self.wins, self.draws, self.losses)
    }

    pub fn interval(&self) -> Interval {
        wilson(&self.score(), Z_95)
    }

    /// Returns the chance of the same verdict if all games were played again with other openings and seeds. `None` if
    /// there is no verdict, or if the number of games depends on their results.
    pub fn same_again(&self) -> Option<f64> {
        if self.confirm.is_some() {
            return None;
        }
        let reached = reach(&self.score(), self.threshold, self.most);
        self.beaten
            .map(|beaten| if beaten { reached } else { 1.0 - reached })
    }

    pub fn is_borderline(&self) -> bool {
        match self.confirm {
            Some(confirm) => self.beaten.is_some() && !confirm.is_certain,
            None => self.same_again().is_some_and(|chance| chance < BORDERLINE),
        }
    }

    pub fn fault_count(&self) -> u64 {
        self.faults.values().sum()
    }

    pub fn earned(&self) -> f64 {
        if self.beaten == Some(true) {
            self.points
        } else {
            0.0
        }
    }

    /// Returns the points that are needed to beat the opponent, rounded up to half points, such as 11 of 20.
    pub fn needed(&self) -> f64 {
        (2.0 * (self.threshold - 1e-9) * self.most as f64).ceil() / 2.0
    }

    pub fn how_settled(&self) -> Message {
        let (games, most) = (self.games(), self.most);
        let void = match self.void.len() {
            0 => Message::from(""),
            void => message!(", {void} void"),
        };
        match (self.beaten, self.confirm) {
            (None, _) => message!("not decided: {games} of {most} games{void}"),
            (Some(_), Some(confirm)) => {
                let level = percent(confirm.level);
                match (confirm.is_certain, games + self.void.len() as u64 == most) {
                    (true, _) => {
                        message!("certain at {level} after {games} {games|game|games}{void}")
                    }
                    (false, true) => message!(
                        "not certain at {level} after all {most} {most|game|games}{void}; no more are played"
                    ),
                    (false, false) => message!(
                        "not certain at {level} after {games} games{void}: further games only repeat earlier ones"
                    ),
                }
            }
            (Some(_), None) if games == most => message!("all {most} {most|game|games} played"),
            (Some(true), None) => message!(
                "decided early, after {games} of {most}{void}: losing the rest could not change the verdict"
            ),
            (Some(false), None) => message!(
                "decided early, after {games} of {most}{void}: winning the rest could not change the verdict"
            ),
        }
    }
}

impl Card {
    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.rows.iter().map(OpponentResult::games).sum()
    }

    fn texts(&mut self) -> impl Iterator<Item = &mut Message> {
        let reasons = match &mut self.state {
            GradeState::Unusable { why, .. } | GradeState::NotGraded { why, .. } => vec![why],
            GradeState::NotABot { why, fix } => vec![why, fix],
            GradeState::Unfinished | GradeState::Graded => Vec::new(),
        };
        let faults = self.rows.iter_mut();
        let faults = faults.filter_map(|row| Some(&mut row.first_fault.as_mut()?.what));
        let texts = [&mut self.game, &mut self.conditions].into_iter();
        texts.chain(reasons).chain(faults)
    }

    /// Returns the card with its messages in parts, for a file.
    #[must_use]
    pub fn in_parts(&self) -> Card {
        let mut card = self.clone();
        let messages: BTreeSet<Message> = card.texts().map(|text| text.clone()).collect();
        card.messages = messages.into_iter().filter(Message::has_values).collect();
        card
    }

    /// Restores a card that was read from a file: texts that the file also has in parts become messages again.
    #[must_use]
    pub fn from_parts(mut self) -> Card {
        let messages = std::mem::take(&mut self.messages).into_iter();
        let parts: BTreeMap<String, Message> = messages
            .map(|message| (message.to_string(), message))
            .collect();
        for text in self.texts() {
            if let Some(message) = parts.get(&text.to_string()) {
                *text = message.clone();
            }
        }
        self
    }

    pub fn earned(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(OpponentResult::earned).sum();
        rows + self.accuracy.as_ref().map_or(0.0, Accuracy::earned)
    }

    pub fn possible(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(|row| row.points).sum();
        rows + self
            .accuracy
            .as_ref()
            .map_or(0.0, |accuracy| accuracy.points)
    }

    /// Returns whether the pass depends on the accuracy's error: the bot passes at only one end of the interval.
    pub fn accuracy_decides(&self) -> bool {
        let accuracy = self.accuracy.as_ref();
        accuracy.is_some_and(|accuracy| {
            let others = self.earned() - accuracy.earned();
            let passes = |points: f64| others + points >= self.pass - 1e-9;
            accuracy
                .interval()
                .is_some_and(|ends| passes(ends[0]) != passes(ends[1]))
        })
    }

    pub fn plan(&self) -> Vec<(u64, Option<f64>)> {
        let level = |row: &OpponentResult| row.confirm.map(|confirm| confirm.level);
        self.rows.iter().map(|row| (row.most, level(row))).collect()
    }

    /// Returns whether the games of `earlier`, a card of the same bot and suite, are the first games of this card.
    pub fn plays_on_from(&self, earlier: &Card) -> bool {
        let (plan, earlier) = (self.plan(), earlier.plan());
        let has_room = |((most, level), (before, _)): (&(u64, Option<f64>), &(u64, _))| {
            level.is_some() && most >= before
        };
        plan == earlier || plan.iter().zip(&earlier).all(has_room)
    }

    /// Describes how this card differs from `counted`, which was counted from the recorded games of the same bot and
    /// suite. Two cards that are not `Graded` never differ, because games do not show whether the bot is unusable.
    pub fn contradicts(&self, counted: &Card) -> Option<Message> {
        if self.state != GradeState::Graded && counted.state != GradeState::Graded {
            return None;
        }
        let results = |card: &Card| -> Vec<_> {
            let rows = card.rows.iter();
            rows.map(|row| {
                (
                    row.opponent.clone(),
                    row.beaten,
                    row.score(),
                    row.void.clone(),
                )
            })
            .collect()
        };
        let marks = |card: &Card| [card.earned(), card.possible(), card.pass];
        let near = |(one, other): (f64, f64)| (one - other).abs() < 1e-9;
        let is_same = self.state == counted.state
            && results(self) == results(counted)
            && marks(self).into_iter().zip(marks(counted)).all(near);
        (!is_same).then(|| {
            let [said, counted] = [self, counted].map(Card::headline);
            message!("grade.json says \"{said}\", and its games say \"{counted}\"")
        })
    }

    pub fn beaten(&self) -> usize {
        let beaten = self.rows.iter().filter(|row| row.beaten == Some(true));
        beaten.count()
    }

    pub fn can_play(&self) -> bool {
        !matches!(
            self.state,
            GradeState::Unusable { .. } | GradeState::NotABot { .. }
        )
    }

    /// Returns whether the card stays valid as long as neither the hand-in nor the suite changes.
    pub fn is_final(&self) -> bool {
        matches!(self.state, GradeState::Graded | GradeState::Unusable { .. })
    }

    /// Returns whether the points reach the pass mark; `false` unless the bot is `Graded`.
    pub fn passed(&self) -> bool {
        self.state == GradeState::Graded && self.earned() >= self.pass - 1e-9
    }

    /// Returns the points for a gradebook; `None` if there is no mark.
    pub fn mark(&self) -> Option<f64> {
        match self.state {
            GradeState::Graded => Some(self.earned()),
            GradeState::Unusable { .. } => Some(0.0),
            GradeState::Unfinished | GradeState::NotABot { .. } | GradeState::NotGraded { .. } => {
                None
            }
        }
    }

    pub fn headline(&self) -> Message {
        let (earned, possible) = (points(self.earned()), points(self.possible()));
        match &self.state {
            GradeState::Unfinished => {
                Message::from("not graded yet: not all games have been played")
            }
            GradeState::NotGraded { why, .. } => {
                message!("not graded (this does not mean zero): {why}")
            }
            GradeState::NotABot { why, fix } => message!("not graded: {why}: {fix}"),
            GradeState::Unusable { why, .. } => message!("0 of {possible} points: {why}"),
            GradeState::Graded => message!(
                "{earned} of {possible} points, {beaten} of {all} opponents beaten: {verdict} ({pass} needed)",
                beaten = self.beaten(),
                all = self.rows.len(),
                verdict = Message::from(if self.passed() {
                    "passed"
                } else {
                    "not passed"
                }),
                pass = points(self.pass),
            ),
        }
    }
}

pub fn percent(level: f64) -> String {
    format!("{} %", points(100.0 * level))
}

pub fn points(points: f64) -> String {
    let hundredths = (points * 100.0).round() / 100.0;
    format!("{hundredths}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(beaten: Option<bool>) -> OpponentResult {
        OpponentResult {
            beaten,
            points: 7.5,
            most: 20,
            threshold: 0.55,
            ..OpponentResult::default()
        }
    }

    fn card(state: GradeState, beaten: &[Option<bool>]) -> Card {
        Card {
            suite: String::new(),
            game: "".into(),
            conditions: "".into(),
            bot: String::new(),
            submission_sha256: String::new(),
            suite_sha256: String::new(),
            state,
            pass: 15.0,
            rows: beaten.iter().map(|&beaten| row(beaten)).collect(),
            accuracy: None,
            arena: String::new(),
            messages: Vec::new(),
        }
    }

    #[test]
    fn a_card_from_a_file_can_be_shown_in_every_language() {
        let why = message!("the bot did not start: {}", message!("exit status {}", 1));
        let mut card = card(
            GradeState::Unusable {
                why,
                stderr: "".into(),
            },
            &[Some(false)],
        );
        card.rows[0].first_fault = Some(FirstFault {
            game: 3,
            side: "black".into(),
            what: message!("used {} ms", 7),
            said: "".into(),
        });
        let json = serde_json::to_value(card.in_parts()).expect("JSON");
        assert_eq!(json["why"], "the bot did not start: exit status 1");
        let read: Card = serde_json::from_value(json).expect("a card");
        assert_eq!(read.from_parts(), card);
    }

    #[test]
    fn more_games_are_played_on_where_the_verdict_must_be_certain() {
        let of = |most, level: Option<f64>| {
            let mut card = card(GradeState::Unfinished, &[None]);
            let is_certain = false;
            card.rows[0].most = most;
            card.rows[0].confirm = level.map(|level| Confirm { level, is_certain });
            card
        };
        let (now, fixed) = (of(40, Some(0.95)), of(40, None));
        assert!(now.plays_on_from(&of(20, None)) && fixed.plays_on_from(&fixed));
        assert!(!now.plays_on_from(&of(60, None)) && !fixed.plays_on_from(&of(20, None)));
    }

    #[test]
    fn a_failure_of_the_arena_does_not_mean_zero() {
        let why = "the machine stood still".into();
        let card = card(
            GradeState::NotGraded {
                why,
                only_its_turns: false,
            },
            &[Some(true), None],
        );
        assert_eq!((card.mark(), card.passed()), (None, false));
        assert!(
            card.headline().to_string().contains("does not mean zero"),
            "{}",
            card.headline()
        );
    }

    #[test]
    fn points_are_those_of_the_beaten() {
        let card = card(GradeState::Graded, &[Some(true), Some(false), Some(true)]);
        assert_eq!(card.mark(), Some(15.0));
        assert!(card.passed());
        assert_eq!(
            card.headline(),
            "15 of 22.5 points, 2 of 3 opponents beaten: passed (15 needed)"
        );
    }

    #[test]
    fn eleven_points_of_twenty_are_55_per_cent() {
        assert!((row(None).needed() - 11.0).abs() < 1e-12);
        let odd = OpponentResult {
            most: 2,
            ..row(None)
        };
        assert!((odd.needed() - 1.5).abs() < 1e-12, "a win and a draw");
    }
}
