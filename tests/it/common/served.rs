//! The arena, serving its page.

use super::http::{HttpAnswer, ask};
use super::{RunningProgram, Workdir, until};

pub struct Served {
    arena: RunningProgram,
    pub url: String,
    pub host: String,
    pub port: u16,
    /// The key to the page; empty if the page needs no key.
    pub key: String,
}

impl Served {
    pub fn start(workdir: &Workdir, arguments: &[&str]) -> Served {
        let arena = workdir.start(arguments);
        let url = until("the page has an address", || {
            let printed = arena.printed();
            let line = printed.lines().find(|line| line.starts_with("http://"))?;
            printed
                .contains(&format!("{line}\n"))
                .then(|| line.to_owned())
        });
        let rest = url.strip_prefix("http://").expect("an address");
        let (host, rest) = rest.split_once('/').expect("a path");
        let (name, port) = host.rsplit_once(':').expect("a port");
        let key = rest
            .split_once("token=")
            .map_or("", |(_, key)| key)
            .to_owned();
        let is_local = key.is_empty() || name.ends_with(".localhost");
        assert!(is_local, "on loopback: {name}");
        let host = host.to_owned();
        Served {
            arena,
            port: port.parse().expect("a port"),
            host,
            key,
            url,
        }
    }

    pub fn cookie(&self) -> String {
        if self.key.is_empty() {
            return String::new();
        }
        let answer = self.get(&format!("/enter?token={}", self.key), "");
        let set = answer.header("set-cookie").expect("a cookie");
        set.split(';').next().unwrap_or_default().to_owned()
    }

    pub fn get(&self, path: &str, cookie: &str) -> HttpAnswer {
        ask(self.port, "GET", path, &[("cookie", cookie)], "")
    }

    pub fn interrupt(&self) {
        self.arena.signal("INT");
    }

    pub fn end(mut self) {
        self.interrupt();
        self.arena.wait();
    }

    pub fn printed(&self) -> String {
        self.arena.printed()
    }

    pub fn pid(&self) -> u32 {
        self.arena.pid()
    }

    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }
}
