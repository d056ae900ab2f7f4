//! The gate in front of every page. It refuses unwanted requests.
//!
//! - `Host` must name this server. This rule refuses pages under another name (DNS rebinding).
//! - If only this machine is served, the server has its own host: a new random name under `localhost`, which browsers
//!   resolve to this machine. Under a shared host, a browser would send our cookie to every port, and a service worker
//!   of an earlier server could still control our pages. A new host avoids both.
//! - A connection of another user of this machine is refused, even with the key. The browser sends our cookie to every
//!   port of our host, so a link to another user's server would give the key to that user.
//! - The first URL has a token. The response sets a cookie and redirects to a fixed page. Without the cookie, no page
//!   is served. Token and cookie are new at each start and are in no file. A link on another site may open a page here
//!   (`SameSite=Lax`), since a GET changes nothing.
//! - A POST, the only request that changes anything, needs exactly our `Origin`, a JSON body (in a league, also a
//!   file), and a second token in a header. Only our own pages know this token.
//! - A league's pages are for everybody: they need no key, and connections of other users are accepted. The other rules
//!   also hold for these pages. Behind a reverse proxy, `Host` and `Origin` must be those of the public address.
//! - Every answer has headers that forbid a browser to load or run files from elsewhere, and to show the page in
//!   another.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex};

use askama::Template;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use message::Lang;
use referee::problem;
use run::report::page::{STYLE, source_hash};
use tournament::Problem;

use super::connections::{Admission, other_family};
use super::lock;

const HTTP: u16 = 80;
const TOKEN: &str = "x-arena-token";

/// The policy: loads only our own files, and runs no inline script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: \
    blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
    host: String,
    access: Access,
    /// The token in the header of a POST.
    pub token: String,
}

/// Defines which visitors may see the pages.
#[derive(Debug)]
enum Access {
    Key(Key),
    /// Everybody may see the pages, perhaps through a reverse proxy with this address.
    Public(Option<PublicUrl>),
}

#[derive(Debug)]
struct Key {
    /// The token in the first URL, and in the cookie.
    entry: String,
    /// A key that works once. The browser is started with this key in its arguments, which other users can read.
    once: Mutex<Option<String>>,
}

/// The address of a server that a reverse proxy makes public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// `https://league.example`, as browsers write it.
    pub origin: String,
    host: String,
}

impl PublicUrl {
    pub fn parse(text: &str) -> Result<PublicUrl, Problem> {
        let wrong = || {
            problem!("{text:?} is not the address of a server")
                .help("write it with its scheme and without a path, such as https://league.example")
        };
        let text = text.trim_end_matches('/').to_ascii_lowercase();
        let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
        let port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(wrong()),
        };
        let host = host.strip_suffix(port).unwrap_or(host);
        let is_host = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host) {
            return Err(wrong());
        }
        Ok(PublicUrl {
            origin: format!("{scheme}://{host}"),
            host: host.to_owned(),
        })
    }

    pub fn is_encrypted(&self) -> bool {
        self.origin.starts_with("https:")
    }
}

impl Guard {
    pub fn with_key(address: SocketAddr) -> Result<Guard, std::io::Error> {
        let key = Key {
            entry: random()?,
            once: Mutex::new(None),
        };
        Guard::new(address, host_of(address)?, Access::Key(key))
    }

    pub fn public(address: SocketAddr, url: Option<PublicUrl>) -> Result<Guard, std::io::Error> {
        let host = host_of_ip(address.ip());
        Guard::new(address, host, Access::Public(url))
    }

    fn new(address: SocketAddr, host: String, access: Access) -> Result<Guard, std::io::Error> {
        let token = random()?;
        Ok(Guard {
            address,
            host,
            access,
            token,
        })
    }

    /// Returns the first URL, which gives a browser the key if there is one, and then leads to `to`.
    pub fn url(&self, to: EntryPage) -> String {
        match &self.access {
            Access::Key(key) => self.url_with(&key.entry, to),
            Access::Public(Some(url)) => format!("{}/", url.origin),
            Access::Public(None) => format!("http://{}:{}/", self.host, self.address.port()),
        }
    }

    pub fn url_once(&self, to: EntryPage) -> Result<String, std::io::Error> {
        let Access::Key(key) = &self.access else {
            return Ok(self.url(to));
        };
        let once = random()?;
        let url = self.url_with(&once, to);
        *lock(&key.once) = Some(once);
        Ok(url)
    }

    fn url_with(&self, key: &str, to: EntryPage) -> String {
        let (host, port) = (&self.host, self.address.port());
        format!("http://{host}:{port}{}?token={key}", to.addresses().0)
    }

    fn cookie(&self) -> String {
        // A browser sends a cookie to all ports of a host, so the name has the port.
        format!("arena_{}", self.address.port())
    }

