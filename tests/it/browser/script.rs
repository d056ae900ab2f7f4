//! The scripts of `tests/pages`: actions in a shell, in a browser and by hand-written requests, and their results.
//!
//! `### what it shows` begins a script, which runs in an empty folder. The steps above the first script run at the
//! beginning of every script. A step is a line, continued by indented lines. Lines that begin with `# ` are remarks.
//!
//! | step | meaning |
//! |---|---|
//! | `-- name --` | begins a file, which ends at a line `--` |
//! | `$ arena bots` | a line for a shell. It must succeed, unless `exit 2` is below, and write the words below |
//! | `keep ada` | stores what the last line for a shell wrote on standard output, as `{ada}` and `seen.ada` |
//! | `serve serve --no-open` | starts `arena serve --no-open`; later steps use its page. `interrupt` sends it Ctrl-C, `end` also waits for its end |
//! | `start run a.toml` | starts `arena run a.toml`, which has no page; `kill` kills it |
//! | `file a/b` | waits until the file exists |
//! | `open /run/a` | opens that page; `open` alone opens the address that the arena prints; `open file a/report.html` opens a file |
//! | `click a[rel=next]` | clicks as a person does; also `hover`, `press Home t` and `choose select[name=end] = draw` |
//! | `size 390 800` | sets the window's size; `prefers dark` or `light` sets the system's preference; `window second` or `first` switches |
//! | `scripts off` | turns the scripts of pages off, `scripts on` turns them on again; steps still run their own |
//! | `until $('#board')` | waits until an expression is true |
//! | `let ply = …` | does the same, and stores the value as `seen.ply` for expressions, as `{ply}` elsewhere |
//! | `now $$('tr').length is 4` | compares two expressions once; without `is`, checks that the expression is true |
//! | `run …` | runs a script in the page |
//! | `quiet` | no error is on the console; `quiet but 409`: none without these words; `loud CSP`: an error with these words |
//! | `answer` | replaces an ended arena, and answers the page with the event below |
//! | `for path in / /play` | runs the steps below for each value |
//! | `reader> GET / /play` | requests these pages with the key, `nobody>` without the key, `page> POST /play {}` as our page does. Headers below are also sent; a header without a value is left out |
//! | `< 403` | the status of each answer; `< name: value`: a header, `< no name`: no such header, `< has …` and `< lacks …`: words of the body |
//!
//! In expressions, `$` returns an element, `$$` all elements, and `table('results/a/games.csv')` the rows of a table.
//! `[..]` in a header matches any text. `{large}` is replaced by 100,000 letters, `{huge}` by 17 MiB of letters. Words
//! of the body in quotes are a JSON string. Steps for games are in `game.rs`, steps for looks in `looks.rs`.

use std::cell::OnceCell;
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::common::browser::{self, Browser};
use crate::common::http::{HttpAnswer, ask};
use crate::common::served::Served;
use crate::common::{RunningProgram, Workdir, both, once, table};

const HELPERS: &str = "const $ = (css) => document.querySelector(css), $$ = (css) => [...document.querySelectorAll(css)]";

type ScriptLine = (usize, String);

pub struct PageScript<'a> {
    pub workdir: Workdir,
    browser: &'a OnceCell<Option<Browser>>,
    served: Option<Served>,
    started: Option<RunningProgram>,
    has_key: bool,
    seen: Map<String, Value>,
    /// A server that the test runs at the address of the ended arena.
    other: Option<(TcpListener, TcpStream)>,
    answers: Vec<HttpAnswer>,
}

pub fn play(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let text = fs::read_to_string(path.join(file)).expect("a file of scripts");
    let mut scripts = vec![Vec::new()];
    for line in (1..).zip(text.lines().map(str::to_owned)) {
        if line.1.starts_with("### ") {
            scripts.push(scripts[0].clone());
        }
        scripts.last_mut().expect("one at least").push(line);
    }
    let browser = OnceCell::new();
    for lines in &scripts[1..] {
        let workdir = Workdir::new();
        let mut script = PageScript {
            workdir,
            browser: &browser,
            served: None,
            started: None,
            has_key: false,
            seen: Map::new(),
            other: None,
            answers: Vec::new(),
        };
        script.steps(file, lines);
        drop(script);
        if let Some(Some(browser)) = browser.get() {
            browser.forget();
        }
    }
}

