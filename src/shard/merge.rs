//! Merges all blocks played so far into one record.

use referee::problem;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;

use host::Walk;
use message::{Message, message};

use super::audit::{Audit, GameFigures};
use super::block::{
    ShardSession, by_block, check_game, check_record, check_session, differences, evidence_of,
    stop, stop_reason,
};
use super::last_merge::{self, LastMerge};
use super::plan::Plan;
use referee::record::{GameId, GameRecord};
use run::report::{Summary, tables};
use run::store::{RawGame, RecordEntry, Store, StoreError, entries};
use run::{Run, RunError, RunFile};
use tournament::{Agenda, Catalogue, Problem, Tournament};

/// The most blocks that wait to be written.
const AHEAD: usize = 2;

#[derive(Debug)]
pub struct Merged {
    pub run: Run,
    pub summary: Summary,
    /// The number of games in the plan, and the number of games that count.
    pub games: [u64; 2],
    pub notes: Vec<Message>,
    pub audit: Audit,
    /// Whether this merge stopped the shards because a sequential test is decided.
    pub has_stopped: bool,
}

/// Makes one record in `folder` of all games that the plan's shards have written so far, and writes the tables. Shards
/// may still be running. A sequential test uses only the pairs before the first missing pair; once the test is
/// decided, writes `STOP`. Fails if a file is damaged or belongs to another plan, or if two files have different games
/// with the same number. After a failure, the record is unchanged.
pub fn merge(folder: &Path, catalogue: &Catalogue) -> Result<Merged, RunError> {
    let (plan, id) = Plan::read(folder)?;
    let files = by_block(folder, &plan)?;
    let tournament = Plan::tournament(folder, catalogue)?;
    let file = Plan::file(folder)?;
    RunFile::new(&tournament, &file, folder, &plan.identities()).write(folder)?;
    let mut blocks = Blocks {
        plan: &plan,
        id: &id,
        tournament: &tournament,
        agenda: Agenda::new(&tournament),
        sessions: Vec::new(),
        notes: Vec::new(),
        audit: Audit::new(tournament.names().map(str::to_owned).collect()),
    };
    let (sender, ready) = sync_channel(AHEAD);
    thread::scope(|scope| -> Result<(), RunError> {
        let read = || {
            for (&block, paths) in &files {
                let games = blocks.read(block, paths);
                let has_failed = games.is_err();
                // The receiver stops if it fails to write.
                if sender.send(games).is_err() || has_failed {
                    break;
                }
            }
            drop(sender);
        };
        let reader = thread::Builder::new().spawn_scoped(scope, read);
        reader.map_err(RunError::system("the system refused to start a thread"))?;
        // The receiver is dropped at the end of this scope, so that the reader cannot wait forever.
        let ready = ready;
        Store::mirror(folder, |take| -> Result<(), RunError> {
            for games in ready {
                for game in games?.into_values() {
                    take(&game)?;
                }
            }
            Ok(())
        })?;
        Ok(())
    })?;
    let Blocks {
        sessions,
        mut notes,
        mut audit,
        ..
    } = blocks;
    if plan.scale_time {
        audit.scale();
    }
    for &block in files.keys() {
        collect_evidence(folder, block).map_err(RunError::system(
            "the messages of failed games cannot be copied",
        ))?;
    }
    let machines = differences(&sessions).filter(|_| plan.favours_fast_machines());
    notes.extend(machines.clone());
    let (run, summary) = Run::read_new(tournament, folder)?;
    let games = [plan.games(), run.status().played()];
    let verdict = summary.result().into_iter().next();
    let has_decided = run.status().has_decided();
    let has_stopped = has_decided && stop_reason(folder).is_none();
    if has_stopped {
        let why = verdict.as_ref().map(Message::to_string);
        stop(folder, &why.unwrap_or_default())
            .map_err(RunError::system("STOP cannot be written"))?;
    }
    let last = LastMerge {
        games: games[1],
        verdict,
        machines,
    };
    let last = serde_json::to_vec(&last)
        .map_err(|error| RunError::system("merged.json cannot be written")(error.into()))?;
    tables::replace(&folder.join(last_merge::NAME), &last)?;
    Ok(Merged {
        run,
        summary,
        games,
        notes,
        audit,
        has_stopped,
    })
}

struct Blocks<'a> {
    plan: &'a Plan,
    id: &'a str,
    tournament: &'a Tournament,
    /// An agenda without results, since no game of a plan depends on the results of others.
    agenda: Agenda,
    sessions: Vec<ShardSession>,
    notes: Vec<Message>,
    audit: Audit,
}

