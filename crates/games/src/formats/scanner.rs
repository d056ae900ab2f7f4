//! Reads a text from left to right and tracks the position.

use super::{BadFile, Mistake};

#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let stands = self.rest().starts_with(word);
        if stands {
            self.at += word.len();
        }
        stands
    }

    pub(super) fn skip(&mut self, count: usize) {
        let rest = self.rest();
        let end = rest.char_indices().nth(count);
        self.at += end.map_or(rest.len(), |(end, _)| end);
    }

    /// Reads up to and including `mark`. Returns the text before it.
    pub(super) fn take_until(&mut self, mark: &str) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(mark)?;
        self.at += end + mark.len();
        Some(&rest[..end])
    }

    pub(super) fn since(&self, before: &Scanner<'a>) -> &'a str {
        &self.text[before.at..self.at]
    }

    pub(super) fn wanted(&self, wanted: &'static str) -> BadFile {
        let rest = self.rest();
        if rest.is_empty() {
            return self.bad(rest, Mistake::End { wanted });
        }
        let found = rest.lines().next().unwrap_or_default();
        let found = found.chars().take(12).collect();
        self.bad(rest, Mistake::Found { found, wanted })
    }

    pub(super) fn bad(&self, part: &'a str, fault: impl Into<Mistake>) -> BadFile {
        let before = &self.text[..part.as_ptr() as usize - self.text.as_ptr() as usize];
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        BadFile {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault: fault.into(),
        }
    }
}
