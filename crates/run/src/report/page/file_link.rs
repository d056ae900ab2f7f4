//! Links to the files of a run.

use std::path::Path;

pub struct FileLink {
    pub name: &'static str,
    pub address: String,
}

impl FileLink {
    /// Returns a link to each of the files `names` that exists in the folder.
    pub fn all(folder: &Path, address: &str, names: &[&'static str]) -> Vec<FileLink> {
        let is_there = |name: &&&str| {
            let file = folder.join(name).symlink_metadata();
            file.is_ok_and(|file| file.is_file())
        };
        let link = |&name: &&'static str| FileLink {
            name,
            address: format!("{address}/{name}"),
        };
        names.iter().filter(is_there).map(link).collect()
    }
}
