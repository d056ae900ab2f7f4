//! A page to be tested: a folder with runs, and the arena that serves them.

use crate::browser::Browser;
use crate::common::Desk;
pub use crate::common::served::Served;

impl Served {
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
