//! The templates of new bots: the bots under `bots/`, with another name.

use super::comments::in_language;
use message::Lang;
use referee::problem;
use tournament::Problem;

/// A bot of `bots/` as a template.
#[derive(Debug)]
pub struct Template {
    /// The keyword of its language, which is also its name and the name of its folder.
    language: &'static str,
    /// Other keywords.
    aliases: &'static [&'static str],
    /// The usual name of the language.
    pub title: &'static str,
    /// What it plays.
    games: &'static str,
    /// The text before and after its name in its program, in the `ready` message; empty if it has none.
    around_name: [&'static str; 2],
    /// Its files with their text; the program first.
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
                include_str!(concat!("../../../bots/", $language, "/", $file)),
            )),*],
        }
    };
}

/// In a JSON string, and in a JSON string inside a string of the program.
const JSON: [&str; 2] = ["\"name\":\"", "\""];
const QUOTED_JSON: [&str; 2] = ["\\\"name\\\":\\\"", "\\\""];

/// All templates.
#[rustfmt::skip]
const TEMPLATES: [Template; 8] = [
    template!("python" ["py", "python3"], "Python", ["name=\"", "\""], "bot.py" "bot.toml"),
    template!("python-course" ["course"], "Python, for a course's platform", ["", ""],
        "my_player.py" "course_bot.py" "bot.toml"),
    template!("javascript" ["js", "node", "nodejs"], "JavaScript", ["name: \"", "\""], "bot.js" "bot.toml"),
    template!("c" [], "C", QUOTED_JSON, "bot.c" "bot.toml"),
    template!("cpp" ["c++", "cxx"], "C++", JSON, "bot.cpp" "bot.toml"),
    template!("java" [], "Java", QUOTED_JSON, "Bot.java" "bot.toml"),
    template!("shell" ["sh", "bash", "awk"], "shell", JSON, "bot.sh" "bot.toml"),
    template!("rust" ["rs"], "Rust", JSON, "src/main.rs" "bot.toml" "Cargo.toml"),
];

/// The file of the schema of `bot.toml`.
pub const SCHEMA: &str = "bot.schema.json";

/// What runs a player of a course.
const FRAME: &str = "course_bot.py";

impl Template {
    /// The template for the language `word`.
    pub fn find(word: &str) -> Result<&'static Template, Problem> {
        let lower = word.to_lowercase();
        let is_it = |template: &&Template| {
            template.language == lower || template.aliases.contains(&lower.as_str())
        };
        TEMPLATES.iter().find(is_it).ok_or_else(|| {
            problem!("there is no template for the language {word:?}")
                .did_you_mean(word, TEMPLATES.iter().map(|template| template.language))
        })
    }

    /// What it plays, in words.
    pub fn games(&self) -> &'static str {
        self.games
    }

    /// The program's file.
    pub fn main_file(&self) -> &'static str {
        self.files[0].0
    }

    /// Every file of a bot called `name`, with its text and comments in `lang`.
    pub fn files(&self, name: &str, lang: &Lang) -> Vec<(&'static str, String)> {
        let [before, after] = self.around_name;
        let in_program = format!("{before}{}{after}", self.language);
        let manifest = format!("name = {:?}", self.language);
        let adapt = |text: &str| {
            let text = alone(text);
            let text = if before.is_empty() {
                text
            } else {
                text.replace(&in_program, &format!("{before}{name}{after}"))
            };
            text.replace(&manifest, &format!("name = {name:?}"))
                .replace("docs/protocol.md", "PROTOCOL.md")
        };
        let mut files: Vec<(&str, String)> = self
            .files
            .iter()
            .map(|&(path, text)| match path {
                "bot.toml" => (path, format!("#:schema {SCHEMA}\n{}", adapt(text))),
                // The frame is not for the author of the player.
                path if path == FRAME || lang.code == Lang::usual().code => (path, adapt(text)),
                path => (path, in_language(&adapt(text), lang)),
            })
            .collect();
        files.push(("README.md", self.readme(name, lang)));
        // The document in another language is not in the new folder.
        let protocol = lang.protocol().replace("[English](../protocol.md)\n\n", "");
        files.push(("PROTOCOL.md", protocol));
        files
    }

    fn readme(&self, name: &str, lang: &Lang) -> String {
        let text = format!(
            "# {name}\n\n\
             A bot for {} in {}. `{}` is the program, `bot.toml` says how it is \
             started,\nand `PROTOCOL.md` describes its messages. Run these commands in the folder \
             above this one:\n\n```sh\n{}```\n\n\
             Change how it chooses its move, then run them again. When a bot fails, `results/` \
             contains\nthe messages of the game.\n",
            self.games,
            self.title,
            self.main_file(),
            commands(name).replace("\n  ", "\n").trim_start(),
        );
        readme_in(&text, lang)
    }
}

/// The README in the language: its paragraphs, and the comments of its commands.
fn readme_in(text: &str, lang: &Lang) -> String {
    let said = |one: &str| {
        if one.starts_with("```") {
            return one.lines().map(|line| in_language(line, lang)).collect();
        }
        let joined = one.trim_end().replace('\n', " ");
        lang.comment(&joined).unwrap_or_else(|| one.to_owned())
    };
    let paragraphs: Vec<String> = text.split("\n\n").map(said).collect();
    paragraphs.join("\n\n").trim_end().to_owned() + "\n"
}

/// The text without its sentence on the same bot in other languages, which are not in the new folder.
fn alone(text: &str) -> String {
    let Some((before, rest)) = text.split_once("The bots in ../") else {
        return text.to_owned();
    };
    // The sentence ends with its first full stop that is not part of `../`.
    let end = rest
        .match_indices('.')
        .find(|&(at, _)| !rest[at..].starts_with("../") && !rest[..at].ends_with('.'));
    let after = end.map_or("", |(at, _)| &rest[at + 1..]);
    format!("{}{after}", before.trim_end_matches(' '))
}

/// The next commands, one per line.
pub(super) fn commands(folder: &str) -> String {
    let check = format!("arena check {folder}");
    let matched = format!("arena match {folder} greedy");
    let grade = format!("arena grade {folder} --suite othello-six");
    let width = grade.len();
    format!(
        "  {check:width$}   # is anything wrong with it?\n  \
         {matched:width$}   # 20 games against a weak opponent\n  \
         {grade:width$}   # a mark: six opponents, weakest first\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::bot::Manifest;

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
        let help = super::super::NewBot::augment_args(clap::Command::new("new-bot")).render_help();
        let help = help.to_string();
        for Template { language, .. } in &TEMPLATES {
            assert!(help.contains(language), "{language}: {help}");
        }
    }
}
