//! Checks `junit.xml` against the schema of Jenkins.
//!
//! Source: junit-10.xsd of Jenkins' xunit-plugin (<https://github.com/jenkinsci/xunit-plugin>,
//! src/main/resources/.../model/xsd). `tests/cases/junit-10.csv` has it as a table.

use std::collections::BTreeMap;

use cases::cases;
use quick_xml::Reader;
use quick_xml::events::Event;

/// The rule for an element: name, required attributes, other attributes, children, and whether it may contain text.
type Rule = (String, String, String, String, bool);

/// Checks a file, and returns how often it has each element.
#[track_caller]
pub fn check(file: &str) -> BTreeMap<String, usize> {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(file.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    assert!(file.chars().all(is_allowed), "XML 1.0 has not: {file:?}");
    let rules: Vec<Rule> = cases("junit-10");
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let is_in = |list: &str, word: &str| list.split(' ').any(|known| known == word);
    let (mut open, mut counts) = (Vec::<&Rule>::new(), BTreeMap::new());
    let mut reader = Reader::from_str(file);
    reader.config_mut().expand_empty_elements = true;
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(tag) => {
                let name = utf8(tag.name().as_ref());
                let is_root = counts.is_empty() && name == "testsuites";
                let is_child = open.last().map_or(is_root, |rule| is_in(&rule.3, &name));
                assert!(is_child, "{name} in {:?}", open.last());
                let rule = rules.iter().find(|rule| rule.0 == name);
                let rule = rule.expect("an element of the schema");
                let given = tag.attributes().map(|one| one.expect("only once").key);
                let given: Vec<String> = given.map(|key| utf8(key.as_ref())).collect();
                let is_known = |key: &String| is_in(&rule.1, key) || is_in(&rule.2, key);
                assert!(given.iter().all(is_known), "{name} has {given:?}");
                for key in rule.1.split_whitespace() {
                    assert!(given.iter().any(|one| one == key), "{name} without {key}");
                }
                *counts.entry(name).or_default() += 1;
                open.push(rule);
            }
            Event::End(_) => drop(open.pop()),
            Event::Text(text) => {
                let is_empty = text.decode().expect("UTF-8").trim().is_empty();
                assert!(is_empty || open.last().is_some_and(|rule| rule.4), "{file}");
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "every element ends: {file}");
    counts
}
