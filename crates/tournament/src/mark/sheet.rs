use std::collections::BTreeMap;
use std::time::Duration;

use games::Side;
use message::{Message, message};

use super::evidence::OpponentEvidence;
use super::{Confirm, FirstFault, OpponentResult, Scale};
use referee::record::{GameId, GameRecord, Outcome, SafeText, Verdict};
use stats::{DurationSummary, Score, Wdl, decided};

/// The games of one bot against the opponents of a scale.
///
/// Games may be added in any order. They are counted in the order of the schedule, up to the game that decides the
/// verdict. So the rows do not depend on the number of workers, and later games do not change them.
#[derive(Clone, Debug)]
pub struct Sheet {
    bot: String,
    columns: Vec<OpponentSheet>,
}

#[derive(Clone, Debug)]
struct OpponentSheet {
    /// The index of the opponent; then the number of opponents.
    opponent: [u64; 2],
    /// Whether all games are played, because each game measures the accuracy.
    plays_all: bool,
    next: u64,
    arrived: BTreeMap<GameId, ArrivedGame>,
    row: OpponentResult,
    /// The evidence, if play continues until the verdict is certain.
    evidence: Option<OpponentEvidence>,
    thinking: DurationSummary,
    void_because: Option<Message>,
    /// How often the arena or the machine failed in void games: in the bot's turns, and in the opponent's turns.
    interruptions: [u32; 2],
}

#[derive(Clone, Debug)]
struct ArrivedGame {
    /// The result for the bot; the error is the reason why the game is void.
    outcome: Result<Wdl, Message>,
    fault: Option<&'static str>,
    first_fault: Option<FirstFault>,
    opponent_fault: Option<&'static str>,
    fingerprint: u64,
    thinking: DurationSummary,
    interruptions: [u32; 2],
}

impl Sheet {
    /// Creates an empty sheet for `games` games against each opponent. A round is one pair against each opponent.
    pub fn new(scale: &Scale, bot: &str, games: u64) -> Sheet {
        let opponents = scale.hurdles.len() as u64;
        let columns = (0..).zip(&scale.hurdles);
        let mut sheet = Sheet {
            bot: bot.to_owned(),
            columns: columns
                .map(|(opponent, hurdle)| OpponentSheet {
                    opponent: [opponent, opponents],
                    plays_all: scale.accuracy.is_some() && scale.confirm.is_none(),
                    next: 0,
                    arrived: BTreeMap::new(),
                    row: OpponentResult {
                        opponent: hurdle.opponent.clone(),
                        threshold: hurdle.threshold,
                        points: hurdle.points,
                        most: games,
                        confirm: scale.confirm.map(|certainty| Confirm {
                            level: certainty.level,
                            is_certain: false,
                        }),
                        ..OpponentResult::default()
                    },
                    evidence: scale
                        .confirm
                        .map(|certainty| OpponentEvidence::new(certainty, hurdle.threshold)),
                    thinking: DurationSummary::new(),
                    void_because: None,
                    interruptions: [0; 2],
                })
                .collect(),
        };
        sheet.columns.iter_mut().for_each(OpponentSheet::settle);
        sheet
    }

    pub fn add(&mut self, record: &GameRecord) {
        let Some(side) = Side::BOTH
            .into_iter()
            .find(|&side| record.player(side) == self.bot)
        else {
            return;
        };
        let opponent = record.player(!side);
        let column = self
            .columns
            .iter_mut()
            .find(|column| column.row.opponent == opponent);
        if let Some(column) = column {
            column
                .arrived
                .insert(record.id, ArrivedGame::new(record, side));
            column.advance();
        }
    }

    /// Returns the index of the opponent in this game, if the game was counted and is not void.
    pub fn counts(&self, record: &GameRecord) -> Option<usize> {
        if record.verdict.outcome() == Outcome::Void {
            return None;
        }
        let number = record.id.pair() / self.columns.len() as u64 * 2 + record.id.leg();
        let has = |column: &OpponentSheet| {
            let is_its = record.players.contains(&column.row.opponent);
            is_its && number < column.next
        };
        self.columns.iter().position(has)
    }

