//! A release: an archive and two wheels for each system, and their checksums.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::archive::Files;
use crate::commit::Commit;
use crate::compile::Compiler;
use crate::target::{self, Target};
use crate::{Result, check, licences, packages, root, said};

/// The files that are packed with the program, from the workspace's folder.
const BESIDE: [&str; 5] = [
    "README.md",
    "README.zh-CN.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
/// The folders that are packed with the program.
const FOLDERS: [&str; 2] = ["docs", "tournaments"];
/// Shells, and the names of their completion files.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "arena.bash"),
    ("elvish", "arena.elv"),
    ("fish", "arena.fish"),
    ("powershell", "_arena.ps1"),
    ("zsh", "_arena"),
];

/// Makes the release in the folder `out`, which it empties first.
pub fn make(out: &Path, targets: &[&Target], wheels: bool) -> Result<()> {
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
    let version = env!("CARGO_PKG_VERSION");
    for target in targets {
        let program = if target.triple == linux.triple {
            first.clone()
        } else {
            compiler.program(target)?
        };
        let mut files = beside.clone();
        files.add_program(target.program(), fs::read(program)?);
        let top = format!("arena-{version}-{}", target.triple);
        let ending = if target.is_windows() { "zip" } else { "tar.gz" };
        files.write(&out.join(format!("{top}.{ending}")), &top, commit.time)?;
        if wheels {
            compiler.wheels(target, &out)?;
        }
    }
    checksums(&out)
}

/// Collects all files except the program. `program` writes some of them.
fn beside(program: &Path) -> Result<Files> {
    let mut files = Files::default();
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

/// Returns the output of the program in this folder, called by its plain name as after installation.
fn arena(folder: &Path, words: &[&str]) -> Result<Vec<u8>> {
    said(Command::new("arena").args(words).env("PATH", folder))
}

fn checksums(out: &Path) -> Result<()> {
    let mut names: Vec<_> = fs::read_dir(out)?
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    names.sort();
    let mut lines = String::new();
    for name in names {
        let bytes = fs::read(out.join(&name))?;
        let sum = Sha256::digest(&bytes);
        let sum = sum
            .iter()
            .fold(String::new(), |sum, byte| sum + &format!("{byte:02x}"));
        let name = name.to_string_lossy().into_owned();
        println!("{:>6.1} MB  {name}", bytes.len() as f64 / 1e6);
        lines += &format!("{sum}  {name}\n");
    }
    Ok(fs::write(out.join("SHA256SUMS"), lines)?)
}
