//! The data of a league, in one database: owners and versions here, rounds and results in [`results`](super::results).
//! Each accepted hand-in, planned round and counted round is one transaction, so a crash leaves none half done.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host::TemporaryFolder;
use message::Message;
use referee::bot::{digits, is_confusable};
use referee::problem;
use run::store::StoreError;
use run::{RunError, unix_ms};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};
use serde::Serialize;
use sha2::{Digest, Sha256};
use stats::{Ratings, Score};
use tournament::{Problem, TournamentFile, given};

use super::checking::FoundBot;

pub(super) const NAME: &str = "league.db";
pub(super) const FILE: &str = "league.toml";
const HEAD: &str = "# The conditions of a league's games, and its anchors.\n\
    # Changes hold from the next start of `arena league play`.\n";
const FORMAT: i64 = 2;
/// Turns a league of format 1 into one of format 2, in which a version has a hash of its code, and is `replaced` once a
/// later one has been accepted.
const FROM_1: &str = "
ALTER TABLE version ADD COLUMN code INTEGER;
UPDATE version SET state = 'replaced' WHERE state = 'ready' AND EXISTS
    (SELECT 1 FROM version AS later WHERE later.bot = version.bot AND later.id > version.id AND later.state = 'ready');
PRAGMA user_version = 2;
";
/// How long a process waits while another process writes.
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE league (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL, created INTEGER NOT NULL,
    closes INTEGER, anonymous INTEGER NOT NULL) STRICT;
CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, secret TEXT UNIQUE, created INTEGER NOT NULL)
    STRICT;
CREATE TABLE version (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner, bot TEXT NOT NULL,
    number INTEGER NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,
    handed_in INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, identity TEXT NOT NULL DEFAULT '',
    elo REAL, error REAL, best INTEGER, worst INTEGER,
    wins INTEGER NOT NULL DEFAULT 0, draws INTEGER NOT NULL DEFAULT 0, losses INTEGER NOT NULL DEFAULT 0,
    faults INTEGER NOT NULL DEFAULT 0, code INTEGER, UNIQUE (bot, number)) STRICT;
CREATE INDEX version_owner ON version (owner, handed_in);
CREATE TABLE round (number INTEGER PRIMARY KEY, pairings TEXT NOT NULL, planned INTEGER NOT NULL, counted INTEGER)
    STRICT;
CREATE TABLE meeting (one INTEGER NOT NULL, other INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL,
    losses INTEGER NOT NULL, ll INTEGER NOT NULL, ld INTEGER NOT NULL, wl INTEGER NOT NULL, dd INTEGER NOT NULL,
    wd INTEGER NOT NULL, ww INTEGER NOT NULL, PRIMARY KEY (one, other)) STRICT, WITHOUT ROWID;
CREATE TABLE game (round INTEGER NOT NULL, number INTEGER NOT NULL, black INTEGER NOT NULL, white INTEGER NOT NULL,
    result TEXT NOT NULL, fault TEXT, PRIMARY KEY (round, number)) STRICT, WITHOUT ROWID;
CREATE INDEX game_black ON game (black, round);
CREATE INDEX game_white ON game (white, round);
CREATE TABLE history (version INTEGER NOT NULL, round INTEGER NOT NULL, elo REAL NOT NULL, error REAL NOT NULL,
    PRIMARY KEY (version, round)) STRICT, WITHOUT ROWID;
";

/// An open league, for use by one thread.
#[derive(Debug)]
pub struct League {
    folder: PathBuf,
    connection: Connection,
    /// The newest ratings, if this process has computed them. For a thousand versions, this takes seconds.
    pub(super) rated: Option<Rated>,
    /// The bots of versions by their ids, for the checks and the rounds of this process.
    pub(super) found: Arc<Mutex<BTreeMap<i64, FoundBot>>>,
}

/// Ratings, and the ids of the rated versions in ascending order.
#[derive(Debug)]
pub(super) struct Rated {
    pub versions: Vec<i64>,
    pub ratings: Ratings,
}

