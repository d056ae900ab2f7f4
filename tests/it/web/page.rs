//! A page to be tested: a folder with runs, and the arena that serves them.

use crate::common::Desk;
use crate::common::browser::Browser;
use crate::common::http::{Answer, ask};
pub use crate::common::served::Served;

impl Served {
    /// A POST as a page of it sends it.
    pub fn post(&self, path: &str, body: &str) -> Answer {
        let (cookie, token) = entered(self);
        let ours = self.at("");
        let headers = [
            ("cookie", cookie.as_str()),
            ("origin", ours.as_str()),
            ("content-type", "application/json"),
            ("x-arena-token", token.as_str()),
        ];
        ask(self.port, "POST", path, &headers, body)
    }

    /// Opens a page of it in a browser that has the key.
    pub fn open(&self, browser: &Browser, path: &str) {
        browser.open(&self.url);
        browser.open(&self.at(path));
    }
}

/// A page's cookie and its token for a POST.
pub fn entered(served: &Served) -> (String, String) {
    let answer = ask(
        served.port,
        "GET",
        &format!("/enter?token={}", served.key),
        &[],
        "",
    );
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    assert_eq!(answer.header("location"), Some("/"), "always the same page");
    let cookie = cookie.split(';').next().expect("a value").to_owned();
    let page = ask(served.port, "GET", "/play", &[("cookie", &cookie)], "");
    let token = page
        .body
        .split("name=\"arena-token\" content=\"")
        .nth(1)
        .expect("a token");
    (cookie, token.split('"').next().expect("its end").to_owned())
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
