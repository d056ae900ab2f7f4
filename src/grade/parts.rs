//! The files of a hand-in in a class folder. A platform may have put each of a student's files there separately.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::archive::no_room;
use super::hand_in::{Snapshot, too_much, unreadable};
use host::LinkRule;
use referee::bot::{DiskShare, add_bytes, add_file, cache, cached, digits, keep, new_entry};
use referee::problem;
use run::Stop;
use tournament::Problem;

#[derive(Clone, Debug)]
pub enum HandInFiles {
    /// A folder, an archive or a file.
    Whole(PathBuf),
    /// Files of one student, with the student's names for them.
    Parts(Vec<(PathBuf, String)>),
}

impl HandInFiles {
    /// Copies a student's files into the user's cache, after a check of their sizes. Follows no link.
    pub fn gather(&self, title: &str, share: &DiskShare, stop: &Stop) -> Result<Snapshot, Problem> {
        let parts = match self {
            HandInFiles::Whole(path) => {
                return Snapshot::of(path, LinkRule::Refuse, share, stop);
            }
            HandInFiles::Parts(parts) => parts,
        };
        let machine = |error: io::Error| no_room(Path::new(title), &error);
        let (mut quota, mut sizes) = (share.quota(&cache("")), Vec::new());
        for (path, name) in parts {
            let plain = Path::new(name).file_name();
            if plain.is_none_or(|plain| plain != name.as_str()) {
                return Err(problem!("{name:?} is not a file name"));
            }
            let data = path.symlink_metadata();
            let size = data
                .map_err(|error| unreadable(Path::new(name), &error))?
                .len();
            let taken = quota.take(1, size);
            taken.map_err(|exceeded| too_much(Path::new(name), size, exceeded))?;
            sizes.push(size);
        }
        let shared = quota.check_share();
        shared.map_err(|exceeded| too_much(Path::new(title), 0, exceeded))?;
        let new = cached("hand-ins", "parts").and_then(|entry| new_entry(&entry));
        let new = new.map_err(machine)?;
        let mut hash = Sha256::new();
        for ((path, name), size) in parts.iter().zip(sizes) {
            let from = host::open_regular(path);
            let from = from.map_err(|error| unreadable(Path::new(name), &error))?;
            let copy = new.path().join(name);
            let mut to = fs::File::create(&copy).map_err(machine)?;
            // Copies at most the counted size, since the file may have grown in the meantime.
            io::copy(&mut from.take(size), &mut to).map_err(machine)?;
            add_bytes(&mut hash, name.as_bytes());
            add_file(&mut hash, &copy, &|| stop.is_requested()).map_err(machine)?;
        }
        let folder = cached("hand-ins", &digits(hash)[..32]).map_err(machine)?;
        keep(new, &folder).map_err(machine)?;
        Ok(Snapshot::made_at(match parts.as_slice() {
            [(_, only)] => folder.join(only),
            _ => folder,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::bot::Quota;

    #[test]
    fn files_of_one_student_are_together_again_under_their_own_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = |name: &str| {
            let path = folder.path().join(format!("ada_1_2_{name}"));
            fs::write(&path, name).expect("a file");
            (path, name.to_owned())
        };
        let gathered = |parts| {
            HandInFiles::Parts(parts)
                .gather("ada", &DiskShare::in_cache(1), &Stop::default())
                .expect("files")
        };
        let (bot, helper) = (part("bot.py"), part("helper.py"));
        let both = gathered(vec![bot.clone(), helper]);
        assert_eq!(
            fs::read_to_string(both.path().join("helper.py")).expect("a file"),
            "helper.py"
        );
        assert!(
            gathered(vec![bot]).path().ends_with("bot.py"),
            "one file is a file"
        );
    }

    #[test]
    fn the_sizes_of_all_files_are_counted_before_any_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let parts = ["a.py", "b.py", "c.py", "d.py", "e.py"].map(|name| {
            let path = folder.path().join(name);
            let hole = fs::File::create(&path).expect("a file");
            hole.set_len(Quota::BYTES / 4).expect("a hole");
            (path, name.to_owned())
        });
        // The folder comes first: reading it before all sizes are counted would fail with another problem.
        fs::create_dir(folder.path().join("f")).expect("a folder");
        let parts = [(folder.path().join("f"), "f".to_owned())]
            .into_iter()
            .chain(parts);
        let (parts, share) = (HandInFiles::Parts(parts.collect()), DiskShare::in_cache(1));
        let gathered = parts.gather("ada", &share, &Stop::default());
        let problem = gathered.expect_err("too much").what.to_string();
        assert!(
            problem.contains("256 MiB: a hand-in may have 1 GiB"),
            "{problem}"
        );
    }
}
