//! Definitions for package managers: the templates of `xtask/definitions`, filled in for a release on GitHub.

use std::collections::BTreeMap;

use crate::archive::ArchiveFiles;
use crate::{Result, root};

const MANAGERS: [&str; 4] = ["aur", "homebrew", "scoop", "winget"];

/// Fills in the templates. `repository` is an address; `sums` has the SHA-256 of each file of the release.
pub fn of(repository: &str, sums: &BTreeMap<String, String>) -> Result<ArchiveFiles> {
    let repository = repository.trim_end_matches('/');
    let owner = repository.rsplit('/').nth(1).unwrap_or_default();
    if !repository.starts_with("https://") || owner.is_empty() {
        return Err(format!("--repository {repository}: expected https://HOST/OWNER/NAME").into());
    }
    let version = env!("CARGO_PKG_VERSION");
    let files = format!("{repository}/releases/download/v{version}");
    let facts = [("VERSION", version), ("REPOSITORY", repository)];
    let facts = facts
        .into_iter()
        .chain([("OWNER", owner), ("FILES", &files)]);
    let mut templates = ArchiveFiles::default();
    for name in MANAGERS {
        templates.add_folder(name, &root().join("xtask/definitions").join(name))?;
    }
    templates.edited(|text| {
        let mut text = text.to_owned();
        for (name, fact) in facts.clone() {
            text = text.replace(&format!("@{name}@"), fact);
        }
        for (file, sum) in sums {
            text = text.replace(&format!("@SHA256:{file}@"), sum);
        }
        match text.split_once("@SHA256:") {
            None => Ok(text),
            Some((_, rest)) => {
                let file = rest.split('@').next().unwrap_or_default();
                Err(
                    format!("the package definitions need the archive {file}: build it, too")
                        .into(),
                )
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::target;

    const REPOSITORY: &str = "https://github.com/ada/arena";

    fn sums() -> BTreeMap<String, String> {
        let archives = target::ALL.iter().map(target::Target::archive);
        let numbered = archives.zip(1..);
        numbered
            .map(|(name, number)| (name, format!("{number:064x}")))
            .collect()
    }

    #[test]
    fn each_address_is_followed_by_the_checksum_of_its_file() {
        let (sums, mut archives) = (sums(), Vec::new());
        for (path, text) in of(REPOSITORY, &sums).expect("definitions").texts() {
            let words: Vec<_> = text.split(['/', '"', '\'', '\n', ' ']).collect();
            let is_sum = |word: &&&str| word.len() == 64;
            let sums_there: Vec<_> = words.iter().filter(is_sum).collect();
            let files = words.iter().filter(|word| sums.contains_key(**word));
            let expected: Vec<_> = files.clone().map(|name| &sums[*name]).collect();
            assert_eq!(sums_there, expected, "{path}");
            archives.extend(files.map(ToString::to_string));
        }
        let archives = BTreeSet::from_iter(archives);
        assert!(archives.iter().eq(sums.keys()), "{archives:?}");
    }

    #[test]
    fn a_missing_archive_or_owner_is_named() {
        let error = of(REPOSITORY, &BTreeMap::new()).err().expect("an error");
        assert!(error.to_string().contains("-linux-musl.tar.gz"), "{error}");
        let error = of("https:arena", &sums()).err().expect("an error");
        assert!(error.to_string().contains("OWNER"), "{error}");
    }
}
