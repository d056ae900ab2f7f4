//! `arena new-bot`: copies a bot of `bots/` with another name, and with comments in the user's language.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use referee::problem;

use super::{CliError, print, print_said};
use message::{Lang, Message, message, spoken, width};
use referee::bot::{check_name, is_plain};
use tournament::{Problem, bot_schema};

/// Create a bot: a folder with a program that plays both games, which you can change
///
/// The folder contains the program, bot.toml (how it is started), README.md with the next commands, PROTOCOL.md, and
/// bot.schema.json, with which editors check bot.toml. Existing files are not overwritten.
#[derive(Debug, Args)]
pub struct NewBot {
    /// The folder to create; its last part is the bot's name
    folder: PathBuf,
    /// The language to write it in: python, python-course, javascript, c, cpp, java, shell, rust or llm, a
    /// language model
    #[arg(long, value_name = "LANGUAGE", default_value = "python")]
    lang: String,
    /// The language of its comments, en or zh [default: the system's]
    #[arg(long, value_name = "LANG")]
    lang_comments: Option<String>,
}

impl NewBot {
    pub fn run(self) -> Result<(), CliError> {
        let template = Template::find(&self.lang)?;
        let name = name_of(&self.folder)?;
        if self.folder.symlink_metadata().is_ok() {
            return Err(problem!("{} exists already", self.folder.display())
                .help("choose another name; existing files are not overwritten")
                .into());
        }
        let lang = match &self.lang_comments {
            None => spoken(),
            Some(code) => Lang::of(code).ok_or_else(|| {
                problem!("there are no comments in {code:?}").help("choose en or zh")
            })?,
        };
        for (path, text) in template.files(&name, lang) {
            write(&self.folder.join(path), &text)?;
        }
        let schema = format!("{:#}\n", bot_schema());
        write(&self.folder.join(SCHEMA), &schema)?;
        let shown = self.folder.display();
        let (title, games) = (Message::from(template.title), Message::from(template.games));
        let file = self.folder.join(template.main_file());
        print_said(&message!(
            "{shown}: a bot in {title} that plays {games}; change {file} as you like\n\nnext:"
        ))?;
        print(&commands(&shown.to_string(), spoken()))
    }
}

fn name_of(folder: &Path) -> Result<String, Problem> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    check_name(&name).map_err(|problem| {
        let plain = |c: char| if is_plain(c) { c } else { '_' };
        let near: String = name.trim().chars().map(plain).collect();
        let near = near.trim_start_matches(['.', '-', '_']);
        match check_name(near) {
            Ok(()) => problem.help(message!("did you mean {near:?}?")),
            Err(_) => problem,
        }
    })?;
    Ok(name.into_owned())
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| {
        let problem = problem!("cannot write {}: {error}", path.display());
        CliError::from(problem.help("choose a folder with write permission"))
    })
}

#[derive(Debug)]
struct Template {
    /// The language's keyword, which is also the name of the bot and of its folder in `bots/`.
    language: &'static str,
    aliases: &'static [&'static str],
    title: &'static str,
    games: &'static str,
    /// The text around the bot's name in the program's `ready` message; empty if the program has no name.
    around_name: [&'static str; 2],
    /// The files and their text, the program first.
    files: &'static [(&'static str, &'static str)],
}

macro_rules! template {
    ($language:literal $aliases:expr, $title:literal, $around_name:expr, $($file:literal)*) => {
        Template {
            language: $language,
            aliases: &$aliases,
            title: $title,
            games: if $around_name[0].is_empty() { "Othello" } else { "Othello and Gomoku" },
            around_name: $around_name,
            files: &[$((
                $file,
                include_str!(concat!("../../bots/", $language, "/", $file)),
            )),*],
        }
    };
}

/// The text around the name in JSON, and in JSON within a string literal.
const JSON: [&str; 2] = ["\"name\":\"", "\""];
const QUOTED_JSON: [&str; 2] = ["\\\"name\\\":\\\"", "\\\""];

