//! Tables of texts that are refused.

use std::fmt::Display;

/// Holds what is said of texts against a table: a text after `>`, in which `\n` ends a line, and on
/// the next line the message.
pub fn are_refused<T, E: Display>(table: &str, read: impl Fn(&str) -> Result<T, E>) {
    let mut lines = table.trim().lines().map(str::trim);
    while let (Some(text), Some(message)) = (lines.next(), lines.next()) {
        let text = text.strip_prefix('>').expect(text).trim_start();
        let error = read(&text.replace("\\n", "\n")).err();
        let said = error.map(|error| error.to_string());
        assert_eq!(said.as_deref(), Some(message), "{text}");
    }
}
