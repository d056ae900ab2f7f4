//! The files of the page, in the binary.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use message::Lang;

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Name, type and content of each.
const FILES: [(&str, &str, &str); 17] = [
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("assets/style.css"),
    ),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
    ("app.js", SCRIPT, include_str!("assets/app.js")),
    (
        "phrases.js",
        SCRIPT,
        include_str!("../../crates/message/src/phrases.js"),
    ),
    ("analysis.js", SCRIPT, include_str!("assets/analysis.js")),
    ("lesson.js", SCRIPT, include_str!("assets/lesson.js")),
    ("pair.js", SCRIPT, include_str!("assets/pair.js")),
    ("stages.js", SCRIPT, include_str!("assets/stages.js")),
    ("board.js", SCRIPT, include_str!("assets/board.js")),
    ("graphs.js", SCRIPT, include_str!("assets/graphs.js")),
    ("export.js", SCRIPT, include_str!("assets/export.js")),
    ("game.js", SCRIPT, include_str!("assets/game.js")),
    ("play.js", SCRIPT, include_str!("assets/play.js")),
    ("run.js", SCRIPT, include_str!("assets/run.js")),
    ("setup.js", SCRIPT, include_str!("assets/setup.js")),
    ("viewer.js", SCRIPT, include_str!("assets/viewer.js")),
    ("wall.js", SCRIPT, include_str!("assets/wall.js")),
];

/// A file of the page.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The texts of a language, for scripts.
pub(super) async fn texts(Path(code): Path<String>) -> Response {
    match Lang::of(&code) {
        Some(lang) => axum::Json(serde_json::json!({
            "texts": lang.texts(),
            "phrases": lang.for_pages(),
        }))
        .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
