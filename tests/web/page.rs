//! A page to be tested: a folder with runs, and the arena that serves them.

use crate::browser::Browser;
use crate::common::{Desk, Running, until};
use crate::http::ask;

/// The arena, serving.
pub struct Served {
    /// What runs; dropping it ends it.
    arena: Running,
    /// The address with its key.
    pub url: String,
    /// Its port.
    pub port: u16,
    /// The key.
    pub key: String,
}

impl Served {
    /// Starts `arena` with these arguments and waits for the address of its page.
    pub fn start(desk: &Desk, arguments: &[&str]) -> Served {
        let arena = desk.start(arguments);
        let url = until("the page has an address", || {
            let said = arena.said();
            let line = said.lines().find(|line| line.starts_with("http://"))?;
            said.contains(&format!("{line}\n")).then(|| line.to_owned())
        });
        let rest = url.strip_prefix("http://127.0.0.1:").expect("on loopback");
        let (port, rest) = rest.split_once('/').expect("a path");
        let key = rest.split_once("token=").expect("a key").1.to_owned();
        Served {
            arena,
            port: port.parse().expect("a port"),
            key,
            url,
        }
    }

    /// Ctrl-C: a run is played no further than the games in progress.
    pub fn interrupt(&self) {
        self.arena.signal("INT");
    }

    /// Ends it as Ctrl-C does, and waits for that.
    pub fn end(mut self) {
        self.interrupt();
        self.arena.wait();
    }

    /// The cookie of somebody who has the key.
    pub fn cookie(&self) -> String {
        let path = format!("/enter?token={}", self.key);
        let answer = ask(self.port, "GET", &path, &[], "");
        let set = answer.header("set-cookie").expect("a cookie");
        set.split(';').next().unwrap_or_default().to_owned()
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.arena.pid()
    }

    /// A path as an address.
    pub fn at(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Opens a page of it in a browser that has the key.
    pub fn open(&self, browser: &Browser, path: &str) {
        browser.open(&self.url);
        browser.open(&self.at(path));
    }
}

/// A folder with a small round robin of Othello, `results/small`.
pub fn desk_with_run() -> Desk {
    let desk = Desk::new();
    desk.write(
        "small.toml",
        "game = \"othello\"\nformat = \"round-robin\"\ngames = 2\nmove_ms = 2000\npin = false\n\
         [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n\
         [[bot]]\nuse = \"alphabeta\"\noptions = { depth = 3 }\n",
    );
    desk.succeed(["run", "small.toml", "--out", "results/small"]);
    desk
}

/// The arena that runs with these arguments at a desk, and a browser; `None` where there is no browser.
pub fn shown(desk: Desk, arguments: &[&str]) -> Option<(Desk, Served, Browser)> {
    let served = Served::start(&desk, arguments);
    let browser = Browser::start()?;
    Some((desk, served, browser))
}
