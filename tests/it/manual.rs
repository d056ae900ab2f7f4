//! Compares the manual and the schemas with the code that reads the files: every key must have a row with the right
//! range and default. `UPDATE_DOCS=1 cargo test --test it manual` writes the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use referee::bot::Manifest;
use run::report::ResultsSchema;
use serde_json::Value;
use tournament::form::Form;
use tournament::{
    Catalogue, Problem, Tournament, TournamentFile, bot_schema, in_toml, manual, tournament_schema,
};

/// The tables of a tournament file: the name in the schema, and the line before a key.
const TABLES: [(&str, &str); 7] = [
    ("", ""),
    ("AdjudicateFile", "[adjudicate]\n"),
    ("SprtFile", "[sprt]\n"),
    ("GradeFile", "[grade]\n"),
    ("TuneFile", "[tune]\n"),
    ("ParameterFile", "[[parameter]]\n"),
    ("BotFile", "[[bot]]\n"),
];

fn properties(schema: &Value, table: &str) -> serde_json::Map<String, Value> {
    let schema = match table {
        "" => schema,
        table => &schema["$defs"][table],
    };
    schema["properties"].as_object().expect(table).clone()
}

#[test]
fn the_files_are_those_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schemas = [
        ("tournament", tournament_schema()),
        ("bot", bot_schema()),
        ("run", ResultsSchema::Run.value()),
        ("stages", ResultsSchema::Stages.value()),
        ("grade", ResultsSchema::Grade.value()),
        ("class", ResultsSchema::Class.value()),
    ];
    let schemas = schemas.map(|(name, schema)| {
        let path = format!("docs/schema/{name}.schema.json");
        (path, format!("{schema:#}\n"))
    });
    let page = ("docs/tournament-file.md".to_owned(), manual());
    for (path, text) in schemas.into_iter().chain([page]) {
        let path = root.join(path);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(&path, &text).expect("a file");
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        let remedy = "UPDATE_DOCS=1 cargo test --test it manual";
        assert!(
            written == text,
            "{} is not the code's: {remedy}",
            path.display()
        );
    }
}

/// The table of forms (`Form`) is also in `docs/courses.md`; the Chinese page and the help name each form.
#[test]
fn every_form_is_in_the_manual_and_in_the_help() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/courses.md");
    let text = fs::read_to_string(&path).expect("a page");
    let rows = Form::manual()
        .map(|(word, defines, games)| format!("| `{word}` | {defines} | {games} |\n"));
    let rows: String = rows.collect();
    let (head, rest) = text.split_once("|---|---|---|\n").expect("a table");
    let protocols = rest.find("| `botzone` |").expect("a protocol");
    let written = format!("{head}|---|---|---|\n{rows}{}", &rest[protocols..]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &written).expect("a file");
    } else {
        assert!(
            written == text,
            "docs/courses.md: UPDATE_DOCS=1 cargo test --test it manual"
        );
    }
    for path in [
        "docs/zh-CN/courses.md",
        "src/cli/check.rs",
        "src/cli/grade/mod.rs",
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
        let text = text.expect("a file");
        for (word, ..) in Form::manual() {
            assert!(text.contains(word), "{path} has no {word}");
        }
    }
}

#[test]
fn the_known_ratings_are_those_of_the_manual() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    for game in games::names() {
        let text = read(&format!("tournaments/yardstick-{game}.toml")).expect("a yardstick");
        let file = TournamentFile::parse(&text).expect("a tournament");
        for bot in &file.bot {
            let bot = bot.get_ref();
            let name = bot
                .name
                .as_ref()
                .or(bot.uses.as_ref())
                .expect("a name")
                .get_ref();
            let rating = bot.rating.as_ref().expect("a rating").get_ref();
            for manual in ["docs/rating.md", "docs/zh-CN/rating.md"] {
                let row = format!("`{name}` | {rating} ±");
                assert!(
                    read(manual).expect("a page").contains(&row),
                    "{manual}: {row}"
                );
            }
        }
    }
}

