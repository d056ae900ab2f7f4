//! Blanks and punctuation between the parts of a Chinese text. `message.js` has the same rules.

/// Punctuation for templates that contain no words, such as `{}: {}`: the English, then the Chinese sign.
const PUNCTUATION: [(&str, &str); 5] = [
    (": ", "："),
    ("; ", "；"),
    (", ", "，"),
    (" (", "（"),
    (")", "）"),
];

pub fn punctuated(text: &str) -> String {
    let put = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    PUNCTUATION.into_iter().fold(text.to_owned(), put)
}

fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

fn is_wide_sign(c: char) -> bool {
    ('\u{3001}'..='\u{3011}').contains(&c) || ('\u{ff01}'..='\u{ff1f}').contains(&c)
}

/// Appends the next part of a text, with a blank between Chinese and a Latin word or number. If one of the parts is a
/// message (`is_of_messages`), removes a blank between Chinese characters or beside Chinese punctuation.
pub fn join(text: &mut String, next: &str, is_of_messages: bool) {
    let (before, after) = (text.trim_end_matches(' '), next.trim_start_matches(' '));
    if let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) {
        let has_blank = before.len() < text.len() || after.len() < next.len();
        let is_latin = |c: char| c.is_ascii_alphanumeric();
        let is_blank_due = (is_han(last) && is_latin(first)) || (is_latin(last) && is_han(first));
        let is_blank_wrong =
            (is_han(last) && is_han(first)) || is_wide_sign(last) || is_wide_sign(first);
        if has_blank && is_blank_wrong && is_of_messages {
            text.truncate(before.len());
            *text += after;
            return;
        }
        if is_blank_due && !has_blank {
            text.push(' ');
        }
    }
    *text += next;
}
