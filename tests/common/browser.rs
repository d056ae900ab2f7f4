//! A headless Chromium for tests, driven over `WebDriver` by plain HTTP.
//!
//! Where `chromedriver` is not installed, [`Browser::start`] gives none and says so past the test
//! harness; where `ARENA_BROWSER` is set, as in `.ci/run`, the test fails.

use std::io::{BufRead, BufReader, Read, Write, stderr};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Longer than anything here takes; reached only where something hangs.
const PATIENCE: Duration = Duration::from_mins(2);
/// Between two looks at a condition.
const LOOK: Duration = Duration::from_millis(20);

/// A browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Its profile and temporary files.
    _folder: TempDir,
}

impl Browser {
    /// Starts one; `None` where none is installed.
    pub fn start() -> Option<Browser> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let started = Command::new("chromedriver")
            .args(["--port=0"])
            .env("TMPDIR", folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            let what = "NOT TESTED: the pages in a browser need chromium and chromium-driver";
            assert!(std::env::var_os("ARENA_BROWSER").is_none(), "{what}");
            let _ = writeln!(stderr(), "\n{what}, which are not installed here\n");
            return None;
        };
        let said = driver.stdout.take().expect("a pipe");
        let port = BufReader::new(said)
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, port) = line.split_once("successfully on port ")?;
                port.trim_end_matches('.').parse().ok()
            });
        let mut browser = Browser {
            driver,
            port: port.expect("chromedriver says its port"),
            session: String::new(),
            _folder: folder,
        };
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        });
        let wanted = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 120_000, "pageLoad": 120_000 },
        });
        let made = browser.ask(
            "POST",
            "/session",
            &json!({ "capabilities": { "alwaysMatch": wanted } }),
        );
        browser.session = made["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        // The same page with another fragment would not be loaded again.
        self.post("url", &json!({ "url": "about:blank" }));
        self.post("url", &json!({ "url": address }));
    }

    /// Opens a file.
    pub fn open_file(&self, path: &Path, fragment: &str) {
        let path = path.canonicalize().expect("the page is there");
        self.open(&format!("file://{}{fragment}", path.display()));
    }

    /// What the body of a function returns in the page.
    pub fn eval(&self, body: &str) -> Value {
        self.post("execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Waits until the expression is true in the page.
    pub fn wait(&self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.eval(&format!("return Boolean({expression})")) != json!(true) {
            assert!(Instant::now() < until, "never true: {expression}");
            thread::sleep(LOOK);
        }
    }

    /// Clicks the middle of the first element that the selector finds.
    pub fn click(&self, selector: &str) {
        let found = self.post(
            "element",
            &json!({ "using": "css selector", "value": selector }),
        );
        let id = found.as_object().and_then(|found| found.values().next());
        let id = id.and_then(Value::as_str).expect("an element");
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Presses keys one after the other: characters, or names such as `ArrowLeft`.
    pub fn press(&self, keys: &[&str]) {
        let code = |key: &str| match key {
            "ArrowLeft" => "\u{e012}".to_owned(),
            "ArrowUp" => "\u{e013}".to_owned(),
            "ArrowRight" => "\u{e014}".to_owned(),
            "ArrowDown" => "\u{e015}".to_owned(),
            "Home" => "\u{e011}".to_owned(),
            "End" => "\u{e010}".to_owned(),
            "Enter" => "\u{e007}".to_owned(),
            "Tab" => "\u{e004}".to_owned(),
            "Escape" => "\u{e00c}".to_owned(),
            key => key.to_owned(),
        };
        let strokes = keys.iter().flat_map(|key| {
            ["keyDown", "keyUp"].map(|how| json!({ "type": how, "value": code(key) }))
        });
        let actions = json!([{
            "type": "key", "id": "keyboard", "actions": strokes.collect::<Vec<_>>(),
        }]);
        self.post("actions", &json!({ "actions": actions }));
    }

    /// Sets the size of the page as a device would: width and height in CSS pixels.
    pub fn resize(&self, width: u32, height: u32) {
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.post(
            "goog/cdp/execute",
            &json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": metrics }),
        );
    }

    /// Whether the page is to be dark, by the system's wish.
    pub fn wish_dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.post(
            "goog/cdp/execute",
            &json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } }),
        );
    }

    /// What the console has said since the last look: warnings and errors.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        let bad = entries.iter().filter(|entry| entry["level"] != "INFO");
        bad.map(ToString::to_string).collect()
    }

    /// Writes a picture of what is seen.
    pub fn picture(&self, path: &Path) {
        let text = self.ask(
            "GET",
            &format!("/session/{}/screenshot", self.session),
            &Value::Null,
        );
        let bytes = BASE64_STANDARD.decode(text.as_str().expect("a picture"));
        std::fs::write(path, bytes.expect("base64")).expect("a file for the picture");
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}/{what}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n",
            self.port
        );
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .expect("it reads");
        let mut reader = BufReader::new(stream);
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            reader.read_line(&mut line).expect("a head");
            let Some((name, value)) = line.trim_end().split_once(':') else {
                if line.trim_end().is_empty() {
                    break;
                }
                continue;
            };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("a body");
        let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
        let value = answer["value"].take();
        assert!(
            value["error"].is_null(),
            "{method} {path}: {}",
            value["message"]
        );
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !thread::panicking() {
            // It ends the browser; killing the driver alone would not.
            self.ask(
                "DELETE",
                &format!("/session/{}", self.session),
                &Value::Null,
            );
        } else if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let head = format!(
                "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n",
                self.session
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.read(&mut [0]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
