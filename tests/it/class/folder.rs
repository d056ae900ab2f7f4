//! A class folder as a course has it: every form of bot, archives, what is no bot at all, and traps.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::players::*;
use crate::common::Desk;

/// Fills the folder `class` of a desk: about fifty entries.
pub fn class(desk: &Desk) {
    fs::create_dir(desk.path("class")).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a bot of ours");
    let bot = read("bots/python/bot.py");
    for (name, text) in [
        ("ai_player.py", AI_PLAYER),
        ("thinker.py", THINKS),
        ("changer.py", CHANGES_THE_BOARD),
        ("strategy.py", BEST_STRATEGY),
        ("allow.py", REVERSI_AI),
        ("function.py", FUNCTION),
        ("botzone.py", BOTZONE),
        ("columbia.py", COLUMBIA),
        ("lists.py", LISTS),
        ("brain.py", BRAIN),
        ("window.py", WITH_A_WINDOW),
        ("own_protocol.py", &bot),
        ("one.py", &bot),
        ("作业一.py", AI_PLAYER),
        ("作业二.py", THINKS),
        ("café.py", &format!("# Zoë\n{AI_PLAYER}\n")),
        ("my bot.py", REVERSI_AI),
        ("lone.c", &read("bots/c/bot.c")),
        ("engine.cpp", &read("bots/cpp/bot.cpp")),
        ("crab.rs", "fn main() {}\n"),
        ("Lone.java", &read("bots/java/Bot.java")),
        ("broken.py", "import jsn\nprint(jsn)\n"),
        ("notebook.ipynb", "{\"cells\": []}"),
        ("report.pdf", "%PDF-1.4"),
        ("students.txt", "Ada\n"),
        ("=cmd().py", AI_PLAYER),
        ("-rf.py", &bot),
        ("<b>x & y.py", &bot),
        ("a\nb\u{1b}[31m.py", REVERSI_AI),
        (".hidden.py", AI_PLAYER),
    ] {
        desk.write(&format!("class/{name}"), text);
    }
    let folder = |name: &str, files: &[(&str, &str)]| {
        fs::create_dir_all(desk.path(format!("class/{name}"))).expect("a folder");
        for (file, text) in files {
            desk.write(&format!("class/{name}/{file}"), text);
        }
    };
    folder("one", &[("bot.py", &bot)]);
    // As it was downloaded: the course's own players and game beside it.
    let random = AI_PLAYER.replace("AIPlayer", "RandomPlayer");
    let game = "from AIPlayer import AIPlayer\ninput('who begins? ')\n";
    folder(
        "course",
        &[
            ("AIPlayer.py", AI_PLAYER),
            ("random_player.py", &random),
            ("main.py", game),
        ],
    );
    folder("empty", &[]);
    folder("two_mains", &[("a.py", AI_PLAYER), ("b.py", THINKS)]);
    folder("bad_manifest", &[("bot.toml", "comand = [\"python3\"]\n")]);
    // A hole of a terabyte takes no room on the disk, but nobody reads it.
    folder("hole", &[("bot.py", &bot)]);
    let hole = File::create(desk.path("class/hole/data.bin")).expect("a file");
    hole.set_len(1 << 40).expect("a hole");
    folder("huge_manifest", &[]);
    let huge = File::create(desk.path("class/huge_manifest/bot.toml")).expect("a file");
    huge.set_len(3 << 30).expect("a hole");
    zipped(desk, "packed.zip", "handed/bot.py", &bot);
    zipped(desk, "climber.zip", "../climbed.py", &bot);
    tarred(
        desk,
        "tarred.tar.gz",
        |header| header.set_entry_type(tar::EntryType::Regular),
        &bot,
    );
    tarred(
        desk,
        "linked.tgz",
        |header| {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_link_name("/etc/passwd").expect("a name");
        },
        "",
    );
    {
        let (here, there) = (desk.path("class/loop"), desk.path("class/pool"));
        std::os::unix::fs::symlink(&here, &there).expect("a link");
        std::os::unix::fs::symlink(&there, &here).expect("a link");
        folder("pipe", &[("bot.py", &bot)]);
        let made = Command::new("mkfifo")
            .arg(desk.path("class/pipe/fifo"))
            .status();
        assert!(made.expect("mkfifo").success());
    }
}

fn zipped(desk: &Desk, archive: &str, entry: &str, text: &str) {
    let file = File::create(desk.path(format!("class/{archive}"))).expect("a file");
    let mut zip = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file(entry, options).expect("an entry");
    zip.write_all(text.as_bytes()).expect("it takes it");
    zip.finish().expect("an archive");
}

fn tarred(desk: &Desk, archive: &str, change: impl Fn(&mut tar::Header), text: &str) {
    let file = File::create(desk.path(format!("class/{archive}"))).expect("a file");
    let gz = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    let mut tar = tar::Builder::new(gz);
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    change(&mut header);
    tar.append_data(&mut header, "bot.py", text.as_bytes())
        .expect("an entry");
    tar.into_inner()
        .and_then(flate2::write::GzEncoder::finish)
        .expect("an archive");
}
