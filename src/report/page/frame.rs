//! What all pages share: style, script, and the policy that allows only these two.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The style sheet of all pages.
const STYLE: &str = include_str!("assets/report.css");
/// The script of all pages.
const SCRIPT: &str = include_str!("assets/report.js");

/// What stands around the content of a page.
pub(super) struct Frame {
    /// What the browser allows: this style, this script, and nothing from anywhere.
    pub policy: String,
    pub style: &'static str,
    pub script: &'static str,
    pub version: &'static str,
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
        }
    }
}

/// JSON inside a script element: `<` could end it.
pub(super) fn json_in_html(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}
