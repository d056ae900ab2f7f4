//! A message with values, independent of the language.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use crate::chinese::{join, punctuated};
use crate::template::{TemplatePart, parts};
use crate::{SafeText, harmless, without_numbers};

/// A sentence with values. `Display` renders it in English, `Lang::render` in any language. In JSON, a message without
/// values is its text; one with values is `{"text": …, "values": {…}}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Message(Box<Parts>);

/// A message or a value in JSON. A value that is a string is never translated; a message as a value is an object.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Parts(WrittenParts),
}

#[derive(Serialize, Deserialize)]
struct WrittenParts {
    text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, Value>,
}

impl From<Message> for Written {
    fn from(message: Message) -> Written {
        let parts = WrittenParts::from(message);
        if parts.values.is_empty() {
            Written::Text(parts.text)
        } else {
            Written::Parts(parts)
        }
    }
}

impl From<Message> for WrittenParts {
    fn from(message: Message) -> WrittenParts {
        let Parts { text, values } = *message.0;
        let text = if values.is_empty() {
            single_braces(&text)
        } else {
            text.into_owned()
        };
        let values = values.into_iter();
        let values = values.map(|(name, value)| (name.into(), value)).collect();
        WrittenParts { text, values }
    }
}

impl From<Written> for Message {
    fn from(written: Written) -> Message {
        match written {
            Written::Text(text) => Message::whole(text),
            Written::Parts(parts) => parts.into(),
        }
    }
}

/// Makes the text harmless, because another program may have written it.
impl From<WrittenParts> for Message {
    fn from(WrittenParts { text, values }: WrittenParts) -> Message {
        let values = values.into_iter();
        let values = values.map(|(name, value)| (Cow::Owned(name), value));
        let (text, values) = (String::from(SafeText::from(text)).into(), values.collect());
        Message(Box::new(Parts { text, values }))
    }
}

impl From<Value> for Written {
    fn from(value: Value) -> Written {
        match value {
            Value::Text(text) => Written::Text(text),
            Value::Message(message) => Written::Parts(message.into()),
        }
    }
}

impl From<Written> for Value {
    fn from(written: Written) -> Value {
        match written {
            Written::Text(text) => Value::text(&text),
            Written::Parts(parts) => Value::Message(parts.into()),
        }
    }
}

