//! Commands as they are typed: words, some of them in quotes.

use crate::system;

/// The words of a command, as the system's usual shell takes it apart; `None`: a quote does not end.
pub fn split_words(command: &str) -> Option<Vec<String>> {
    system::split_words(command)
}

/// The words as one command, which [`split_words`] takes apart again.
pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    system::join_words(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_is_split_again() {
        for words in [
            vec!["python3", "my bot.py", "--fast"],
            vec!["./bot", "", "it's"],
            vec!["bot", "say \"hm\""],
        ] {
            let command = join_words(words.iter().copied());
            let again = split_words(&command).expect("quotes end");
            assert_eq!(again, words, "{command}");
        }
        assert_eq!(split_words("bot \"--fast"), None);
    }
}