#[rustfmt::skip]
const TEMPLATES: [Template; 9] = [
    template!("python" ["py", "python3"], "Python", ["name=\"", "\""], "bot.py" "bot.toml"),
    template!("python-course" ["course"], "Python, for a course's platform", ["", ""],
        "my_player.py" "course_bot.py" "bot.toml"),
    template!("javascript" ["js", "node", "nodejs"], "JavaScript", ["name: \"", "\""], "bot.js" "bot.toml"),
    template!("c" [], "C", QUOTED_JSON, "bot.c" "bot.toml"),
    template!("cpp" ["c++", "cxx"], "C++", JSON, "bot.cpp" "bot.toml"),
    template!("java" [], "Java", QUOTED_JSON, "Bot.java" "bot.toml"),
    template!("shell" ["sh", "bash", "awk"], "shell", JSON, "bot.sh" "bot.toml"),
    template!("rust" ["rs"], "Rust", JSON, "src/main.rs" "bot.toml" "Cargo.toml"),
    template!("llm" ["gpt", "model"], "Python with a language model", ["name=\"", "\""], "bot.py" "bot.toml" "prompt.txt"),
];

const SCHEMA: &str = "bot.schema.json";

/// The program that connects a course's player to the arena.
const FRAME: &str = "course_bot.py";

impl Template {
    fn find(word: &str) -> Result<&'static Template, Problem> {
        let lower = word.to_lowercase();
        let is_it = |template: &&Template| {
            template.language == lower || template.aliases.contains(&lower.as_str())
        };
        TEMPLATES.iter().find(is_it).ok_or_else(|| {
            problem!("there is no template for the language {word:?}")
                .did_you_mean(word, TEMPLATES.iter().map(|template| template.language))
        })
    }

    fn main_file(&self) -> &'static str {
        self.files[0].0
    }

    fn files(&self, name: &str, lang: &Lang) -> Vec<(&'static str, String)> {
        let [before, after] = self.around_name;
        let in_program = format!("{before}{}{after}", self.language);
        let adapt = |text: &str| {
            let text = alone(text);
            let text = if before.is_empty() {
                text
            } else {
                text.replace(&in_program, &format!("{before}{name}{after}"))
            };
            text.replace("docs/protocol.md", "PROTOCOL.md")
        };
        let mut files: Vec<(&str, String)> = self
            .files
            .iter()
            .map(|&(path, text)| match path {
                "bot.toml" => {
                    let line = |line: &str| {
                        if line.starts_with("name = ") {
                            format!("name = {name:?}\n")
                        } else {
                            format!("{line}\n")
                        }
                    };
                    let text: String = adapt(text).lines().map(line).collect();
                    (path, format!("#:schema {SCHEMA}\n{text}"))
                }
                // Does not translate this program, since the author of a player does not read it.
                path if path == FRAME || lang.code == Lang::usual().code => (path, adapt(text)),
                path => (path, in_language(&adapt(text), lang)),
            })
            .collect();
        files.push(("README.md", self.readme(name, lang)));
        // The new folder has no other translation, so the link to it is removed.
        let protocol = lang.protocol().replace("[English](../protocol.md)\n\n", "");
        files.push(("PROTOCOL.md", protocol));
        files
    }

    fn readme(&self, name: &str, lang: &Lang) -> String {
        let text = message!(
            "# {name}\n\n\
             A bot for {games} in {title}. `{program}` is the program, `bot.toml` says how it is \
             started,\nand `PROTOCOL.md` describes its messages. Run these commands in the folder \
             above this one:\n\n```sh\n{commands}```\n\n\
             Change how it chooses its move, then run them again. When a bot fails, `results/` \
             contains\nthe messages of the game.\n",
            games = Message::from(self.games),
            title = Message::from(self.title),
            program = self.main_file(),
            commands = commands(name, lang).replace("\n  ", "\n").trim_start(),
        );
        lang.render(&text)
    }
}

/// Removes the sentence about bots in other languages, since those are not in the new folder.
fn alone(text: &str) -> String {
    let Some((before, rest)) = text.split_once("The bots in ../") else {
        return text.to_owned();
    };
    // The sentence ends at the first full stop that is not part of `../`.
    let end = rest
        .match_indices('.')
        .find(|&(at, _)| !rest[at..].starts_with("../") && !rest[..at].ends_with('.'));
    let after = end.map_or("", |(at, _)| &rest[at + 1..]);
    format!("{}{after}", before.trim_end_matches(' '))
}

