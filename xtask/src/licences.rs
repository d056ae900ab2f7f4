//! The licences of the software in a release.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::packages::Package;
use crate::{Result, root};

/// Permissive licences. They require only that a release has their texts.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "Apache-2.0 WITH LLVM-exception",
];

/// Software in the program that is not in a package.
const BESIDE: &str = "\
The standard library of Rust (https://github.com/rust-lang/rust): MIT OR Apache-2.0
SQLite (https://sqlite.org): public domain
In the program for Linux, musl (https://musl.libc.org): MIT
In the program for Windows, the runtime of MinGW-w64 (https://www.mingw-w64.org): ZPL-2.1, public domain
";

pub fn are_allowed(packages: &BTreeSet<Package>) -> Result<()> {
    let licence = |package: &Package| package.license.clone().unwrap_or_default();
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !is_allowed(&licence(package)))
        .map(|package| {
            format!(
                "{} {} ({})",
                package.name,
                package.version,
                licence(package)
            )
        })
        .collect();
    if refused.is_empty() {
        Ok(())
    } else {
        Err(format!("licences that are not allowed: {}", refused.join(", ")).into())
    }
}

/// Returns whether each `AND` part of an SPDX expression offers an allowed licence.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| {
        part.split(" OR ")
            .any(|licence| ALLOWED.contains(&licence.trim()))
    })
}

/// Returns the text for a release: the packages with their sources and licences, then each licence text once.
pub fn text(packages: &BTreeSet<Package>) -> Result<String> {
    are_allowed(packages)?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for package in packages.iter().filter(|package| !package.is_ours()) {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or_default();
        let place = package.repository.as_deref().unwrap_or("https://crates.io");
        list += &format!("{name} ({place}): {licence}\n");
        for text in texts_of(package)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut all = format!("The arena contains software of others.\n\n{BESIDE}\n{list}");
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1));
    for (text, names) in texts {
        all += &format!("\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", "));
    }
    Ok(all)
}

/// Returns the licence files of a package; if it has none, the usual texts of its licence.
fn texts_of(package: &Package) -> Result<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(package.folder())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let is_licence = |path: &std::path::PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        let begins = ["LICENSE", "LICENCE", "COPYING", "UNLICENSE", "COPYRIGHT"];
        path.is_file() && begins.iter().any(|begin| name.starts_with(begin))
    };
    let mut texts = Vec::new();
    for path in files.into_iter().filter(is_licence) {
        texts.push(tidy(&String::from_utf8_lossy(&fs::read(path)?)));
    }
    if texts.is_empty() {
        let licence = package.license.as_deref().unwrap_or_default();
        let usual = if licence.contains("Apache-2.0") {
            "LICENSE-APACHE"
        } else {
            "LICENSE-MIT"
        };
        if !licence.contains("Apache-2.0") && !licence.contains("MIT") {
            return Err(format!(
                "{} has no licence file, and its licence is {licence}",
                package.name
            )
            .into());
        }
        texts.push(tidy(&fs::read_to_string(root().join(usual))?));
    }
    Ok(texts)
}

fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_allowed_if_one_of_it_is() {
        let table = [
            ("MIT OR Apache-2.0", true),
            ("Unlicense/MIT", true),
            ("MIT OR Apache-2.0 OR LGPL-2.1-or-later", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND GPL-3.0-only", false),
            ("MPL-2.0", false),
            ("", false),
        ];
        for (expression, allowed) in table {
            assert_eq!(is_allowed(expression), allowed, "{expression}");
        }
    }
}
