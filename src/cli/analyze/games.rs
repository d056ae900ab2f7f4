//! Analyses several games on all allowed cores, and summarises them for each bot.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use message::{Message, message};
use referee::problem;
use referee::record::Outcome;
use run::RunError;
use run::store::Store;

use super::{SourceGame, bar};
use crate::analysis::summary::AnalysedGame;
use crate::analysis::{NotAnalysed, Settings, analyse};
use crate::cli::replay;
use crate::cli::{CliError, stop_on_ctrl_c};

/// The games to analyse, and how many games were skipped for each reason.
#[derive(Default)]
pub(super) struct Chosen {
    pub games: Vec<SourceGame>,
    pub equal: usize,
    pub void: usize,
    pub older: usize,
}

impl Chosen {
    /// Reads the games, and chooses the latest `most`: evenly over the bots, or only games of `bot`.
    pub fn read(paths: &[PathBuf], most: usize, bot: Option<&str>) -> Result<Chosen, CliError> {
        let mut chosen = Chosen::default();
        for path in paths {
            chosen.add(path)?;
        }
        if chosen.games.is_empty() {
            let shown = paths[0].display();
            return Err(problem!("{shown} has no game that counts").into());
        }
        let kinds = chosen
            .games
            .iter()
            .map(|game| game.played.start.game().name());
        let kinds: BTreeSet<&str> = kinds.collect();
        if kinds.len() > 1 {
            let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
            let problem = problem!("the games are not all of the same kind: {kinds}");
            return Err(problem.help("analyse each kind separately").into());
        }
        if let Some(bot) = bot {
            let names: HashSet<String> = chosen
                .games
                .iter()
                .flat_map(|game| game.players.clone())
                .collect();
            if !names.contains(bot) {
                let mut names: Vec<String> = names.into_iter().collect();
                names.sort();
                let names = names.join(", ");
                return Err(problem!("no game has a bot {bot:?}")
                    .help(message!("choose one of {names}"))
                    .into());
            }
            chosen
                .games
                .retain(|game| game.players.iter().any(|name| name == bot));
        }
        chosen.keep_distinct();
        chosen.keep_latest(most);
        Ok(chosen)
    }

    fn add(&mut self, path: &Path) -> Result<(), CliError> {
        if path.is_file() {
            let games = replay::read(path)?.into_iter().enumerate();
            self.games
                .extend(games.map(|(index, game)| SourceGame::saved(path, index + 1, &game)));
        } else if path.is_dir() {
            Store::read(path)?.each::<CliError>(|record| {
                if record.verdict.outcome() == Outcome::Void {
                    self.void += 1;
                } else {
                    self.games.push(SourceGame::recorded(path, &record));
                }
                Ok(())
            })?;
        } else {
            self.games.push(SourceGame::find(path, None)?);
        }
        Ok(())
    }

    /// Leaves out games that repeat an earlier game: a repetition is no new evidence.
    fn keep_distinct(&mut self) {
        let (mut seen, before) = (HashSet::new(), self.games.len());
        self.games
            .retain(|game| seen.insert((game.players.clone(), game.played.moves.clone())));
        self.equal = before - self.games.len();
    }

    /// Keeps the latest games: each bot in turn gets its latest game that is not chosen yet.
    fn keep_latest(&mut self, most: usize) {
        let mut waiting: Vec<Option<SourceGame>> = std::mem::take(&mut self.games)
            .into_iter()
            .map(Some)
            .collect();
        let mut of_bot: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (index, game) in waiting.iter().flatten().enumerate() {
            for name in &game.players {
                of_bot.entry(name.clone()).or_default().push_front(index);
            }
        }
        let mut bots: Vec<_> = of_bot.into_iter().collect();
        bots.sort();
        let mut turns = bots.len();
        while self.games.len() < most && turns > 0 {
            turns = 0;
            for (_, games) in &mut bots {
                if self.games.len() == most {
                    break;
                }
                let mut own = std::iter::from_fn(|| games.pop_front());
                let next = own.find_map(|index| waiting[index].take());
                turns += usize::from(next.is_some());
                self.games.extend(next);
            }
        }
        self.older = waiting.iter().flatten().count();
    }

    pub fn notes(&self, analysed: usize) -> Message {
        let (equal, void, older) = (self.equal, self.void, self.older);
        let parts = [
            (1, message!("games analysed: {analysed}")),
            (equal, message!("duplicate games left out: {equal}")),
            (void, message!("void games left out: {void}")),
            (older, message!("older games left out (--games): {older}")),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        Message::list(parts.map(|(_, part)| part))
    }
}

/// Analyses the games, one thread per allowed core. Also returns whether all were analysed: false if interrupted.
pub(super) fn analysed(
    games: &Arc<Vec<SourceGame>>,
    settings: Settings,
) -> Result<(Vec<(usize, AnalysedGame)>, bool), CliError> {
    let stop = stop_on_ctrl_c()?;
    let progress = bar("progress.games");
    progress.set_length(games.len() as u64);
    let results = start(games, settings)?;
    let (mut done, mut whole) = (Vec::new(), true);
    loop {
        match results.recv_timeout(Duration::from_millis(100)) {
            Ok((index, Ok(analysed))) => done.push((index, analysed)),
            // A game in which no move was played says nothing about the bots.
            Ok((_, Err(NotAnalysed::NoMove))) => {}
            Ok((index, Err(error))) => {
                return Err(problem!("{}: {error}", games[index].name).into());
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if stop.is_requested() => {
                whole = false;
                break;
            }
            Err(RecvTimeoutError::Timeout) => continue,
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    done.sort_by_key(|(index, _)| *index);
    Ok((done, whole))
}

type Analysed = (usize, Result<AnalysedGame, NotAnalysed>);

fn start(games: &Arc<Vec<SourceGame>>, settings: Settings) -> Result<Receiver<Analysed>, CliError> {
    let (sender, results) = channel();
    let next = Arc::new(AtomicUsize::new(0));
    let workers = host::allowed_cores().len().clamp(1, games.len());
    for _ in 0..workers {
        let (games, next, sender) = (Arc::clone(games), Arc::clone(&next), sender.clone());
        let work = move || {
            while let Some((index, game)) = {
                let index = next.fetch_add(1, Ordering::Relaxed);
                games.get(index).map(|game| (index, game))
            } {
                let analysis = analyse(&game.played, &settings, &mut |_, _| ());
                let analysed = analysis.map(|analysis| AnalysedGame {
                    players: game.players.clone(),
                    played: game.played.clone(),
                    winner: game.winner,
                    analysis,
                });
                if sender.send((index, analysed)).is_err() {
                    return;
                }
            }
        };
        let started = thread::Builder::new().spawn(work);
        started.map_err(RunError::system("cannot start a thread for the analysis"))?;
    }
    Ok(results)
}
