//! Text by its width on the screen, where a Chinese character takes two columns: padded cells and wrapped lines.

use textwrap::core::{Word, display_width};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", blanks(text, width))
}

pub fn right(text: &str, width: usize) -> String {
    format!("{}{text}", blanks(text, width))
}

fn blanks(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(display_width(text)))
}

/// Cuts the text to this width; `…` replaces the rest.
pub fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += display_width(c.encode_utf8(&mut [0; 4]));
        used < width
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Wraps the text into lines of at most this width, but does not cut wider words. ASCII text breaks only at blanks.
pub fn lines(text: &str, width: usize) -> Vec<String> {
    let separator = if text.is_ascii() {
        WordSeparator::AsciiSpace
    } else {
        WordSeparator::Custom(words)
    };
    let options = Options::new(width)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
        .word_separator(separator)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(text, options).into_iter();
    lines.map(std::borrow::Cow::into_owned).collect()
}

fn words(text: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let begins = |word: &Word<'_>| word.word.as_ptr() as usize - text.as_ptr() as usize;
    let mut cuts = Vec::new();
    for word in WordSeparator::UnicodeBreakProperties.find_words(text) {
        let at = begins(&word);
        let around = [text[..at].chars().next_back(), text[at..].chars().next()];
        let is_inside = around
            .iter()
            .all(|c| c.is_some_and(|c| c.is_ascii() && c != ' '));
        if !is_inside {
            cuts.push(at);
        }
    }
    let ends: Vec<usize> = cuts.iter().skip(1).copied().chain([text.len()]).collect();
    Box::new(
        cuts.into_iter()
            .zip(ends)
            .map(|(at, end)| Word::from(&text[at..end])),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four characters of two columns are as wide as eight letters. No line begins with a full stop.
    #[test]
    fn lines_end_where_they_may() {
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("程序没有回答", 8), ["程序没有", "回答"]);
        assert_eq!(lines("程序没有。它", 8), ["程序没", "有。它"]);
        assert_eq!(
            lines("见 docs/my-bot.md 文件", 8),
            ["见", "docs/my-bot.md", "文件"]
        );
    }

    #[test]
    fn a_chinese_character_takes_two_columns() {
        assert_eq!(left("程序", 6), "程序  ");
        assert_eq!(right("胜", 4), "  胜");
        assert_eq!(right("胜负和", 4), "胜负和");
        assert_eq!(cut("出错一次", 8), "出错一次");
        assert_eq!(cut("出错一次", 7), "出错一…");
        assert_eq!(cut("出错一次", 6), "出错…");
    }
}
