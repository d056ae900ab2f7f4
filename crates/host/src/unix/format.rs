//! Files that the system can execute.
//!
//! The C library hands a file of a format that the system does not know to `/bin/sh`, which runs an
//! empty file as a program that succeeds and reads C++ as commands. So the format is checked before.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::kernel::has_other_formats;

/// First bytes of programs: ELF, a script with its interpreter, Mach-O for either byte order and for
/// several processors.
const KNOWN: [&[u8]; 5] = [
    b"\x7fELF",
    b"#!",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\xfe\xed\xfa\xcf",
];

/// Whether the program is a file that the system would not execute. A file that cannot be read is
/// left to the system.
pub fn is_unknown(program: &OsStr) -> bool {
    // To open a pipe would wait for who writes into it.
    let Some(path) = look_up(program).filter(|path| is_executable(path)) else {
        return false;
    };
    let mut begins = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut begins));
    read.is_ok() && !KNOWN.iter().any(|known| begins.starts_with(known)) && !has_other_formats()
}

/// The file that a name without a slash means, as the system finds it.
fn look_up(program: &OsStr) -> Option<PathBuf> {
    if program.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(program));
    }
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(program));
    places.find(|place| is_executable(place))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && super::may_run(path)
}
