//! The checks before the first game: every bot is built, started once and greeted.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::{Game, Rules, Side};
use host::Tier;
use message::{Message, message};

use referee::bot::{
    Allowance, ArenaError, BotProcess, Build, BuildError, Failure, Hold, Identity, Launch, PARTING,
};
use referee::dialect::Protocol;
use referee::record::Fault;
use referee::{Clock, HANDSHAKE, Player, ProcessPlayer, Turn};
use tournament::{BotFile, Catalogue, Contestant, Opening, Tournament, TournamentFile};

/// If a folder has several players, a file must answer within this time to be chosen as the bot.
const TRIAL: Duration = Duration::from_secs(10);

/// At most this many files of a folder are tried.
const TRIALS: usize = 4;

/// At most this many bots are probed at the same time.
const AT_ONCE: NonZero<usize> = NonZero::new(16).expect("not 0");

#[derive(Debug, thiserror::Error, message::Message)]
pub enum Unusable {
    #[error("bot {name} cannot be used: {fault}")]
    Bot {
        name: String,
        word: String,
        fault: Box<Fault>,
        command: String,
        tier: Option<Tier>,
        stderr: String,
    },
    #[error("bot {name} {error}")]
    Unbuilt {
        name: String,
        word: String,
        error: BuildError,
        tier: Option<Tier>,
    },
    #[error(
        "bot {name} does not know the opening rule {rule}: \"openings\" in its ready is {known}"
    )]
    Opening {
        name: String,
        rule: &'static str,
        /// The opening rules that the bot's `ready` lists, as JSON.
        known: String,
    },
    #[error(
        "bot {name} keeps its own board and cannot begin from an opening: its games need openings = \"none\" \
         (--openings none)"
    )]
    StartOnly { name: String },
    #[error(transparent)]
    Arena(#[from] ArenaError),
}

pub fn build(contestant: &Contestant) -> Result<(), Unusable> {
    contestant.build().map_err(|error| match error {
        BuildError::Arena(error) => Unusable::Arena(error),
        error => Unusable::Unbuilt {
            name: contestant.name.clone(),
            word: contestant.word.clone(),
            error,
            tier: tier(contestant),
        },
    })
}

/// Builds a bot if necessary, then starts, greets and ends it. Fails if it cannot begin the games of `tournament`.
pub fn probe(contestant: &Contestant, tournament: &Tournament) -> Result<Identity, Unusable> {
    build(contestant)?;
    let game = tournament.game;
    let limits = contestant.limits;
    let start = limits.start(game, Side::Black, contestant.memory_mib, 0);
    let mut player = ProcessPlayer::new(contestant.launch.clone());
    let introduced = player.introduce(&start, Hold::NONE).and_then(|identity| {
        // Only an answer to a turn shows whether an engine knows the commands of an opening rule.
        if game.opening().is_some() && contestant.launch.protocol == Protocol::Gomocup {
            ask_first(&mut player, contestant, game)?;
        }
        Ok(identity)
    });
    match introduced {
        Ok(identity) => {
            if let Some(rule) = game.opening() {
                let is_known = identity.openings.iter().any(|known| known == rule.name());
                if !is_known {
                    return Err(Unusable::Opening {
                        name: contestant.name.clone(),
                        rule: rule.name(),
                        known: format!("{:?}", identity.openings),
                    });
                }
            }
            let from_start = |opening: &Opening| opening.moves.is_empty();
            if identity.start_only && !tournament.openings.iter().all(from_start) {
                return Err(Unusable::StartOnly {
                    name: contestant.name.clone(),
                });
            }
            if let Some(process) = player.into_process() {
                process.quit(Instant::now() + PARTING);
            }
            Ok(identity)
        }
        Err(Failure::Arena(error)) => Err(error.into()),
        Err(Failure::Fault(fault)) => {
            let stderr = player.process().map(BotProcess::drained_stderr);
            Err(Unusable::Bot {
                name: contestant.name.clone(),
                word: contestant.word.clone(),
                fault: Box::new(fault),
                command: contestant.launch.display(),
                tier: tier(contestant),
                stderr: stderr.unwrap_or_default(),
            })
        }
    }
}

/// Chooses a player for each bot that is a folder with several players; see [`settled`].
pub fn settle(file: &mut TournamentFile, catalogue: &Catalogue, folder: &Path) {
    let Ok(game) = file.game() else {
        return;
    };
    for number in 0..file.bot.len() {
        let bot = file.bot[number].get_ref();
        if let Some(settled) = settled(bot, game, catalogue, folder, file) {
            *file.bot[number].get_mut() = settled;
        }
    }
}