impl PageScript<'_> {
    /// Runs these steps; `None` if a step needs a browser and there is none.
    fn steps(&mut self, file: &str, lines: &[ScriptLine]) -> Option<()> {
        let mut lines = lines.iter().peekable();
        while let Some((number, step)) = lines.next() {
            // If the test fails, the last printed step is the one that failed.
            eprintln!("tests/pages/{file}:{number}: {step}");
            let mut below = Vec::new();
            if step.starts_with("-- ") {
                let text = lines.by_ref().take_while(|(_, line)| line != "--");
                below.extend(text.cloned());
            } else {
                while let Some((number, line)) = lines.next_if(|(_, line)| line.starts_with("  ")) {
                    below.push((*number, line[2..].to_owned()));
                }
            }
            let repeated = step.strip_prefix("for ");
            if let Some((name, values)) = repeated.and_then(|step| step.split_once(" in ")) {
                for value in self.filled(values).split_whitespace() {
                    self.seen.insert(name.to_owned(), json!(value));
                    self.steps(file, &below)?;
                }
            } else {
                let below: Vec<&str> = below.iter().map(|(_, line)| &**line).collect();
                self.step(step, &below)?;
            }
        }
        Some(())
    }

    fn step(&mut self, step: &str, below: &[&str]) -> Option<()> {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        let expression = [&[rest], below].concat().join(" ");
        let rest = &*self.filled(rest);
        match verb {
            "" | "#" | "###" => {}
            "--" => {
                let path = self.workdir.path(rest.trim_end_matches(" --"));
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, below.join("\n") + "\n").expect("a file");
            }
            "$" => self.shell(rest, below),
            "keep" => {
                let printed = self.seen["printed"].as_str().unwrap_or_default().trim();
                let printed = json!(printed);
                self.seen.insert(rest.to_owned(), printed);
            }
            "serve" => self.serve(&words(rest)),
            "interrupt" => self.served.as_ref().expect("it is served").interrupt(),
            "end" => self.served.take().expect("it is served").end(),
            "start" => self.started = Some(self.workdir.start(words(rest))),
            "kill" => self.started.take().expect("it was started").kill(),
            "file" => once(rest, || self.workdir.path(rest).exists()),
            "open" => self.open(rest)?,
            "click" => self.browser()?.click(rest),
            "hover" => self.browser()?.hover(rest),
            "press" => self
                .browser()?
                .keys(&rest.split(' ').map(key).collect::<String>()),
            "choose" => {
                let (list, value) = rest.split_once(" =").expect("a value");
                self.browser()?.choose(list, value.trim());
            }
            "size" => {
                let (width, height) = rest.split_once(' ').expect("two numbers");
                let [width, height] = [width, height].map(|one| one.parse().expect("a number"));
                self.browser()?.size(width, height);
            }
            "scripts" => self.browser()?.scripts(rest == "on"),
            "prefers" => self.browser()?.dark(rest == "dark"),
            "window" if rest == "second" => self.browser()?.second_window(),
            "window" => self.browser()?.first_window(),
            "until" => _ = self.until(&expression)?,
            "let" => {
                let (name, expression) = expression.split_once(" = ").expect("a value");
                let value = self.until(expression)?;
                self.seen.insert(name.to_owned(), value);
            }
            "now" => {
                let (left, right) = expression
                    .rsplit_once(" is ")
                    .unwrap_or((&expression, "true"));
                let both = self.run(&format!("return [{left}, {right}]"))?;
                assert_eq!(both[0], both[1], "{expression}");
            }
            "run" => _ = self.run(&expression)?,
            "quiet" => {
                let loud = self.browser()?.console().into_iter();
                let known = rest.strip_prefix("but ");
                let loud = loud.filter(|line| !known.is_some_and(|known| line.contains(known)));
                assert_eq!(loud.collect::<Vec<_>>(), Vec::<String>::new());
            }
            "loud" => {
                let printed = self.browser()?.console().join("\n");
                assert!(printed.contains(rest), "{printed}");
            }
            "answer" => self.answer(&below.join("\n")),
            "<" => {
                let wrong = self.answers.iter().find(|answer| !is_answer(answer, rest));
                assert!(wrong.is_none(), "{:.2000}", format!("{wrong:?}"));
            }
            _ if verb.ends_with('>') => self.request(verb, rest, below),
            "analysed" | "begin" | "play" | "finish" | "replay" | "othello" => {
                self.in_game(verb, rest)?;
            }
            _ => self.look(verb, rest)?,
        }
        Some(())
    }

    /// Returns the browser, which is started at the first call; `None` if there is none.
    pub fn browser(&self) -> Option<&Browser> {
        self.browser.get_or_init(Browser::start).as_ref()
    }

    pub fn until(&self, expression: &str) -> Option<Value> {
        let script = || {
            format!(
                "(() => {{ {}; return ({}) }})()",
                self.head(),
                self.with_tables(expression)
            )
        };
        Some(self.browser()?.until_so(script))
    }

    pub fn run(&self, script: &str) -> Option<Value> {
        let script = format!("{}; {}", self.head(), self.with_tables(script));
        Some(self.browser()?.run(&script))
    }

    fn head(&self) -> String {
        format!("{HELPERS}, seen = {}", json!(self.seen))
    }

    fn with_tables(&self, expression: &str) -> String {
        let mut parts = expression.split("table('");
        let mut script = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (path, rest) = part.split_once("')").expect("the end of a path");
            let path = self.workdir.path(self.filled(path));
            let rows = if path.is_file() {
                table(&path)
            } else {
                Vec::new()
            };
            script += &format!("({}){rest}", json!(rows));
        }
        script
    }

    fn filled(&self, text: &str) -> String {
        let seen = self.seen.iter().filter(|_| text.contains('{'));
        let text = text.replace("{large}", &"x".repeat(100_000));
        let text = text.replace("{huge}", &"x".repeat(17 << 20));
        seen.fold(text, |text, (name, value)| {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            text.replace(&format!("{{{name}}}"), &value)
        })
    }

    fn shell(&mut self, line: &str, expected: &[&str]) {
        let output = self.workdir.shell(line).output().expect("a shell");
        let (printed, mut code) = (both(&output), 0);
        for expected in expected.iter().map(|words| self.filled(words)) {
            match expected.strip_prefix("exit ") {
                Some(other) => code = other.parse().expect("a status"),
                None => assert!(
                    printed.contains(&expected),
                    "{expected:?} is not in: {printed}"
                ),
            }
        }
        assert_eq!(output.status.code(), Some(code), "{printed}");
        let printed = String::from_utf8(output.stdout).expect("text");
        self.seen.insert("printed".to_owned(), json!(printed));
    }

    fn serve(&mut self, words: &[&str]) {
        let served = Served::start(&self.workdir, words);
        let values = [
            ("host", json!(served.host)),
            ("port", json!(served.port)),
            ("key", json!(served.key)),
            ("cookie", json!(served.cookie())),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value));
        self.seen.extend(values);
        (self.served, self.has_key) = (Some(served), false);
    }

    fn open(&mut self, place: &str) -> Option<()> {
        let browser = self.browser()?;
        if let Some(file) = place.strip_prefix("file ") {
            let (file, fragment) = file
                .split_once('#')
                .map_or((file, String::new()), |(file, at)| (file, format!("#{at}")));
            browser.open_file(&self.workdir.path(file), &fragment);
        } else if place.is_empty() || place.starts_with('/') {
            let served = self.served.as_ref().expect("it is served");
            if !self.has_key || place.is_empty() {
                browser.open(&served.url);
            }
            if !place.is_empty() {
                browser.open(&served.at(place));
            }
            self.has_key = true;
        } else {
            browser.open(place);
        }
        Some(())
    }

    fn answer(&mut self, event: &str) {
        let port = self.seen["port"].as_u64().expect("a port");
        let listener = TcpListener::bind(format!("127.0.0.1:{port}")).expect("the port is free");
        let (mut stream, _) = listener.accept().expect("the page asks again");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        write!(stream, "{head}{event}\n\n").expect("it is sent");
        self.other = Some((listener, stream));
    }

    fn request(&mut self, who: &str, line: &str, headers: &[&str]) {
        let served = self.served.as_ref().expect("it is served");
        let (method, rest) = line.split_once(' ').expect("a path");
        let (paths, body) = match method {
            "GET" => (rest.split(' ').collect(), ""),
            _ => rest
                .split_once(' ')
                .map_or((vec![rest], ""), |(path, body)| (vec![path], body)),
        };
        let mut sent = vec![("host".to_owned(), served.host.clone())];
        if who != "nobody>" {
            sent.push(("cookie".to_owned(), self.filled("{cookie}")));
        }
        if who == "page>" {
            let path = if served.key.is_empty() { "/" } else { "/play" };
            let page = served.get(path, &self.filled("{cookie}")).body;
            let token = page
                .split("name=\"arena-token\" content=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next());
            let token = token.expect("a token").to_owned();
            let own = [
                ("origin", served.at("")),
                ("content-type", "application/json".to_owned()),
                ("x-arena-token", token),
            ];
            sent.extend(own.map(|(name, value)| (name.to_owned(), value)));
        }
        for header in headers.iter().map(|header| self.filled(header)) {
            let (name, value) = header.split_once(':').expect("a header");
            sent.retain(|(known, _)| known != name);
            sent.push((name.to_owned(), value.trim().to_owned()));
        }
        sent.retain(|(_, value)| !value.is_empty());
        let sent: Vec<(&str, &str)> = sent
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let answers = paths
            .iter()
            .map(|path| ask(served.port, method, path, &sent, body));
        self.answers = answers.collect();
    }
}

fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

fn key(name: &str) -> &str {
    match name {
        "Left" => browser::LEFT,
        "Right" => browser::RIGHT,
        "Home" => browser::HOME,
        "End" => browser::END,
        other => other,
    }
}

fn is_answer(answer: &HttpAnswer, expected: &str) -> bool {
    if let Some((name, value)) = expected.split_once(": ") {
        return answer
            .header(name)
            .is_some_and(|header| matches(value, header));
    }
    let (kind, words) = expected.split_once(' ').unwrap_or((expected, ""));
    let words = serde_json::from_str(words).unwrap_or_else(|_| words.to_owned());
    match kind {
        "no" => answer.header(&words).is_none(),
        "has" => answer.body.contains(&words),
        "lacks" => !answer.body.contains(&words),
        status => answer.status.to_string() == status,
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == text,
        Some((start, "")) => text.starts_with(start),
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let mut ends = (0..=text.len()).filter_map(|at| text.get(at..));
            ends.any(|text| matches(rest, text))
        }),
    }
}
