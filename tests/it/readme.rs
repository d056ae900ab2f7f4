//! The README in both languages, and the commands and links of the Chinese pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fences_and_links(name: &str) -> Vec<String> {
    let text = fs::read_to_string(name).expect("it is there");
    let (mut found, mut fenced) = (Vec::new(), None::<String>);
    for line in text.lines() {
        match (&mut fenced, line.starts_with("```")) {
            (None, true) => fenced = Some(line.to_owned()),
            (Some(_), true) => found.extend(fenced.take()),
            (Some(block), false) => *block += &format!("\n{line}"),
            (None, false) => {
                let pictures = line.split("](").skip(1);
                let links = pictures.filter_map(|rest| rest.split(')').next());
                found.extend(
                    links
                        .filter(|link| link.contains("pictures"))
                        .map(str::to_owned),
                );
            }
        }
    }
    found
}

/// Returns the parts of a block or a link that must be the same in both languages. Of an output (a block without a
/// language), these are its numbers, commands and indented lines. Of other blocks, it is the code without comments.
fn untranslated(block: &str) -> Vec<String> {
    let is_kept = |line: &&str| {
        ["$ ", "    ", "```"]
            .iter()
            .any(|sign| line.starts_with(sign))
    };
    if block.starts_with("```\n") {
        let kept = block.lines().filter(is_kept).map(str::to_owned);
        let numbers = block.split(|c: char| !c.is_ascii_digit() && c != '.');
        let is_number = |word: &&str| word.parse::<f64>().is_ok();
        let mut found: Vec<String> = numbers.filter(is_number).map(str::to_owned).collect();
        found.sort();
        found.extend(kept);
        return found;
    }
    let code = block.lines().map(|line| match line.find("# ") {
        Some(at) if at == 0 || line[..at].ends_with(' ') => &line[..at],
        _ => line,
    });
    code.map(|line| line.trim_end().to_owned()).collect()
}

fn commands(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("a page");
    let (mut found, mut is_shell) = (Vec::new(), false);
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(kind) => is_shell = kind == "sh",
            None if is_shell && line.starts_with("arena ") => found.push(line.to_owned()),
            None => {}
        }
    }
    found
}

fn chinese_pages() -> impl Iterator<Item = PathBuf> {
    let pages = fs::read_dir("docs/zh-CN").expect("the pages");
    let pages = pages.map(|page| page.expect("a page").path());
    pages.chain([PathBuf::from("README.zh-CN.md")])
}

#[test]
fn the_commands_of_the_chinese_pages_are_there() {
    for page in chinese_pages() {
        for command in commands(&page) {
            let plain = command.split("  #").next().unwrap_or_default();
            let mut words = plain.split_whitespace().skip(1);
            let name = words.next().unwrap_or_default();
            let help = |words: &[&str]| {
                let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
                let help = arena.args(words).arg("--help").output();
                String::from_utf8(help.expect("it starts").stdout).expect("text")
            };
            let help = match help(&[name]) {
                of_all if of_all.contains("\nCommands:") => {
                    help(&[name, words.next().unwrap_or_default()])
                }
                of_one => of_one,
            };
            let page = page.display();
            assert!(!help.is_empty(), "{page}: {command}: no such command");
            // Options in quotes are for a bot.
            let outside: String = plain.split('"').step_by(2).collect();
            for option in outside
                .split_whitespace()
                .filter(|word| word.starts_with("--"))
            {
                assert!(help.contains(option), "{page}: {command}: no {option}");
            }
        }
    }
}

#[test]
fn the_links_of_the_chinese_pages_are_there() {
    for page in chinese_pages() {
        let text = fs::read_to_string(&page).expect("a page");
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| link.contains(".md")) {
            let file = link.split('#').next().unwrap_or(link);
            let at = page.with_file_name(file);
            assert!(at.is_file(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn commands_figures_and_pictures_are_the_same_in_both_languages() {
    let english = fences_and_links("README.md");
    assert!(english.len() > 10, "{english:?}");
    for (english, chinese) in english.iter().zip(fences_and_links("README.zh-CN.md")) {
        assert_eq!(untranslated(english), untranslated(&chinese), "{chinese}");
    }
    assert_eq!(english.len(), fences_and_links("README.zh-CN.md").len());
    for picture in english.iter().filter(|text| text.starts_with("docs/")) {
        assert!(fs::exists(picture).expect("a path"), "{picture}");
    }
}