    /// Returns whether `host` is this server's name or address, or `localhost`. Other names may belong to another site.
    fn is_ours(&self, host: &str) -> bool {
        if let Access::Public(Some(url)) = &self.access {
            return url.host.eq_ignore_ascii_case(host);
        }
        // A browser leaves out the default port of the scheme.
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(HTTP)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let is_port = port == Some(self.address.port());
        let is_host = match name.parse::<IpAddr>() {
            Ok(ip) if self.address.ip().is_unspecified() => !ip.is_unspecified(),
            Ok(ip) => ip == self.address.ip(),
            Err(_) => name == self.host || (name == "localhost" && self.address.ip().is_loopback()),
        };
        is_port && is_host
    }

    fn has_cookie(&self, key: &Key, headers: &HeaderMap) -> bool {
        let wanted = (self.cookie(), key.entry.as_str());
        cookies(headers).any(|(name, value)| name == wanted.0 && same(value, wanted.1))
    }

    fn may_change(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text("host").unwrap_or_default();
        let origin = match &self.access {
            Access::Public(Some(url)) => url.origin.clone(),
            _ => format!("http://{host}"),
        };
        if text("origin") != Some(&origin) {
            return Err("this request comes from another page");
        }
        let kind = text("content-type").unwrap_or_default();
        // From a page of another site, a browser sends these types only after a preflight request.
        let is_file =
            || kind == "application/octet-stream" && matches!(self.access, Access::Public(_));
        if kind.split(';').next().map(str::trim) != Some("application/json") && !is_file() {
            return Err("the body must be JSON");
        }
        if !text(TOKEN).is_some_and(|token| same(token, &self.token)) {
            return Err("the page is older than this server: reload it");
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPage {
    Runs,
    Play,
    /// The boards of the run that this server plays.
    Wall,
    Game,
}

impl EntryPage {
    /// The addresses that take the token, each with its page and the address of this page.
    const ALL: [(&str, EntryPage, &str); 4] = [
        ("/enter", EntryPage::Runs, "/"),
        ("/enter/play", EntryPage::Play, "/play"),
        ("/enter/live", EntryPage::Wall, "/live"),
        ("/enter/game", EntryPage::Game, "/going-on"),
    ];

    /// Returns the address that takes the token, and the address of the page.
    fn addresses(self) -> (&'static str, &'static str) {
        let mut all = EntryPage::ALL.into_iter();
        let found = all.find(|(_, page, _)| *page == self);
        let (entrance, _, page) = found.expect("every page is in the list");
        (entrance, page)
    }
}

pub fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).into_iter();
    let lines = lines.filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|one| one.trim().split_once('='))
}

/// Returns the host for this address: a new name if only this machine is served.
fn host_of(address: SocketAddr) -> Result<String, std::io::Error> {
    Ok(match address.ip() {
        _ if other_family(address).is_some() && knows_names() => {
            let name = random()?;
            format!("{}.localhost", &name[..16])
        }
        ip => host_of_ip(ip),
    })
}

fn host_of_ip(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) if ip.is_unspecified() => format!("[{}]", Ipv6Addr::LOCALHOST),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// Returns whether browsers resolve names under `localhost`. Safari asks the system, so it needs macOS 26.
fn knows_names() -> bool {
    let resolved = || ("arena.localhost", HTTP).to_socket_addrs();
    !cfg!(target_os = "macos")
        || resolved().is_ok_and(|mut all| all.all(|address| address.ip().is_loopback()))
}

