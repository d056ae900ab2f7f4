use message::{Message, message};
use referee::problem;
use std::time::{Duration, Instant};

use clap::Args;
use games::{Board, Rules, Side};
use protocol::Start;

use super::bots::{catalogue, one_bot};
use super::error::Ending;
use super::options::SandboxOption;
use super::replay::{game_of, last_question, run_and_game};
use super::sandbox;
use super::{CliError, print, print_said};
use crate::terminal;
use referee::bot::{Allowance, BotProcess, Failure, Hold, PARTING};
use referee::record::GameRecord;
use referee::record::{SafeText, harmless};
use referee::{Answer, Clock, Limits, Player, ProcessPlayer, Turn};
use run::store::Store;
use run::{RunFile, build};
use tournament::{Contestant, Problem, SandboxChoice, Tournament};

/// Ask a bot for a move of a recorded game again: same turn, same seed, same clock
///
/// Shows the bot's answer, its time, every line in and out, and its standard error. Without --ply, asks
/// for the last move of the bot that was at fault, or that lost.
#[derive(Debug, Args)]
pub struct Ask {
    /// RUN/GAME such as results/quick/17, or a game's number alone in the latest run
    game: std::path::PathBuf,
    /// The half-move to ask for, counted from 1, as shown by arena replay
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Ask this bot instead of the bot that played the game
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// Ask for all its moves of the game up to this one, for a bot that remembers earlier turns
    #[arg(long)]
    from_start: bool,
    #[command(flatten)]
    sandbox: SandboxOption,
}

struct AskedPosition {
    board: Board,
    /// The side of the asked player at the end of the game. An opening rule may have swapped colours during the game.
    mover: Side,
    ply: usize,
    /// The limit of the turn, without the margin.
    limit: Option<Duration>,
    /// The time left of the bot and of its opponent.
    left_ms: [u64; 2],
    moves_to_go: Option<u32>,
}

impl Ask {
    pub fn run(self) -> Result<(), CliError> {
        let (run, id) = run_and_game(&self.game)?;
        let mut file = RunFile::read(&run)?;
        self.sandbox.apply(&mut file.tournament);
        sandbox::settle(&mut file.tournament, SandboxChoice::Off)?;
        let tournament = file.tournament.validate(&catalogue()?, &file.folder)?;
        let record = game_of(&Store::read(&run)?, &run, id)?;
        let limits = limits(&record, &tournament);
        let asked = match self.ply {
            None => last_question(&record),
            Some(0) => {
                return Err(Problem::new("half-moves are counted from 1").into());
            }
            Some(ply) => ply - 1,
        };
        let mut questions = questions(&record, limits, asked)?;
        let last = questions.pop().expect("the requested turn");
        // `side` is the player's colour at the end of the game, `now` its colour at this turn.
        let (side, now) = (last.mover, last.board.side_to_move());
        let bot = self.contestant(&record, &tournament, side, &file)?;
        questions.retain(|question| question.mover == side && self.from_start);
        questions.push(last);
        let seeds = tournament.seeds_of(&record);
        let limits = limits[side.index()];
        let start = limits.start(record.game, now, bot.memory_mib, seeds[side.index()]);
        ask(&record, &bot, &start, limits.margin, &questions)
    }

    fn contestant(
        &self,
        record: &GameRecord,
        tournament: &Tournament,
        side: Side,
        file: &RunFile,
    ) -> Result<Contestant, CliError> {
        let Some(word) = &self.bot else {
            let name = record.player(side);
            let found = tournament.contestants.iter().find(|bot| bot.name == name);
            return found.cloned().ok_or_else(|| {
                problem!("run.toml has no bot {name:?}")
                    .help("name one: --bot BOT")
                    .into()
            });
        };
        let here = std::env::current_dir().unwrap_or_else(|_| file.folder.clone());
        one_bot(word, record.game, &here, &file.tournament)
    }
}

/// Returns the limits that both sides played under, black's first.
fn limits(record: &GameRecord, tournament: &Tournament) -> [Limits; 2] {
    [0, 1].map(|side| {
        let bots = &tournament.contestants;
        let bot = bots.iter().find(|bot| bot.name == record.players[side]);
        bot.unwrap_or(&bots[0]).limits
    })
}

