//! Stages as a run: one game per stage, recorded and resumed like those of any other run, and their results.

use std::path::Path;
use std::time::Duration;

use super::{Stage, read};
use games::gomoku::GomokuBoard;
use games::{Move, Rules, Side};
use message::{Message, message};
use referee::bot::Launch;
use referee::record::{GameId, GameRecord, Outcome, Ply, Verdict};
use run::failures;
use run::{Event, Run, RunError, RunFile, StagesFile};
use tournament::{
    Catalogue, Contestant, Format, Opening, Problem, StageRules, Tournament, TournamentFile, people,
};

#[derive(Clone, Debug)]
pub struct StageSet {
    pub stages: Vec<Stage>,
    /// The attacker (black) and the defender.
    pub contestants: [Contestant; 2],
    pub has_person: bool,
}

impl StageSet {
    pub fn of_run(file: &RunFile, catalogue: &Catalogue) -> Result<StageSet, RunError> {
        let kept = file.stages.as_ref();
        let texts = kept.map(|stages| stages.texts.as_slice());
        let stages = texts.unwrap_or_default().iter();
        let stages = stages
            .map(|text| read(text, "stage"))
            .collect::<Result<Vec<_>, _>>()?;
        let bots = file.tournament.bots(catalogue, &file.folder)?;
        StageSet::new(stages, bots)
    }

    /// Makes a set for these bots: the attacker, and the defender; without a second bot, a person defends.
    pub fn new(stages: Vec<Stage>, bots: Vec<Contestant>) -> Result<StageSet, RunError> {
        let mut bots = bots.into_iter();
        let Some(attacker) = bots.next() else {
            return Err(Problem::new("there is no bot to play black")
                .help("name a bot: arena stages BOT")
                .into());
        };
        let defender = bots.next();
        Ok(StageSet {
            stages,
            has_person: defender.is_none(),
            // A person has no process and no time limit.
            contestants: [
                attacker,
                defender.unwrap_or_else(|| Contestant::new(people::DEFENDER, Launch::default())),
            ],
        })
    }

    pub fn bots(&self) -> &[Contestant] {
        &self.contestants[..if self.has_person { 1 } else { 2 }]
    }

