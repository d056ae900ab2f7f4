//! The Chinese output: every sentence has a translation, and bots with Chinese comments are the same programs.
//!
//! `tests/chinese/sources.txt` lists the files and folders with sentences for students. `commands.txt` has commands,
//! which run one after the other in one folder with the files of `desk`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::asked::is_left_out;
use crate::common::{Workdir, both, python};
use cases::cases;
use message::{Lang, Message};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

const NOT_SAID: [&str; 1] = ["what is known of a bot: each is a fact of its own"];

/// Finds the literals of a source, except in tests, comments, impossible cases, and attributes other than `#[error]`.
fn literals(tokens: TokenStream, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(tree) = tokens.next() {
        match tree {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if matches!(tokens.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == '!') {
                    tokens.next();
                }
                let Some(TokenTree::Group(group)) = tokens.peek() else {
                    continue;
                };
                let text = group.stream().to_string();
                let is_attribute = group.delimiter() == Delimiter::Bracket;
                if is_attribute && text.starts_with("cfg (test)") {
                    return;
                }
                if is_attribute && !text.starts_with("error") {
                    tokens.next();
                }
            }
            TokenTree::Ident(name) if name == "expect" || name == "unreachable" => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(_)));
                tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
            }
            TokenTree::Group(group) => literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
                found.extend(text.map(|text| text.value()));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn prose(literal: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut rest = literal;
    while let Some(c) = rest.chars().next() {
        let value = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let value = value.filter(|(name, _)| !name.contains(['"', ' ', '{']));
        if value.is_some() || c == '\n' {
            pieces.push(String::new());
        } else {
            pieces.last_mut().expect("one").push(c);
        }
        rest = value.map_or(&rest[c.len_utf8()..], |(_, after)| after);
    }
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let is_prose = |piece: &String| piece.split(' ').filter(is_word).count() >= 3;
    let trimmed = pieces
        .iter()
        .map(|one| one.trim_matches(|c| " .:;,()?!".contains(c)).to_owned());
    trimmed.filter(is_prose).collect()
}

/// The packages with messages that users can see.
const SPOKEN: [&str; 7] = [
    "src",
    "crates/games",
    "crates/host",
    "crates/referee",
    "crates/run",
    "crates/stats",
    "crates/tournament",
];

/// Finds the texts of messages in a source: in macros and in errors.
fn templates(tokens: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let first_text = |stream: TokenStream| match stream.into_iter().next() {
        Some(TokenTree::Literal(literal)) => {
            syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()
        }
        _ => None,
    };
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            continue;
        };
        let words: Vec<String> = trees[at.saturating_sub(2)..at]
            .iter()
            .map(ToString::to_string)
            .collect();
        if words.last().is_some_and(|sign| sign == "#")
            && group.to_string().starts_with("[cfg (test)")
        {
            return;
        }
        let is_message = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [name, "!"] => ["message", "problem", "say"].contains(&name),
            [.., name] => name == "error",
            [] => false,
        };
        if is_message {
            found.extend(first_text(group.stream()).map(|text| text.value()));
        }
        templates(group.stream(), found);
    }
}

#[test]
fn every_message_has_a_translation() {
    let keys = translations();
    let mut folders: Vec<PathBuf> = SPOKEN.iter().map(PathBuf::from).collect();
    let (mut files, mut missing) = (Vec::new(), Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension() == Some("rs".as_ref()) && !path.ends_with("tests.rs") {
                files.push(path);
            }
        }
    }
    for path in files {
        let text = fs::read_to_string(&path).expect("a source");
        let mut found = Vec::new();
        templates(text.parse().expect("Rust"), &mut found);
        for line in found
            .iter()
            .flat_map(|text| text.lines())
            .map(str::trim_start)
        {
            let is_prose = prose(line).iter().any(|piece| piece.split(' ').count() > 1);
            if is_prose && !keys.contains_key(line) {
                missing.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "without Chinese, word by word:\n{}",
        missing.join("\n")
    );
}

fn sources(place: &str) -> Vec<PathBuf> {
    match Path::new(place) {
        file if file.is_file() => vec![file.to_owned()],
        folder => {
            let files = fs::read_dir(folder).expect("a folder");
            let files = files.map(|file| file.expect("a file").path());
            files.filter(|path| path.is_file()).collect()
        }
    }
}

fn translations() -> BTreeMap<String, String> {
    let files = fs::read_dir("crates/message/src/zh").expect("a folder");
    let texts = files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("text"));
    let all = texts.map(|text| toml::from_str::<BTreeMap<_, _>>(&text).expect("TOML"));
    all.flatten().collect()
}