/// A game of a block: its line, its file, the machine that played it, and its figures unless it is void.
type BlockGame<'a> = (RawGame, &'a Path, usize, Option<GameFigures>);

impl Blocks<'_> {
    fn read(
        &mut self,
        block: u64,
        paths: &[PathBuf],
    ) -> Result<BTreeMap<GameId, RawGame>, RunError> {
        let mut games: BTreeMap<GameId, BlockGame<'_>> = BTreeMap::new();
        for path in paths {
            let mut machine = None;
            let torn = entries(path, |_, entry| -> Result<(), RunError> {
                match entry {
                    RecordEntry::Session(text) => {
                        let session = check_session(path, &text, self.id, block)?;
                        machine = Some(self.audit.machine(&session.machine));
                        self.sessions.push(session);
                    }
                    RecordEntry::Game(game) => {
                        check_game(path, self.plan, block, game.id, machine.is_some())?;
                        let machine = machine.unwrap_or_default();
                        let record = read(path, &game)?;
                        check_record(path, self.tournament, &self.agenda, &record)?;
                        let figures = GameFigures::of(&record);
                        match games.entry(game.id) {
                            Place::Vacant(place) => {
                                place.insert((game, path, machine, figures));
                            }
                            Place::Occupied(mut place) => {
                                let (known, other, ..) = place.get();
                                if known.is_void() {
                                    place.insert((game, path, machine, figures));
                                } else if !game.is_void()
                                    && !are_equal(&read(other, known)?, &record)
                                {
                                    return Err(unequal(game.id, [other, path]).into());
                                }
                            }
                        }
                    }
                }
                Ok(())
            })?;
            if torn > 0 {
                self.notes.push(message!(
                    "{} ends with an incomplete line, so its last {torn} bytes are skipped: its \
                     shard is still writing, or was killed",
                    path.display()
                ));
            }
        }
        self.compare(block, &games);
        let games = games.into_iter();
        Ok(games.map(|(id, (game, ..))| (id, game)).collect())
    }

    fn compare(&mut self, block: u64, games: &BTreeMap<GameId, BlockGame<'_>>) {
        for (&id, &(.., machine, first)) in games.iter().filter(|(id, _)| id.leg() == 0) {
            let second = games.get(&GameId::new(id.pair(), 1));
            if let (Some(first), Some(&(.., Some(second)))) = (first, second) {
                let bots = self.agenda.fixture(id).players;
                self.audit
                    .add([id.pair(), block], machine, bots, [first, second]);
            }
        }
    }
}

fn read(path: &Path, game: &RawGame) -> Result<GameRecord, StoreError> {
    game.record().map_err(|why| StoreError::Damaged {
        path: path.to_owned(),
        id: game.id,
        why,
    })
}

fn are_equal(one: &GameRecord, other: &GameRecord) -> bool {
    let played = |record: &GameRecord| (record.fingerprint(), record.verdict.reason());
    played(one) == played(other)
}

fn unequal(id: GameId, paths: [&Path; 2]) -> Problem {
    let [one, other] = paths.map(Path::display);
    problem!("game {} is not the same in {one} and in {other}", id.0).help(
        "the block was played twice, and the bots do not always answer the same: move one of the files \
         out of the folder shards",
    )
}

/// The largest file of a failed game that is copied, in bytes.
const LONGEST_EVIDENCE: u64 = 64 << 20;

/// Copies the messages of a block's failed games into the run. Skips links, which may lead to the user's own files.
fn collect_evidence(folder: &Path, block: u64) -> io::Result<()> {
    let [from, to] = [evidence_of(folder, block), folder.to_owned()].map(|of| of.join("failures"));
    let is_linked = |path: &Path| path.symlink_metadata().is_ok_and(|data| data.is_symlink());
    if !from.is_dir() || is_linked(&from) || is_linked(&to) {
        return Ok(());
    }
    for entry in Walk::of(&from) {
        let (path, data) = entry?;
        if !data.is_file() || path.components().count() != 2 {
            continue;
        }
        let mut file = host::open_regular(&from.join(&path))?.take(LONGEST_EVIDENCE);
        let copy = to.join(&path);
        if let Some(game) = copy.parent() {
            fs::create_dir_all(game)?;
        }
        if !is_linked(&copy) {
            io::copy(&mut file, &mut fs::File::create(copy)?)?;
        }
    }
    Ok(())
}
