//! A release: an archive and two wheels for each system, and their checksums.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::archive::ArchiveFiles;
use crate::commit::Commit;
use crate::compile::Compiler;
use crate::target::{self, Target};
use crate::{Result, check, definitions, licences, output_of, packages, root};

/// The files of the workspace's folder that are packed with the program.
const BESIDE: [&str; 6] = [
    "Dockerfile",
    "README.md",
    "README.zh-CN.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
const FOLDERS: [&str; 3] = ["ci", "docs", "tournaments"];
const SHELLS: [(&str, &str); 5] = [
    ("bash", "arena.bash"),
    ("elvish", "arena.elv"),
    ("fish", "arena.fish"),
    ("powershell", "_arena.ps1"),
    ("zsh", "_arena"),
];

/// Makes the release in the folder `out`, which it empties first. `repository` is the address from which users will
/// download the release; without it, there are no definitions for package managers.
pub fn make(out: &Path, targets: &[&Target], wheels: bool, repository: Option<&str>) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err("releases for all systems are made on Linux".into());
    }
    let out = std::path::absolute(out)?;
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir_all(&out)?;
    check::all()?;
    let commit = Commit::here()?;
    let compiler = Compiler::new(&commit)?;
    // The program for Linux runs here, so it writes the files that all archives share.
    let linux = &target::ALL[0];
    let first = compiler.program(linux)?;
    let beside = beside(&first)?;
    for target in targets {
        let program = if target.triple == linux.triple {
            first.clone()
        } else {
            compiler.program(target)?
        };
        let mut files = beside.clone();
        files.add_program(target.program(), fs::read(program)?);
        files.write(&out.join(target.archive()), &target.folder(), commit.time)?;
        if wheels {
            compiler.wheels(target, &out)?;
        }
    }
    let mut sums = checksums(&out)?;
    if let Some(repository) = repository {
        let name = concat!("arena-", env!("CARGO_PKG_VERSION"), "-packages");
        let files = definitions::of(repository, &sums)?;
        files.write(&out.join(format!("{name}.tar.gz")), name, commit.time)?;
        sums = checksums(&out)?;
    }
    let mut lines = String::new();
    for (name, sum) in sums {
        let size = fs::metadata(out.join(&name))?.len();
        println!("{:>6.1} MB  {name}", size as f64 / 1e6);
        lines += &format!("{sum}  {name}\n");
    }
    Ok(fs::write(out.join("SHA256SUMS"), lines)?)
}

/// Collects all files except the program. `program` writes some of them.
fn beside(program: &Path) -> Result<ArchiveFiles> {
    let mut files = ArchiveFiles::default();
    for name in BESIDE {
        files.add(name, fs::read(root().join(name))?);
    }
    for name in FOLDERS {
        files.add_folder(name, &root().join(name))?;
    }
    let mut all = BTreeSet::new();
    for target in &target::ALL {
        all.extend(packages::of(target, false)?);
    }
    files.add("THIRD-PARTY.txt", licences::text(&all)?);
    let folder = program.parent().unwrap_or(root());
    for (shell, file) in SHELLS {
        files.add(
            format!("completions/{file}"),
            arena(folder, &["completions", shell])?,
        );
    }
    let pages = folder.join("man");
    if pages.exists() {
        fs::remove_dir_all(&pages)?;
    }
    arena(folder, &["man", "--out", &pages.display().to_string()])?;
    files.add_folder("man", &pages)?;
    Ok(files)
}

/// Runs the program in this folder as `arena`, without a path, as after the installation. Returns its output.
fn arena(folder: &Path, words: &[&str]) -> Result<Vec<u8>> {
    output_of(Command::new("arena").args(words).env("PATH", folder))
}

fn checksums(out: &Path) -> Result<BTreeMap<String, String>> {
    let mut sums = BTreeMap::new();
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        let sum = Sha256::digest(fs::read(entry.path())?);
        let sum = sum
            .iter()
            .fold(String::new(), |sum, byte| sum + &format!("{byte:02x}"));
        sums.insert(entry.file_name().to_string_lossy().into_owned(), sum);
    }
    Ok(sums)
}