fn random() -> Result<String, std::io::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Compares two tokens in a time that does not depend on their difference.
fn same(one: &str, other: &str) -> bool {
    let differ = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

pub async fn gate(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(admission): ConnectInfo<Admission>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = pass(&guard, &admission, request, next).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn pass(guard: &Guard, admission: &Admission, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| guard.is_ours(host)) {
        return refuse(
            headers,
            StatusCode::MISDIRECTED_REQUEST,
            "the address has a wrong host: open the address that the arena printed",
        );
    }
    match &guard.access {
        Access::Public(_) => admission.accept(),
        Access::Key(key) => {
            if let Some(answer) = check_key(guard, key, admission, &request) {
                return answer;
            }
        }
    }
    match *request.method() {
        Method::GET | Method::HEAD => {}
        Method::POST => {
            if let Err(why) = guard.may_change(headers) {
                return refuse(headers, StatusCode::FORBIDDEN, why);
            }
        }
        _ => return refuse(headers, StatusCode::METHOD_NOT_ALLOWED, "GET and POST only"),
    }
    next.run(request).await
}

/// Returns an answer if the request has no key or comes from another user, or if its URL has the key.
fn check_key(
    guard: &Guard,
    key: &Key,
    admission: &Admission,
    request: &Request,
) -> Option<Response> {
    let (headers, is_foreign) = (request.headers(), || admission.is_from_another_user());
    let entered = entered(key, request.uri(), is_foreign);
    if entered.is_none() && !guard.has_cookie(key, headers) {
        return Some(refuse(
            headers,
            StatusCode::FORBIDDEN,
            "open the address that the arena printed: it has the key to this page",
        ));
    }
    // This check comes last because it is slow: the system must list all its sockets.
    if is_foreign() {
        return Some(refuse(
            headers,
            StatusCode::FORBIDDEN,
            "another user of this machine started this server",
        ));
    }
    admission.show_key();
    let (name, value) = (guard.cookie(), &key.entry);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/");
    let to = Redirect::to(entered?.addresses().1);
    Some(([(header::SET_COOKIE, cookie)], to).into_response())
}

/// Returns the entry page for a valid token in the URL. Another user's request does not use up a one-time token.
fn entered(key: &Key, uri: &Uri, is_foreign: impl FnOnce() -> bool) -> Option<EntryPage> {
    let token = uri.query().and_then(|query| query.strip_prefix("token="));
    let to = (EntryPage::ALL.into_iter()).find(|(entrance, ..)| *entrance == uri.path());
    let (token, (_, to, _)) = token.zip(to)?;
    if same(token, &key.entry) {
        return Some(to);
    }
    let once = lock(&key.once).take_if(|once| same(token, once) && !is_foreign());
    once.map(|_| to)
}

/// The answer to a browser that may not see the requested page. Nothing else can be loaded, so the style is inside.
#[derive(Template)]
#[template(path = "web/refused.html")]
struct RefusedPage {
    lang: &'static Lang,
    why: String,
    style: &'static str,
}

/// Answers with the reason: for a browser a page in its language, for scripts and other programs a text.
fn refuse(headers: &HeaderMap, status: StatusCode, why: &'static str) -> Response {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let lang = text(header::ACCEPT_LANGUAGE).and_then(Lang::wanted);
    let lang = lang.unwrap_or_default();
    let page = RefusedPage {
        lang,
        why: lang.fixed(why).into_owned(),
        style: STYLE,
    };
    match page.render() {
        Ok(page) if text(header::ACCEPT).is_some_and(|kinds| kinds.contains("text/html")) => {
            let policy = format!("default-src 'none'; style-src {}", source_hash(STYLE));
            (
                status,
                [(header::CONTENT_SECURITY_POLICY, policy)],
                Html(page),
            )
                .into_response()
        }
        _ => (status, why).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use cases::cases;

    use super::*;

    #[test]
    fn only_this_server_is_ours() {
        type Row = (SocketAddr, String, String, String, String);
        for (address, url, ours, others, _) in cases::<Row>("own-hosts") {
            let guard = match PublicUrl::parse(&url) {
                Err(_) => Guard::with_key(address),
                public => Guard::public(address, public.ok()),
            };
            let guard = guard.expect("random bits");
            for host in ours.split(' ') {
                assert!(guard.is_ours(host), "{host} at {address} {url}");
            }
            for host in others.split(' ').chain([""]) {
                assert!(!guard.is_ours(host), "{host} at {address} {url}");
            }
        }
    }

    #[test]
    fn a_public_address_is_an_origin_or_refused() {
        for (url, origin, _) in cases::<(String, String, String)>("public-urls") {
            let read = PublicUrl::parse(&url).map(|url| url.origin);
            assert_eq!(read.unwrap_or_default(), origin, "{url}");
        }
    }

    fn key(guard: &Guard) -> &Key {
        match &guard.access {
            Access::Key(key) => key,
            Access::Public(_) => panic!("it has a key"),
        }
    }

    #[test]
    fn a_link_for_one_browser_opens_once_and_for_this_user_only() {
        let guard = Guard::with_key(([127, 0, 0, 1], 8080).into()).expect("random bits");
        let key = key(&guard);
        let uri = |url: &str| -> Uri { url.parse().expect("a URL") };
        let link = uri(&guard.url_once(EntryPage::Play).expect("random bits"));
        assert_eq!(entered(key, &link, || true), None, "another user");
        assert_eq!(entered(key, &link, || false), Some(EntryPage::Play));
        assert_eq!(entered(key, &link, || false), None, "used");
        let printed = uri(&guard.url(EntryPage::Runs));
        for _ in 0..2 {
            assert_eq!(entered(key, &printed, || false), Some(EntryPage::Runs));
        }
    }

    #[test]
    fn tokens_are_new_each_time() {
        let guard = || Guard::with_key(([127, 0, 0, 1], 8080).into()).expect("random bits");
        let guards = [guard(), guard()];
        assert_eq!(guards[0].token.len(), 32);
        let all = guards.iter().flat_map(|one| [&key(one).entry, &one.token]);
        assert_eq!(all.collect::<std::collections::BTreeSet<_>>().len(), 4);
        assert!(same("ab", "ab") && !same("ab", "abc") && !same("ab", "ac"));
    }
}
