//! A browser: headless Chromium, driven over the `WebDriver` protocol.
//!
//! [`Browser::start`] returns `None` if the tests that need a browser are not asked for.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::asked::{ALL_TOOLS, is_asked};
use super::http::{ask, try_ask};
use super::pause;

/// A time longer than every action. On a busy machine, a click may take seconds.
const PATIENCE: Duration = Duration::from_secs(120);

pub const LEFT: &str = "\u{E012}";
pub const UP: &str = "\u{E013}";
pub const RIGHT: &str = "\u{E014}";
pub const DOWN: &str = "\u{E015}";
pub const HOME: &str = "\u{E011}";
pub const END: &str = "\u{E010}";
pub const ENTER: &str = "\u{E007}";

/// Browsers are large, so only one runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    pub fn start() -> Option<Browser> {
        if !is_asked(ALL_TOOLS, "the pages in a browser") {
            return None;
        }
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut driver = started.expect("chromedriver is installed");
        let output = BufReader::new(driver.stdout.take().expect("a pipe"));
        let port = output.lines().map_while(Result::ok).find_map(|line| {
            let port = line.split("successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse().ok()
        });
        let mut browser = Browser {
            driver,
            port: port.expect("chromedriver says its port"),
            session: String::new(),
            _folder: folder,
            _alone: alone,
        };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--lang=en", "--window-size=1280,900",
            ] },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": 120_000, "pageLoad": 120_000 },
        } } });
        // On a busy machine, Chromium sometimes exits at its start.
        let attempt = |_| {
            let started = browser.try_command("POST", "", &wanted);
            started.inspect_err(|error| eprintln!("{error}")).ok()
        };
        let session = (0..5).find_map(attempt).expect("Chromium starts");
        let id = session["sessionId"].as_str().expect("a session");
        browser.session = format!("/{id}");
        browser.size(1280, 900);
        Some(browser)
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_command(method, path, body)
            .unwrap_or_else(|message| panic!("{method} {path} {body}: {message}"))
    }

    fn try_command(&self, method: &str, path: &str, body: &Value) -> Result<Value, Value> {
        let body = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let path = format!("/session{}{path}", self.session);
        let headers = [("content-type", "application/json")];
        let answer = ask(self.port, method, &path, &headers, &body);
        let mut value: Value = serde_json::from_str(&answer.body).expect("JSON");
        match answer.status {
            200 => Ok(value["value"].take()),
            _ => Err(value["value"]["message"].take()),
        }
    }

    pub fn open(&self, url: &str) {
        self.command("POST", "/url", &json!({ "url": url }));
    }

    /// Opens a file. Reloads it even if only the fragment differs.
    pub fn open_file(&self, path: &Path, fragment: &str) {
        let path = path.canonicalize().expect("the page is there");
        self.open("about:blank");
        self.open(&format!("file://{}{fragment}", path.display()));
    }

    /// Runs a script, and returns its result. If the result is a promise, returns the promise's value.
    pub fn run(&self, script: &str) -> Value {
        self.command(
            "POST",
            "/execute/sync",
            &json!({ "script": script, "args": [] }),
        )
    }

    /// Waits until an expression is true: not null, false, 0, an empty text or an empty list. Returns its value.
    pub fn until(&self, what: &str) -> Value {
        self.until_so(|| what.to_owned())
    }

    /// Waits like [`Browser::until`], for an expression that may change.
    pub fn until_so(&self, what: impl Fn() -> String) -> Value {
        let start = Instant::now();
        loop {
            let what = what();
            let script = format!("try {{ return ({what}) }} catch (error) {{ return false }}");
            let value = self.run(&script);
            if !matches!(value, Value::Null | Value::Bool(false))
                && ![json!(""), json!(0), json!([])].contains(&value)
            {
                return value;
            }
            if start.elapsed() > PATIENCE {
                let text = self.run("return document.body.innerText");
                panic!(
                    "waited in vain: {what} at {}\n{text}\n{:?}",
                    self.run("return location.href"),
                    self.console()
                );
            }
            pause(start);
        }
    }

    fn element(&self, css: &str) -> String {
        self.until(&format!("!!document.querySelector({css:?})"));
        let found = self.command(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": css }),
        );
        let id = found
            .as_object()
            .and_then(|one| one.values().next()?.as_str());
        id.expect("an element").to_owned()
    }

    pub fn click(&self, css: &str) {
        let id = self.element(css);
        self.command("POST", &format!("/element/{id}/click"), &json!({}));
    }

    /// Types into the element that has the focus. The constants of `Browser` are keys without a character.
    pub fn keys(&self, keys: &str) {
        let pressed = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        });
        let actions: Vec<Value> = pressed.collect();
        let body = json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] });
        self.command("POST", "/actions", &body);
    }

    pub fn tap(&self, css: &str) {
        self.element(css);
        let middle = self.run(&format!(
            "const found = document.querySelector({css:?}); found.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = found.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
        ));
        let at = json!([{ "x": middle[0], "y": middle[1] }]);
        for (kind, points) in [("touchStart", at), ("touchEnd", json!([]))] {
            let touch = json!({ "type": kind, "touchPoints": points });
            self.cdp("Input.dispatchTouchEvent", &touch);
        }
    }

    pub fn hover(&self, css: &str) {
        let id = self.element(css);
        let origin = json!({ "element-6066-11e4-a52e-4f735466cecf": id });
        let moved =
            json!([{ "type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin }]);
        let body = json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": moved }] });
        self.command("POST", "/actions", &body);
    }

    pub fn choose(&self, css: &str, value: &str) {
        self.element(css);
        self.run(&format!(
            "const list = document.querySelector({css:?}); list.value = {value:?}; \
             list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    }

    pub fn size(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
            }),
        );
        self.cdp(
            "Emulation.setTouchEmulationEnabled",
            &json!({ "enabled": width < 600 }),
        );
    }

    pub fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.cdp(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
    }

    pub fn scripts(&self, are_on: bool) {
        let value = json!({ "value": !are_on });
        self.cdp("Emulation.setScriptExecutionDisabled", &value);
    }

    /// Sets the language in which the browser requests pages; if empty, its own language.
    pub fn language(&self, language: &str) {
        let agent = json!({ "userAgent": "", "acceptLanguage": language });
        self.cdp("Emulation.setUserAgentOverride", &agent);
    }

    pub fn cdp(&self, name: &str, parameters: &Value) -> Value {
        self.command(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": name, "params": parameters }),
        )
    }

    pub fn second_window(&self) {
        let second = self.command("POST", "/window/new", &json!({ "type": "window" }));
        self.window(&second["handle"]);
    }

    pub fn first_window(&self) {
        let all = self.command("GET", "/window/handles", &Value::Null);
        self.window(&all[0]);
    }

    fn window(&self, handle: &Value) {
        self.command("POST", "/window", &json!({ "handle": handle }));
    }

    pub fn forget(&self) {
        let all = self.command("GET", "/window/handles", &Value::Null);
        for other in all.as_array().into_iter().flatten().skip(1) {
            self.window(other);
            self.command("DELETE", "/window", &json!({}));
        }
        self.first_window();
        self.open("about:blank");
        self.cdp("Network.clearBrowserCookies", &json!({}));
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": [] }));
        self.language("");
        self.size(1280, 900);
        self.console();
    }

    /// Returns the console's errors since the last call.
    pub fn console(&self) -> Vec<String> {
        let lines = self.command("POST", "/se/log", &json!({ "type": "browser" }));
        let lines = lines.as_array().cloned().unwrap_or_default();
        let errors = lines.iter().filter(|line| line["level"] == "SEVERE");
        errors.map(|line| line["message"].to_string()).collect()
    }

    /// Saves a picture of the window, or of the whole page if `whole`. The path's ending chooses WebP or PNG.
    pub fn picture(&self, path: &Path, whole: bool) {
        let is_png = path.extension().is_some_and(|extension| extension == "png");
        let mut wanted = json!({ "captureBeyondViewport": whole });
        if is_png {
            wanted["format"] = json!("png");
        } else {
            wanted["format"] = json!("webp");
            wanted["quality"] = json!(82);
        }
        if whole {
            let size = self.run(
                "const all = document.documentElement; return [Math.max(innerWidth, all.scrollWidth), all.scrollHeight]",
            );
            wanted["clip"] =
                json!({ "x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1 });
        }
        let shot = self.cdp("Page.captureScreenshot", &wanted);
        let text = shot["data"].as_str().expect("a picture");
        std::fs::write(path, BASE64_STANDARD.decode(text).expect("base 64")).expect("a file");
    }
}

impl Drop for Browser {
    /// Ends the browser, even after a panic. Killing only the driver would leave the browser running.
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let path = format!("/session{}", self.session);
            let _ = try_ask(self.port, "DELETE", &path, &[], "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
