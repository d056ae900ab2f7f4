//! The static program for Linux, in a root folder without libraries. It needs its own build, so the tests run only if
//! `ARENA_STATIC` is set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::common::asked::is_asked;
use crate::common::served::Served;
use crate::common::{Workdir, assert_contains, both, cross, table};

const TARGET: &str = "x86_64-unknown-linux-musl";

static PROGRAM: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    is_asked("ARENA_STATIC", "the program for Linux without libraries").then(|| {
        let built = cross::build(TARGET, &["build", "--bin", "arena"], &[]);
        built
            .unwrap_or_else(|| panic!("rustup target add {TARGET}"))
            .join("arena")
    })
});

fn program() -> Option<&'static Path> {
    PROGRAM.as_deref()
}

/// Makes a folder for tests. Its `arena` runs in a root with only the program, the folder, `/proc`, `/dev` and `/tmp`.
fn empty_root(program: &Path) -> Workdir {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("arena.sh");
    let (here, program) = (folder.path().display(), program.display());
    let text = format!(
        "#!/bin/sh\nexec bwrap --die-with-parent --unshare-pid --proc /proc --dev /dev --tmpfs /tmp \
         --ro-bind {program} /arena --bind {here} {here} --chdir {here} --clearenv --setenv PATH / \
         /arena \"$@\"\n"
    );
    let written = folder.path().join("written");
    fs::write(&written, text).expect("a script");
    // If this process wrote the file, another test's child could inherit it for writing, and executing it would fail.
    let mut install = Command::new("install");
    install.arg("-m755").args([&written, &script]);
    assert!(install.status().is_ok_and(|status| status.success()));
    Workdir::with(folder, script)
}

#[test]
fn it_asks_for_no_library() {
    let Some(program) = program() else { return };
    let bytes = fs::read(program).expect("a program");
    assert_eq!(
        interpreter(&bytes),
        None,
        "the program names a loader for libraries"
    );
}

/// Returns the interpreter of a 64-bit little-endian ELF file (`PT_INTERP`; `man 5 elf`).
fn interpreter(bytes: &[u8]) -> Option<String> {
    let number = |at: usize, length: usize| {
        let bytes = bytes[at..at + length].iter().rev();
        bytes.fold(0, |sum, &byte| sum << 8 | usize::from(byte))
    };
    assert_eq!(&bytes[..6], b"\x7fELF\x02\x01");
    let (headers, size, count) = (number(0x20, 8), number(0x36, 2), number(0x38, 2));
    let mut headers = (0..count).map(|index| headers + index * size);
    let header = headers.find(|&header| number(header, 4) == 3)?;
    let (begin, length) = (number(header + 8, 8), number(header + 32, 8));
    Some(String::from_utf8_lossy(&bytes[begin..begin + length]).into_owned())
}

#[test]
fn a_tournament_a_grade_and_a_page_need_nothing_else() {
    let Some(program) = program() else { return };
    let workdir = empty_root(program);
    assert_contains(&workdir.succeed(["--version"]), &["-musl"]);
    let quick = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/quick.toml");
    fs::copy(quick, workdir.path("quick.toml")).expect("a file");
    let printed = workdir.succeed(["run", "quick.toml", "--out", "results/quick"]);
    assert_contains(&printed, &["24 games, 0 void"]);
    let games = table(&workdir.path("results/quick/games.csv"));
    assert!(games.iter().all(|game| game["at_fault"].is_empty()));
    workdir.write(
        "small.toml",
        "name = \"small\"\ngame = \"othello\"\ngames = 4\n[grade]\nthreshold = 0.5\npoints = 7.5\n\
         [[bot]]\nuse = \"random\"\n",
    );
    let words = "grade weights --suite small.toml --sandbox off --out mark";
    let graded = workdir.run(words.split(' '));
    assert_contains(&both(&graded), &["weights"]);
    assert!(
        matches!(graded.status.code(), Some(0 | 1)),
        "{}",
        both(&graded)
    );
    let served = Served::start(&workdir, &["serve", "--no-open"]);
    let page = served.get("/run/quick", &served.cookie());
    assert_eq!(page.status, 200);
    assert_contains(&page.body, &["alphabeta"]);
}

#[test]
fn a_bot_in_python_plays_where_there_is_python() {
    let Some(program) = program() else { return };
    let workdir = Workdir::with(tempfile::tempdir().expect("a folder"), program.to_owned());
    assert!(Command::new("python3").arg("--version").output().is_ok());
    workdir.succeed(["new-bot", "mine", "--lang", "python"]);
    let printed = workdir.succeed(["check", "mine"]);
    assert_contains(&printed, &["mine passes all checks"]);
    workdir.succeed(["match", "mine", "random", "--games", "2", "--out", "run"]);
    assert_eq!(table(&workdir.path("run/games.csv")).len(), 2);
}
