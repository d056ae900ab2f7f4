//! Copies bots and openings into a plan, for other machines.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use message::message;
use referee::bot::{Build, is_remade, size};
use referee::problem;
use toml::Spanned;

use run::RunError;
use tournament::{BotFile, Catalogue, Contestant, Tournament, TournamentFile, given};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bots {
    /// The files are in the plan, which can be copied to other machines.
    Copied,
    /// The files stay where they are: every machine has them at the same path, relative to the plan or absolute.
    InPlace,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PlanSource<'a> {
    pub folder: &'a Path,
    pub catalogue: &'a Catalogue,
    pub bots: Bots,
}

/// Copies bots and openings into the plan, or leaves them in place. In `file`, makes paths relative to the plan.
pub(super) fn pack(
    source: PlanSource<'_>,
    file: &mut TournamentFile,
    tournament: &Tournament,
    out: &Path,
) -> Result<(), RunError> {
    let mut copies = Copies::default();
    if let Some(name) = named(file.openings.as_ref()).filter(|name| name != "none") {
        let from = source.folder.join(&name);
        let to = match source.bots {
            Bots::InPlace => seen_from(out, &from),
            Bots::Copied => {
                let name = from.file_name().unwrap_or_default();
                let to = Path::new("openings").join(name);
                copies.add(&from, &out.join(&to))?;
                text(&to)
            }
        };
        file.openings = given(Some(to));
    }
    for (bot, contestant) in file.bot.iter_mut().zip(&tournament.contestants) {
        let mut packed = bot.get_ref().clone();
        packed.name = given(Some(contestant.name.clone()));
        let is_boxed = contestant.launch.sandbox.is_some();
        copies.only_of = contestant.launch.folder.clone().filter(|_| is_boxed);
        let own = Path::new("bots").join(&contestant.name);
        if let Some(files) = files_of(&packed, contestant, source) {
            let from = &files.folder;
            let to = match (source.bots, &files.words) {
                (Bots::InPlace, _) => seen_from(out, from),
                (Bots::Copied, None) => {
                    let program = contestant.launch.folder.as_deref();
                    let program = program.map(|folder| folder.join(&contestant.launch.program));
                    let (copy, program) = (out.join(&own), program.as_deref());
                    let plan = out.canonicalize().map_err(not_copied(from))?;
                    copy_folder(&mut copies, from, &copy, &plan, program)?;
                    text(&own)
                }
                (Bots::Copied, Some(words)) => {
                    for word in words {
                        let file = from.join(word);
                        copies.add(&file, &out.join(&own).join(word))?;
                    }
                    copies.folders.push(out.join(&own));
                    text(&own)
                }
            };
            let main = files.main.map(|main| text(&Path::new(&to).join(main)));
            if packed.uses.is_none() || packed.folder.is_some() {
                packed.folder = given(Some(to.clone()));
            }
            if packed.uses.is_some() {
                packed.uses = given(Some(main.unwrap_or(to)));
            }
            packed.readable = given(files.readable);
        }
        *bot = Spanned::new(0..0, packed);
    }
    copies.make()?;
    file.is_built = true;
    for (at, contestant) in tournament.contestants.iter().enumerate() {
        let build = contestant.build.as_ref();
        if build.and_then(Build::copied).is_none() {
            continue;
        }
        let bot = file.bot[at].get_ref();
        let packed = bot.alone(tournament.game, source.catalogue, out, file);
        if packed.is_err_and(|problem| !problem.is_machine) {
            // The build has changed its own sources, and a hand-in must not be able to prevent the plan. The command
            // is known, so the plan does not need them.
            let own = bot.folder.as_ref().or(bot.uses.as_ref()).cloned();
            let bot = file.bot[at].get_mut();
            bot.folder = own;
            bot.command = given(Some(contestant.launch.words()));
            (bot.uses, bot.options, bot.frame) = (None, None, None);
        }
    }
    Ok(())
}

fn named(placed: Option<&Spanned<String>>) -> Option<String> {
    placed.map(|name| name.get_ref().clone())
}

/// The files of a bot that is neither built in nor installed.
struct BotFiles {
    folder: PathBuf,
    /// The files that the command names; `None` if a whole folder belongs to the bot.
    words: Option<Vec<PathBuf>>,
    /// The file that the tournament uses, if it is in the folder.
    main: Option<PathBuf>,
    /// The files that the bot can read in a sandbox. Paths in the folder are relative to it.
    readable: Option<Vec<String>>,
}

