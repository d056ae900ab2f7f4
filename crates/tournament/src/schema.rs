//! The keys of `tournament.toml` and `bot.toml`, as JSON Schema and as a manual, from the types that parse the files.

use referee::bot::Manifest;
use serde_json::{Map, Value};

use super::tournament_file::TournamentFile;

pub fn tournament_schema() -> Value {
    cleaned(schemars::schema_for!(TournamentFile).into(), "game")
}

pub fn bot_schema() -> Value {
    cleaned(Manifest::schema().into(), "command")
}

/// Removes `required` and `format`, joins the lines of descriptions, and requires only the key `needed`.
fn cleaned(mut schema: Value, needed: &str) -> Value {
    fn clean(value: &mut Value) {
        let Value::Object(object) = value else {
            return;
        };
        // A key of a file may have the same name as a key of the schema, but then its value is an object.
        object.retain(|key, value| match key.as_str() {
            "required" => !value.is_array(),
            "format" => !value.is_string(),
            _ => true,
        });
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = text.replace('\n', " ");
        }
        object.values_mut().for_each(clean);
    }
    clean(&mut schema);
    schema["required"] = Value::from(vec![needed]);
    schema
}

/// Returns the manual of both files as Markdown: one table of keys for each TOML table.
pub fn manual() -> String {
    let (tournament, bot) = (tournament_schema(), bot_schema());
    let head = "# The tournament file, and bot.toml\n\n\
        For organisers and authors of bots: every key of both files. `arena schema --manual` prints this page.\n\n\
        `arena schema tournament` and `arena schema bot` print JSON Schemas. With such a schema beside a file, \
        and\n`#:schema tournament.schema.json` as the file's first line, editors complete and check the keys \
        (Even Better\nTOML, taplo). `docs/schema` has both schemas, and those of the output of `--json`.\n\n\
        The [README](../README.md#a-tournament) has an example. Paths \
        are relative\nto the file. Times are whole milliseconds. `arena run FILE` plays a tournament file. It reports \
        an error in the file with\nthe line and a fix. [grading.md](grading.md#5-programs-that-you-do-not-trust) \
        explains the tiers of `sandbox`.\n\n\
        | `format` | pairings |\n|---|---|\n\
        | `match` | two bots |\n\
        | `round-robin` | every bot against every other bot |\n\
        | `gauntlet` | the first bot, or the first `seeds` bots, against all others |\n\
        | `swiss` | in each round, bots with about equal points play each other |\n\
        | `knockout` | the loser of a match is out |\n\
        | `ladder` | neighbours play each other, and the winner gets the higher place |\n\
        | `rating` | the first bot against bots of known ratings |\n\
        | `pairings` | the pairs of bots that `pairings` lists |\n";
    let mut text = head.to_owned();
    let section = |title: &str, schema: &Value| format!("\n## {title}\n\n{}", keys(schema));
    text += &section("The tournament", &tournament);
    for (table, title) in [
        ("BotFile", "`[[bot]]`: a player"),
        ("AdjudicateFile", "`[adjudicate]`: games that end early"),
        ("SprtFile", "`[sprt]`: a match that ends early"),
        ("GradeFile", "`[grade]`: the file is a suite"),
        ("TuneFile", "`[tune]`: options of a bot are tuned"),
        ("ParameterFile", "`[[parameter]]`: an option to tune"),
    ] {
        text += &section(title, &tournament["$defs"][table]);
    }
    text + &section("bot.toml", &bot)
}

fn keys(schema: &Value) -> String {
    let about = schema["description"].as_str().unwrap_or_default();
    let mut text = format!(
        "{about}\n\n| key | type | default | range | example | meaning |\n|---|---|---|---|---|---|\n"
    );
    let none = Map::new();
    for (key, property) in schema["properties"].as_object().unwrap_or(&none) {
        let property = match property["$ref"].as_str() {
            // A key whose value is a table has a section of its own.
            Some(_) if property["examples"].is_null() => continue,
            _ => property,
        };
        if property["items"]["$ref"].is_string() {
            continue;
        }
        let example = property["examples"][0].clone();
        let example = format!("`{key} = {}`", in_toml(&example));
        let about = property["description"].as_str().unwrap_or_default();
        let (kind, default, range) = (kind(property), default(property), range(property));
        text += &format!("| `{key}` | {kind} | {default} | {range} | {example} | {about} |\n");
    }
    text
}

fn kind(property: &Value) -> String {
    if let Some(words) = property["enum"].as_array() {
        let words = words.iter().map(in_toml);
        return words.collect::<Vec<_>>().join(", ");
    }
    let kind = match property["type"].as_str() {
        Some("integer") => "whole number",
        Some("number") => "number",
        Some("boolean") => "true or false",
        Some("array") => "list of texts",
        Some("object") => "table",
        _ => "text",
    };
    match property["x-unit"].as_str() {
        Some(unit) => format!("{kind}, {unit}"),
        None => kind.to_owned(),
    }
}

fn default(property: &Value) -> String {
    match (&property["default"], property["x-default"].as_str()) {
        (_, Some(words)) => words.to_owned(),
        (Value::Null, None) => "–".to_owned(),
        (value, None) => format!("`{}`", in_toml(value)),
    }
}

fn range(property: &Value) -> String {
    match (&property["minimum"], &property["maximum"]) {
        (Value::Null, Value::Null) => String::new(),
        (least, Value::Null) => format!("from {least}"),
        (least, most) => format!("{least} to {most}"),
    }
}

pub fn in_toml(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(in_toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(values) => {
            let pairs = values
                .iter()
                .map(|(key, value)| format!("{key} = {}", in_toml(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
