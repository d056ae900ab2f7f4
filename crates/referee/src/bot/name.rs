//! Names of bots: letters and digits of every script, without look-alikes.
//!
//! Source: Unicode Technical Standard 39, "Unicode Security Mechanisms".

use crate::problem;
use unicode_script::{Script, UnicodeScript};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use crate::problem::Problem;
use message::is_blank;

/// The maximum size of a bot's name in a tournament and in a record, in bytes.
pub const LONGEST_NAME: usize = 200;

/// Accepts letters and digits of any script, dots, dashes and underscores, but nothing invisible or bidirectional.
pub fn is_plain(c: char) -> bool {
    (c.is_alphanumeric() && !is_blank(c)) || "._-".contains(c)
}

/// Returns whether each word has letters of one script only; Chinese, Japanese and Korean may be mixed with Latin.
fn has_plain_words(name: &str) -> bool {
    let is_plain_word = |word: &str| {
        let others: String = (word.chars().filter(|c| c.script() != Script::Latin)).collect();
        let scripts = AugmentedScriptSet::for_str(&others);
        let has_latin = others.len() < word.len();
        scripts.hanb || scripts.jpan || scripts.kore || (!has_latin && !scripts.is_empty())
    };
    name.split(|c: char| !c.is_alphabetic()).all(is_plain_word)
}

pub fn plain_name(text: &str) -> String {
    let dashes = |keeps: fn(char) -> bool| move |c| if keeps(c) { c } else { '-' };
    let mut name: String = text.trim().chars().map(dashes(is_plain)).take(48).collect();
    if !has_plain_words(&name) {
        let keeps = |c: char| c.is_ascii() || c.script() == Script::Common;
        name = name.chars().map(dashes(keeps)).collect();
    }
    let name = name.trim_start_matches(['.', '-']);
    if name.is_empty() { "bot" } else { name }.to_owned()
}

/// Returns whether two names look the same to a reader, ignoring case.
pub fn looks_like(one: &str, other: &str) -> bool {
    // ASCII has its own look-alikes, such as 1 and l, but readers can distinguish them.
    let has_other_letters = !one.is_ascii() || !other.is_ascii();
    let seen = |name: &str| skeleton(&name.to_lowercase()).collect::<String>();
    one.eq_ignore_ascii_case(other) || (has_other_letters && seen(one) == seen(other))
}

/// Returns whether a reader may take one name for the other. Differs from [`looks_like`] in two ways: look-alikes in
/// ASCII count (0 and O, 1 and l), and dots, dashes and underscores do not.
pub fn is_confusable(one: &str, other: &str) -> bool {
    let seen = |name: &str| {
        let letters = name.to_lowercase().replace(['.', '-', '_'], "");
        skeleton(&letters).collect::<String>().to_lowercase()
    };
    seen(one) == seen(other)
}

/// Checks that a name is valid in file names, tables and pages: letters and digits of every script, dots, dashes and
/// underscores; at most 64 characters and 200 bytes; no dot or dash at the beginning.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let fits = !name.is_empty() && name.chars().count() <= 64 && name.len() <= LONGEST_NAME;
    let plain = fits && name.chars().all(is_plain);
    if !plain || name.starts_with(['.', '-']) {
        return Err(problem!("{name:?} cannot be a bot's name")
            .help("use 1 to 64 letters, digits, dots, dashes and underscores"));
    }
    if !has_plain_words(name) {
        let problem =
            problem!("{name:?} mixes letters of several scripts, which look alike, in one word");
        return Err(problem.help("write each word in one script"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_reader_may_take_names_for_each_other() {
        for (one, other, are) in cases::<(String, String, bool)>("confusable-names") {
            assert_eq!(is_confusable(&one, &other), are, "{one} {other}");
        }
    }

    /// The look-alikes are from `confusables.txt` of UTS 39.
    #[test]
    fn a_name_looks_like_no_other() {
        for [good] in cases::<[String; 1]>("good-names") {
            assert!(check_name(&good).is_ok(), "{good}");
            assert_eq!(plain_name(&good), good);
        }
        for (bad, plain) in [
            ("gr\u{435}edy", "gr-edy"),
            ("rand\u{43e}m-张三", "rand-m---"),
            // Hangul fillers are letters without a shape.
            ("random\u{3164}", "random-"),
            ("\u{115f}random", "random"),
            ("a\u{202e}b", "a-b"),
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
            assert_eq!(plain_name(bad), plain);
            assert!(check_name(plain).is_ok(), "{plain}");
        }
        // The second names are written in Cyrillic, with a fullwidth letter, and with a combining mark.
        for (one, other) in [
            ("cop", "\u{441}\u{43e}\u{440}"),
            ("Alpha", "ａlpha"),
            ("café", "cafe\u{301}"),
        ] {
            assert!(looks_like(one, other), "{one} {other}");
        }
        for (one, other) in [("bot1", "botl"), ("张三", "张三丰")] {
            assert!(!looks_like(one, other), "{one} {other}");
        }
    }
}