fn files_of(bot: &BotFile, contestant: &Contestant, source: PlanSource<'_>) -> Option<BotFiles> {
    let folder = contestant.launch.folder.clone()?;
    let written = |path: &Spanned<String>| {
        let path = source.folder.join(path.get_ref());
        std::path::absolute(&path).unwrap_or(path)
    };
    let used = bot.uses.as_ref().map(written);
    let names = bot.readable.iter().flat_map(Spanned::get_ref);
    let readable: Vec<String> = names
        .filter_map(|name| match folder.join(name).strip_prefix(&folder) {
            Ok(inner) => Some(text(inner)),
            // A single source is built in a folder of its own, and the plan has a copy of this folder.
            Err(_) => (used.as_deref() != Some(Path::new(name))).then(|| name.clone()),
        })
        .collect();
    let readable = Some(readable).filter(|names| !names.is_empty());
    if let Some(name) = named(bot.uses.as_ref()) {
        let catalogue = source.catalogue;
        let is_known = catalogue.find(&name).is_some() || catalogue.find_engine(&name).is_some();
        // A hand-in is built in a copy of its folder.
        let own = bot.folder.as_ref().map_or(folder.clone(), written);
        let main = used.and_then(|used| Some(used.strip_prefix(own).ok()?.to_owned()));
        let main = main.filter(|main| folder.join(main).is_file());
        return (!is_known).then_some(BotFiles {
            folder,
            words: None,
            main,
            readable,
        });
    }
    let words = bot.folder.is_none().then(|| {
        let words = bot.command.iter().flat_map(Spanned::get_ref);
        let is_inside = |word: &PathBuf| {
            let mut parts = word.components();
            parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        let words = words.map(PathBuf::from);
        words
            .filter(|word| is_inside(word) && folder.join(word).is_file())
            .collect()
    });
    Some(BotFiles {
        folder,
        words,
        main: None,
        readable,
    })
}

const MOST_COPIED: u64 = 16 << 30;

/// The planned copies. All copies are known before the first one is made.
#[derive(Default)]
struct Copies {
    folders: Vec<PathBuf>,
    files: Vec<(PathBuf, PathBuf)>,
    bytes: u64,
    /// The folder of a sandboxed bot. The sandbox shows nothing else, so `add` refuses links out of the folder.
    only_of: Option<PathBuf>,
}

impl Copies {
    /// Fails if `from` is not a file, is a link out of `only_of`, or exceeds the limit.
    fn add(&mut self, from: &Path, to: &Path) -> Result<(), RunError> {
        let data = fs::metadata(from).map_err(not_copied(from))?;
        if !data.is_file() {
            let error = io::Error::other("it is not a regular file");
            return Err(not_copied(from)(error));
        }
        if let Some(folder) = &self.only_of {
            let real = from.canonicalize().map_err(not_copied(from))?;
            let folder = folder.canonicalize().map_err(not_copied(folder))?;
            if !real.starts_with(folder) {
                return Err(
                    problem!("{from} is a link that leads out of the bot's folder")
                        .help("put the file itself there")
                        .into(),
                );
            }
        }
        self.bytes = self.bytes.saturating_add(data.len());
        if self.bytes > MOST_COPIED {
            let (length, most) = (size(data.len()), size(MOST_COPIED));
            return Err(
                problem!("{from} has {length}, and a plan copies at most {most}")
                    .help("--in-place leaves bots where they are")
                    .into(),
            );
        }
        self.files.push((from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn make(&self) -> Result<(), RunError> {
        for folder in &self.folders {
            let failed = RunError::system(message!("cannot create {}", folder.display()));
            fs::create_dir_all(folder).map_err(failed)?;
        }
        for (from, to) in &self.files {
            let folder = to.parent().map_or(Ok(()), fs::create_dir_all);
            let copied = folder.and_then(|()| fs::copy(from, to));
            copied.map_err(not_copied(from))?;
        }
        Ok(())
    }
}

fn not_copied(from: &Path) -> impl FnOnce(io::Error) -> RunError {
    RunError::system(message!("cannot copy {from}"))
}

fn copy_folder(
    copies: &mut Copies,
    from: &Path,
    to: &Path,
    plan: &Path,
    program: Option<&Path>,
) -> Result<(), RunError> {
    copies.folders.push(to.to_owned());
    for entry in fs::read_dir(from).map_err(not_copied(from))? {
        let entry = entry.map_err(not_copied(from))?;
        let (name, path) = (entry.file_name(), entry.path());
        let kind = entry.file_type().map_err(not_copied(&path))?;
        let data = fs::metadata(&path);
        if path.canonicalize().is_ok_and(|path| path == plan) {
            // Skips the plan itself, which may be in a bot's folder.
            continue;
        }
        if is_remade(&path) {
            if let Some(program) = program.filter(|program| program.starts_with(&path)) {
                let inner = program.strip_prefix(from).unwrap_or(program);
                copies.add(program, &to.join(inner))?;
            }
        } else if kind.is_dir() {
            copy_folder(copies, &path, &to.join(name), plan, program)?;
        } else if data.is_ok_and(|data| data.is_file()) {
            // Skips a link to a folder, since it may lead back to this folder. Copies the target of a link to a file.
            copies.add(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Lists the files that affect games, except the arena's program (`ours`). Paths in the plan are relative to the plan.
pub(super) fn files(
    plan: &Path,
    tournament: &Tournament,
    ours: &Path,
) -> Result<Vec<String>, RunError> {
    let mut found = Vec::new();
    for part in ["tournament.toml", "openings", "bots"] {
        list(plan, Path::new(part), &mut found)
            .map_err(RunError::system("the files of the plan cannot be listed"))?;
    }
    let absolute = std::path::absolute(plan).unwrap_or_else(|_| plan.to_owned());
    for path in tournament.contestants.iter().flat_map(Contestant::files) {
        if path != ours && !path.starts_with(&absolute) {
            found.push(text(&path));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn list(plan: &Path, inner: &Path, found: &mut Vec<String>) -> io::Result<()> {
    let path = plan.join(inner);
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            list(plan, &inner.join(entry?.file_name()), found)?;
        }
    } else if path.is_file() {
        found.push(text(inner));
    }
    Ok(())
}

pub fn seen_from(from: &Path, path: &Path) -> String {
    let absolute = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        path.canonicalize().unwrap_or(path)
    };
    let (from, path) = (absolute(from), absolute(path));
    let same = from.components().zip(path.components());
    let same = same.take_while(|(one, other)| one == other).count();
    let up = from.components().skip(same).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(path.components().skip(same)).collect();
    if seen.as_os_str().is_empty() {
        return ".".to_owned();
    }
    text(&seen)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
