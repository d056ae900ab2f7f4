//! Owners log in with their link, and hand in bots.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::StreamExt as _;
use message::{Message, ToValue, message};
use run::{RunError, Stop, unix_ms};
use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::task::spawn_blocking;

use super::{LeaguePages, broken, pages};
use crate::league::{League, Upload};
use crate::web::connections::Admission;
use crate::web::handlers::{Context, Visitor, refused, wrong};
use crate::web::lock;

/// The time for which a browser keeps an owner's cookie, in seconds.
const KEPT: u32 = 180 * 24 * 3600;
/// The longest time for the body of an upload, and the extra time for each MiB.
const PATIENCE: Duration = Duration::from_secs(20);
const PATIENCE_A_MIB: Duration = Duration::from_secs(8);

/// `GET /enter/SECRET`: the link of an owner. Sets the cookie and redirects to a page without the secret.
pub async fn enter(visitor: Visitor, Path(secret): Path<String>) -> Response {
    let pages = pages(&visitor);
    let owner = pages.league().owner_with(&secret);
    // A browser that has the cookie of an owner keeps it: a link sent by another owner must not replace the cookie.
    let entered = pages.owner(&visitor).ok().flatten();
    match owner {
        Ok(Some(owner)) if entered.as_ref().is_some_and(|entered| *entered != owner) => {
            let what = visitor.lang().get("league.entered").to_owned();
            wrong(&visitor, StatusCode::CONFLICT, what)
        }
        Ok(Some(_)) => {
            let cookie = pages.set_cookie(&visitor, &secret, KEPT);
            ([(header::SET_COOKIE, cookie)], Redirect::to("/own")).into_response()
        }
        Ok(None) => {
            let what = visitor.lang().get("league.wrong-link").to_owned();
            let mut answer = wrong(&visitor, StatusCode::FORBIDDEN, what);
            // Closes the connection, so that each connection allows only one guess of a secret.
            let close = HeaderValue::from_static("close");
            answer.headers_mut().insert(header::CONNECTION, close);
            answer
        }
        Err(error) => broken(&visitor, &error),
    }
}

pub async fn leave(State(context): State<Arc<Context>>) -> Response {
    let cookie = pages(&context).set_cookie(&context, "", 0);
    ([(header::SET_COOKIE, cookie)], Json(json!({}))).into_response()
}

impl LeaguePages {
    fn set_cookie(&self, context: &Context, value: &str, seconds: u32) -> String {
        let is_encrypted = |url: &super::PublicUrl| url.is_encrypted();
        let secure = match &self.public_url {
            Some(url) if is_encrypted(url) => "; Secure",
            _ => "",
        };
        let name = self.cookie(context);
        format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}")
    }
}

/// The parameters of a hand-in: the name of the bot, and the name of the file in the body.
#[derive(Debug, Deserialize)]
pub struct HandInQuery {
    bot: String,
    file: String,
}

/// `POST /own/hand-in?bot=ada&file=ada.zip`, with the file as its body.
pub async fn hand_in(
    visitor: Visitor,
    ConnectInfo(admission): ConnectInfo<Admission>,
    Query(asked): Query<HandInQuery>,
    body: Body,
) -> Response {
    match receive(&visitor, &admission, asked, body).await {
        Ok(name) => {
            let said = message!("{name} was received and waits for its check");
            Json(json!({ "name": name, "said": said })).into_response()
        }
        Err((status, why)) => refused(status, why),
    }
}

type Refusal = (StatusCode, Message);

