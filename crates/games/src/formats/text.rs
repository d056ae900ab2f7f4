//! Decodes the text files of other programs.
//!
//! A text may begin with a byte order mark. Lines may end as on Unix (`\n`), Windows (`\r\n`) or old Macs (`\r`).
//!
//! ```
//! use games::formats::text;
//!
//! assert_eq!(text::decode("\u{feff}f5d6\rf5f6\r".as_bytes())?, "f5d6\nf5f6\n");
//!
//! let error = text::decode(b"f5d6\nf5f6 # caf\xe9\n").unwrap_err().to_string();
//! assert_eq!(error, "line 2 is not UTF-8");
//! # Ok::<(), text::NotText>(())
//! ```

use std::borrow::Cow;

/// Bytes that are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, message::Message)]
pub enum NotText {
    /// Another encoding, or not text at all.
    #[error("line {line} is not UTF-8")]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
    },
    /// UTF-16, the output of `>` in some shells of Windows.
    #[error("the file is UTF-16, not UTF-8")]
    Utf16,
}

impl NotText {
    /// The advice to the user.
    pub const FIX: &'static str = "save it as plain text in UTF-8";
}

/// Returns the text of a file without a byte order mark. Lines end with `\n` or `\r\n`.
pub fn decode(bytes: &[u8]) -> Result<String, NotText> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(NotText::Utf16);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(plain(text).into_owned()),
        Err(error) => {
            let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let line = plain(&before).matches('\n').count() + 1;
            Err(NotText::NotUtf8 { line })
        }
    }
}

/// Removes the byte order mark, and replaces the line ends of old Macs.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') && !text.contains('\n') {
        text.replace('\r', "\n").into()
    } else {
        text.into()
    }
}