fn commands(folder: &str, lang: &Lang) -> String {
    let commands = [
        (
            format!("arena check {folder}"),
            "is anything wrong with it?",
        ),
        (
            format!("arena match {folder} greedy"),
            "20 games against a weak opponent",
        ),
        (
            format!("arena grade {folder} --suite othello-six"),
            "a mark: six opponents, weakest first",
        ),
    ];
    let width = commands[2].0.len();
    let line = |(command, why)| format!("  {command:width$}   # {}\n", lang.fixed(why));
    commands.map(line).concat()
}

const WIDTH: usize = 96;

/// The kinds of block comments: the opening, the end, and the beginning of further lines.
const BLOCKS: [(&str, &str, &str); 2] = [("/*", "*/", " * "), ("\"\"\"", "\"\"\"", "")];
/// The beginnings of a line comment, longest first.
const SIGNS: [&str; 4] = ["//!", "///", "//", "#"];

/// Translates the comments of a program: one template serves all languages. Keeps comments without a translation.
fn in_language(program: &str, lang: &Lang) -> String {
    let mut out: Vec<String> = Vec::new();
    let lines: Vec<&str> = program.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let (taken, translated) = block(&lines[at..], lang)
            .or_else(|| run(&lines[at..], lang))
            .unwrap_or_else(|| (1, vec![trailing(lines[at], lang)]));
        out.extend(translated);
        at += taken;
    }
    out.join("\n") + "\n"
}

/// Translates a block comment at the beginning of a line. Returns the number of its lines, and the new lines.
fn block(lines: &[&str], lang: &Lang) -> Option<(usize, Vec<String>)> {
    let first = lines[0];
    let body = first.trim_start();
    let indent = &first[..first.len() - body.len()];
    let (open, close, mark) = BLOCKS.iter().find(|(open, ..)| body.starts_with(open))?;
    let rest = body[open.len()..].trim_start();
    let (mut texts, mut taken) = (Vec::new(), 0);
    for line in lines {
        let inner = if taken == 0 { rest } else { line.trim_start() };
        taken += 1;
        let inner = match inner.strip_suffix(close) {
            // Code follows the comment in the comment's last line.
            None if inner.contains(close) => return None,
            None => inner,
            Some(last) => {
                texts.push(last);
                break;
            }
        };
        texts.push(inner);
    }
    let starred = |line: &&str| line.strip_prefix('*').unwrap_or(line).trim().to_owned();
    let texts: Vec<String> = texts.iter().map(starred).collect();
    let paragraphs = translated(&texts, lang)?;
    let gap = if mark.is_empty() { "" } else { " " };
    let room = WIDTH - indent.len() - mark.len().max(open.len() + 1);
    let mut out = Vec::new();
    for (number, paragraph) in paragraphs.iter().enumerate() {
        if number > 0 {
            out.push(format!("{indent}{}", mark.trim_end()));
        }
        for line in width::lines(paragraph, room) {
            let begin = match (out.is_empty(), mark.is_empty()) {
                (true, _) => format!("{open}{gap}"),
                (false, true) => String::new(),
                (false, false) => (*mark).to_owned(),
            };
            out.push(format!("{indent}{begin}{line}"));
        }
    }
    let last = out.pop()?;
    if texts.len() > 1 && texts.last().is_some_and(String::is_empty) {
        out.push(last);
        let close = if mark.is_empty() {
            (*close).to_owned()
        } else {
            format!(" {close}")
        };
        out.push(format!("{indent}{close}"));
    } else {
        out.push(format!("{last}{gap}{close}"));
    }
    Some((taken, out))
}

/// Translates comment lines with the same sign. Returns their number, and the new lines.
fn run(lines: &[&str], lang: &Lang) -> Option<(usize, Vec<String>)> {
    let body = lines[0].trim_start();
    let indent = &lines[0][..lines[0].len() - body.len()];
    let sign = SIGNS.iter().find(|sign| body.starts_with(**sign))?;
    let of = |line: &&str| {
        let rest = line.strip_prefix(indent)?.strip_prefix(sign)?;
        let is_text = rest.is_empty() || rest.starts_with(' ');
        // A heading in a line of dashes does not belong to the paragraph.
        (is_text && !rest.starts_with(" ----")).then(|| rest.trim().to_owned())
    };
    let texts: Vec<String> = lines.iter().map_while(of).collect();
    let paragraphs = translated(&texts, lang)?;
    let room = WIDTH - indent.len() - sign.len() - 1;
    let mut out = Vec::new();
    for paragraph in &paragraphs {
        if !out.is_empty() {
            out.push(format!("{indent}{sign}"));
        }
        let lines = width::lines(paragraph, room).into_iter();
        out.extend(lines.map(|line| format!("{indent}{sign} {line}")));
    }
    Some((texts.len(), out))
}