/// Receives a file and hands it in. Returns the name of the new version.
async fn receive(
    visitor: &Visitor,
    admission: &Admission,
    asked: HandInQuery,
    body: Body,
) -> Result<String, Refusal> {
    let pages = pages(visitor);
    let known = || {
        let owner = pages.owner(visitor);
        owner.map_err(|error| failed(&error))?.ok_or_else(|| {
            let why = "open the link that the organiser gave you, then hand in again";
            (StatusCode::FORBIDDEN, why.into())
        })
    };
    let (owner, began) = (known()?, unix_ms());
    let limits = pages.limits;
    let limit = limits.upload;
    let too_large = || {
        let most = referee::bot::size(limit);
        let why = message!("the file is too large: the limit is {most}");
        (StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    let length = visitor.headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let receiving = Receiving::begin(&visitor.context, owner.id, admission).ok_or_else(|| {
        let why = "another hand-in of yours is being received: wait for its end";
        (StatusCode::TOO_MANY_REQUESTS, why.into())
    })?;
    let folder = pages.league().folder().to_owned();
    let mib = length.unwrap_or(limit).div_ceil(1 << 20) as u32;
    let patience = PATIENCE + mib * PATIENCE_A_MIB;
    let file = match tokio::time::timeout(patience, spool(&folder, body, limit)).await {
        Ok(Ok(file)) => file,
        Ok(Err(NotSpooled::TooLarge)) => return Err(too_large()),
        Ok(Err(NotSpooled::Body)) => {
            let why = "the file did not arrive as a whole: hand it in again";
            return Err((StatusCode::BAD_REQUEST, why.into()));
        }
        Ok(Err(NotSpooled::Disk(error))) => return Err(failed(&error)),
        Err(_) => {
            let why = "the file came too slowly: hand it in again";
            return Err((StatusCode::REQUEST_TIMEOUT, why.into()));
        }
    };
    // The organiser may have renewed the secret during the upload.
    known()?;
    let saved = spawn_blocking(move || {
        // Holds the upload until the file is saved, even if the sender closes the connection.
        let _until_saved = receiving;
        let mut league = League::open(&folder)?;
        let upload = Upload::File {
            name: &asked.file,
            file: &file,
            began,
        };
        let (_, number) = league.hand_in(&owner, &asked.bot, upload, limits, &Stop::new())?;
        Ok::<_, RunError>(format!("{}-v{number}", asked.bot))
    });
    match saved.await {
        Ok(saved) => saved.map_err(|error| failed(&error)),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, FAILED.into())),
    }
}

enum NotSpooled {
    TooLarge,
    /// The sender closed the connection, or sent something other than a body.
    Body,
    Disk(RunError),
}

/// Saves a body in a file without a name, so that a slow upload takes no memory that others need.
async fn spool(folder: &std::path::Path, body: Body, limit: u64) -> Result<File, NotSpooled> {
    let disk = |error| NotSpooled::Disk(RunError::system("the hand-in cannot be saved")(error));
    let mut file = tokio::fs::File::from_std(tempfile::tempfile_in(folder).map_err(disk)?);
    let (mut parts, mut left) = (body.into_data_stream(), limit);
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| NotSpooled::Body)?;
        left = left
            .checked_sub(part.len() as u64)
            .ok_or(NotSpooled::TooLarge)?;
        file.write_all(&part).await.map_err(disk)?;
    }
    file.flush().await.map_err(disk)?;
    Ok(file.into_std().await)
}

const FAILED: &str = "the arena failed, and nothing was handed in: try again later";

/// Returns the text of an error for an owner: the reason for a refusal, but no details of a failure of this machine.
fn failed(error: &RunError) -> Refusal {
    match error {
        RunError::Input(problem) if !problem.is_machine => {
            (StatusCode::UNPROCESSABLE_ENTITY, problem.with_help())
        }
        error => {
            super::note(&error.to_message());
            (StatusCode::INTERNAL_SERVER_ERROR, FAILED.into())
        }
    }
}

/// An upload in progress. An owner has at most one, and no new connection displaces it.
struct Receiving(Arc<Context>, i64, Admission);

impl Receiving {
    fn begin(context: &Arc<Context>, owner: i64, admission: &Admission) -> Option<Receiving> {
        let is_first = lock(&pages(context).uploading).insert(owner);
        is_first.then(|| {
            admission.show_key();
            Receiving(Arc::clone(context), owner, admission.clone())
        })
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        self.2.hide_key();
        lock(&pages(&self.0).uploading).remove(&self.1);
    }
}
