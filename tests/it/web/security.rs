//! The list of what a hostile page, bot or neighbour might try. Requests are written by hand: no browser
//! would send them.

use super::page::{Served, desk_with_run, entered, shown};
use crate::common::Desk;
use crate::common::http::{Answer, ask, send};

fn post(served: &Served, headers: &[(&str, &str)], body: &str) -> Answer {
    ask(served.port, "POST", "/play", headers, body)
}

#[test]
fn only_who_has_the_key_sees_anything_and_only_under_our_name() {
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    for path in [
        "/",
        "/run/small",
        "/run/small/data/0",
        "/assets/app.js",
        "/live/events",
    ] {
        assert_eq!(ask(served.port, "GET", path, &[], "").status, 403, "{path}");
    }
    assert_eq!(
        ask(served.port, "GET", "/enter?token=0123", &[], "").status,
        403
    );
    let (cookie, _) = entered(&served);
    let cookie = ("cookie", cookie.as_str());
    assert_eq!(ask(served.port, "GET", "/", &[cookie], "").status, 200);
    // A name that leads to this machine and belongs to somebody else (DNS rebinding).
    for host in [
        "evil.example",
        "evil.example:80",
        &format!("evil.example:{}", served.port),
        "127.0.0.1:1",
    ] {
        let answer = ask(served.port, "GET", "/", &[cookie, ("host", host)], "");
        assert_eq!(answer.status, 421, "{host}");
    }
    let local = format!("localhost:{}", served.port);
    assert_eq!(
        ask(served.port, "GET", "/", &[cookie, ("host", &local)], "").status,
        200
    );
}

#[test]
fn a_request_that_changes_something_comes_from_our_page() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let (cookie, token) = entered(&served);
    let ours = served.at("");
    let wanted = r#"{"game":"othello","rules":null,"size":null,"seats":[null,null],"move_ms":0}"#;
    let json = ("content-type", "application/json");
    let all = [
        ("cookie", cookie.as_str()),
        ("origin", ours.as_str()),
        json,
        ("x-arena-token", token.as_str()),
    ];
    for left_out in 0..4 {
        let headers: Vec<_> = (0..4)
            .filter(|&one| one != left_out)
            .map(|one| all[one])
            .collect();
        assert_eq!(
            post(&served, &headers, wanted).status,
            403,
            "without {}",
            all[left_out].0
        );
    }
    for (name, value) in [
        ("origin", "null"),
        ("origin", "http://127.0.0.1:1"),
        ("origin", "http://evil.example"),
        ("content-type", "text/plain"),
        ("content-type", "application/x-www-form-urlencoded"),
        ("x-arena-token", "00000000000000000000000000000000"),
        ("x-arena-token", served.key.as_str()),
    ] {
        let wrong = all.map(|(known, given)| {
            if known == name {
                (name, value)
            } else {
                (known, given)
            }
        });
        assert_eq!(post(&served, &wrong, wanted).status, 403, "{name}: {value}");
    }
    assert!(!desk.path("results").exists(), "nothing was begun");
    assert_eq!(post(&served, &all, wanted).status, 200);
    assert!(desk.path("results/play-othello/run.toml").is_file());
    // No GET changes anything.
    for path in [
        "/play/play-othello/move",
        "/play/play-othello/back",
        "/play/play-othello/again",
    ] {
        assert_eq!(
            ask(served.port, "GET", path, &all, "").status,
            405,
            "{path}"
        );
    }
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = ask(served.port, method, "/play", &all, "");
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn no_command_no_path_and_no_large_body_comes_from_a_request() {
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, token) = entered(&served);
    let ours = served.at("");
    let all = [
        ("cookie", cookie.as_str()),
        ("origin", ours.as_str()),
        ("content-type", "application/json"),
        ("x-arena-token", token.as_str()),
    ];
    for body in [
        r#"{"game":"othello","seats":[null,9999],"move_ms":0}"#,
        r#"{"game":"othello","seats":[null,"sh -c id"],"move_ms":0}"#,
        r#"{"game":"othello","seats":[null,0],"move_ms":0,"command":["id"]}"#,
        r#"{"game":"othello","seats":[null,0],"move_ms":-1}"#,
        r#"{"game":"chess","seats":[null,0],"move_ms":0}"#,
        r#"{"game":"gomoku","size":1000000,"seats":[null,0],"move_ms":0}"#,
        r#"{"game":"othello","seats":[0,0],"move_ms":0}"#,
        r#"{"game":"othello","seats":[null,null],"move_ms":0,"from":{"run":"../../etc","game":0,"ply":0}}"#,
        "nonsense",
        "",
    ] {
        let status = post(&served, &all, body).status;
        assert!([400, 415, 422].contains(&status), "{status}: {body}");
    }
    let large = format!("{{\"game\":\"{}\"}}", "x".repeat(100_000));
    assert_eq!(post(&served, &all, &large).status, 413);
    for path in [
        "/run/..%2f..%2fetc",
        "/run/%2e%2e",
        "/run/small%2f..%2fsmall",
        "/assets/..%2fstyle.css",
        "/run/small/lines/0/..%2f..",
        "/play/..%2fsmall",
    ] {
        let status = ask(served.port, "GET", path, &all[..1], "").status;
        assert!([400, 404].contains(&status), "{status}: {path}");
    }
    assert_eq!(
        std::fs::read_dir(desk.path("results"))
            .expect("a folder")
            .count(),
        1
    );
}

