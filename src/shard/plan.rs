//! A plan: its games, its blocks, and the arena and files that play them. [`New`] makes a plan, and [`Plan::read`]
//! reads it with limits ([`read_text`]), because others may write to it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use message::message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::pack::{self, Bots, PlanSource};
use referee::bot::{Identity, digits, read_in_own, read_own, sha256};
use referee::problem;
use referee::record::harmless;
use run::report::tables;
use run::{RunError, build_all, create_folder, probe_planned};
use tournament::{Agenda, Catalogue, Contestant, Problem, Tournament, TournamentFile, given};

const FORMAT: u32 = 1;
const NAME: &str = "plan.json";
const TOURNAMENT: &str = "tournament.toml";

/// The largest file that describes a plan or a merge, in bytes.
pub const LONGEST_PLAN: u64 = 64 << 20;

/// Reads a file that others may write. Fails if it is not regular, has more than `most` bytes, or is not text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_own(path, most)?).map_err(io::Error::other)
}

/// The arena that made a plan. Only the same arena may play it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Maker {
    arena: String,
    /// The hash of the program; `None` if every build of the same version may play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arena_sha256: Option<String>,
}

impl Maker {
    pub fn here(program: &Path, any_build: bool) -> Result<Maker, RunError> {
        Ok(Maker {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            arena_sha256: (!any_build).then(|| hash(program)).transpose()?,
        })
    }

    pub fn check(&self, program: &Path) -> Result<(), RunError> {
        let version = env!("CARGO_PKG_VERSION");
        if self.arena != version {
            return Err(problem!(
                "the plan was made by arena {}, and this is arena {version}",
                self.arena
            )
            .help("install that version here, or make the plan again with this one")
            .into());
        }
        match &self.arena_sha256 {
            Some(planned) if *planned != hash(program)? => Err(problem!(
                "this arena has the plan's version, {version}, but is another build of it"
            )
            .help(
                "copy that arena here; or make the plan with --any-build, if both come from the same \
                 sources",
            )
            .into()),
            _ => Ok(()),
        }
    }
}