fn single_braces(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Parts {
    /// The English text with a place for each value, such as `played {played:?}: {why}`. It is the key of translations.
    text: Cow<'static, str>,
    values: Vec<(Cow<'static, str>, Value)>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub enum Value {
    /// A text that is not translated: a number, a name, the output of another program.
    Text(String),
    Message(Message),
}

impl Value {
    /// Creates a text that is not translated. Makes it harmless, because another program may have written it.
    pub fn text(text: &str) -> Value {
        Value::Text(SafeText::from(without_numbers(text)).into())
    }

    /// Creates the name of a file or program. A hand-in may choose a name that looks like a sentence of the arena, so a
    /// name that has more than ASCII letters, digits and the usual signs of paths is quoted.
    pub fn name(name: &str) -> Value {
        let is_usual = |c: char| c.is_ascii_alphanumeric() || "/\\.-_+~@:".contains(c);
        if name.chars().all(is_usual) {
            return Value::text(name);
        }
        Value::Text(SafeText::from(in_quotes(&harmless(name))).into())
    }
}

pub trait ToValue {
    fn to_value(&self) -> Value;

    fn to_message(&self) -> Message {
        match self.to_value() {
            Value::Message(message) => message,
            Value::Text(text) => Message::quote(text),
        }
    }
}

/// A function that returns the translation of a text, if any; `None` for English.
type TextOf<'a> = Option<&'a dyn Fn(&str) -> Option<String>>;

impl Message {
    pub fn new(text: &'static str, values: Vec<(Cow<'static, str>, Value)>) -> Message {
        let text = text.into();
        Message(Box::new(Parts { text, values }))
    }

    /// Replaces the path of a copy by that of the original, which the reader knows.
    pub fn replace_path(&mut self, copy: &str, original: &str) {
        for (_, value) in &mut self.0.values {
            match value {
                Value::Text(text) => *text = text.replace(copy, original),
                Value::Message(message) => message.replace_path(copy, original),
            }
        }
    }

    pub fn has_values(&self) -> bool {
        !self.0.values.is_empty()
    }

    /// Creates a message from a text without values. Makes the text harmless unless it is a constant of the source.
    pub fn whole(text: impl Into<Cow<'static, str>>) -> Message {
        let text = match text.into() {
            Cow::Owned(text) => String::from(SafeText::from(text)).into(),
            fixed @ Cow::Borrowed(_) => fixed,
        };
        let values = Vec::new();
        Message(Box::new(Parts { text, values }))
    }

    /// Creates a message from another program's text, which is not translated.
    pub fn quote(text: impl Into<String>) -> Message {
        Message::new("{text}", vec![("text".into(), Value::text(&text.into()))])
    }

    pub fn list(parts: impl IntoIterator<Item = Message>) -> Message {
        Message::joined(parts, "{}; {}")
    }

    pub fn enumeration(parts: impl IntoIterator<Item = Message>) -> Message {
        Message::joined(parts, "{}, {}")
    }

    pub fn sentences(all: impl IntoIterator<Item = Message>) -> Message {
        Message::joined(all, "{} {}")
    }

    /// Joins two halves at a time, so that a long list has a small depth: readers of JSON limit the depth.
    fn joined(parts: impl IntoIterator<Item = Message>, pair: &'static str) -> Message {
        fn halves(parts: &[Message], pair: &'static str) -> Message {
            match parts {
                [] => Message::default(),
                [one] => one.clone(),
                _ => {
                    let (first, second) = parts.split_at(parts.len() / 2);
                    let values = [("0", first), ("1", second)];
                    let value = |half| Value::Message(halves(half, pair));
                    let values = values.map(|(name, half)| (name.into(), value(half)));
                    Message::new(pair, values.into())
                }
            }
        }
        halves(&parts.into_iter().collect::<Vec<_>>(), pair)
    }

    /// Fills the translation of `text_of` with the values. Without a translation, the values stay English, too.
    pub(crate) fn rendered(&self, text_of: TextOf<'_>) -> String {
        let Parts { text, values } = &*self.0;
        let is_fixed = |part: &TemplatePart<'_>| matches!(part, TemplatePart::Fixed(text) if text.contains(char::is_alphabetic));
        let translated = text_of.and_then(|text_of| {
            let has_words = || parts(text).iter().any(is_fixed);
            text_of(text).or_else(|| (!has_words()).then(|| punctuated(text)))
        });
        let text_of = text_of.filter(|_| translated.is_some());
        let text = translated.as_deref().unwrap_or(text);
        if values.is_empty() {
            return single_braces(text);
        }
        let mut out = String::new();
        // True if the last part that is not empty is a message.
        let mut was_message = false;
        let value = |name: &str| {
            let value = values.iter().find(|(known, _)| known == name);
            value.map(|(_, value)| value)
        };
        for part in parts(text) {
            let (part, is_message) = match &part {
                TemplatePart::Fixed(text) => (Cow::Borrowed(*text), false),
                TemplatePart::Form { name, one, other } => {
                    let is_one = matches!(value(name), Some(Value::Text(text)) if text == "1");
                    (Cow::Borrowed(if is_one { *one } else { *other }), false)
                }
                TemplatePart::Place(name) => match value(name) {
                    Some(Value::Text(text)) => (Cow::Borrowed(&**text), false),
                    Some(Value::Message(message)) => (message.rendered(text_of).into(), true),
                    None => continue,
                },
            };
            if text_of.is_some() {
                join(&mut out, &part, was_message || is_message);
            } else {
                out += &part;
            }
            if !part.is_empty() {
                was_message = is_message;
            }
        }
        out
    }
}

impl Default for Message {
    fn default() -> Message {
        Message::whole("")
    }
}

/// Serializes the English text, for files that other programs read.
pub fn in_english<S: Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(message)
}

impl PartialEq<&str> for Message {
    fn eq(&self, text: &&str) -> bool {
        self.to_string().as_str() == *text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&SafeText::from(self.rendered(None)))
    }
}

/// Converts values in the macros: by [`ToValue`] if possible, or else by `Display`, to a text that may be translated.
#[doc(hidden)]
pub mod by {
    use std::fmt::Display;

    use super::{Message, ToValue, Value};
    use crate::without_numbers;

