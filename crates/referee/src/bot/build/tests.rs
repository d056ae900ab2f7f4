use std::num::NonZero;
use std::process::Command;
use std::thread;
use std::time::Instant;

use super::*;
use crate::bot::ArenaError;

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
        limit: LIMIT,
        is_bounded: false,
        original: None,
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
    assert_eq!(build.sources(), [path("source")]);
    put(".editor", "hidden files are nobody's sources");
    let link = Command::new("ln")
        .args(["-s", "."])
        .arg(path("loop"))
        .status();
    assert!(link.expect("ln is there").success());
    assert!(!build.run().expect("a build"), "nothing that counts");
    let mut other = build.clone();
    other.launch.arguments.push("word".into());
    assert!(other.is_due(), "another command");
}

#[test]
fn many_at_once_build_once() {
    let (folder, build) = copier();
    let eight = NonZero::new(8).expect("not 0");
    let built = host::side_by_side(eight, &[&build; 8], |build| build.run()).expect("threads");
    let made = built.into_iter().map(|built| built.expect("a build"));
    assert_eq!(made.filter(|&was_due| was_due).count(), 1);
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

/// The build runs this instead, and is given up after so long.
fn that_runs(script: &str, limit: Duration) -> (tempfile::TempDir, Build) {
    let (folder, mut build) = copier();
    build.launch.arguments[1] = script.into();
    build.limit = limit;
    (folder, build)
}

/// Why a build failed, and the end of what it said.
fn failure(build: &Build) -> (String, String) {
    match build.run().expect_err("it fails") {
        BuildError::Failed { why, output, .. } => (why, output),
        error => panic!("{error:?}"),
    }
}

/// The process that the build noted is gone or going; a dead one that nobody has waited for has no
/// command line.
fn its_child_ends(folder: &Path) {
    let child = fs::read_to_string(folder.join(".child")).expect("it was noted");
    let line = format!("/proc/{}/cmdline", child.trim());
    let began = Instant::now();
    while fs::read(&line).is_ok_and(|words| !words.is_empty()) {
        assert!(began.elapsed() < LIMIT / 10, "it lives");
        thread::yield_now();
    }
}

#[test]
fn a_build_that_hangs_is_given_up_with_what_it_said() {
    let script = "echo compiling; sleep 600 & echo $! > .child; wait";
    let (folder, build) = that_runs(script, Duration::from_millis(700));
    let (why, output) = failure(&build);
    assert_eq!(why, "it had not ended after 700 ms");
    assert_eq!(output, "compiling\n");
    its_child_ends(folder.path());
}

#[test]
fn what_a_strangers_build_adds_is_bounded_and_removed_if_it_is_too_much() {
    let bytes = "it added files of more than 1 GiB to its folder";
    let entries = "it added more than 20000 files and folders to its folder";
    let deep =
        "n=aaaaaaaaaa; n=$n$n$n$n$n$n$n$n$n$n$n$n; for i in `seq 60`; do mkdir $n; cd $n; done";
    for (script, why) in [
        (
            "truncate -s 2G big; truncate -s 1M source; sleep 600",
            bytes,
        ),
        ("mkdir .a; truncate -s 2G .a/big", bytes),
        ("truncate -s 2G source", bytes),
        (
            "mkdir -p target/a; cd target/a; seq 20000 | xargs touch",
            entries,
        ),
        (deep, "it left what cannot be read: "),
        (&format!("truncate -s 2G big; {deep}"), bytes),
    ] {
        let (folder, mut build) = that_runs(script, LIMIT);
        build.is_bounded = true;
        fs::write(folder.path().join("other"), "kept").expect("a file");
        let (said, _) = failure(&build);
        assert!(said.starts_with(why), "{script}: {said}");
        let kept = fs::read_dir(folder.path()).expect("a folder").flatten();
        let kept: Vec<_> = kept.map(|entry| entry.file_name()).collect();
        assert!(kept.iter().any(|name| name == "other"), "{kept:?}");
        let is_new = |name: &&std::ffi::OsString| *name != "other" && *name != ".notes";
        let new: Vec<_> = kept
            .iter()
            .filter(is_new)
            .filter(|name| *name != "source")
            .collect();
        assert!(new.is_empty(), "{script}: {new:?}");
    }
    // Its author may build what they like.
    let (_folder, build) = that_runs("truncate -s 2G big; rm big", LIMIT);
    assert!(build.run().expect("a build"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_build_on_a_full_disk_has_not_failed_by_itself() {
    let (folder, mut build) = that_runs("exit 1", LIMIT);
    assert_eq!(failure(&build).0, "exit status 1");
    // Of these no file can be made by anyone.
    build.launch.folder = Some("/proc/self".into());
    build.notes = folder.path().join(".notes");
    let error = build.make().expect_err("it fails");
    assert!(matches!(error, BuildError::System { .. }), "{error:?}");
    let said = error.to_string();
    assert!(said.contains("/proc/self cannot be written to"), "{said}");
}

#[test]
fn a_build_that_floods_takes_no_memory_and_its_end_is_kept() {
    let script = "yes 0123456 | head -c 4000000; echo; echo the end; exit 3";
    let (_folder, build) = that_runs(script, LIMIT);
    let (why, output) = failure(&build);
    assert_eq!(why, "exit status 3");
    assert!(output.ends_with("\nthe end\n"));
    // What README promises of a bot's standard error.
    assert_eq!(output.len(), 64 * 1024);
}

#[test]
fn what_a_build_leaves_running_ends_with_it() {
    let script = "cp source bot; setsid sh -c 'echo $$ > .child; exec sleep 600' & \
                  while ! [ -s .child ]; do :; done";
    let (folder, build) = that_runs(script, LIMIT);
    let began = Instant::now();
    assert!(build.run().expect("a build"));
    assert!(began.elapsed() < LIMIT, "not waited for");
    its_child_ends(folder.path());
}

#[test]
fn a_build_sees_little_of_the_environment_and_hears_nothing() {
    // Cargo sets it for every test; nobody else needs it.
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
    let script = "env > .seen; cat > .heard; cp source bot";
    let (folder, build) = that_runs(script, LIMIT);
    assert!(build.run().expect("a build"));
    let seen = fs::read_to_string(folder.path().join(".seen")).expect("it was noted");
    assert!(seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("CARGO_PKG_NAME"), "{seen}");
    let heard = fs::metadata(folder.path().join(".heard")).expect("a file");
    assert_eq!(heard.len(), 0);
}

#[test]
fn a_build_of_work_that_was_given_up_does_not_begin() {
    let (folder, mut build) = copier();
    build.launch.crew = host::Crew::new();
    build.launch.crew.kill_all();
    let error = build.run().expect_err("it does not begin");
    assert!(
        matches!(error, BuildError::Arena(ArenaError::Aborted)),
        "{error:?}"
    );
    assert_eq!(times_made(folder.path()), 0);
}

#[test]
fn a_refused_build_leaves_no_copy() {
    let (original, mut build) = that_runs("echo x > made; chmod 0 .; exit 1", LIMIT);
    let cache = tempfile::tempdir().expect("a folder");
    let copy = cache.path().join("copy");
    (build.launch.folder, build.original) = (Some(copy), Some(original.path().to_owned()));
    build.notes = original.path().join(".notes");
    assert_eq!(failure(&build).0, "exit status 1");
    let left = fs::read_dir(cache.path()).expect("a folder").count();
    assert_eq!(left, 0, "the copy is gone");
    assert!(!original.path().join("made").exists());
}