#[test]
fn every_answer_forbids_what_is_not_ours() {
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, _) = entered(&served);
    for path in [
        "/",
        "/run/small",
        "/run/none",
        "/run/small/game/0",
        "/run/small/data/0",
        "/assets/app.js",
        "/texts/en",
        "/nothing",
    ] {
        let answer = ask(served.port, "GET", path, &[("cookie", &cookie)], "");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("same-origin"),
            "{path}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        assert!(
            !answer.body.contains("<script>"),
            "{path}: no script stands in a page"
        );
    }
}

/// A name cannot hold such characters, but a record that somebody made by hand may.
#[test]
fn what_a_bot_wrote_stays_text() {
    let desk = desk_with_run();
    let path = desk.path("results/small/run.toml");
    let text = std::fs::read_to_string(&path).expect("a file");
    let hostile =
        "</script><script>alert(1)</script><img src=x onerror=alert(1)>\\u202e\\u001b[31m";
    let text = text.replace(
        "format = \"round-robin\"",
        &format!("format = \"{hostile}\""),
    );
    std::fs::write(&path, text).expect("a file");
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, _) = entered(&served);
    for path in ["/", "/run/small"] {
        let page = ask(served.port, "GET", path, &[("cookie", &cookie)], "").body;
        assert!(page.contains("alert(1)"), "{path}: it is shown");
        assert!(
            !page.contains("<script>alert") && !page.contains("<img"),
            "{path}: {page}"
        );
        assert!(!page.contains('\u{1b}'), "{path}");
    }
}

#[test]
fn a_flood_of_streams_is_refused_and_the_page_goes_on() {
    use std::io::Write;
    use std::net::TcpStream;
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, _) = entered(&served);
    let mut open = Vec::new();
    for _ in 0..80 {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("it listens");
        let port = served.port;
        let request = format!(
            "GET /run/small/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        open.push(stream);
    }
    // They are never read from.
    crate::common::once("no further stream is given", || {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).expect("it listens");
        let port = served.port;
        let request = format!(
            "GET /run/small/events HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut first = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut first).expect("an answer");
        &first == b"HTTP/1.1 503"
    });
    assert_eq!(
        ask(served.port, "GET", "/run/small", &[("cookie", &cookie)], "").status,
        200
    );
}

#[test]
fn a_port_in_use_is_said_and_another_address_is_warned_of() {
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let port = served.port.to_string();
    let said = desk.exits(2, ["serve", "--no-open", "--port", &port]);
    crate::common::says(&said, &["cannot serve the page at", "--port"]);
    crate::common::says(
        &desk.exits(2, ["serve", "nowhere"]),
        &["there is no folder nowhere"],
    );
}