    pub fn file(&self) -> StagesFile {
        StagesFile {
            texts: self.stages.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns a tournament with a game per stage. Name, concurrency and seed come from `file`.
    pub fn tournament(&self, file: &TournamentFile) -> Tournament {
        let number = |value: Option<i64>, default| value.map_or(default, |value| value as usize);
        let workers = number(file.concurrency.as_ref().map(|value| *value.get_ref()), 1);
        let name = file.name.as_ref().map(|name| name.get_ref().clone());
        let name = name.unwrap_or_else(|| format!("{}-stages", self.contestants[0].name));
        let (game, rounds) = (self.stages[0].game(), self.stages.len() as u64);
        Tournament {
            openings: self
                .stages
                .iter()
                .map(|stage| Opening {
                    moves: stage.given(),
                })
                .collect(),
            stages: self
                .stages
                .iter()
                .map(|stage| StageRules {
                    game: stage.game(),
                    // The game ends after black's last move.
                    most_plies: 2 * stage.most_moves() - 1,
                })
                .collect(),
            concurrency: if self.has_person { 1 } else { workers },
            seed: file.seed.as_ref().map_or(1, |seed| *seed.get_ref()),
            ..Tournament::new(
                name,
                game,
                Format::Stages,
                rounds,
                self.contestants.to_vec(),
            )
        }
    }
}

pub fn recorded(run: &Run) -> Result<Vec<Option<Attempt>>, RunError> {
    let mut attempts = vec![None; run.tournament().openings.len()];
    run.each(|record| keep(&mut attempts, record, run.folder()))?;
    Ok(attempts)
}

/// Plays the remaining stages. Calls `on` with all attempts, first at once and then after each stage.
pub fn play(
    run: &mut Run,
    attempts: &mut [Option<Attempt>],
    mut on: impl FnMut(&[Option<Attempt>]),
) -> Result<(), RunError> {
    on(attempts);
    let folder = run.folder().to_owned();
    run.play(|event, _| {
        if let Event::Finished { record } = event {
            keep(attempts, record, &folder);
            on(attempts);
        }
    })
}

fn keep(attempts: &mut [Option<Attempt>], record: &GameRecord, folder: &Path) {
    if let Some(place) = attempts.get_mut(record.id.pair() as usize) {
        *place = Some(Attempt::of(record, folder));
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub game: GameId,
    /// The half-moves after the stage's position.
    pub plies: Vec<Ply>,
    /// The verdict; a draw if black's moves or the squares ran out.
    pub verdict: Verdict,
    pub stderr: String,
}

impl Attempt {
    pub fn of(record: &GameRecord, run: &Path) -> Attempt {
        let stderr = record.verdict.fault_of(Side::Black);
        let stderr = stderr.map(|_| failures::stderr(run, record.id, Side::Black));
        Attempt {
            game: record.id,
            plies: record.plies.clone(),
            verdict: record.verdict.clone(),
            stderr: stderr.unwrap_or_default(),
        }
    }

    /// Returns whether black made five, or the defender resigned or failed.
    pub fn is_passed(&self) -> bool {
        self.verdict.outcome() == Outcome::Win(Side::Black)
    }

    pub fn is_void(&self) -> bool {
        self.verdict.outcome() == Outcome::Void
    }

    pub fn moves(&self) -> usize {
        self.plies.len().div_ceil(2)
    }

    pub fn line(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.played).collect()
    }

    /// Returns black's longest and mean move time; zero without moves.
    pub fn times(&self) -> [Duration; 2] {
        let times = self.plies.iter().step_by(2);
        let times = times.filter_map(|ply| Some(ply.effort?.wall));
        let (mut longest, mut sum, mut moves) = (Duration::ZERO, Duration::ZERO, 0);
        for time in times {
            (longest, sum, moves) = (longest.max(time), sum + time, moves + 1);
        }
        [longest, sum / moves.max(1)]
    }

    pub fn word(&self) -> &'static str {
        match &self.verdict {
            _ if self.is_passed() => "passed",
            Verdict::Forfeit { fault, .. } => fault.word(),
            Verdict::Void { .. } => "void",
            _ => "not passed",
        }
    }

    /// Explains why black failed, or passed without a five; `None` if black made five.
    pub fn remark(&self, stage: &Stage) -> Option<Message> {
        Some(match &self.verdict {
            Verdict::Rules { winner, reason } => match winner {
                Some(Side::Black) => return None,
                Some(Side::White) => message!("white wins ({})", Message::from(reason.word())),
                None => "the board is full".into(),
            },
            Verdict::Resigned(side) => message!("{side} resigned"),
            Verdict::Forfeit { by, fault } => {
                let move_number = self.plies.iter().skip(by.index()).step_by(2).count() + 1;
                message!("{by} {fault} (its move {move_number})")
            }
            Verdict::BothFailed([black, white]) => message!("black {black}; white {white}"),
            Verdict::Adjudicated { .. } => {
                let none = message!("no five in {} moves", stage.most_moves());
                let known = stage.shortest();
                let known = known.map(|shortest| message!("{shortest} are enough"));
                Message::list(std::iter::once(none).chain(known))
            }
            Verdict::Void { why } => why.clone(),
        })
    }

    pub fn board(&self, stage: &Stage) -> GomokuBoard {
        let mut board = stage.board.clone();
        let mut moves = self.plies.iter();
        while moves
            .next()
            .is_some_and(|ply| board.play(ply.played).is_ok())
        {}
        board
    }

    /// Returns the position before each of black's moves.
    pub fn turns(&self, stage: &Stage) -> Vec<GomokuBoard> {
        let mut board = stage.board.clone();
        let mut turns = Vec::new();
        for ply in &self.plies {
            if board.side_to_move() == Side::Black {
                turns.push(board.clone());
            }
            if board.play(ply.played).is_err() {
                break;
            }
        }
        turns
    }
}