    pub struct Of<'a, T: ?Sized>(pub &'a T);

    pub trait Itself {
        fn value(&self) -> Value;
    }

    impl<T: ToValue + ?Sized> Itself for &Of<'_, T> {
        fn value(&self) -> Value {
            self.0.to_value()
        }
    }

    pub trait Text {
        fn value(&self) -> Value;
    }

    impl<T: Display + ?Sized> Text for Of<'_, T> {
        fn value(&self) -> Value {
            let text = without_numbers(&self.0.to_string());
            Value::Message(Message::whole(text))
        }
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Message {
        Message::whole(text)
    }
}

impl ToValue for Message {
    fn to_value(&self) -> Value {
        Value::Message(self.clone())
    }
}

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}

/// Uses the system's text without the error number.
impl ToValue for io::Error {
    fn to_value(&self) -> Value {
        Value::Message(Message::whole(without_numbers(&self.to_string())))
    }
}

/// Puts another program's text in quotation marks: it could look like a sentence of the arena. The marks are not those
/// that tables double.
pub fn in_quotes(text: &str) -> String {
    format!("“{}”", text.replace(['“', '”'], "\""))
}

impl<T: ToValue> ToValue for [T] {
    fn to_value(&self) -> Value {
        let all = self.iter().map(ToValue::to_message);
        Value::Message(Message::joined(all, "{0}, {1}"))
    }
}

impl<T: ToValue, const N: usize> ToValue for [T; N] {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: ToValue + ?Sized> ToValue for Box<T> {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

macro_rules! texts {
    ($($kind:ty)*) => {
        $(impl ToValue for $kind {
            fn to_value(&self) -> Value {
                Value::text(&self.to_string())
            }
        })*
    };
}

texts!(str String Cow<'_, str> char bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 isize f32 f64 fmt::Arguments<'_>);

macro_rules! paths {
    ($($kind:ty)*) => {
        $(impl ToValue for $kind {
            fn to_value(&self) -> Value {
                self.display().to_value()
            }
        })*
    };
}

paths!(Path PathBuf);

macro_rules! names {
    ($($kind:ty)*) => {
        $(impl ToValue for $kind {
            fn to_value(&self) -> Value {
                Value::name(&self.to_string())
            }
        })*
    };
}

names!(std::path::Display<'_> std::ffi::os_str::Display<'_>);

#[cfg(all(test, feature = "languages"))]
mod tests {
    use super::*;
    use crate::{Lang, message};

    #[derive(Debug, thiserror::Error, crate::Message)]
    enum GameFailure {
        #[error("there is no folder {}", .0.display())]
        NoFolder(PathBuf),
        #[error("played {played:?}: {why}")]
        Illegal { played: String, why: Message },
        #[error("{error}")]
        Other {
            #[source]
            error: io::Error,
        },
        #[error(transparent)]
        Same(Box<GameFailure>),
        #[error("closed its standard output")]
        Closed,
        #[error("{played} is not a legal move for {side}: {why}", played = "a9", side = .0, why = Message::from("the square is taken"))]
        Turn(Side),
    }

    #[derive(Debug)]
    struct Side;

    impl fmt::Display for Side {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("black")
        }
    }