/// They drip, so that none is ever silent.
#[test]
fn connections_without_the_key_take_no_place_of_those_with_it() {
    use std::io::{ErrorKind, Read, Write};
    use std::net::TcpStream;
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, _) = entered(&served);
    let key = [("cookie", cookie.as_str())];
    let mut stream =
        send(served.port, "GET", "/run/small/events", &key, "").expect("the page listens");
    stream.read_exact(&mut [0; 12]).expect("it begins");
    let mut dripping: Vec<TcpStream> = (0..400)
        .filter_map(|_| TcpStream::connect(("127.0.0.1", served.port)).ok())
        .collect();
    assert!(dripping.len() > 256, "more than are let in");
    let drip = |all: &mut Vec<TcpStream>| all.retain_mut(|one| one.write_all(b"x").is_ok());
    drip(&mut dripping);
    let answer = ask(served.port, "GET", "/run/small", &key, "");
    assert_eq!(answer.status, 200, "the first attempt succeeds");
    crate::common::once("all of them are closed, however they drip", || {
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

/// A folder of a run that came from elsewhere may hold a pipe in the place of a file.
#[cfg(unix)]
#[test]
fn a_run_whose_file_is_a_pipe_stops_no_page() {
    let desk = desk_with_run();
    let slow = desk.path("results/slow");
    std::fs::create_dir(&slow).expect("a folder");
    std::fs::write(slow.join("arena.db"), "a record").expect("a file");
    let pipe = slow.join("run.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let cookie = served.cookie();
    let key = [("cookie", cookie.as_str())];
    // Nothing ever comes out of the pipe: a page that read it would never answer.
    for path in ["/run/slow", "/run/small", "/assets/app.js"] {
        assert_eq!(served.get(path, &cookie).status, 200, "{path}");
    }
    let mut stream = send(served.port, "GET", "/run/small/events", &key, "").expect("it listens");
    std::io::Read::read_exact(&mut stream, &mut [0; 12]).expect("it is told");
}

/// A folder of a run that came from elsewhere may hold any report.
#[test]
fn a_report_is_served_as_a_page_of_no_site_and_nothing_else_of_the_folder_is() {
    let desk = desk_with_run();
    let run = desk.path("results/small");
    std::fs::create_dir_all(run.join("report-games")).expect("a folder");
    std::fs::write(run.join("report-games/1.html"), "games").expect("a file");
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let cookie = served.cookie();
    for path in ["report", "report-games/1.html"] {
        let answer = served.get(&format!("/run/small/{path}"), &cookie);
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("sandbox allow-scripts"), "{policy}");
        assert!(!policy.contains("same-origin") && policy.contains("default-src 'none'"));
    }
    for path in [
        "report-games/2.html",
        "report-games/run.toml",
        "report-games/..%2frun.toml",
    ] {
        let answer = served.get(&format!("/run/small/{path}"), &cookie);
        assert_eq!(answer.status, 404, "{path}");
    }
}

/// As from a page of other people: a browser then sends a cookie only with the request for a page.
#[test]
fn a_link_on_another_site_leads_to_a_page() {
    let shown = shown(desk_with_run(), &["serve", "--no-open"]);
    let Some((_desk, served, browser)) = shown else {
        return;
    };
    browser.open(&served.url);
    let link = served.at("/run/small");
    browser.open(&format!(
        "data:text/html,<a id=link href='{link}'>a run</a>"
    ));
    browser.click("#link");
    browser.until("document.querySelector('.games .game')");
}

/// A folder of a run that came from elsewhere may name any command for its bot.
#[test]
fn the_page_goes_on_with_no_other_bot_than_those_of_the_catalogue() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let game = r#"{"game":"othello","rules":null,"size":null,"seats":[null,3],"move_ms":1000}"#;
    assert_eq!(served.post("/play", game).status, 200);
    served.end();
    let path = desk.path("results/play-othello/run.toml");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.contains("use = \"alphabeta\""), "{text}");
    let lines = text.lines().map(|line| match line {
        "use = \"alphabeta\"" => "command = [\"touch\", \"started\"]",
        line => line,
    });
    std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).expect("a file");
    let served = Served::start(&desk, &["serve", "--no-open"]);
    assert_eq!(served.post("/run/play-othello/go-on", "{}").status, 422);
    assert_eq!(served.post("/run/nothing/go-on", "{}").status, 404);
    assert!(!desk.path("started").exists());
}
