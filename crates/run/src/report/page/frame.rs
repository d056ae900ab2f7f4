//! What all pages share: style, script, and the policy that allows only these two.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use message::Lang;

/// The style sheet of all pages.
const STYLE: &str = include_str!("assets/report.css");
/// The script of all pages.
const SCRIPT: &str = concat!(
    include_str!("../../../../message/src/phrases.js"),
    include_str!("assets/report.js")
);

/// What stands around the content of a page.
pub(super) struct Frame {
    /// What the browser allows: this style, this script, and nothing from anywhere.
    pub policy: String,
    pub style: &'static str,
    pub script: &'static str,
    pub version: &'static str,
    /// Code and name of the other language, and the page's sentences in it, for the script.
    pub other: &'static str,
    pub other_name: &'static str,
    pub texts: &'static str,
}

impl Frame {
    pub fn new() -> Frame {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
        Frame {
            policy: format!(
                "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; \
                 base-uri 'none'; form-action 'none'",
                hash(SCRIPT),
                hash(STYLE)
            ),
            style: STYLE,
            script: SCRIPT,
            version: env!("CARGO_PKG_VERSION"),
            other: Lang::usual().other().code,
            other_name: Lang::usual().other().get("lang.name"),
            texts: texts(),
        }
    }
}

/// English and the other language of everything that a page says, as JSON: the page is written in English, and its
/// script puts the other language in its place. Words of the record are among them.
fn texts() -> &'static str {
    static TEXTS: OnceLock<String> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let english = Lang::usual();
        let other = english.other();
        let of = |(key, text): (&String, &String)| {
            let source = match key.split_once('.')? {
                ("report", _) => english.get(key).to_owned(),
                ("reason", word) => word.to_owned(),
                _ => return None,
            };
            Some((source, text.clone()))
        };
        // Where a word of the record is also a text of the page, the text is meant.
        let (page, record): (Vec<_>, Vec<_>) = other
            .texts()
            .iter()
            .partition(|(key, _)| key.starts_with("report."));
        let own = record.into_iter().chain(page).filter_map(of);
        let phrases = other.for_pages().clone();
        let all: BTreeMap<_, _> = phrases.into_iter().chain(own).collect();
        json_in_html(&serde_json::json!(all))
    })
}

/// JSON inside a script element: `<` could end it.
pub(super) fn json_in_html(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}