fn trailing(line: &str, lang: &Lang) -> String {
    let signs = [("  # ", ""), (" # ", ""), (" // ", ""), (" /* ", " */")];
    let translated = signs.into_iter().find_map(|(begin, end)| {
        let (code, rest) = line.rsplit_once(begin)?;
        let comment = rest.strip_suffix(end)?;
        let translated = lang.comment(comment)?;
        Some(format!("{code}{begin}{translated}{end}"))
    });
    translated.unwrap_or_else(|| line.to_owned())
}

/// Translates the paragraphs of a comment; `None` if a paragraph has no translation.
fn translated(lines: &[String], lang: &Lang) -> Option<Vec<String>> {
    let text = lines.join("\n");
    let paragraphs = text.split("\n\n").map(|one| one.trim().replace('\n', " "));
    let paragraphs: Vec<String> = paragraphs.filter(|one| !one.is_empty()).collect();
    let of = |one: &String| {
        let is_heading = one.starts_with("----");
        is_heading
            .then(|| one.clone())
            .or_else(|| lang.comment(one))
    };
    let translated: Option<Vec<String>> = paragraphs.iter().map(of).collect();
    translated.filter(|translated| !translated.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::bot::Manifest;

    #[test]
    fn a_bad_name_gets_a_good_one() {
        let help = |folder: &str| {
            name_of(Path::new(folder))
                .expect_err("a bad name")
                .help
                .map(|help| help.to_string())
        };
        let meant = |name: &str| Some(format!("did you mean {name:?}?"));
        assert_eq!(help("my bot"), meant("my_bot"));
        assert_eq!(help("bots/größter bot"), meant("größter_bot"));
        assert_eq!(help("-x"), meant("x"));
        let rule = "use 1 to 64 letters, digits, dots, dashes and underscores";
        assert_eq!(help(".."), Some(rule.to_owned()));
        assert_eq!(name_of(Path::new("bots/my_bot/")).as_deref(), Ok("my_bot"));
    }

    #[test]
    fn a_new_bot_has_its_own_name_and_no_neighbours() {
        for template in &TEMPLATES {
            let files = template.files("my_bot", Lang::usual());
            let of = |name: &str| {
                let mut files = files.iter();
                &files.find(|(path, _)| *path == name).expect(name).1
            };
            let program = of(template.main_file());
            let (own, [before, after]) = (template.language, template.around_name);
            if !before.is_empty() {
                assert!(program.contains(&format!("{before}my_bot{after}")), "{own}");
                assert!(!program.contains(&format!("{before}{own}{after}")), "{own}");
            }
            assert!(
                !program.contains("../") && !program.contains("docs/"),
                "{own}"
            );
            let manifest = Manifest::parse(of("bot.toml")).expect("a manifest");
            assert_eq!(manifest.name.as_deref(), Some("my_bot"), "{own}");
            for command in [
                "arena check my_bot",
                "arena match my_bot",
                "arena grade my_bot",
            ] {
                assert!(of("README.md").contains(command), "{own}");
            }
        }
    }

    #[test]
    fn the_sentence_on_other_languages_goes() {
        for (text, expected) in [
            (
                "# a. The bots in ../c, ../cpp and ../java play the same\n# moves.\n#",
                "# a.\n#",
            ),
            ("one.\n", "one.\n"),
        ] {
            assert_eq!(alone(text), expected);
        }
    }

    #[test]
    fn the_help_lists_all_languages() {
        use clap::Args as _;
        let help = NewBot::augment_args(clap::Command::new("new-bot")).render_help();
        let help = help.to_string();
        for Template { language, .. } in &TEMPLATES {
            assert!(help.contains(language), "{language}: {help}");
        }
    }
}
