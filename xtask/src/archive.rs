//! Archives whose bytes depend only on their files and on the given time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Seek, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use crate::Result;

#[derive(Clone, Default)]
pub struct ArchiveFiles(BTreeMap<String, (Vec<u8>, bool)>);

impl ArchiveFiles {
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), (bytes.into(), false));
    }

    pub fn add_program(&mut self, path: impl Into<String>, bytes: Vec<u8>) {
        self.0.insert(path.into(), (bytes, true));
    }

    pub fn add_folder(&mut self, prefix: &str, folder: &Path) -> io::Result<()> {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add_folder(&name, &entry.path())?;
            } else {
                self.add(name, std::fs::read(entry.path())?);
            }
        }
        Ok(())
    }

    pub fn edited(self, edit: impl Fn(&str) -> Result<String>) -> Result<ArchiveFiles> {
        let mut edited = ArchiveFiles::default();
        for (path, (bytes, _)) in self.0 {
            edited.add(edit(&path)?, edit(&String::from_utf8(bytes)?)?);
        }
        Ok(edited)
    }

    #[cfg(test)]
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.0.iter();
        files.map(|(path, (bytes, _))| (&**path, str::from_utf8(bytes).expect("text")))
    }

    /// Writes a `.zip` or a `.tar.gz`, by the ending of `path`, with all files in the folder `top`.
    pub fn write(&self, path: &Path, top: &str, time: u64) -> Result<()> {
        let mut bytes = Cursor::new(Vec::new());
        if path.extension().is_some_and(|ending| ending == "zip") {
            self.zip(&mut bytes, top)?;
        } else {
            self.tar_gz(&mut bytes, top, time)?;
        }
        Ok(File::create(path)?.write_all(&bytes.into_inner())?)
    }

    fn tar_gz(&self, out: impl Write, top: &str, time: u64) -> Result<()> {
        // The header has no name and no time, and names the same system on every machine.
        let gzip = GzBuilder::new()
            .operating_system(255)
            .write(out, Compression::best());
        let mut tar = tar::Builder::new(gzip);
        for (path, (bytes, is_program)) in &self.0 {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(if *is_program { 0o755 } else { 0o644 });
            header.set_mtime(time);
            tar.append_data(&mut header, format!("{top}/{path}"), bytes.as_slice())?;
        }
        tar.into_inner()?.finish()?;
        Ok(())
    }

    fn zip(&self, out: impl Write + Seek, top: &str) -> Result<()> {
        let mut zip = ZipWriter::new(out);
        for (path, (bytes, is_program)) in &self.0 {
            // Times in a zip have no time zone, so all files get the earliest time of the format.
            let options = SimpleFileOptions::default()
                .last_modified_time(DateTime::default())
                .unix_permissions(if *is_program { 0o755 } else { 0o644 });
            zip.start_file(format!("{top}/{path}"), options)?;
            zip.write_all(bytes)?;
        }
        zip.finish()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(order: &[&str], zipped: bool) -> Vec<u8> {
        let mut files = ArchiveFiles::default();
        for path in order {
            files.add(*path, path.as_bytes());
        }
        let mut out = Cursor::new(Vec::new());
        if zipped {
            files.zip(&mut out, "top").expect("a zip");
        } else {
            files
                .tar_gz(&mut out, "top", 1_700_000_000)
                .expect("an archive");
        }
        out.into_inner()
    }

    #[test]
    fn the_order_in_which_files_are_found_does_not_show() {
        for zipped in [false, true] {
            assert_eq!(
                made(&["a", "b/c", "b/d"], zipped),
                made(&["b/d", "a", "b/c"], zipped)
            );
        }
    }
}
