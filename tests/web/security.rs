//! The list of what a hostile page, bot or neighbour might try. Requests are written by hand: no browser
//! would send them.

use crate::common::Desk;
use crate::http::{Answer, ask, try_ask};
use crate::page::{Served, desk_with_run};

/// A page's cookie and its token for a POST.
fn entered(served: &Served) -> (String, String) {
    let answer = ask(
        served.port,
        "GET",
        &format!("/enter?token={}", served.key),
        &[],
        "",
    );
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
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

#[test]
fn connections_that_say_nothing_make_room() {
    use std::net::TcpStream;
    let desk = desk_with_run();
    let served = Served::start(&desk, &["serve", "--no-open"]);
    let (cookie, _) = entered(&served);
    let silent: Vec<TcpStream> = (0..400)
        .filter_map(|_| TcpStream::connect(("127.0.0.1", served.port)).ok())
        .collect();
    assert!(silent.len() > 256, "more than are let in");
    crate::common::once("the page is there again", || {
        let answer = try_ask(served.port, "GET", "/run/small", &[("cookie", &cookie)], "");
        answer.is_ok_and(|answer| answer.status == 200)
    });
}

/// A folder of a run that came from elsewhere may name any command for its bot.
#[test]
fn the_page_goes_on_with_no_other_bot_than_those_of_the_catalogue() {
    let desk = Desk::new();
    let served = Served::start(&desk, &["play", "--no-open"]);
    let wanted = |served: &Served, path: &str, body: &str| {
        let (cookie, token) = entered(served);
        let ours = served.at("");
        let headers = [
            ("cookie", cookie.as_str()),
            ("origin", ours.as_str()),
            ("content-type", "application/json"),
            ("x-arena-token", token.as_str()),
        ];
        ask(served.port, "POST", path, &headers, body).status
    };
    let game = r#"{"game":"othello","rules":null,"size":null,"seats":[null,3],"move_ms":1000}"#;
    assert_eq!(wanted(&served, "/play", game), 200);
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
    assert_eq!(wanted(&served, "/run/play-othello/go-on", "{}"), 422);
    assert_eq!(wanted(&served, "/run/nothing/go-on", "{}"), 404);
    assert!(!desk.path("started").exists());
}
