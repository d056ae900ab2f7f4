//! Streams of events, and connections that compete with them.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::common::http::send;
use crate::common::served::Served;
use crate::common::{Workdir, once};

/// Starts a server for a folder with one short run, `small`. Also returns a cookie with the key.
fn served() -> (Workdir, Served, String) {
    let workdir = Workdir::new();
    workdir.succeed("match random greedy --games 2 --out results/small".split(' '));
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    (workdir, served, cookie)
}

/// Opens the event stream of the run. Also returns the first 12 bytes of the response, which end with the status.
fn stream(served: &Served, cookie: &str) -> io::Result<(TcpStream, [u8; 12])> {
    let key = [("cookie", cookie)];
    let stream = send(served.port, "GET", "/run/small/events", &key, "");
    let (mut stream, mut first) = (stream?, [0; 12]);
    stream.read_exact(&mut first)?;
    Ok((stream, first))
}

#[test]
fn a_flood_of_streams_is_refused_and_the_page_goes_on() {
    let (_workdir, served, cookie) = served();
    // These streams are never read.
    let key = [("cookie", cookie.as_str())];
    let open = || send(served.port, "GET", "/run/small/events", &key, "");
    let _open = [(); 80].map(|()| open().expect("it listens"));
    once("no further stream is given", || {
        // The server may also reset a connection above its limit.
        stream(&served, &cookie).is_ok_and(|(_, first)| &first == b"HTTP/1.1 503")
    });
    assert_eq!(served.get("/run/small", &cookie).status, 200);
}

/// The connections without the key regularly send a byte, so a limit on silence alone would never close them.
#[test]
fn connections_without_the_key_take_no_place_of_those_with_it() {
    let (_workdir, served, cookie) = served();
    let (mut stream, _) = stream(&served, &cookie).expect("an answer");
    let mut dripping: Vec<TcpStream> = (0..400)
        .filter_map(|_| TcpStream::connect(("127.0.0.1", served.port)).ok())
        .collect();
    assert!(dripping.len() > 256, "more than are let in");
    let drip = |all: &mut Vec<TcpStream>| all.retain_mut(|one| one.write_all(b"x").is_ok());
    drip(&mut dripping);
    let answer = served.get("/run/small", &cookie);
    assert_eq!(answer.status, 200, "the first attempt succeeds");
    once("all of them are closed, however they drip", || {
        drip(&mut dripping);
        dripping.is_empty()
    });
    stream.set_nonblocking(true).expect("a socket");
    let is_open = loop {
        match stream.read(&mut [0; 4096]) {
            Ok(0) => break false,
            Ok(_) => {}
            Err(error) => break error.kind() == ErrorKind::WouldBlock,
        }
    };
    assert!(is_open, "a page with the key keeps its stream");
}

/// Visitors of a league have no key.
#[test]
fn silent_connections_take_no_place_in_a_league() {
    let workdir = Workdir::new();
    workdir.succeed("league new class --anchors random".split(' '));
    let served = Served::start(&workdir, &["league", "serve", "class", "--port", "0"]);
    let silent = (0..400).map(|_| TcpStream::connect(("127.0.0.1", served.port)));
    let _silent: Vec<_> = silent.collect();
    assert_eq!(
        served.get("/", "").status,
        200,
        "the first attempt succeeds"
    );
}

