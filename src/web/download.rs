//! Downloads of a game in the formats of other programs. Pictures are made by the page's script.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use games::formats::{self, SavedGame};

/// Answers with the game as a file `name.ending`, in the format with this ending.
pub fn download(game: &SavedGame, name: &str, ending: &str) -> Response {
    let text = match formats::write(ending, game) {
        None => return StatusCode::NOT_FOUND.into_response(),
        Some(Err(why)) => {
            return (StatusCode::UNPROCESSABLE_ENTITY, why.to_string()).into_response();
        }
        Some(Ok(text)) => text,
    };
    // The browser saves the answer and does not show it.
    let is_odd = |c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c);
    let name = name.replace(is_odd, "_");
    let disposition = format!("attachment; filename=\"{name}.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, &disposition),
    ];
    (headers, text).into_response()
}
