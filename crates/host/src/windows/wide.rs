//! Text as the system takes it: UTF-16 with a zero at the end.

use std::ffi::OsStr;
use std::io;
use std::os::windows::ffi::OsStrExt;

/// The text with its end. One with a zero inside would be cut there, so it is refused.
pub fn wide(text: &OsStr) -> io::Result<Vec<u16>> {
    let mut units: Vec<u16> = text.encode_wide().collect();
    if units.contains(&0) {
        let why = format!("{} contains a zero byte", text.to_string_lossy());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    units.push(0);
    Ok(units)
}

/// The text up to its end.
pub fn narrow(units: &[u16]) -> String {
    let length = units.iter().position(|&unit| unit == 0);
    String::from_utf16_lossy(&units[..length.unwrap_or(units.len())])
}