/// Each owner has one upload. A slow one of 128 MiB delays no other owner, and counts from its beginning.
#[test]
fn a_slow_upload_delays_no_other_owner_and_may_end_after_the_deadline() {
    let workdir = Workdir::new();
    workdir.succeed("league new class --anchors random".split(' '));
    let secrets = workdir.succeed("league owner class ada bob".split(' '));
    let serve = "league serve class --port 0 --file-mb 128".split(' ');
    let served = Served::start(&workdir, &serve.collect::<Vec<_>>());
    let host = &served.host;
    let begin = |owner: &str, bot: &str, bytes: u64| {
        let secret = secrets.lines().find_map(|line| line.strip_prefix(owner));
        let cookie = format!("arena_owner_{}={}", served.port, &secret.expect("it")[1..]);
        let page = served.get("/own", &cookie).body;
        let token = page.split("arena-token\" content=\"").nth(1);
        let token = token.and_then(|rest| rest.split('"').next()).expect("one");
        let mut upload = TcpStream::connect(("127.0.0.1", served.port)).expect("a server");
        let head = format!(
            "POST /own/hand-in?bot={bot}&file=a.py HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncookie: {cookie}\r\n\
             x-arena-token: {token}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {bytes}\r\n\r\nprint"
        );
        upload.write_all(head.as_bytes()).expect("it is sent");
        upload
    };
    let end = |mut upload: TcpStream, rest: &str, status: &str| {
        let (sent, mut answer) = (upload.write_all(rest.as_bytes()), String::new());
        let _ = sent.and_then(|()| upload.read_to_string(&mut answer));
        answer.starts_with(&format!("HTTP/1.1 {status}"))
    };
    // No bot can be called `..`, so this second upload is refused for another reason if it arrives first.
    let is_second = |owner| end(begin(owner, "..", 8), "(1)", "429");
    let _slow = begin("ada", "ada", 128 << 20);
    once("ada's upload has begun", || is_second("ada"));
    assert!(end(begin("bob", "bob", 8), "(1)", "200"));
    let late = begin("bob", "bob", 8);
    once("bob's upload has begun", || is_second("bob"));
    workdir.succeed("league close class".split(' '));
    assert!(end(late, "(2)", "200"));
    assert!(end(begin("bob", "bob", 8), "(3)", "422"));
}

/// The folder of a run from another machine may contain a named pipe instead of a file.
#[cfg(unix)]
#[test]
fn a_run_whose_file_is_a_pipe_stops_no_page() {
    let (workdir, served, _) = served();
    served.end();
    let slow = workdir.path("results/slow");
    std::fs::create_dir(&slow).expect("a folder");
    std::fs::write(slow.join("arena.db"), "a record").expect("a file");
    let table = workdir.path("results/small/standings.csv");
    std::fs::remove_file(&table).expect("a table");
    let pipes = [slow.join("run.toml"), table];
    let made = std::process::Command::new("mkfifo").args(pipes).status();
    assert!(made.expect("mkfifo").success());
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let cookie = served.cookie();
    // A page that read the pipe would never answer.
    for path in ["/", "/run/slow", "/run/small", "/assets/app.js"] {
        assert_eq!(served.get(path, &cookie).status, 200, "{path}");
    }
    stream(&served, &cookie).expect("an answer");
}

/// When thousands of games end in a short time, the page with many boards receives only the boards that it shows and
/// the number of ended games.
#[test]
fn a_wall_gets_few_events_for_many_games() {
    const GAMES: usize = 2000;
    let workdir = Workdir::new();
    workdir.write(
        "quick.toml",
        &format!(
            "game = \"gomoku\"\nsize = 5\ngames = {GAMES}\nmove_ms = 2000\npin = false\n\
             [[bot]]\nuse = \"random\"\n[[bot]]\nuse = \"greedy\"\n"
        ),
    );
    let run = ["run", "quick.toml", "--watch", "--out", "results/quick"];
    let served = Served::start(&workdir, &run);
    let cookie = served.cookie();
    let stream = send(
        served.port,
        "GET",
        "/live/events",
        &[("cookie", &cookie)],
        "",
    );
    let mut events: Vec<serde_json::Value> = Vec::new();
    for line in BufReader::new(stream.expect("an answer")).lines() {
        let line = line.expect("the page stays when the run has ended");
        let data = line.strip_prefix("data: ");
        events.extend(data.and_then(|data| serde_json::from_str(data).ok()));
        if events.last().is_some_and(|last| last["over"] == true) {
            break;
        }
    }
    let last = events.last().expect("an event");
    assert_eq!(
        (&last["finished"], &last["running"], &last["over"]),
        (&json!(GAMES), &json!([]), &json!(true))
    );
    let most = events
        .iter()
        .map(|event| event["cards"].as_array().map_or(0, Vec::len))
        .max();
    // A new page gets the last twelve ended games (`KEPT` in `hub.rs`) and at most one running board per core.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    assert!(most <= Some(12 + cores), "{most:?} boards at a time");
    assert!(events.len() < GAMES, "{} messages", events.len());
}
