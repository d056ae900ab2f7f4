//! Stages as a run: one game per stage, recorded and resumed like the games of any other run; and their results.

use std::path::Path;
use std::time::Duration;

use super::{Proof, Stage, read};
use games::{Board, Move, Rules, Side};
use message::{Message, message};
use referee::bot::Launch;
use referee::record::{GameId, GameRecord, Outcome, Ply, Verdict};
use run::failures;
use run::report::StageResults;
use run::{Event, Run, RunError, RunFile, StagesFile};
use tournament::{
    Catalogue, Contestant, Format, Opening, Problem, StageRules, Tournament, TournamentFile, people,
};

#[derive(Clone, Debug)]
pub struct StageSet {
    pub stages: Vec<Stage>,
    /// The attacker, which is the side to move, and the defender.
    pub contestants: [Contestant; 2],
    pub person: Option<usize>,
}

impl StageSet {
    pub fn of_run(file: &RunFile, catalogue: &Catalogue) -> Result<StageSet, RunError> {
        let kept = file.stages.as_ref();
        let texts = kept.map(|stages| stages.texts.as_slice());
        let stages = texts.unwrap_or_default().iter();
        let stages = stages
            .map(|text| read(text, "stage"))
            .collect::<Result<Vec<_>, _>>()?;
        StageSet::new(stages, &file.tournament, catalogue, &file.folder)
    }

    /// Makes a set for the bots of the file: the attacker and the defender. Without a second bot, a person defends.
    pub fn new(
        stages: Vec<Stage>,
        file: &TournamentFile,
        catalogue: &Catalogue,
        folder: &Path,
    ) -> Result<StageSet, RunError> {
        let mut bots = file.bots(catalogue, folder)?.into_iter();
        let Some(attacker) = bots.next() else {
            return Err(Problem::new("there is no bot to play black")
                .help("name a bot: arena stages BOT")
                .into());
        };
        let defender = bots.next();
        let attacks = people::people(file).is_some_and(|people| people[0]);
        Ok(StageSet {
            stages,
            person: if attacks {
                Some(0)
            } else {
                defender.is_none().then_some(1)
            },
            // A person has no process and no time limit.
            contestants: [
                attacker,
                defender.unwrap_or_else(|| Contestant::new(people::DEFENDER, Launch::default())),
            ],
        })
    }

    pub fn bots(&self) -> &[Contestant] {
        match self.person {
            None => &self.contestants,
            Some(person) => std::slice::from_ref(&self.contestants[1 - person]),
        }
    }

    pub fn is_blacks(&self) -> bool {
        self.stages
            .iter()
            .all(|stage| stage.attacker() == Side::Black)
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
                    attacker: stage.attacker(),
                    // The game ends after the attacker's last move.
                    most_plies: 2 * stage.most_moves() - 1,
                })
                .collect(),
            concurrency: if self.person.is_some() { 1 } else { workers },
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

pub fn recorded(run: &Run, set: &StageSet) -> Result<Vec<Option<Attempt>>, RunError> {
    let mut attempts = vec![None; set.stages.len()];
    run.each(|record| keep(&mut attempts, set, record, run.folder()))?;
    Ok(attempts)
}

/// Plays the remaining stages. Calls `on` with all attempts, first at once and then after each stage.
pub fn play(
    run: &mut Run,
    set: &StageSet,
    attempts: &mut [Option<Attempt>],
    mut on: impl FnMut(&[Option<Attempt>]),
) -> Result<(), RunError> {
    on(attempts);
    let folder = run.folder().to_owned();
    run.play(|event, _| {
        if let Event::Finished { record } = event {
            keep(attempts, set, record, &folder);
            on(attempts);
        }
    })
}

