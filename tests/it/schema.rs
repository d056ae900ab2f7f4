//! Checks that the output of `--json` fits the schema that `arena schema` prints, and has every key of the schema.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use crate::common::{ScriptFile, Workdir, both, table};

/// Keys that no test prints: no test can make the arena itself fail in a game.
const NOT_PRINTED: [&str; 1] = ["only_its_turns"];

struct Schema<'a> {
    root: Value,
    met: &'a mut BTreeSet<String>,
}

impl Schema<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) -> Result<Vec<String>, String> {
        let mut known = Vec::new();
        if let Some(place) = schema["$ref"].as_str() {
            let there = self.root.pointer(place.trim_start_matches('#'));
            let there = there.expect(place).clone();
            known.extend(self.check(&there, value, at)?);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(choices) = schema[key].as_array() {
                let mut found = choices.iter().map(|choice| self.check(choice, value, at));
                let first = found.find_map(Result::ok);
                known.extend(first.ok_or_else(|| format!("{at}: {value} fits none of {key}"))?);
            }
        }
        if let constant @ Value::String(_) = &schema["const"]
            && constant != value
        {
            return Err(format!("{at}: {value} is not {constant}"));
        }
        let types = match &schema["type"] {
            Value::Array(types) => types.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        let is = |kind: &Value| match kind.as_str() {
            Some("null") => value.is_null(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("string") => value.is_string(),
            Some("array") => value.is_array(),
            _ => value.is_object(),
        };
        if !types.is_empty() && !types.iter().any(is) {
            return Err(format!("{at}: {value} is not of {types:?}"));
        }
        for (number, item) in value.as_array().into_iter().flatten().enumerate() {
            let place = schema["prefixItems"]
                .get(number)
                .unwrap_or(&schema["items"]);
            self.whole(place, item, &format!("{at}[]"))?;
        }
        let none = Map::new();
        let required = schema["required"].as_array().into_iter().flatten();
        for key in required.filter_map(Value::as_str) {
            if value.get(key).is_none() {
                return Err(format!("{at}: {key} is missing"));
            }
        }
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for (key, value) in value.as_object().unwrap_or(&none) {
            if let Some(property) = properties.get(key) {
                self.whole(property, value, &format!("{at}.{key}"))?;
                self.met.insert(key.clone());
            } else if schema["additionalProperties"].is_object() {
                self.whole(
                    &schema["additionalProperties"],
                    value,
                    &format!("{at}.{key}"),
                )?;
            } else {
                continue;
            }
            known.push(key.clone());
        }
        Ok(known)
    }

    /// Checks a value like `check`, and fails for a key that the schema does not describe.
    fn whole(&mut self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let known = self.check(schema, value, at)?;
        let unknown = value.as_object().into_iter().flatten();
        match unknown.map(|(key, _)| key).find(|key| !known.contains(key)) {
            Some(key) => Err(format!("{at}.{key} is not in the schema")),
            None => Ok(()),
        }
    }
}

fn properties(schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        for (key, property) in properties {
            found.insert(key.clone());
            let is_described = property["description"].is_string() || property["const"].is_string();
            assert!(is_described, "{key} has no description");
        }
    }
    let all = schema.as_object().into_iter().flat_map(Map::values);
    all.chain(schema.as_array().into_iter().flatten())
        .for_each(|one| properties(one, found));
}

/// Makes a folder with the files of `json-outputs.txt`, a bot, a stage and a league.
fn begin() -> Workdir {
    let (workdir, root) = (Workdir::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut file: Option<ScriptFile> = None;
    for line in include_str!("../cases/json-outputs.txt").lines() {
        if let Some(begun) = ScriptFile::begin(line, &workdir.path("")) {
            file = Some(begun);
        } else if let Some(file) = &file {
            file.add(line);
        }
    }
    fs::create_dir_all(workdir.path("class/anna")).expect("a folder");
    for (from, to) in [
        ("tests/runs/of-47cf896/anna.py", "class/anna/bot.py"),
        ("tournaments/stages/01-scattered-5.txt", "stage.txt"),
    ] {
        fs::copy(root.join(from), workdir.path(to)).expect("a copy");
    }
    for typed in [
        "league new class-league --anchors random,greedy --move-ms 5000",
        "league add class-league class/anna --owner anna",
    ] {
        workdir.succeed(typed.split(' '));
    }
    workdir
}

#[test]
fn every_output_fits_its_schema() {
    let workdir = begin();
    let rows = table(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/json-outputs.csv"));
    let (mut all, mut met) = (BTreeSet::new(), BTreeSet::new());
    for row in rows {
        let root = workdir.succeed(["schema", row["schema"].as_str()]);
        let root: Value = serde_json::from_str(&root).expect("JSON");
        properties(&root, &mut all);
        if !row["played"].is_empty() {
            workdir.run(row["played"].split(' '));
        }
        let output = workdir.run(row["printed"].split(' '));
        let printed = serde_json::from_slice(&output.stdout);
        let printed: Value = printed.unwrap_or_else(|_| panic!("{}", both(&output)));
        let mut schema = Schema {
            root: root.clone(),
            met: &mut met,
        };
        if let Err(why) = schema.whole(&root, &printed, "") {
            panic!("{}: {why}\n{printed:#}", row["printed"]);
        }
    }
    let missing = all.difference(&met).map(String::as_str);
    assert_eq!(missing.collect::<Vec<_>>(), NOT_PRINTED);
}
