//! Checks `junit.xml` against the schema of Jenkins.
//!
//! Source: junit-10.xsd of Jenkins' xunit-plugin (<https://github.com/jenkinsci/xunit-plugin>,
//! src/main/resources/.../model/xsd). `tests/cases/junit-10.csv` has it as a table.

use std::collections::BTreeMap;

use cases::cases;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

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
    fn of(tag: &BytesStart<'_>) -> Element {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let attributes = tag.attributes().map(|attribute| {
            let attribute = attribute.expect("an attribute, only once");
            (text(attribute.key.as_ref()), text(&attribute.value))
        });
        Element {
            name: text(tag.name().as_ref()),
            attributes: attributes.collect(),
            ..Element::default()
        }
    }

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

#[track_caller]
fn read(text: &str) -> Element {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    assert!(
        text.chars().all(is_allowed),
        "characters that XML 1.0 does not have"
    );
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().expect("XML") {
            Event::Start(tag) => open.push(Element::of(&tag)),
            Event::Empty(tag) => open
                .last_mut()
                .expect("its parent")
                .children
                .push(Element::of(&tag)),
            Event::End(_) => {
                let element = open.pop().expect("an open element");
                open.last_mut().expect("its parent").children.push(element);
            }
            Event::Text(text) => {
                open.last_mut().expect("the file").text += &text.decode().expect("UTF-8");
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let mut file = open.pop().expect("the file");
    assert_eq!(
        (open.len(), file.children.len()),
        (0, 1),
        "one root, and every element ends"
    );
    file.children.remove(0)
}
