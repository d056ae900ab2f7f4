use std::os::unix::fs::symlink;
use std::thread;

use super::*;

/// A folder whose bot is made of `source` by copying it.
fn copier() -> (tempfile::TempDir, Build) {
    copier_to("out", None)
}

/// The same; the copy goes to the folder `place`, and this is the program that it is known to make.
fn copier_to(place: &str, program: Option<&str>) -> (tempfile::TempDir, Build) {
    let folder = tempfile::tempdir().expect("a folder");
    // Hidden, as a user's cache is.
    let notes = folder.path().join(".notes");
    fs::write(folder.path().join("source"), "one").expect("a file");
    let script = format!("echo made >> .log; mkdir -p {place}; cp source {place}/bot");
    let launch = Launch {
        program: "sh".into(),
        arguments: ["-c".into(), script.into()].into(),
        folder: Some(folder.path().to_owned()),
        ..Launch::default()
    };
    let program = program.map(PathBuf::from);
    let build = Build {
        launch,
        program,
        notes,
    };
    (folder, build)
}

#[test]
fn a_program_that_is_gone_is_made_again_wherever_it_lay() {
    let (folder, build) = copier_to("target", Some("./target/bot"));
    assert!(build.run().expect("a build"));
    assert!(!build.is_due(), "nothing has changed");
    fs::remove_dir_all(folder.path().join("target")).expect("as cargo clean does");
    assert!(build.run().expect("a build"));
    assert_eq!(times_made(folder.path()), 2);
}

fn times_made(folder: &Path) -> usize {
    let log = fs::read_to_string(folder.join(".log")).unwrap_or_default();
    log.lines().count()
}

#[test]
fn it_is_built_when_something_is_not_what_it_was() {
    let (folder, build) = copier();
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str, text: &str| fs::write(path(name), text).expect("a file");
    assert!(build.is_due(), "never built");
    let changes: [(&str, &dyn Fn()); 6] = [
        ("never built", &|| {}),
        ("a source", &|| put("source", "two")),
        ("a new file", &|| put("header", "")),
        ("a product", &|| put("out/bot", "spoilt")),
        ("no product", &|| {
            fs::remove_file(path("out/bot")).expect("gone");
        }),
        ("no header", &|| {
            fs::remove_file(path("header")).expect("gone");
        }),
    ];
    for (number, (what, change)) in (1..).zip(changes) {
        change();
        assert!(build.run().expect("a build"), "{what}");
        assert!(!build.run().expect("a build"), "{what}: once is enough");
        assert_eq!(times_made(folder.path()), number, "{what}");
    }
    assert_eq!(build.products(), [path("out/bot")]);
    assert_eq!(build.sources(), [path("source")]);
    put(".editor", "hidden files are nobody's sources");
    symlink(folder.path(), path("loop")).expect("a link");
    assert!(!build.run().expect("a build"), "nothing that counts");
    let mut other = build.clone();
    other.launch.arguments.push("word".into());
    assert!(other.is_due(), "another command");
}

#[test]
fn many_at_once_build_once() {
    let (folder, build) = copier();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| build.run().expect("a build"));
        }
    });
    assert_eq!(times_made(folder.path()), 1);
}

#[test]
fn a_build_that_fails_says_why_and_is_tried_again() {
    let (_folder, mut build) = copier();
    build.launch.arguments[1] = "echo 'bot.c:3: no semicolon' >&2; sleep 600 & exit 7".into();
    for _ in 0..2 {
        let error = build.run().expect_err("it fails");
        assert_eq!(error.to_string(), "cannot be built: exit status 7");
        let BuildError::Failed { output, .. } = error else {
            panic!("{error:?}")
        };
        assert_eq!(output, "bot.c:3: no semicolon\n");
    }
    build.launch.program = "no-such-compiler".into();
    let error = build.run().expect_err("there is none").to_string();
    assert!(
        error.contains("there is no program no-such-compiler"),
        "{error}"
    );
}