#[test]
fn every_sentence_for_a_student_has_a_translation() {
    let texts = Lang::of("zh").expect("Chinese").texts().keys().cloned();
    let keys: Vec<String> = translations().into_keys().chain(texts).collect();
    let mut missing = Vec::new();
    // If a line of the list begins with `.`, only literals that end with a period count. The other literals of such
    // files are words of compilers.
    let rooms = fs::read_to_string("tests/chinese/sources.txt").expect("a list");
    for room in rooms.lines() {
        let whole = room.starts_with('.');
        for file in sources(room.trim_start_matches('.')) {
            let text = fs::read_to_string(&file).expect("a source");
            let mut found = Vec::new();
            literals(text.parse().expect("Rust"), &mut found);
            let sentences = found.iter().filter(|text| !whole || text.ends_with('.'));
            for piece in sentences.flat_map(|text| prose(text)) {
                let is_known = keys.iter().any(|key| key.contains(&piece));
                if !is_known && !NOT_SAID.iter().any(|other| piece.ends_with(other)) {
                    missing.push(format!("{}: {piece}", file.display()));
                }
            }
        }
    }
    assert!(
        missing.is_empty(),
        "without Chinese:\n{}",
        missing.join("\n")
    );
}

fn is_english(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_ascii_alphabetic());
    let small = words.filter(|word| {
        [
            "the", "is", "was", "it", "its", "of", "and", "not", "with", "are",
        ]
        .contains(word)
    });
    small.count() >= 2
}

#[test]
fn output_for_students_is_chinese() {
    let workdir = Workdir::new();
    for file in fs::read_dir("tests/chinese/desk").expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), workdir.path(file.file_name())).expect("a copy");
    }
    let _ = python();
    let typed = fs::read_to_string("tests/chinese/commands.txt").expect("a file");
    for line in typed.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let output = workdir
            .shell(line)
            .env("LC_ALL", "zh_CN.UTF-8")
            .output()
            .expect("it starts");
        let printed = both(&output);
        let english: Vec<&str> = printed.lines().filter(|line| is_english(line)).collect();
        assert!(
            english.is_empty(),
            "{line}:\n{}\nin\n{printed}",
            english.join("\n")
        );
        assert!(
            printed
                .chars()
                .any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c)),
            "{line}: {printed}"
        );
    }
}

fn code(file: &str, text: &str) -> String {
    let mut rest = text.to_owned();
    for (open, close) in [("\"\"\"", "\"\"\""), ("/*", "*/")] {
        if (open == "/*") != (file == "bot.c") {
            continue;
        }
        while let Some((before, after)) = rest.split_once(open) {
            let (_, after) = after.split_once(close).expect("it ends");
            rest = format!("{before}{after}");
        }
    }
    let sign = if file.ends_with("py") || file.ends_with("sh") || file.ends_with("toml") {
        "#"
    } else {
        "//"
    };
    let lines = rest.lines().map(|line| match line.find(sign) {
        Some(at) if at == 0 || line[..at].ends_with(' ') => line[..at].trim_end(),
        _ => line.trim_end(),
    });
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_template_is_the_same_program_in_both_languages() {
    let workdir = Workdir::new();
    let _ = python();
    for (language, file, tool) in cases::<(String, String, Option<String>)>("bot-templates") {
        let [english, chinese] = ["en", "zh"].map(|comments| {
            // The folder gives the bot its name.
            let folder = format!("{comments}-{language}/mine");
            let words = format!("new-bot {folder} --lang {language} --lang-comments {comments}");
            workdir.succeed(words.split(' '));
            fs::read_to_string(workdir.path(format!("{folder}/{file}"))).expect("a program")
        });
        let program = code(&file, &chinese);
        assert_eq!(code(&file, &english), program, "{language}");
        let is_comment = |line: &&str| !program.lines().any(|code| code == line.trim_end());
        let comments = chinese.lines().filter(is_comment);
        let left: Vec<&str> = comments.filter(|line| is_english(line)).collect();
        assert!(left.is_empty(), "{language}: {}", left.join("\n"));
        if !tool.as_deref().is_some_and(is_left_out) {
            let folder = format!("zh-{language}/mine");
            workdir.succeed(["check", &folder, "--game", "othello"]);
        }
    }
}

#[test]
fn pages_render_messages_as_the_terminal_does() {
    if is_left_out("node") {
        return;
    }
    let chinese = Lang::of("zh").expect("Chinese");
    let messages = fs::read_to_string("tests/chinese/messages.json").expect("a file");
    let messages: Vec<Message> = serde_json::from_str(&messages).expect("messages");
    let rendered: Vec<String> = messages.iter().map(|one| chinese.render(one)).collect();
    let script = "const [renderer, messages, translations] = process.argv.slice(1).map((text) => text); \
                  eval(renderer); \
                  const rendered = globalThis.renderer(JSON.parse(translations)); \
                  console.log(JSON.stringify(JSON.parse(messages).map(rendered)))";
    let workdir = Workdir::new();
    let mut node = workdir.command("node");
    node.args(["-e", script]);
    node.arg(fs::read_to_string("crates/message/src/message.js").expect("a script"));
    node.arg(serde_json::json!(messages).to_string());
    node.arg(serde_json::json!(chinese.for_pages()).to_string());
    let output = node.output().expect("node");
    let found: Vec<String> =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", both(&output)));
    assert_eq!(found, rendered);
}
