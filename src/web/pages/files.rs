//! A game as a file, to be kept and sent.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use games::formats::{self, SavedGame};

use crate::web::animation::animated;
use crate::web::view::GameView;

/// The game as a download, in the format whose files end like this, as an animation for `gif`; `name` is
/// that of the file.
pub fn download(game: &SavedGame, name: &str, ending: &str) -> Response {
    if ending == "gif" {
        return match animated(&GameView::saved(0, game)) {
            Ok(file) => attached(file, "image/gif", name, ending),
            Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()).into_response(),
        };
    }
    let text = match formats::write(ending, game) {
        None => return StatusCode::NOT_FOUND.into_response(),
        Some(Err(why)) => {
            return (StatusCode::UNPROCESSABLE_ENTITY, why.to_string()).into_response();
        }
        Some(Ok(text)) => text,
    };
    attached(text, "text/plain; charset=utf-8", name, ending)
}

/// A file that is saved, not shown.
fn attached(body: impl IntoResponse, kind: &'static str, name: &str, ending: &str) -> Response {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let disposition = format!("attachment; filename=\"{name}.{ending}\"");
    (
        [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        body,
    )
        .into_response()
}
