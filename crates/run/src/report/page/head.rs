//! What all pages have in common: language, theme, navigation, and where their styles, scripts and data come from.

use std::borrow::Borrow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use message::{Lang, Message};
use referee::record::harmless;
use sha2::{Digest, Sha256};

use super::bundle::bundle;

#[derive(Default)]
pub struct PageHead {
    pub lang: &'static Lang,
    /// The other language, for the button that switches.
    pub other: &'static Lang,
    pub theme: Option<&'static str>,
    pub token: String,
    pub title: String,
    pub has_live: bool,
    /// If it becomes a file of a static site: the way to the site's folder.
    pub site: Option<&'static str>,
    /// The name of the league whose page it is.
    pub league: Option<String>,
    /// If it is a file of its own: its parts.
    pub file: Option<FileParts>,
}

/// The parts of a page that is one file. It needs no other file.
#[derive(Default)]
pub struct FileParts {
    /// The address and the name of the page to which this one belongs.
    pub back: Option<(String, String)>,
    /// The content security policy: this style, this script, and no other resource. The parts below are empty in a
    /// page that is inside a file.
    pub policy: String,
    pub style: &'static str,
    pub script: String,
    /// The page in other languages and its texts, the list of the games, and the games, for the script.
    pub packed: [(&'static str, String); 3],
}

pub const STYLE: &str = include_str!("assets/style.css");

impl FileParts {
    /// `entry` is the script that runs in the file.
    pub fn new(entry: &str, packed: [(&'static str, String); 3]) -> FileParts {
        let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
        let script = bundle(entry);
        FileParts {
            policy: format!(
                "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
                 base-uri 'none'; form-action 'none'",
                hash(&script),
                hash(STYLE)
            ),
            style: STYLE,
            script,
            packed,
            back: None,
        }
    }
}

impl PageHead {
    /// Makes the head of a page in a file.
    pub fn of_file(lang: &'static Lang, title: &str, file: FileParts) -> PageHead {
        PageHead {
            lang,
            other: lang.other(),
            title: title.to_owned(),
            file: Some(file),
            ..PageHead::default()
        }
    }

    /// Returns whether a server answers with the page, and scripts can ask it for more.
    pub fn is_served(&self) -> bool {
        self.site.is_none() && self.file.is_none()
    }

    /// Returns the address of a page, or of the first one for an empty path.
    pub fn link(&self, path: &str) -> String {
        match (self.site, path) {
            _ if self.file.is_some() => "#".to_owned(),
            (None, _) => format!("/{path}"),
            (Some(root), "") => format!("{root}index.html"),
            (Some(root), path) => format!("{root}{path}.html"),
        }
    }

    /// Returns the address of a file of the pages.
    pub fn asset(&self, name: &str) -> String {
        format!("{}assets/{name}", self.site.unwrap_or("/"))
    }

    /// Returns the name of the first page.
    pub fn home(&self) -> &str {
        self.league
            .as_deref()
            .unwrap_or_else(|| self.text("nav.runs"))
    }

    pub fn text<'a>(&'a self, key: &'a str) -> &'a str {
        self.lang.get(key)
    }

    /// Writes a message in the page's language.
    pub fn said(&self, message: impl Borrow<Message>) -> String {
        harmless(&self.lang.render(message.borrow()))
    }

    /// Returns the last line of a file.
    pub fn about_file(&self) -> String {
        self.lang
            .with("file.about", &[("version", env!("CARGO_PKG_VERSION"))])
    }
}

/// Encodes a name for an address: all but letters, digits and `-_.` as `%XX`.
pub fn address(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let written = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    name.bytes().map(written).collect()
}
