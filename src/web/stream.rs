//! Server-sent events. A stream ends when the server ends or the page closes it. The number of streams is limited. A
//! browser opens at most six connections to a host for all its tabs, so a page closes its stream while it is hidden.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::hub::{PageEvent, Subscription};

const MOST: usize = 64;
/// The time between two keep-alives, which detect closed browsers.
const ALIVE: Duration = Duration::from_secs(15);
/// The shortest time between two updates for the page of a run.
const CALM: Duration = Duration::from_millis(500);

#[derive(Clone, Debug)]
pub struct Streams {
    open: Arc<AtomicUsize>,
    ends: watch::Receiver<bool>,
}

struct OpenStream(Arc<AtomicUsize>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Streams {
    /// Makes a limited set of streams. All streams end once `ends` is true.
    pub fn new(ends: watch::Receiver<bool>) -> Streams {
        Streams {
            open: Arc::default(),
            ends,
        }
    }

    fn open(&self) -> Option<OpenStream> {
        let place = OpenStream(Arc::clone(&self.open));
        let before = self.open.fetch_add(1, Ordering::SeqCst);
        (before < MOST).then_some(place)
    }

    /// Streams a run that this server plays. Calls `listen` to subscribe, and again whenever the page was too slow.
    pub fn of_hub(&self, listen: impl Fn() -> Subscription + Send + 'static) -> Response {
        let (all, told) = listen();
        let state = (listen, told, Some(all), self.ends.clone());
        self.answer(unfold(
            state,
            |(listen, mut told, mut all, mut ends)| async move {
                let next = if let Some(all) = all.take() {
                    all
                } else {
                    tokio::select! {
                        // Sends waiting events before the end.
                        biased;
                        next = told.recv() => match next {
                            Ok(told) => told,
                            // The page was too slow, so it gets the whole state again.
                            Err(RecvError::Lagged(_)) => {
                                let (all, now) = listen();
                                told = now;
                                all
                            }
                            Err(RecvError::Closed) => return None,
                        },
                        _ = ends.wait_for(|ends| *ends) => return None,
                    }
                };
                Some((Ok(event(&next)), (listen, told, None, ends)))
            },
        ))
    }

    /// Streams the text of `now`, at once and after each change. If `calm`, waits [`CALM`] before each further text.
    pub fn of_changes<T: Send + Sync + 'static>(
        &self,
        changes: watch::Receiver<T>,
        calm: bool,
        now: impl Fn() -> String + Send + 'static,
    ) -> Response {
        let state = (changes, true, now, self.ends.clone());
        self.answer(unfold(
            state,
            move |(mut changes, first, now, mut ends)| async move {
                if !first {
                    if calm {
                        tokio::time::sleep(CALM).await;
                    }
                    tokio::select! {
                        _ = ends.wait_for(|ends| *ends) => return None,
                        changed = changes.changed() => changed.ok()?,
                    }
                }
                changes.borrow_and_update();
                let told = Ok(Event::default().event("now").data(now()));
                Some((told, (changes, false, now, ends)))
            },
        ))
    }

    fn answer(
        &self,
        events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
    ) -> Response {
        let Some(place) = self.open() else {
            return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response();
        };
        let events = Box::pin(events);
        let held = unfold((events, place), |(mut events, place)| async move {
            let next = futures_util::StreamExt::next(&mut events).await?;
            Some((next, (events, place)))
        });
        Sse::new(held)
            .keep_alive(KeepAlive::new().interval(ALIVE))
            .into_response()
    }
}

fn event(told: &PageEvent) -> Event {
    Event::default().event(told.event).data(&*told.data)
}
