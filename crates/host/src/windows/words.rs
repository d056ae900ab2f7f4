//! Commands as they are typed. Quotes of either kind hold a word together; a backslash is a letter, as
//! in every path.

pub fn split_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| !letter.is_whitespace() && !['"', '\''].contains(&letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // One with both kinds is put together of pieces.
    let pieces = word
        .split_inclusive('"')
        .map(|piece| match piece.strip_suffix('"') {
            Some("") => "'\"'".to_owned(),
            Some(rest) => format!("\"{rest}\"'\"'"),
            None => format!("\"{piece}\""),
        });
    match word {
        "" => "\"\"".to_owned(),
        _ => pieces.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_are_letters() {
        let command = r#""C:\my bots\bot.exe" --book C:\book.txt "" '"'"#;
        let words = [r"C:\my bots\bot.exe", "--book", r"C:\book.txt", "", "\""];
        assert_eq!(split_words(command).expect("quotes end"), words);
    }
}