    pub fn settled(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter_map(|(number, column)| column.row.beaten.map(|_| number))
    }

    pub fn is_settled(&self) -> bool {
        self.columns
            .iter()
            .all(|column| column.row.beaten.is_some())
    }

    /// If void games left verdicts open, returns why they are void, and whether every failure came in this bot's turn.
    pub fn why_void(&self) -> Option<(Message, bool)> {
        let mut open = self
            .columns
            .iter()
            .filter(|column| column.row.beaten.is_none());
        let void: usize = open.clone().map(|column| column.row.void.len()).sum();
        let [own, other] = open.clone().fold([0, 0], |[own, other], column| {
            [
                own + column.interruptions[0],
                other + column.interruptions[1],
            ]
        });
        let why = open.find_map(|column| column.void_because.clone())?;
        let why = message!("{void} {void|game is|games are} void: {why}");
        if own == 0 || other > 0 {
            return Some((why, false));
        }
        let why = message!(
            "{why}; {own} times the arena was interrupted, each time while it waited for this bot: look at what the \
             bot does, or grade it again in a sandbox on a machine without other work"
        );
        Some((why, true))
    }

    pub fn rows(&self) -> Vec<OpponentResult> {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        self.columns
            .iter()
            .map(|column| OpponentResult {
                mean_ms: column.thinking.mean().map(ms),
                max_ms: column.thinking.max().map(ms),
                ..column.row.clone()
            })
            .collect()
    }
}

impl OpponentSheet {
    /// Counts finished games, in order, until the verdict is decided.
    fn advance(&mut self) {
        while self.row.beaten.is_none() {
            let [opponent, opponents] = self.opponent;
            let id = GameId::new(self.next / 2 * opponents + opponent, self.next % 2);
            let Some(game) = self.arrived.remove(&id) else {
                return;
            };
            self.next += 1;
            self.count(id, &game);
            self.settle();
        }
    }

    fn count(&mut self, id: GameId, game: &ArrivedGame) {
        if let Some(evidence) = &mut self.evidence {
            let outcome = game.outcome.as_ref().ok().copied();
            evidence.add(id, outcome, game.fingerprint);
        }
        let row = &mut self.row;
        match &game.outcome {
            Err(why) => {
                row.void.push(id.0);
                self.void_because.get_or_insert_with(|| why.clone());
                for (sum, count) in self.interruptions.iter_mut().zip(game.interruptions) {
                    *sum += count;
                }
                return;
            }
            Ok(Wdl::Win) => row.wins += 1,
            Ok(Wdl::Draw) => row.draws += 1,
            Ok(Wdl::Loss) => {
                row.losses += 1;
                row.lost.push((id.0, game.fault.map(str::to_owned)));
            }
        }
        if row.first_fault.is_none() {
            row.first_fault.clone_from(&game.first_fault);
        }
        if let Some(fault) = game.fault {
            *row.faults.entry(fault.to_owned()).or_default() += 1;
        }
        if let Some(fault) = game.opponent_fault {
            *row.opponent_faults.entry(fault.to_owned()).or_default() += 1;
        }
        self.thinking.merge(&game.thinking);
    }

    fn settle(&mut self) {
        let is_last = self.next == self.row.most;
        if self.plays_all && !is_last {
            return;
        }
        let row = &mut self.row;
        let score = Score::new(row.wins, row.draws, row.losses);
        let (Some(evidence), Some(confirm)) = (&self.evidence, &mut row.confirm) else {
            row.beaten = decided(&score, row.threshold, row.most);
            return;
        };
        let certain = evidence.verdict();
        confirm.is_certain = certain.is_some();
        row.beaten = certain.or_else(|| {
            // If play ends without certainty, the played games decide, and the verdict is marked as not certain.
            let most = match (is_last, evidence.is_exhausted()) {
                (true, _) => row.most,
                (false, true) => score.games(),
                (false, false) => return None,
            };
            decided(&score, row.threshold, most)
        });
    }
}

