//! Connections: not too many, and none that nobody uses.
//!
//! A connection on which nothing has come yet is kept for a few seconds, one that is idle for a minute;
//! streams of events are not idle, for they tell that they are alive.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at a time.
const MOST: usize = 256;
/// How long a connection may be silent before its first request.
const FIRST: Duration = Duration::from_secs(4);
/// How long it may be silent later.
const LATER: Duration = Duration::from_secs(60);

/// Where connections come in.
#[derive(Debug)]
pub struct Door {
    listener: TcpListener,
    open: Arc<AtomicUsize>,
}

impl Door {
    /// The connections of this socket.
    pub fn new(listener: TcpListener) -> Door {
        let open = Arc::default();
        Door { listener, open }
    }
}

impl Listener for Door {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            if self.open.fetch_add(1, Ordering::SeqCst) < MOST {
                let open = Arc::clone(&self.open);
                return (Guest::new(stream, open), address);
            }
            // Closed at once: whoever has a page open keeps it.
            self.open.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection.
#[derive(Debug)]
pub struct Guest {
    stream: TcpStream,
    open: Arc<AtomicUsize>,
    silent: Pin<Box<Sleep>>,
}

impl Guest {
    fn new(stream: TcpStream, open: Arc<AtomicUsize>) -> Guest {
        let silent = Box::pin(sleep(FIRST));
        Guest {
            stream,
            open,
            silent,
        }
    }

    /// What came of reading or writing; nothing for too long is an error.
    fn heard<T>(
        &mut self,
        cx: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.silent.as_mut().reset(Instant::now() + LATER);
            return polled;
        }
        match self.silent.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

impl AsyncRead for Guest {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(cx, into);
        self.heard(cx, polled)
    }
}

impl AsyncWrite for Guest {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.heard(cx, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
