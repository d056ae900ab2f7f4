//! Cells of text as wide as their columns on the screen, where a Chinese character takes two columns.

use textwrap::core::display_width;

/// The text, and blanks up to this width.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", blanks(text, width))
}

/// Blanks, and the text at the end of this width.
pub fn right(text: &str, width: usize) -> String {
    format!("{}{text}", blanks(text, width))
}

fn blanks(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(display_width(text)))
}

/// The text in at most this width; what is cut leaves a mark.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chinese_character_takes_two_columns() {
        assert_eq!(left("程序", 6), "程序  ");
        assert_eq!(right("胜", 4), "  胜");
        assert_eq!(right("胜负和", 4), "胜负和");
        assert_eq!(cut("犯规一次", 8), "犯规一次");
        assert_eq!(cut("犯规一次", 7), "犯规一…");
        assert_eq!(cut("犯规一次", 6), "犯规…");
    }
}