    /// An error and its message have the same text; `thiserror` writes the expected text.
    #[test]
    fn a_message_of_an_error_reads_as_the_error() {
        let failures = [
            GameFailure::NoFolder("a/b".into()),
            GameFailure::Same(Box::new(GameFailure::Illegal {
                played: "z\"9".to_owned(),
                why: "off the board".into(),
            })),
            GameFailure::Other {
                error: io::Error::other("a disk is full"),
            },
            GameFailure::Closed,
            GameFailure::Turn(Side),
        ];
        for failure in failures {
            assert_eq!(failure.to_message().to_string(), failure.to_string());
        }
        let chosen = GameFailure::NoFolder("a”\nb".into()).to_message();
        assert_eq!(chosen, r#"there is no folder “a"\nb”"#);
    }

    #[test]
    fn a_message_is_rendered_in_every_language() {
        let chinese = Lang::of("zh").expect("a language");
        let why = Message::from("the square is taken");
        let message = message!("played {played:?}: {why}", played = "d3");
        assert_eq!(message.to_string(), "played \"d3\": the square is taken");
        assert_eq!(chinese.render(&message), "走了 \"d3\"：那里已有棋子");
        let unknown = message!("no translation of {}", why);
        let english = "no translation of the square is taken";
        assert_eq!(chinese.render(&unknown), english);
        let turn = GameFailure::Turn(Side).to_message();
        let expected = "a9 对黑棋来说不是合法着法：那里已有棋子";
        assert_eq!(chinese.render(&turn), expected);
        let indented = message!("  it was started as: {command}", command = "a\u{1b}b");
        assert_eq!(chinese.render(&indented), "  它的启动命令：a\\u{1b}b");
    }

    #[test]
    fn chinese_has_its_own_punctuation_and_blanks() {
        let chinese = Lang::of("zh").expect("a language");
        let taken = || Message::from("the square is taken");
        let quote = |text: &str| Message::quote(text);
        let status = message!("exit status {status}", status = 1);
        for (message, expected) in [
            (
                message!("{name} ({why}): {why}", name = "Li", why = taken()),
                "Li（那里已有棋子）：那里已有棋子",
            ),
            (
                message!("ended before it {due}: {status}", due = "ready"),
                "还没有 ready 就结束了：退出状态 1",
            ),
            (
                Message::sentences([quote("no 'simulate_move'."), "Check it.".into(), taken()]),
                "no 'simulate_move'. Check it. 那里已有棋子",
            ),
            (
                Message::sentences([taken(), taken(), quote("x")]),
                "那里已有棋子那里已有棋子 x",
            ),
            (
                message!("{}, {}", ["a", "小明"], taken()),
                "a、小明，那里已有棋子",
            ),
            (
                // A value that is not a message keeps the blanks that surround it in the template.
                message!("{bot} has no option {key:?}", bot = "小明", key = "深"),
                "小明 没有选项 \"深\"",
            ),
        ] {
            assert_eq!(chinese.render(&message), expected);
        }
        let english = message!("{}, {}", [1, 2], taken());
        assert_eq!(english.to_string(), "1, 2, the square is taken");
    }

    #[test]
    fn words_agree_with_their_number() {
        for (games, expected) in [
            (0, "0 games are void"),
            (1, "1 game is void"),
            (11, "11 games are void"),
        ] {
            let message = message!("{games} {games|game is|games are} void");
            assert_eq!(message.to_string(), expected);
        }
        let lang = Lang::usual();
        for (games, expected) in [(0, "0 games"), (1, "1 game"), (21, "21 games")] {
            assert_eq!(lang.with("run.games", &[("games", &games)]), expected);
        }
    }

    #[test]
    fn a_long_list_can_be_read_from_json() {
        let names: Vec<String> = (0..1000).map(|number| format!("name {number}")).collect();
        let list = Message::enumeration(names.iter().map(Message::quote));
        assert_eq!(list.rendered(None), names.join(", "));
        let json = serde_json::to_string(&list).expect("JSON");
        assert_eq!(
            serde_json::from_str::<Message>(&json).expect("not too deep"),
            list
        );
    }

    #[test]
    fn a_message_is_the_same_after_json() {
        let chinese = Lang::of("zh").expect("a language");
        let square = Message::from("the square is taken");
        let why = Message::list([square.clone(), Message::quote("A \"b\"; {c}")]);
        let message = message!("played {played:?}: {why}", played = "d3", why = why);
        let expected = r#"{"text":"played {played:?}: {why}","values":{"played":"\"d3\"","why":{"text":"{}; {}","values":{"0":{"text":"the square is taken"},"1":{"text":"{text}","values":{"text":"A \"b\"; {c}"}}}}}}"#;
        for (message, json) in [(&message, expected), (&square, "\"the square is taken\"")] {
            assert_eq!(serde_json::to_string(message).expect("JSON"), json);
            let again: Message = serde_json::from_str(json).expect("a message");
            assert_eq!(again.to_string(), message.to_string());
            assert_eq!(chinese.render(&again), chinese.render(message));
        }
        let hostile = r#"{"text":"\u001b[31m{a}","values":{"a":"\u001b"}}"#;
        let hostile: Message = serde_json::from_str(hostile).expect("a message");
        assert!(!hostile.to_string().contains('\u{1b}'));
    }

    #[test]
    fn braces_belong_to_texts_without_values() {
        let fixed = Message::from(r#"an object such as {"move":"d3"}"#);
        assert_eq!(fixed.to_string(), r#"an object such as {"move":"d3"}"#);
        let doubled = message!("it is not such as {{\"x\":{x}}}", x = 3);
        assert_eq!(doubled.to_string(), r#"it is not such as {"x":3}"#);
    }
}
