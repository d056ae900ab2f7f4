//! Owners log in with their link, and hand in bots.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use message::{Message, ToValue, message};
use run::{RunError, Stop};
use serde::Deserialize;
use serde_json::json;
use tokio::task::spawn_blocking;

use super::{LeaguePages, UPLOADS, broken, pages};
use crate::league::{League, Limits, Owner, Upload};
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
    let owner = known()?;
    admission.show_key();
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
    let receiving = Receiving::begin(&visitor.context, owner.id).ok_or_else(|| {
        let why = "another hand-in of yours is being received: wait for its end";
        (StatusCode::TOO_MANY_REQUESTS, why.into())
    })?;
    let mib = length.unwrap_or(limit).div_ceil(1 << 20) as u32;
    let place = Arc::clone(&pages.uploads)
        .acquire_many_owned(mib.clamp(1, UPLOADS))
        .await;
    let patience = PATIENCE + mib * PATIENCE_A_MIB;
    let read = tokio::time::timeout(patience, to_bytes(body, limit as usize)).await;
    let bytes = match read {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => return Err(too_large()),
        Err(_) => {
            let why = "the file came too slowly: hand it in again";
            return Err((StatusCode::REQUEST_TIMEOUT, why.into()));
        }
    };
    // The organiser may have renewed the secret during the upload.
    known()?;
    let folder = pages.league().folder().to_owned();
    let saved = spawn_blocking(move || {
        // Holds the upload and its memory until the file is saved, even if the sender closes the connection.
        let _until_saved = (receiving, place);
        let mut league = League::open(&folder)?;
        save(&mut league, &owner, &asked, &bytes, limits)
    });
    match saved.await {
        Ok(saved) => saved.map_err(|error| failed(&error)),
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, FAILED.into())),
    }
}

fn save(
    league: &mut League,
    owner: &Owner,
    asked: &HandInQuery,
    bytes: &[u8],
    limits: Limits,
) -> Result<String, RunError> {
    let upload = Upload::File {
        name: &asked.file,
        bytes,
    };
    let (_, number) = league.hand_in(owner, &asked.bot, upload, limits, &Stop::new())?;
    Ok(format!("{}-v{number}", asked.bot))
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

/// An upload in progress. An owner has at most one.
struct Receiving(Arc<Context>, i64);

impl Receiving {
    fn begin(context: &Arc<Context>, owner: i64) -> Option<Receiving> {
        let is_first = lock(&pages(context).uploading).insert(owner);
        is_first.then(|| Receiving(Arc::clone(context), owner))
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        lock(&pages(&self.0).uploading).remove(&self.1);
    }
}
