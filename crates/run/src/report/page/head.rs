//! The common part of all pages: language, theme, navigation, and the sources of styles, scripts and data.

use std::borrow::Borrow;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use message::{Lang, Message};
use referee::record::harmless;
use sha2::{Digest, Sha256};

use super::bundle::bundle;

#[derive(Default)]
pub struct PageHead {
    pub lang: &'static Lang,
    pub other: &'static Lang,
    pub theme: Option<&'static str>,
    pub token: String,
    pub title: String,
    pub has_live: bool,
    /// If the page is a file of a static site: the relative path to the site's folder.
    pub site: Option<&'static str>,
    pub league: Option<String>,
    /// If the page is one file without a site: its parts.
    pub file: Option<FileParts>,
}

/// The parts of a page that is a single file and needs no other file.
#[derive(Default)]
pub struct FileParts {
    /// The address and the name of the page to which this one belongs.
    pub back: Option<(String, String)>,
    /// The content security policy: it allows only this style and this script. This field and the next ones are empty
    /// in the copies of the page that are packed in the file.
    pub policy: String,
    pub style: &'static str,
    pub script: String,
    /// For the script: the page in other languages with its texts, the list of the games, and the games.
    pub packed: [(&'static str, String); 3],
}

pub const STYLE: &str = include_str!("assets/style.css");

impl FileParts {
    /// `entry` is the script that runs in the file.
    pub fn new(entry: &str, packed: [(&'static str, String); 3]) -> FileParts {
        let script = bundle(entry);
        FileParts {
            policy: format!(
                "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
                source_hash(&script),
                source_hash(STYLE)
            ),
            style: STYLE,
            script,
            packed,
            back: None,
        }
    }
}

/// Returns the expression by which a content security policy allows a script or a style inside a page.
pub fn source_hash(source: &str) -> String {
    format!(
        "'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(source))
    )
}

impl PageHead {
    pub fn of_file(lang: &'static Lang, title: &str, file: FileParts) -> PageHead {
        PageHead {
            lang,
            other: lang.other(),
            title: title.to_owned(),
            file: Some(file),
            ..PageHead::default()
        }
    }

    /// Returns whether a server sends the page. Then scripts can request further data.
    pub fn is_served(&self) -> bool {
        self.site.is_none() && self.file.is_none()
    }

    /// Returns the address of a page; an empty path stands for the first page.
    pub fn link(&self, path: &str) -> String {
        match (self.site, path) {
            _ if self.file.is_some() => "#".to_owned(),
            (None, _) => format!("/{path}"),
            (Some(root), "") => format!("{root}index.html"),
            (Some(root), path) => format!("{root}{path}.html"),
        }
    }

    /// Returns the address of a file that pages load, such as a script.
    pub fn asset(&self, name: &str) -> String {
        format!("{}assets/{name}", self.site.unwrap_or("/"))
    }

    pub fn home(&self) -> &str {
        self.league
            .as_deref()
            .unwrap_or_else(|| self.text("nav.runs"))
    }

    pub fn text<'a>(&'a self, key: &'a str) -> &'a str {
        self.lang.get(key)
    }

    /// Returns a text that ends in a colon, with a blank if the language has one there.
    pub fn lead(&self, key: &str) -> String {
        let text = self.lang.get(key);
        text.to_owned() + if text.ends_with('：') { "" } else { " " }
    }

    /// Renders a message in the page's language.
    pub fn said(&self, message: impl Borrow<Message>) -> String {
        harmless(&self.lang.render(message.borrow()))
    }

    /// Returns the text that ends a page in a file.
    pub fn about_file(&self) -> String {
        self.lang
            .with("file.about", &[("version", &env!("CARGO_PKG_VERSION"))])
    }
}

/// Writes a folder as a word of a command.
pub fn as_word(folder: &Path) -> String {
    harmless(&host::join_words([&*folder.to_string_lossy()]))
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