impl ArrivedGame {
    fn new(record: &GameRecord, side: Side) -> ArrivedGame {
        let word = |side| {
            record
                .verdict
                .fault_of(side)
                .map(referee::record::Fault::word)
        };
        // Rounds to microseconds, as in the record, so that a card that is made from the record is the same.
        let efforts = record.efforts(side);
        let walls = efforts.map(|(effort, _)| effort.wall.as_micros() as u64);
        let mut thinking: DurationSummary = walls.map(Duration::from_micros).collect();
        if let Some(late) = record.late(side) {
            thinking.reach(late);
        }
        ArrivedGame {
            outcome: match (record.verdict.outcome(), &record.verdict) {
                (Outcome::Void, Verdict::Void { why }) => Err(why.clone()),
                (Outcome::Void, _) => Err(Message::default()),
                (Outcome::Draw, _) => Ok(Wdl::Draw),
                (Outcome::Win(winner), _) if winner == side => Ok(Wdl::Win),
                (Outcome::Win(_) | Outcome::DoubleForfeit, _) => Ok(Wdl::Loss),
            },
            fault: word(side),
            first_fault: record.verdict.fault_of(side).map(|fault| FirstFault {
                game: record.id.0,
                side: side.to_string(),
                what: fault.into(),
                said: SafeText::default(),
            }),
            opponent_fault: word(!side),
            fingerprint: record.fingerprint(),
            thinking,
            interruptions: [side, !side].map(|side| record.interruptions[side.index()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::{Certainty, Hurdle};
    use games::{Game as Rules, Reason};
    use proptest::prelude::*;

    #[test]
    fn a_move_that_came_too_late_is_the_longest() {
        let [used, allowed] = [2, 1].map(Duration::from_secs);
        let mut late = game(0, 'c');
        late.verdict = Verdict::Forfeit {
            by: Side::Black,
            fault: referee::record::Fault::OutOfTime { used, allowed },
        };
        let thinking = ArrivedGame::new(&late, Side::Black).thinking;
        assert_eq!((thinking.max(), thinking.count()), (Some(used), 0));
    }

    /// Returns a game of `mine`, black in even games: `w`on, `d`rawn, `l`ost, `c`rashed, `o`pponent crashed, `v`oid.
    fn game(id: u64, result: char) -> GameRecord {
        let mine = if id.is_multiple_of(2) {
            Side::Black
        } else {
            Side::White
        };
        let by_discs = |winner| Verdict::Rules {
            winner,
            reason: Reason::DISCS,
        };
        let mut players = ["mine", "other"];
        players.rotate_left(mine.index());
        let verdict = match result {
            'w' => by_discs(Some(mine)),
            'd' => by_discs(None),
            'l' => by_discs(Some(!mine)),
            'c' | 'o' => Verdict::Forfeit {
                by: if result == 'c' { mine } else { !mine },
                fault: referee::record::Fault::ClosedOutput,
            },
            _ => Verdict::Void {
                why: "the machine stood still".into(),
            },
        };
        GameRecord::new(GameId(id), Rules::OTHELLO, players, verdict)
    }

    fn scale(threshold: f64) -> Scale {
        Scale {
            hurdles: vec![Hurdle {
                opponent: "other".to_owned(),
                threshold,
                points: 10.0,
            }],
            pass: 10.0,
            confirm: None,
            accuracy: None,
        }
    }

    fn sheet(threshold: f64, most: u64) -> Sheet {
        Sheet::new(&scale(threshold), "mine", most)
    }

    fn row(sheet: &Sheet) -> OpponentResult {
        sheet.rows().remove(0)
    }

    #[test]
    fn a_void_game_that_could_matter_leaves_the_verdict_open() {
        let mut sheet = sheet(0.5, 2);
        sheet.add(&game(0, 'v'));
        sheet.add(&game(1, 'l'));
        assert!(!sheet.is_settled());
        let (why, _) = sheet.why_void().expect("a void game");
        assert_eq!(why, "1 game is void: the machine stood still");
    }

    #[test]
    fn failures_in_the_turns_of_one_bot_alone_are_reported() {
        for (interruptions, named) in [([5, 0], true), ([5, 1], false), ([0, 5], false)] {
            let mut sheet = sheet(0.5, 2);
            sheet.add(&GameRecord {
                interruptions,
                ..game(0, 'v')
            });
            let (why, only_its_turns) = sheet.why_void().expect("a void game");
            assert_eq!(only_its_turns, named, "{interruptions:?}");
            assert_eq!(why.to_string().contains("5 times"), named, "{why}");
        }
    }

    fn fresh(id: u64, result: char) -> GameRecord {
        GameRecord {
            opening: vec![games::Move::Pass; id as usize],
            ..game(id, result)
        }
    }

    /// A row of `tests/cases/mark-sheets.csv`. Each letter of `results` is a game, in the order of the schedule.
    #[derive(Debug, serde::Deserialize)]
    struct Case {
        threshold: f64,
        most: u64,
        /// The number of repeated pairs in a row that ends play without certainty; empty if no certainty is needed.
        lap: Option<u64>,
        fresh: bool,
        results: String,
        /// The number of games after which the verdict is decided.
        settled: u64,
        beaten: bool,
        /// The expected wins. If this or `how` is empty, it is not checked.
        wins: Option<u64>,
        faults: u64,
        void: Option<u64>,
        borderline: bool,
        how: Option<String>,
    }

    #[test]
    fn play_ends_as_soon_as_the_verdict_is_settled() {
        for case in cases::cases::<Case>("mark-sheets") {
            let mut scale = scale(case.threshold);
            scale.confirm = case.lap.map(|lap| Certainty { level: 0.95, lap });
            let mut sheet = Sheet::new(&scale, "mine", case.most);
            for (id, result) in (0..).zip(case.results.chars()) {
                assert_eq!(
                    sheet.is_settled(),
                    id >= case.settled,
                    "before {id}: {case:?}"
                );
                sheet.add(&if case.fresh {
                    fresh(id, result)
                } else {
                    game(id, result)
                });
            }
            assert_eq!(sheet.settled().collect::<Vec<_>>(), [0], "{case:?}");
            let row = row(&sheet);
            assert_eq!(row.beaten, Some(case.beaten), "{case:?}");
            assert_eq!(row.wins, case.wins.unwrap_or(row.wins), "{case:?}");
            assert_eq!(row.fault_count(), case.faults, "{case:?}");
            assert_eq!(row.void, Vec::from_iter(case.void), "{case:?}");
            assert_eq!(row.is_borderline(), case.borderline, "{case:?}");
            let how = row.how_settled().to_string();
            assert_eq!(how, *case.how.as_ref().unwrap_or(&how), "{case:?}");
        }
    }

    #[test]
    fn a_lost_game_names_its_fault_and_a_won_one_the_opponents() {
        let mut sheet = sheet(0.55, 20);
        for (id, result) in (0..).zip("lllcollo".chars()) {
            sheet.add(&game(id, result));
        }
        let (row, fault) = (row(&sheet), "closed-output".to_owned());
        assert_eq!(row.lost[3], (3, Some(fault.clone())));
        assert_eq!(row.opponent_faults, [(fault, 2)].into());
    }

    proptest! {
        #[test]
        fn the_order_of_arrival_changes_nothing(
            results in prop::collection::vec(prop::sample::select(vec!['w', 'd', 'l', 'c', 'v']), 1..30),
            percent in 0..=100u32,
            order in any::<prop::sample::Index>(),
        ) {
            let most = results.len() as u64;
            let mut in_order = sheet(f64::from(percent) / 100.0, most);
            let mut turned = in_order.clone();
            let games: Vec<GameRecord> = (0..).zip(&results).map(|(id, &result)| game(id, result)).collect();
            let start = order.index(games.len());
            for place in 0..games.len() {
                in_order.add(&games[place]);
                turned.add(&games[(start + place) % games.len()]);
            }
            prop_assert_eq!(row(&in_order), row(&turned));
        }
    }
}