fn known(problem: &Problem) -> BTreeSet<String> {
    let help = problem.help_text();
    let list = help
        .strip_prefix("valid values: ")
        .unwrap_or_else(|| panic!("{problem:?}"));
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_that_is_read_has_its_row() {
    let schema = tournament_schema();
    for (table, before) in TABLES {
        let text = format!("{before}qqqqqqqqqqqqqqqqq = 1");
        let read = known(&TournamentFile::parse(&text).expect_err("no such key"));
        let described: BTreeSet<String> = properties(&schema, table)
            .into_iter()
            .map(|(key, _)| key)
            .collect();
        assert_eq!(described, read, "{table}");
    }
    let read = known(&Manifest::parse("qqqqqqqqqqqqqqqqq = 1").expect_err("no such key"));
    let described: BTreeSet<String> = properties(&bot_schema(), "")
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(described, read);
    let manual = manual();
    for key in described {
        assert!(manual.contains(&format!("\n| `{key}` | ")), "{key}");
    }
}

fn catalogue() -> Catalogue {
    Catalogue {
        solvers: vec![("othello", |_| 0), ("gomoku", |_| 0)],
        ..Catalogue::empty()
    }
}

/// Makes a file in which a key has this value. The other lines that it needs are in `tests/cases/keys.csv`.
fn file(table: &str, key: &str, value: &str) -> String {
    let rows =
        crate::common::table(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/keys.csv"));
    let of_key = |key: &str| {
        rows.iter()
            .find(|row| row["table"] == table && row["key"] == key)
    };
    let row = of_key(key).or_else(|| of_key("")).expect(table);
    row["file"].replace("LINE", &format!("{key} = {value}"))
}

fn validated(text: &str) -> Result<Tournament, Problem> {
    let file = TournamentFile::parse(text)?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tournament = file.validate(&catalogue(), here)?;
    if file.is_suite() {
        file.scale(&tournament.contestants, tournament.openings_a_lap())?;
    }
    Ok(tournament)
}

const NEEDS_A_BOT: [&str; 2] = ["use", "options"];

#[test]
fn examples_ranges_and_defaults_are_those_of_the_code() {
    let schema = tournament_schema();
    for (table, _) in TABLES {
        for (key, property) in properties(&schema, table) {
            let key = key.as_str();
            let (least, most) = (&property["minimum"], &property["maximum"]);
            let example = property["examples"][0].clone();
            if example.is_null() || NEEDS_A_BOT.contains(&key) {
                continue;
            }
            let example = file(table, key, &in_toml(&example));
            validated(&example).unwrap_or_else(|problem| panic!("{example}\n{problem:?}"));
            // The ends of the range must be valid; values outside must be refused.
            let ends = [(least, -1.0), (most, 1.0)];
            for (end, step) in ends {
                let Some(number) = end.as_f64() else {
                    continue;
                };
                let is_whole = property["type"] == "integer";
                let show = |number: f64| {
                    if is_whole {
                        format!("{}", number as i64)
                    } else {
                        format!("{number:?}")
                    }
                };
                let number = if key == "games" {
                    number + number % 2.0
                } else {
                    number
                };
                let beyond = file(table, key, &show(number + step));
                assert!(validated(&beyond).is_err(), "{beyond}");
                // The valid values of these keys also depend on other keys.
                if matches!(key, "elo0" | "elo1" | "opening_plies") {
                    continue;
                }
                let at_end = file(table, key, &show(number));
                validated(&at_end).unwrap_or_else(|problem| panic!("{at_end}\n{problem:?}"));
            }
            if let Some(default) = Some(&property["default"]).filter(|default| !default.is_null()) {
                let with = file(table, key, &in_toml(default));
                let line = format!("{key} = {}\n", in_toml(default));
                let without = validated(&with.replacen(&line, "", 1))
                    .expect("the file without the key is valid");
                let with = validated(&with).expect("the default");
                assert_eq!(
                    format!("{with:?}"),
                    format!("{without:?}"),
                    "{table} {line}"
                );
            }
        }
    }
}

#[test]
fn shipped_files_name_their_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments");
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let files = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let schema = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("#:schema "));
        let schema = schema.unwrap_or_else(|| panic!("{}: no schema", file.display()));
        assert!(
            file.parent().expect("a folder").join(schema).is_file(),
            "{schema}"
        );
    }
}
