//! Checks `junit.xml` against the schema of Jenkins, with a minimal reader of XML.
//!
//! Source: junit-10.xsd of Jenkins' xunit-plugin (<https://github.com/jenkinsci/xunit-plugin>,
//! src/main/resources/.../model/xsd). `tests/cases/junit-10.csv` has it as a table.

use std::collections::BTreeMap;

use cases::cases;

/// The rule for an element: name, required attributes, other attributes, children, and whether it may contain text.
type Rule = (String, String, String, String, bool);

#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub children: Vec<Element>,
    pub text: String,
}

impl Element {
    pub fn all<'a>(&'a self, name: &'a str) -> Box<dyn Iterator<Item = &'a Element> + 'a> {
        let own = std::iter::once(self).filter(move |element| element.name == name);
        Box::new(own.chain(self.children.iter().flat_map(move |child| child.all(name))))
    }

    fn count(&self, name: &str) -> usize {
        self.children
            .iter()
            .map(|child| child.all(name).count())
            .sum()
    }
}

#[track_caller]
pub fn check(text: &str) -> Element {
    let root = read(text);
    assert_eq!(root.name, "testsuites");
    obey(&root, &cases("junit-10"));
    for suite in root.all("testsuite").chain([&root]) {
        for (attribute, element) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
        ] {
            let said = suite.attributes[attribute].parse().ok();
            assert_eq!(said, Some(suite.count(element)), "{attribute} in {text}");
        }
    }
    root
}

#[track_caller]
fn obey(element: &Element, rules: &[Rule]) {
    let name = element.name.as_str();
    let rule = rules.iter().find(|rule| rule.0 == name);
    let Some((_, required, further, children, has_text)) = rule else {
        panic!("there is no element {name}");
    };
    let is_in = |list: &str, word: &str| list.split(' ').any(|known| known == word);
    for attribute in required.split(' ').filter(|word| !word.is_empty()) {
        assert!(
            element.attributes.contains_key(attribute),
            "{name} without {attribute}"
        );
    }
    for attribute in element.attributes.keys() {
        let is_known = is_in(required, attribute) || is_in(further, attribute);
        assert!(is_known, "{name} has no {attribute}");
    }
    assert!(
        *has_text || element.text.trim().is_empty(),
        "text in {name}"
    );
    for child in &element.children {
        assert!(is_in(children, &child.name), "{} in {name}", child.name);
        obey(child, rules);
    }
}

/// Reads XML without comments, sections or processing instructions, except the XML declaration.
#[track_caller]
fn read(text: &str) -> Element {
    let body = text.strip_prefix("<?xml").expect("a head");
    let (head, mut rest) = body.split_once("?>").expect("its end");
    assert!(head.contains("encoding=\"UTF-8\""), "{head}");
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(
        text.chars().all(is_allowed),
        "characters that XML 1.0 does not have"
    );
    let mut open = vec![Element::default()];
    while let Some((before, tag)) = rest.split_once('<') {
        let text = plain(before);
        open.last_mut().expect("the file").text += &text;
        let (tag, after) = tag.split_once('>').expect("the end of a tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().expect("an open element");
            assert_eq!(element.name, name.trim());
            open.last_mut().expect("its parent").children.push(element);
            continue;
        }
        let (tag, is_empty) = tag
            .strip_suffix('/')
            .map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag
            .trim()
            .split_once(char::is_whitespace)
            .unwrap_or((tag.trim(), ""));
        let mut element = Element {
            name: name.to_owned(),
            ..Element::default()
        };
        while let Some((key, value)) = attributes.split_once("=\"") {
            let (value, after) = value.split_once('"').expect("the end of a value");
            let earlier = element
                .attributes
                .insert(key.trim().to_owned(), plain(value));
            assert_eq!(earlier, None, "{key} twice");
            attributes = after;
        }
        assert!(attributes.trim().is_empty(), "{attributes}");
        if is_empty {
            open.last_mut().expect("its parent").children.push(element);
        } else {
            open.push(element);
        }
    }
    assert_eq!(open.len(), 1, "every element ends");
    let mut file = open.remove(0);
    assert_eq!((file.children.len(), rest.trim()), (1, ""), "one root");
    file.children.remove(0)
}

/// Replaces entities; panics at a bare `&`.
#[track_caller]
fn plain(text: &str) -> String {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("the end of an entity");
        out += match entity {
            "lt" => "<",
            "gt" => ">",
            "amp" => "&",
            "quot" => "\"",
            "apos" => "'",
            "#10" | "#xA" => "\n",
            "#9" | "#x9" => "\t",
            "#13" | "#xD" => "\r",
            other => panic!("&{other};"),
        };
        out += after;
    }
    out
}
