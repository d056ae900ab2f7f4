//! A listener with a bounded number of connections. New connections cannot displace connections that sent the key.
//!
//! A connection without a valid request is closed after a few seconds, even if it sends bytes all the time. A
//! connection with a valid request may be silent for a minute; event streams are never silent that long. On a server
//! for everybody, a request is valid without the key. If there are too many connections, the oldest one without the
//! key is closed.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use futures_util::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

const MOST: usize = 256;
/// The number of attempts to find a port that is free in both address families.
const ATTEMPTS: u32 = 16;
/// The time from the start of a connection in which a valid request must arrive.
const WITHOUT_REQUEST: Duration = Duration::from_secs(4);
/// The longest silence of a connection with a valid request.
const SILENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub struct LimitedListener {
    listener: TcpListener,
    /// The other address family's socket; `None` if it is not needed, or if the machine lacks the family.
    other: Option<TcpListener>,
    /// The open connections, the oldest first.
    open: Vec<Weak<ConnectionState>>,
}

impl LimitedListener {
    /// Listens at this address. A name under `localhost` has an IPv4 and an IPv6 address: if `address` is one of these,
    /// also listens at the other one, which another user's server could take otherwise. Fails if an address is taken or
    /// does not belong to this machine.
    pub async fn bind(address: SocketAddr) -> io::Result<LimitedListener> {
        let mut attempts = if address.port() == 0 { ATTEMPTS } else { 1 };
        loop {
            let listener = TcpListener::bind(address).await?;
            let other = match other_family(listener.local_addr()?) {
                Some(other) => TcpListener::bind(other).await.map(Some),
                None => Ok(None),
            };
            attempts -= 1;
            let other = match other {
                Err(error) if is_taken(&error) && attempts > 0 => continue,
                Err(error) if is_taken(&error) => return Err(error),
                // The machine lacks this family.
                other => other.unwrap_or_default(),
            };
            let open = Vec::new();
            return Ok(LimitedListener {
                listener,
                other,
                open,
            });
        }
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    fn has_room(&mut self) -> bool {
        self.open.retain(|one| one.strong_count() > 0);
        if self.open.len() < MOST {
            return true;
        }
        let keyless = |one: &Weak<ConnectionState>| one.upgrade().filter(|one| !one.has_key());
        let oldest = (self.open.iter().enumerate()).find_map(|(at, one)| Some((at, keyless(one)?)));
        let Some((at, oldest)) = oldest else {
            return false;
        };
        self.open.remove(at);
        oldest.close();
        true
    }
}

impl Listener for LimitedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let (stream, address) = match &mut self.other {
                None => Listener::accept(&mut self.listener).await,
                Some(other) => tokio::select! {
                    accepted = Listener::accept(&mut self.listener) => accepted,
                    accepted = Listener::accept(other) => accepted,
                },
            };
            if self.has_room() {
                let connection = Connection::new(stream);
                self.open.push(Arc::downgrade(&connection.state));
                return (connection, address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.address()
    }
}

/// Returns the other address that browsers may use for names under `localhost`, if `address` is one of the two.
pub fn other_family(address: SocketAddr) -> Option<SocketAddr> {
    let other: IpAddr = match address.ip() {
        IpAddr::V4(Ipv4Addr::LOCALHOST) => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => Ipv4Addr::LOCALHOST.into(),
        _ => return None,
    };
    Some(SocketAddr::new(other, address.port()))
}

/// Returns whether another program has the address. Windows denies permission if that program belongs to another user.
fn is_taken(error: &io::Error) -> bool {
    [io::ErrorKind::AddrInUse, io::ErrorKind::PermissionDenied].contains(&error.kind())
}

#[derive(Clone, Debug)]
pub struct Admission {
    state: Arc<ConnectionState>,
    /// The addresses of both ends, the peer's first; `None` after closing.
    ends: Option<(SocketAddr, SocketAddr)>,
}

impl Admission {
    pub fn accept(&self) {
        self.state.is_accepted.store(true, Ordering::SeqCst);
    }

    pub fn show_key(&self) {
        self.accept();
        self.state.has_key.store(true, Ordering::SeqCst);
    }

    /// Lets new connections displace this one again.
    pub fn hide_key(&self) {
        self.state.has_key.store(false, Ordering::SeqCst);
    }

    /// Returns whether the peer is another user's program on this machine, as far as known; true after closing.
    pub fn is_from_another_user(&self) -> bool {
        let look = || {
            (self.ends).is_none_or(|(client, server)| host::is_from_another_user(client, server))
        };
        *self.state.is_from_another_user.get_or_init(look)
    }
}

impl Connected<IncomingStream<'_, LimitedListener>> for Admission {
    fn connect_info(stream: IncomingStream<'_, LimitedListener>) -> Admission {
        let (connection, client) = (stream.io(), *stream.remote_addr());
        let server = connection.stream.local_addr().ok();
        Admission {
            state: Arc::clone(&connection.state),
            ends: server.map(|server| (client, server)),
        }
    }
}

/// The state that listener, gate and connection share.
#[derive(Debug, Default)]
struct ConnectionState {
    has_key: AtomicBool,
    is_accepted: AtomicBool,
    is_closed: AtomicBool,
    /// Computed only once, at the first request, because listing the machine's sockets takes milliseconds.
    is_from_another_user: OnceLock<bool>,
    waker: AtomicWaker,
}

impl ConnectionState {
    fn has_key(&self) -> bool {
        self.has_key.load(Ordering::SeqCst)
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.waker.wake();
    }

    fn is_closed(&self, cx: &Context<'_>) -> bool {
        self.waker.register(cx.waker());
        self.is_closed.load(Ordering::SeqCst)
    }
}

#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    /// Whether `deadline` is that of a connection with a valid request.
    is_accepted: bool,
    deadline: Pin<Box<Sleep>>,
}

impl Connection {
    fn new(stream: TcpStream) -> Connection {
        Connection {
            stream,
            state: Arc::default(),
            is_accepted: false,
            deadline: Box::pin(sleep(WITHOUT_REQUEST)),
        }
    }

    fn unless_ended<T>(
        &mut self,
        cx: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if self.state.is_closed(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let accepted = self.state.is_accepted.load(Ordering::SeqCst);
        let is_new = accepted && !std::mem::replace(&mut self.is_accepted, true);
        if is_new || (accepted && polled.is_ready()) {
            self.deadline.as_mut().reset(Instant::now() + SILENCE);
        }
        match self.deadline.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => polled,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_read(cx, into);
        self.unless_ended(cx, polled)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.unless_ended(cx, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