impl Rated {
    pub fn player(&self, version: i64) -> Option<usize> {
        self.versions.binary_search(&version).ok()
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// The secret key for drawing each round's pairings and seeds. Anyone who knows the key can predict them.
    pub key: [u8; 32],
    /// The time after which no hand-in is accepted, in ms since 1970; `None` if the league is open.
    pub closes: Option<u64>,
    /// Whether visitors see numbers instead of the names of bots and owners.
    pub is_anonymous: bool,
}

impl Settings {
    pub fn is_closed(&self) -> bool {
        self.is_closed_at(unix_ms())
    }

    pub(super) fn is_closed_at(&self, time: u64) -> bool {
        self.closes.is_some_and(|closes| closes <= time)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Owner {
    pub id: i64,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionState {
    /// A bot of the organiser, which always plays.
    Anchor,
    /// Handed in, but not checked yet.
    Waiting,
    Ready,
    /// The version could not be built or started.
    Refused,
    /// Another version of the bot was accepted later. Only the organiser can let this one play again.
    Replaced,
    /// The version plays no further games: it was at fault in too many games, or the organiser decided so.
    SetAside,
}

impl VersionState {
    const ALL: [VersionState; 6] = [
        VersionState::Anchor,
        VersionState::Waiting,
        VersionState::Ready,
        VersionState::Replaced,
        VersionState::Refused,
        VersionState::SetAside,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            VersionState::Anchor => "anchor",
            VersionState::Waiting => "waiting",
            VersionState::Ready => "ready",
            VersionState::Replaced => "replaced",
            VersionState::Refused => "refused",
            VersionState::SetAside => "set-aside",
        }
    }

    pub const fn plays(self) -> bool {
        matches!(self, VersionState::Anchor | VersionState::Ready)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    pub id: i64,
    /// `None` for an anchor.
    pub owner: Option<i64>,
    pub bot: String,
    /// Counted from 1; 0 for an anchor.
    pub number: u32,
    /// The name of the file or folder in the version's folder; empty if it was deleted.
    pub file: String,
    pub sha256: String,
    pub bytes: u64,
    /// The time of the hand-in, in ms since 1970.
    pub handed_in: u64,
    pub state: VersionState,
    pub reason: Option<Message>,
    pub identity: String,
    /// The rating and the half-width of its 95 % interval; `None` if there is no counted game and no known rating.
    pub rating: Option<[f64; 2]>,
    pub places: Option<[usize; 2]>,
    pub score: Score,
    pub faults: u64,
}

impl Version {
    pub fn name(&self) -> String {
        match self.owner {
            None => self.bot.clone(),
            Some(_) => format!("{}-v{}", self.bot, self.number),
        }
    }

    pub fn plays(&self) -> bool {
        self.state.plays()
    }

    /// Returns whether the version plays or could have played before.
    pub(super) fn was_accepted(&self) -> bool {
        self.plays() || self.state == VersionState::Replaced || self.score.games() > 0
    }
}

/// Returns whether a reader may take a name for that of a version, such as `ada-v1`. No bot may have such a name.
pub(super) fn ends_like_version(name: &str) -> bool {
    let Some((_, end)) = name.rsplit_once('-') else {
        return false;
    };
    let signs: Vec<String> = end.chars().map(String::from).collect();
    let is_digit = |sign: &String| (0..10).any(|digit| is_confusable(sign, &digit.to_string()));
    let [v, digits @ ..] = signs.as_slice() else {
        return false;
    };
    is_confusable(v, "v") && !digits.is_empty() && digits.iter().all(is_digit)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub number: u64,
    /// The ids of both versions; the version that is black in the first game comes first.
    pub pairings: Vec<[i64; 2]>,
}

impl League {
    /// Makes the folder and the database; the bots of `file` are the anchors.
    pub fn create(
        folder: &Path,
        file: &TournamentFile,
        is_anonymous: bool,
    ) -> Result<League, RunError> {
        if folder.exists() {
            return Err(problem!("{} is there already", folder.display())
                .help("name a new folder, or go on with: arena league play")
                .into());
        }
        let failed = || RunError::system("the league's folder cannot be made");
        let place = folder
            .parent()
            .filter(|place| !place.as_os_str().is_empty());
        let place = place.unwrap_or(Path::new("."));
        fs::create_dir_all(place).map_err(failed())?;
        let new = TemporaryFolder::new(".new-", Some(place)).map_err(failed())?;
        let text = toml::to_string(file).map_err(|error| failed()(std::io::Error::other(error)))?;
        fs::write(new.path().join(FILE), format!("{HEAD}{text}")).map_err(failed())?;
        for part in ["hand-ins", "rounds"] {
            fs::create_dir_all(new.path().join(part)).map_err(failed())?;
        }
        drop(host::own_file(&new.path().join(NAME)).map_err(failed())?);
        let key: [u8; 32] = random()?;
        let mut league = League::connect(new.path())?;
        league.write(|tables| {
            tables.execute_batch(TABLES)?;
            tables.pragma_update(None, "user_version", FORMAT)?;
            tables.execute(
                "INSERT INTO league (one, key, created, anonymous) VALUES (1, ?1, ?2, ?3)",
                (key, unix_ms() as i64, is_anonymous),
            )?;
            Ok(())
        })?;
        league.take_anchors(file)?;
        drop(league);
        new.keep_as(folder).map_err(failed())?;
        League::open(folder)
    }

    pub fn open(folder: &Path) -> Result<League, RunError> {
        if !folder.join(NAME).is_file() {
            return Err(problem!("there is no league in {}", folder.display())
                .help("make one: arena league new FOLDER")
                .into());
        }
        let mut league = League::connect(folder)?;
        let format = |tables: &Connection| {
            tables.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))
        };
        if league.query(format)? == 1 {
            league.write(|tables| match format(tables)? {
                1 => tables.execute_batch(FROM_1),
                _ => Ok(()),
            })?;
        }
        let version = league.query(format)?;
        if version != FORMAT {
            let path = folder.join(NAME);
            return Err(StoreError::Version { path, version }.into());
        }
        Ok(league)
    }

    fn connect(folder: &Path) -> Result<League, RunError> {
        League::at(folder, &folder.join(NAME))
    }

    pub(super) fn at(folder: &Path, path: &Path) -> Result<League, RunError> {
        let open = || {
            let connection = Connection::open(path)?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(connection)
        };
        let connection = open().map_err(|source| database(folder, source))?;
        Ok(League {
            folder: folder.to_owned(),
            connection,
            rated: None,
            found: Arc::default(),
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the bots of `file` the anchors. Other anchors play no further games; their results stay.
    pub(super) fn take_anchors(&mut self, file: &TournamentFile) -> Result<(), RunError> {
        let names: Vec<&str> = file
            .bot
            .iter()
            .map(|bot| bot.get_ref().written_name())
            .collect();
        let gone: Message = "league.toml does not name it any more".into();
        let gone = serde_json::to_string(&gone).expect("a message is JSON");
        self.transact(|tables| {
            for version in all_versions(tables)? {
                match (version.owner, names.contains(&version.bot.as_str())) {
                    (Some(_), true) => {
                        return Err(problem!("league.toml has the anchor {bot}, but an owner's bot has this name", bot = version.bot)
                            .help("give the anchor another name")
                            .into());
                    }
                    (None, false) => tables.execute(
                        "UPDATE version SET state = 'set-aside', reason = ?2 WHERE id = ?1",
                        (version.id, &gone),
                    )?,
                    (Some(_), false) | (None, true) => 0,
                };
            }
            for bot in &file.bot {
                let rating = bot.get_ref().rating.as_ref().map(|rating| *rating.get_ref());
                tables.execute(
                    "INSERT INTO version (bot, number, file, sha256, bytes, handed_in, state, elo, error)
                     VALUES (?1, 0, '', '', 0, ?2, 'anchor', ?3, ?4)
                     ON CONFLICT (bot, number) DO UPDATE SET state = 'anchor', reason = NULL",
                    (
                        bot.get_ref().written_name(),
                        unix_ms() as i64,
                        rating,
                        rating.map(|_| 0.0),
                    ),
                )?;
            }
            Ok(())
        })
    }

    pub fn name(&self) -> String {
        let whole = fs::canonicalize(&self.folder).unwrap_or_else(|_| self.folder.clone());
        whole
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// Reads the conditions and the anchors from `league.toml`. Every bot counts as a hand-in, whatever the file says.
    pub fn file(&self) -> Result<TournamentFile, RunError> {
        let path = self.folder.join(FILE);
        let text = fs::read_to_string(&path)
            .map_err(|error| problem!("cannot read {}: {error}", path.display()))?;
        let explain = |problem: Problem| problem.in_file(path.display().to_string(), &text);
        let mut file = TournamentFile::parse(&text).map_err(explain)?;
        file.hand_ins = given(Some(true));
        Ok(file)
    }

    pub fn hand_in_folder(&self, version: i64) -> PathBuf {
        self.folder.join("hand-ins").join(version.to_string())
    }

    pub fn rounds_folder(&self) -> PathBuf {
        self.folder.join("rounds")
    }

    pub fn round_folder(&self, round: u64) -> PathBuf {
        self.rounds_folder().join(round.to_string())
    }

    pub(super) fn query<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, RunError> {
        read(&self.connection).map_err(|source| database(&self.folder, source))
    }

    pub(super) fn write<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, RunError> {
        self.transact(|tables| Ok(change(tables)?))
    }

    /// Changes the database in one transaction. Changes nothing if `change` fails.
    pub(super) fn transact<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, NotChanged>,
    ) -> Result<T, RunError> {
        let whole = || {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            let changed = change(&transaction)?;
            transaction.commit()?;
            Ok(changed)
        };
        whole().map_err(|error| match error {
            NotChanged::Database(source) => database(&self.folder, source),
            NotChanged::Refused(error) => error,
        })
    }

    pub fn settings(&self) -> Result<Settings, RunError> {
        self.query(|tables| {
            tables.query_row("SELECT key, closes, anonymous FROM league", (), |row| {
                Ok(Settings {
                    key: row.get(0)?,
                    closes: row.get::<_, Option<i64>>(1)?.map(|ms| ms as u64),
                    is_anonymous: row.get(2)?,
                })
            })
        })
    }

    /// Sets the time after which no hand-in is accepted; `None` opens the league.
    pub fn close_at(&mut self, closes: Option<u64>) -> Result<(), RunError> {
        self.write(|tables| {
            tables.execute(
                "UPDATE league SET closes = ?1",
                (closes.map(|ms| ms as i64),),
            )?;
            Ok(())
        })
    }

    /// Adds an owner, or gives an owner a new secret. Returns the secret; the database keeps only its hash.
    pub fn new_secret(&mut self, name: &str) -> Result<String, RunError> {
        let secret = format!("{:032x}", u128::from_be_bytes(random()?));
        self.add_owner(name, Some(&hash_of(&secret)))?;
        Ok(secret)
    }

    /// Adds an owner, unless the name is that of another owner's bot. `secret`: the new hash of the owner's secret.
    pub(super) fn add_owner(&mut self, name: &str, secret: Option<&str>) -> Result<(), RunError> {
        let add = "INSERT INTO owner (name, secret, created) VALUES (?1, ?2, ?3)
            ON CONFLICT (name) DO UPDATE SET secret = coalesce(excluded.secret, secret)";
        self.transact(|tables| {
            let find = "SELECT bot, owner.name FROM version JOIN owner ON owner.id = version.owner
                WHERE NOT EXISTS (SELECT 1 FROM owner WHERE name = ?1)";
            let mut bots = tables.prepare(find)?;
            let bots = bots.query_map((name,), |row| Ok((row.get(0)?, row.get(1)?)))?;
            for of_other in bots {
                let (bot, owner): (String, String) = of_other?;
                if is_confusable(&bot, name) {
                    return Err(problem!(
                        "the name {name} is that of the bot {bot} of the owner {owner}, or looks like it"
                    )
                    .help("add the owner by another name")
                    .into());
                }
            }
            tables.execute(add, (name, secret, unix_ms() as i64))?;
            Ok(())
        })
    }

    pub(super) fn secrets(&self) -> Result<Vec<(String, Option<String>)>, RunError> {
        self.query(|tables| {
            let mut all = tables.prepare("SELECT name, secret FROM owner ORDER BY id")?;
            all.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// Returns the owner of this name. Adds the owner without a secret if necessary.
    pub fn owner(&mut self, name: &str) -> Result<Owner, RunError> {
        self.add_owner(name, None)?;
        let find = "SELECT id, name FROM owner WHERE name = ?1";
        self.query(|tables| tables.query_row(find, (name,), owner))
    }

    /// Returns the owner with this secret. The database compares hashes, so that timing reveals nothing about a secret.
    pub fn owner_with(&self, secret: &str) -> Result<Option<Owner>, RunError> {
        let find = "SELECT id, name FROM owner WHERE secret = ?1";
        self.query(|tables| tables.query_row(find, (hash_of(secret),), owner).optional())
    }

    pub fn owners(&self) -> Result<Vec<Owner>, RunError> {
        self.query(|tables| {
            let mut all = tables.prepare("SELECT id, name FROM owner ORDER BY name")?;
            all.query_map((), owner)?.collect()
        })
    }

    /// Returns all versions, in the order in which they were handed in.
    pub fn versions(&self) -> Result<Vec<Version>, RunError> {
        self.query(all_versions)
    }

    pub fn planned_round(&self) -> Result<Option<Round>, RunError> {
        let find = "SELECT number, pairings FROM round WHERE counted IS NULL";
        self.query(|tables| tables.query_row(find, (), round).optional())
    }

    pub fn round(&self, number: u64) -> Result<Option<Round>, RunError> {
        let find = "SELECT number, pairings FROM round WHERE number = ?1";
        self.query(|tables| tables.query_row(find, (number as i64,), round).optional())
    }

    /// Deletes the files of a version, which then plays no further games. Its results stay.
    pub fn delete(&mut self, version: i64) -> Result<(), RunError> {
        let plays = |round: Round| round.pairings.iter().any(|pair| pair.contains(&version));
        if self.planned_round()?.is_some_and(plays) {
            return Err(problem!("it plays in the round that is not counted yet")
                .help("set it aside now, and delete it after the round")
                .into());
        }
        let why: Message = "its files were deleted".into();
        self.set_state(version, VersionState::SetAside, Some(&why))?;
        let failed = RunError::system("the files of the version cannot be deleted");
        host::remove_all(&self.hand_in_folder(version)).map_err(failed)?;
        let change = "UPDATE version SET file = '', bytes = 0 WHERE id = ?1";
        self.write(|tables| tables.execute(change, (version,)).map(drop))
    }

    pub fn versions_in(&self, state: VersionState) -> Result<Vec<Version>, RunError> {
        let mut all = self.versions()?;
        all.retain(|version| version.state == state);
        Ok(all)
    }

    pub fn set_state(
        &mut self,
        version: i64,
        state: VersionState,
        reason: Option<&Message>,
    ) -> Result<(), RunError> {
        let reason = reason.map(|reason| serde_json::to_string(reason).expect("a message is JSON"));
        self.write(|tables| {
            tables.execute(
                "UPDATE version SET state = ?2, reason = ?3 WHERE id = ?1",
                (version, state.word(), reason),
            )?;
            Ok(())
        })
    }

    /// Ends the check of a version that still waits. `identity`: the bot's reported name and version. A version that is
    /// accepted replaces all others of its bot for good, so that no fault brings an earlier version back.
    pub(super) fn end_check(
        &mut self,
        version: i64,
        state: VersionState,
        (reason, identity): (Option<&Message>, &str),
    ) -> Result<(), RunError> {
        let reason = reason.map(|reason| serde_json::to_string(reason).expect("a message is JSON"));
        let change = "UPDATE version SET state = ?2, reason = ?3, identity = ?4 WHERE id = ?1 AND state = 'waiting'";
        let replace = "UPDATE version SET state = 'replaced' WHERE state = 'ready' AND id <> ?1
            AND bot = (SELECT bot FROM version WHERE id = ?1 AND state = 'ready')";
        self.write(|tables| {
            tables.execute(change, (version, state.word(), reason, identity))?;
            tables.execute(replace, (version,)).map(drop)
        })
    }

    /// Stores a hash of the code of a version. Returns the name of another version of the owner that has this code and was
    /// accepted, if there is one.
    pub(super) fn same_code(
        &mut self,
        version: &Version,
        code: u64,
    ) -> Result<Option<String>, RunError> {
        let same = self.write(|tables| {
            let set = "UPDATE version SET code = ?2 WHERE id = ?1";
            tables.execute(set, (version.id, code as i64))?;
            let find =
                "SELECT id FROM version WHERE owner = ?1 AND code = ?2 AND id <> ?3 ORDER BY id";
            let mut find = tables.prepare(find)?;
            let found =
                find.query_map((version.owner, code as i64, version.id), |row| row.get(0))?;
            found.collect::<rusqlite::Result<Vec<i64>>>()
        })?;
        let versions = self.versions()?;
        let found = versions
            .iter()
            .find(|other| same.contains(&other.id) && other.was_accepted());
        Ok(found.map(Version::name))
    }
}

pub(super) fn all_versions(tables: &Connection) -> rusqlite::Result<Vec<Version>> {
    let mut all = tables.prepare(
        "SELECT id, owner, bot, number, file, sha256, bytes, handed_in, state, reason, identity, elo, error, best,
            worst, wins, draws, losses, faults FROM version ORDER BY id",
    )?;
    all.query_map((), version)?.collect()
}

#[derive(Debug)]
pub(super) enum NotChanged {
    Database(rusqlite::Error),
    Refused(RunError),
}

impl From<rusqlite::Error> for NotChanged {
    fn from(error: rusqlite::Error) -> NotChanged {
        NotChanged::Database(error)
    }
}

impl From<RunError> for NotChanged {
    fn from(error: RunError) -> NotChanged {
        NotChanged::Refused(error)
    }
}

impl From<Problem> for NotChanged {
    fn from(problem: Problem) -> NotChanged {
        NotChanged::Refused(problem.into())
    }
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], RunError> {
    let mut bits = [0; BYTES];
    getrandom::fill(&mut bits).map_err(|error| {
        RunError::system("the system has no random numbers")(std::io::Error::other(error))
    })?;
    Ok(bits)
}

fn hash_of(secret: &str) -> String {
    digits(Sha256::new_with_prefix(secret))
}

fn database(folder: &Path, source: rusqlite::Error) -> RunError {
    let path = folder.join(NAME);
    RunError::Store(match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => StoreError::Full { path },
        _ => StoreError::Database { path, source },
    })
}

fn owner(row: &Row<'_>) -> rusqlite::Result<Owner> {
    Ok(Owner {
        id: row.get(0)?,
        name: row.get(1)?,
    })
}

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    let unsigned = |column| row.get::<_, i64>(column).map(|count| count as u64);
    let word: String = row.get(8)?;
    let reason: Option<String> = row.get(9)?;
    let elo: Option<f64> = row.get(11)?;
    let error: Option<f64> = row.get(12)?;
    let best: Option<i64> = row.get(13)?;
    let worst: Option<i64> = row.get(14)?;
    Ok(Version {
        id: row.get(0)?,
        owner: row.get(1)?,
        bot: row.get(2)?,
        number: unsigned(3)? as u32,
        file: row.get(4)?,
        sha256: row.get(5)?,
        bytes: unsigned(6)?,
        handed_in: unsigned(7)?,
        state: VersionState::ALL
            .into_iter()
            .find(|state| state.word() == word)
            .unwrap_or(VersionState::SetAside),
        reason: reason.and_then(|reason| serde_json::from_str(&reason).ok()),
        identity: row.get(10)?,
        rating: elo.zip(error).map(<[f64; 2]>::from),
        places: best
            .zip(worst)
            .map(|(best, worst)| [best as usize, worst as usize]),
        score: Score::new(unsigned(15)?, unsigned(16)?, unsigned(17)?),
        faults: unsigned(18)?,
    })
}

fn round(row: &Row<'_>) -> rusqlite::Result<Round> {
    let text: String = row.get(1)?;
    Ok(Round {
        number: row.get::<_, i64>(0)? as u64,
        pairings: serde_json::from_str(&text).map_err(|_| rusqlite::Error::InvalidQuery)?,
    })
}