/// Chooses one of several players in a folder: the first file that answers a first turn, else the likeliest file.
pub fn settled(
    bot: &BotFile,
    game: Game,
    catalogue: &Catalogue,
    folder: &Path,
    conditions: &TournamentFile,
) -> Option<BotFile> {
    let alternatives = bot.alternatives(catalogue, folder);
    let plays = |bot: &&BotFile| {
        let contestant = bot.alone(game, catalogue, folder, conditions);
        contestant.is_ok_and(|contestant| plays_first(contestant, game))
    };
    let chosen = alternatives
        .iter()
        .take(TRIALS)
        .find(plays)
        .or(alternatives.first());
    chosen.cloned()
}

fn plays_first(mut contestant: Contestant, game: Game) -> bool {
    let limits = &mut contestant.limits;
    (limits.move_time, limits.game_time) = (TRIAL, Duration::ZERO);
    let start = limits.start(game, Side::Black, contestant.memory_mib, 0);
    let mut player = ProcessPlayer::new(contestant.launch.clone());
    let plays = build(&contestant).is_ok()
        && player.introduce(&start, Hold::NONE).is_ok()
        && ask_first(&mut player, &contestant, game).is_ok();
    if let Some(process) = player.into_process() {
        process.quit(Instant::now() + PARTING);
    }
    plays
}

fn ask_first(
    player: &mut ProcessPlayer,
    contestant: &Contestant,
    game: Game,
) -> Result<(), Failure> {
    let (board, clock) = (game.start(), Clock::new(contestant.limits));
    let turn = Turn {
        board: &board,
        legal: &board.legal_squares(),
        moves: &[],
        allowance: Allowance {
            limit: clock.allowed().or(Some(HANDSHAKE)),
            margin: contestant.limits.margin,
        },
        left_ms: [clock.reported_ms(); 2],
        moves_to_go: clock.moves_to_go(),
        hold_opponent: Hold::NONE,
    };
    player.choose(&turn).map(drop)
}

fn tier(contestant: &Contestant) -> Option<Tier> {
    let sandbox = contestant.launch.sandbox.as_ref();
    sandbox.map(|sandbox| sandbox.tier)
}

/// Names the bots that have no sandbox user of their own, and the first path that other users cannot read.
pub fn shared_users<'a>(bots: impl Iterator<Item = (&'a str, &'a Launch)>) -> Option<Message> {
    let shared = bots.filter_map(|(name, launch)| Some((name, launch.closed()?)));
    let (names, paths): (Vec<&str>, Vec<PathBuf>) = shared.unzip();
    let path = paths.first()?.display();
    Some(if let [name] = names[..] {
        message!("sandbox: {name} runs as the arena's user, because other users cannot read {path}")
    } else {
        message!("sandbox: {names} run as the arena's user, because other users cannot read {path}")
    })
}

/// Builds the bots of a run one after the other. Calls `announce` before each build.
pub fn build_all<'a>(
    contestants: &'a [Contestant],
    mut announce: impl FnMut(&'a Contestant),
) -> Result<(), Unusable> {
    for contestant in contestants {
        if contestant.build.as_ref().is_some_and(Build::is_due) {
            announce(contestant);
        }
        build(contestant)?;
    }
    Ok(())
}

pub fn probe_all(
    contestants: &[Contestant],
    tournament: &Tournament,
) -> Result<Vec<Identity>, Unusable> {
    each(contestants, |bot| probe(bot, tournament))
}

/// Probes the bots of a plan. A hand-in that cannot be used gets an empty identity, and its games are lost when they
/// begin: it must not be able to stop the games of others.
pub fn probe_planned(tournament: &Tournament) -> Result<Vec<Identity>, Unusable> {
    each(&tournament.contestants, |bot| {
        match probe(bot, tournament) {
            Err(error) if tournament.has_hand_ins && !bot.is_reference => match error {
                Unusable::Arena(error) => Err(error.into()),
                _ => Ok(Identity::default()),
            },
            probed => probed,
        }
    })
}

fn each(
    contestants: &[Contestant],
    probe: impl Fn(&Contestant) -> Result<Identity, Unusable> + Sync,
) -> Result<Vec<Identity>, Unusable> {
    let room = host::room_for_processes().and_then(NonZero::new);
    let at_once = room.map_or(AT_ONCE, |room| room.min(AT_ONCE));
    let probed = host::side_by_side(at_once, contestants, probe);
    probed.map_err(ArenaError::Thread)?.into_iter().collect()
}
