//! Commands, as a POSIX shell reads them.

pub fn split_words(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    // A word with a zero byte cannot be quoted, but no system starts a program with one.
    shlex::try_join(words).unwrap_or_default()
}