fn keep(attempts: &mut [Option<Attempt>], set: &StageSet, record: &GameRecord, folder: &Path) {
    let index = record.id.pair() as usize;
    if let (Some(place), Some(stage)) = (attempts.get_mut(index), set.stages.get(index)) {
        *place = Some(Attempt::of(record, stage, folder));
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub game: GameId,
    pub plies: Vec<Ply>,
    /// The verdict; a draw if the attacker has used all its moves, or if the board is full.
    pub verdict: Verdict,
    pub stderr: String,
    attacker: Side,
    may_be_drawn: bool,
    walls: Vec<Duration>,
}

impl Attempt {
    pub fn of(record: &GameRecord, stage: &Stage, run: &Path) -> Attempt {
        let attacker = stage.attacker();
        let stderr = record.verdict.fault_of(attacker);
        let stderr = stderr.map(|_| failures::stderr(run, record.id, attacker));
        let efforts = record.efforts(attacker);
        Attempt {
            game: record.id,
            plies: record.plies.clone(),
            verdict: record.verdict.clone(),
            stderr: stderr.unwrap_or_default(),
            attacker,
            may_be_drawn: stage.may_be_drawn(),
            walls: efforts.map(|(effort, _)| effort.wall).collect(),
        }
    }

    /// Returns whether the attacker won, or reached a draw in a stage in which a draw is enough.
    pub fn is_passed(&self) -> bool {
        match self.verdict.outcome() {
            Outcome::Win(side) => side == self.attacker,
            Outcome::Draw => self.may_be_drawn,
            Outcome::DoubleForfeit | Outcome::Void => false,
        }
    }

    pub fn is_void(&self) -> bool {
        self.verdict.outcome() == Outcome::Void
    }

    pub fn moves(&self) -> usize {
        self.walls.len()
    }

    pub fn line(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.played).collect()
    }

    pub fn times(&self) -> [Duration; 2] {
        let longest = self.walls.iter().max().copied().unwrap_or_default();
        let sum: Duration = self.walls.iter().sum();
        [longest, sum / (self.walls.len() as u32).max(1)]
    }

    pub fn results(&self, stage: &Stage) -> StageResults {
        let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let [longest, mean] = self.times();
        StageResults {
            stage: stage.name.clone(),
            game: self.game.0,
            win_plies: stage.win.as_ref().map(|win| win.plies),
            score: match stage.answer.as_ref().map(|answer| answer.proof) {
                Some(Proof::Discs(lead)) => Some(lead),
                _ => None,
            },
            most_moves: stage.most_moves(),
            passed: self.is_passed(),
            result: self.word(),
            remark: self.remark(stage),
            missed: None,
            moves: self.moves(),
            longest_ms: ms(longest),
            mean_ms: ms(mean),
            line: self.line().iter().map(ToString::to_string).collect(),
        }
    }

    pub fn word(&self) -> &'static str {
        match &self.verdict {
            _ if self.is_passed() => "passed",
            Verdict::Forfeit { fault, .. } => fault.word(),
            Verdict::Void { .. } => "void",
            _ => "not passed",
        }
    }

    /// Explains why the attacker failed, or passed without a win by the rules; `None` after a win by the rules.
    pub fn remark(&self, stage: &Stage) -> Option<Message> {
        Some(match &self.verdict {
            Verdict::Rules { winner, reason } => match winner {
                Some(side) if *side == self.attacker => return None,
                Some(side) => message!("{side} wins ({})", Message::from(reason.word())),
                None => "drawn".into(),
            },
            Verdict::Resigned(side) => message!("{side} resigned"),
            Verdict::Forfeit { by, fault } => {
                let earlier = usize::from(*by != self.attacker);
                let move_number = self.plies.iter().skip(earlier).step_by(2).count() + 1;
                message!("{by} {fault} (its move {move_number})")
            }
            Verdict::BothFailed([black, white]) => message!("black {black}; white {white}"),
            Verdict::Adjudicated { .. } if self.is_passed() => {
                message!("defended for {} {0|move|moves}", stage.most_moves())
            }
            Verdict::Adjudicated { .. } => {
                let none = message!("no five in {} {0|move|moves}", stage.most_moves());
                let known = stage.shortest();
                let known = known.map(|shortest| {
                    message!("the shortest known win needs {shortest} {shortest|move|moves}")
                });
                Message::list(std::iter::once(none).chain(known))
            }
            Verdict::Void { why } => why.clone(),
        })
    }

    pub fn board(&self, stage: &Stage) -> Board {
        let mut board = stage.board.clone();
        let mut moves = self.plies.iter();
        while moves
            .next()
            .is_some_and(|ply| board.play(ply.played).is_ok())
        {}
        board
    }

    pub fn turns(&self, stage: &Stage) -> Vec<Board> {
        let mut board = stage.board.clone();
        let mut turns = Vec::new();
        for ply in &self.plies {
            if board.side_to_move() == self.attacker {
                turns.push(board.clone());
            }
            if board.play(ply.played).is_err() {
                break;
            }
        }
        turns
    }
}