fn hash(path: &Path) -> Result<String, RunError> {
    sha256(path).map_err(RunError::system(message!("cannot read {}", path.display())))
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Plan {
    format: u32,
    #[serde(flatten)]
    pub(super) maker: Maker,
    pub name: String,
    pub seed: u64,
    pub pairs: u64,
    /// The number of pairs per block; the last block may have fewer.
    pub block: u64,
    pub blocks: u64,
    pub cores: usize,
    /// The memory for a shard, in MiB, if every bot states its need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Whether bots play by the clock. If not, their strength does not depend on the machine.
    pub timed: bool,
    pub scale_time: bool,
    /// The speed of the machine that made the plan, in nodes per second of the fixed search.
    pub nodes_per_s: u64,
    bots: Vec<Planned>,
    /// The SHA-256 of each file by path; relative paths start in the plan's folder.
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct PlanFormat {
    format: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
struct Planned {
    name: String,
    #[serde(rename = "says_it_is")]
    reported_name: String,
    version: String,
}

#[derive(Debug)]
pub struct New<'a> {
    pub file: &'a TournamentFile,
    pub folder: &'a Path,
    pub catalogue: &'a Catalogue,
    pub out: Option<&'a Path>,
    pub block: u64,
    pub bots: Bots,
    pub any_build: bool,
    pub scale_time: bool,
    pub nodes_per_s: u64,
}

impl New<'_> {
    /// Checks everything, builds and probes the bots, and writes the plan. Returns the plan and its folder.
    pub fn write(
        &self,
        tournament: &Tournament,
        announce: impl FnMut(&Contestant),
    ) -> Result<(Plan, PathBuf), RunError> {
        let (pairs, blocks) = self.blocks(tournament)?;
        build_all(&tournament.contestants, announce)?;
        let out = create_folder(&tournament.name, self.out)?;
        let plan = self.fill(tournament, &out, pairs, blocks)?;
        Ok((plan, out.keep()))
    }

    fn blocks(&self, tournament: &Tournament) -> Result<(u64, u64), Problem> {
        let mut agenda = Agenda::new(tournament);
        let pairs = agenda.games() / 2;
        agenda.keep_to(0..pairs)?;
        Ok((pairs, pairs.div_ceil(self.block)))
    }

    fn fill(
        &self,
        tournament: &Tournament,
        out: &Path,
        pairs: u64,
        blocks: u64,
    ) -> Result<Plan, RunError> {
        let mut file = self.file.clone();
        file.name = given(Some(tournament.name.clone()));
        let source = PlanSource {
            folder: self.folder,
            catalogue: self.catalogue,
            bots: self.bots,
        };
        pack::pack(source, &mut file, tournament, out)?;
        let text = toml::to_string(&file).map_err(|error| {
            RunError::system("the tournament cannot be written")(io::Error::other(error))
        })?;
        tables::replace(&out.join(TOURNAMENT), text.as_bytes())?;
        // Reads the packed bots, since these will play, so that a missing file is noticed now.
        let packed = read_tournament(out, self.catalogue)?;
        let identities = probe_planned(&packed)?;
        let ours = &self.catalogue.program;
        let mut files = BTreeMap::new();
        for path in pack::files(out, &packed, ours)? {
            files.insert(path.clone(), hash(&out.join(&path))?);
        }
        let memory = packed.contestants.iter().map(|bot| bot.memory_mib);
        let memory: Option<Vec<u64>> = memory.collect();
        let workers = packed.concurrency;
        let plan = Plan {
            format: FORMAT,
            maker: Maker::here(ours, self.any_build)?,
            name: packed.name.clone(),
            seed: packed.seed,
            pairs,
            block: self.block,
            blocks,
            cores: workers * packed.cores_a_game(),
            memory_mib: memory.map(|memory| {
                let largest = memory.into_iter().max().unwrap_or(0);
                workers as u64 * 2 * largest + 256
            }),
            timed: packed.contestants.iter().any(is_timed),
            scale_time: self.scale_time,
            nodes_per_s: self.nodes_per_s,
            bots: packed.names().zip(&identities).map(planned).collect(),
            files,
        };
        let shards = out.join("shards");
        fs::create_dir(&shards).map_err(RunError::system("the plan cannot be written"))?;
        let text = serde_json::to_string_pretty(&plan)
            .map_err(|error| RunError::system("the plan cannot be written")(error.into()))?;
        tables::replace(&out.join(NAME), format!("{text}\n").as_bytes())?;
        Ok(plan)
    }
}

fn planned((name, identity): (&str, &Identity)) -> Planned {
    Planned {
        name: name.to_owned(),
        reported_name: identity.name.clone(),
        version: identity.version.clone(),
    }
}

fn is_timed(bot: &Contestant) -> bool {
    !bot.limits.move_time.is_zero() || !bot.limits.game_time.is_zero()
}

pub fn is_plan(folder: &Path) -> bool {
    folder.join(NAME).is_file()
}

fn read_tournament(folder: &Path, catalogue: &Catalogue) -> Result<Tournament, RunError> {
    Ok(tournament_file(folder)?.validate(catalogue, folder)?)
}

fn tournament_file(folder: &Path) -> Result<TournamentFile, RunError> {
    let path = folder.join(TOURNAMENT);
    let text = read_text(&path, LONGEST_PLAN)
        .map_err(RunError::system(message!("cannot read {}", path.display())))?;
    let mut file = TournamentFile::parse(&text)?;
    // The plan contains the built files, because several machines must not build in one folder.
    file.is_built = true;
    Ok(file)
}

impl Plan {
    /// Returns whether bots are weaker on a slower machine.
    pub fn favours_fast_machines(&self) -> bool {
        self.timed && !self.scale_time
    }

    /// Reads the plan in this folder. Also returns its hash, which every shard records.
    pub fn read(folder: &Path) -> Result<(Plan, String), RunError> {
        let path = folder.join(NAME);
        let shown = path.display();
        host::check_own(folder).map_err(RunError::system(message!(
            "cannot use {}",
            folder.display()
        )))?;
        let text = read_in_own(folder, NAME, LONGEST_PLAN).map_err(|error| {
            problem!("there is no plan in {}: {NAME}: {error}", folder.display())
                .help("arena plan TOURNAMENT --out FOLDER makes one")
        })?;
        let format = serde_json::from_str::<PlanFormat>(&text);
        if let Ok(PlanFormat { format }) = format
            && format != FORMAT
        {
            return Err(problem!(
                "{shown} has format {format}, and this arena knows {FORMAT} only"
            )
            .help("use the arena that made the plan, or make the plan again")
            .into());
        }
        let plan: Plan = serde_json::from_str(&text).map_err(|error| {
            problem!("{shown} is damaged: {error}").help("copy the plan again, or make it again")
        })?;
        if harmless(&plan.name) != plan.name {
            return Err(problem!("{shown} is damaged: its name cannot be printed").into());
        }
        if plan.block == 0 || plan.blocks != plan.pairs.div_ceil(plan.block) {
            return Err(problem!("{shown} is damaged: its blocks do not fit its pairs").into());
        }
        Ok((plan, digits(Sha256::new_with_prefix(&text))))
    }

    pub fn pairs_of(&self, block: u64) -> Result<Range<u64>, Problem> {
        if block >= self.blocks {
            let last = self.blocks - 1;
            return Err(problem!(
                "there is no block {block}: the plan has blocks 0 to {last}"
            ));
        }
        let first = block * self.block;
        Ok(first..self.pairs.min(first + self.block))
    }

    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    pub fn tournament(folder: &Path, catalogue: &Catalogue) -> Result<Tournament, RunError> {
        read_tournament(folder, catalogue)
    }

    pub fn file(folder: &Path) -> Result<TournamentFile, RunError> {
        Plan::read(folder)?;
        tournament_file(folder)
    }

    pub fn identities(&self) -> Vec<Identity> {
        let bots = self.bots.iter();
        bots.map(|bot| Identity {
            name: bot.reported_name.clone(),
            version: bot.version.clone(),
            ..Identity::default()
        })
        .collect()
    }

    pub(super) fn check_maker_and_files(
        &self,
        folder: &Path,
        catalogue: &Catalogue,
    ) -> Result<(), RunError> {
        self.maker.check(&catalogue.program)?;
        Ok(self.check_files(folder)?)
    }

    fn check_files(&self, folder: &Path) -> Result<(), Problem> {
        for (path, planned) in &self.files {
            let problem = match sha256(&folder.join(path)) {
                Ok(now) if now == *planned => continue,
                Ok(_) => problem!("{path} has changed since the plan was made"),
                Err(error) => problem!("cannot read {path}, which is a file of the plan: {error}"),
            };
            return Err(problem.help(
                "restore the file; or make a new plan with the new file, in another folder",
            ));
        }
        Ok(())
    }
}