fn questions(
    record: &GameRecord,
    limits: [Limits; 2],
    last: usize,
) -> Result<Vec<AskedPosition>, Problem> {
    let mut board = record.game.start();
    let mut clocks = limits.map(Clock::new);
    let mut questions = Vec::new();
    let (moves, movers) = (record.moves(), record.retraced().movers);
    for ply in 0..=last {
        let opening = ply < record.opening.len();
        if !opening && board.ending().is_none() && !board.must_pass() {
            let side = movers[ply];
            let [own, other] = [side, !side].map(|side| &clocks[side.index()]);
            questions.push(AskedPosition {
                board: board.clone(),
                mover: side,
                ply,
                limit: own.allowed(),
                left_ms: [own.reported_ms(), other.reported_ms()],
                moves_to_go: own.moves_to_go(),
            });
        }
        let Some(&played) = moves.get(ply).filter(|_| ply < last) else {
            break;
        };
        let after = ply.checked_sub(record.opening.len());
        let effort = after.and_then(|after| record.plies.get(after)?.effort);
        if let Some(effort) = effort {
            clocks[movers[ply].index()].charge(effort.wall);
        }
        let put = if opening { Board::give } else { Board::play };
        put(&mut board, played).map_err(|error| problem!("the record is damaged: {error}"))?;
        if !opening {
            let goes_on = movers.get(ply + 1) == Some(&movers[ply]);
            clocks[movers[ply].index()].end_ply(record.game, effort.is_some(), goes_on);
        }
    }
    if questions.last().is_none_or(|question| question.ply != last) {
        let first = record.opening.len() + 1;
        return Err(
            problem!("no bot was asked for half-move {}", last + 1).help(message!(
                "choose {first} to {}, but not a forced pass; arena replay shows the moves",
                moves.len() + 1
            )),
        );
    }
    Ok(questions)
}

fn ask(
    record: &GameRecord,
    bot: &Contestant,
    start: &Start,
    margin: Duration,
    questions: &[AskedPosition],
) -> Result<(), CliError> {
    let last = questions.last().expect("there is a question");
    let (id, ply, board) = (record.id.0, last.ply + 1, &last.board);
    let title = message!(
        "game {id}, half-move {ply}: {} ({}) is asked",
        bot.name,
        start.you
    );
    print_said(&message!("{title}\n{board}\n"))?;
    build(bot)?;
    let mut player = ProcessPlayer::new(bot.launch.clone());
    let mut result = player.start(start, Hold::NONE).map(|()| Answer::default());
    for question in questions {
        if result.is_ok() {
            result = player.choose(&Turn {
                board: &question.board,
                legal: &question.board.legal_squares(),
                moves: &games::counted(record.game, &record.moves()[..question.ply]),
                allowance: Allowance {
                    limit: question.limit,
                    margin,
                },
                left_ms: question.left_ms,
                moves_to_go: question.moves_to_go,
                hold_opponent: Hold::NONE,
            });
        }
    }
    let log = player.process().map(|process| process.log.bytes().to_vec());
    let stderr = player.process().map(BotProcess::drained_stderr);
    if let Some(process) = player.into_process() {
        process.quit(Instant::now() + PARTING);
    }
    for line in String::from_utf8_lossy(&log.unwrap_or_default()).lines() {
        print(&format!("{}\n", harmless(line)))?;
    }
    if let Some(text) = stderr.filter(|text| !text.trim().is_empty()) {
        print_said(&"\nit wrote to its standard error:".into())?;
        for line in SafeText::from(text).quoted() {
            print(&format!("  {line}\n"))?;
        }
    }
    conclude(record, bot, last, result)
}

fn conclude(
    record: &GameRecord,
    bot: &Contestant,
    question: &AskedPosition,
    result: Result<Answer, Failure>,
) -> Result<(), CliError> {
    let then = record.moves().get(question.ply).map_or_else(
        || "in the game, no move was played here".into(),
        |played| message!("in the game, {played} was played"),
    );
    let side = question.mover;
    let failed = record.verdict.fault_of(side);
    let failed =
        failed.filter(|_| question.ply == record.moves().len() && bot.name == record.player(side));
    let name = &bot.name;
    let fault = |what: Message| Err(Ending::NotPassed.because(message!("{name}: {what} ({then})")));
    match result {
        Ok(answer) => {
            let played = answer.played.parse::<games::Move>();
            let legal = match played {
                _ if answer.played == "resign" => Ok(()),
                Ok(played) => {
                    let after = question.board.clone().play(played);
                    after.map_err(|error| error.why.into())
                }
                Err(error) => Err(Message::from(error)),
            };
            if let Err(why) = legal {
                return fault(message!("illegal-move: played {:?}: {why}", answer.played));
            }
            let (played, ms) = (&answer.played, answer.used.as_secs_f64() * 1000.0);
            let depth = answer.thought.depth;
            let depth = depth.map(|depth| message!("depth {depth}"));
            let score = answer.thought.score.map(terminal::score);
            let score = score.map(|score| message!("score {score}"));
            let line = depth.into_iter().chain(score).fold(
                message!("{name} answers {played} after {ms:.1} ms"),
                |all, next| message!("{all}, {next}"),
            );
            print_said(&message!("\n{line}; {then}"))?;
            let Some(fault) = failed else {
                return Ok(());
            };
            let not = message!(
                "not reproduced: in the game {name} {fault}. The cause may be earlier turns of that process, which \
                 --from-start asks again, or the load of the machine"
            );
            print_said(&not)
        }
        Err(Failure::Fault(error)) => {
            let word = Message::from(error.word());
            fault(message!("{word}: {error}"))
        }
        Err(Failure::Arena(error)) => {
            Err(Ending::ArenaFailed.because(message!("the arena failed: {error}")))
        }
    }
}
