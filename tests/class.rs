//! A class of odd hand-ins: every entry of the folder gets a row that explains itself.

#[expect(dead_code, reason = "each test file uses a part of it")]
mod common;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

use common::{Desk, Row, both, says, table};

/// One weak opponent, two games, and time enough for a busy machine.
const SUITE: &str = r#"
name = "small"
game = "othello"
games = 2
move_ms = 20000
[grade]
threshold = 0.5
points = 10
[[bot]]
use = "random"
"#;

/// A player in each form of a course. All play the first legal move they find, and are ours.
const AI_PLAYER: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        print('thinking')
        return list(board.get_legal_actions(self.color))[0]
";
const THINKS: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def think(self, board):
        best = max(board.get_legal_actions(self.color), key=lambda move: self.gain(board, move))
        return best
    def gain(self, board, move):
        before = board.count(self.color)
        flipped = board._move(move, self.color)
        after = board.count(self.color)
        board.backpropagation(move, flipped, self.color)
        return after - before
";
const CHANGES_THE_BOARD: &str = "
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        move = list(board.get_legal_actions(self.color))[0]
        board._move(move, self.color)
        return move
";
const BEST_STRATEGY: &str = "
DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
EMPTY, BLACK, WHITE, OUTER = '.', '@', 'o', '?'
class Strategy():
    def best_strategy(self, board, player, best_move, still_running):
        other = WHITE if player == BLACK else BLACK
        for square in range(11, 89):
            if board[square] == EMPTY and any(self.turns(board, square, d, player, other) for d in DIRECTIONS):
                best_move.value = square
                if not still_running.value:
                    return
    def turns(self, board, square, direction, player, other):
        square += direction
        if board[square] != other:
            return False
        while board[square] == other:
            square += direction
        return board[square] == player
";
const REVERSI_AI: &str = "
def reversi_ai(player, board, allow):
    assert len(board) == 64 and board.count(player) > 0
    return allow.index(True)
";
const FUNCTION: &str = "
def legal(board, player):
    for row in range(8):
        for column in range(8):
            if board[row][column] == 0 and any(
                turns(board, row, column, down, right, player)
                for down in (-1, 0, 1) for right in (-1, 0, 1)
            ):
                yield row, column
def turns(board, row, column, down, right, player):
    seen = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return False
        if board[row][column] == player:
            return seen > 0
        seen += 1
def get_move(board, player):
    return next(legal(board, player))
";
const BOTZONE: &str = "
import json
said = json.loads(input())
cells = {(3, 3): 0, (4, 4): 0, (4, 3): 1, (3, 4): 1}
def play(x, y, own):
    found = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line, at = [], (x + dx, y + dy)
            while cells.get(at) == 1 - own:
                line.append(at)
                at = (at[0] + dx, at[1] + dy)
            if line and cells.get(at) == own:
                found += line
    return found
def put(x, y, own):
    if x >= 0:
        for square in play(x, y, own) + [(x, y)]:
            cells[square] = own
own = 1 if said['requests'][0]['x'] < 0 else 0
for turn, request in enumerate(said['requests']):
    put(request['x'], request['y'], 1 - own)
    if turn < len(said['responses']):
        put(said['responses'][turn]['x'], said['responses'][turn]['y'], own)
x, y = next((x, y) for x in range(8) for y in range(8) if (x, y) not in cells and play(x, y, own))
print(json.dumps({'response': {'x': x, 'y': y}}))
";
/// Reversed Othello, as the file says; here it plays the usual one.
const AI_GO: &str = "
'''Reversed Reversi: fewer discs win.'''
import numpy as np
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []
    def go(self, chessboard):
        self.candidate_list.clear()
        for row in range(self.size):
            for column in range(self.size):
                if chessboard[row][column] == 0 and any(
                    self.turns(chessboard, row, column, down, right)
                    for down in (-1, 0, 1) for right in (-1, 0, 1)
                ):
                    self.candidate_list.append((row, column))
    def turns(self, board, row, column, down, right):
        seen = 0
        while True:
            row, column = row + down, column + right
            if not (0 <= row < self.size and 0 <= column < self.size) or board[row][column] == 0:
                return False
            if board[row][column] == self.color:
                return seen > 0
            seen += 1
";
const LISTS: &str = "
from graphics import *
COLUMN, ROW = 15, 15
list1, list2, list3, list_all = [], [], [], []
def ai():
    for column in range(COLUMN + 1):
        for row in range(ROW + 1):
            if (column, row) not in list3:
                return column, row
def main():
    win = GraphWin('this is a gobang game', 500, 500)
    while True:
        win.getMouse()
main()
";
const BRAIN: &str = "
import pisqpipe as pp, time
pp.infotext = 'name=\"pbrain-first\", version=\"1.0\"'
taken = set()
def brain_init():
    taken.clear()
    pp.pipeOut('OK')
def brain_restart():
    brain_init()
def brain_my(x, y):
    taken.add((x, y))
def brain_opponents(x, y):
    taken.add((x, y))
def brain_turn():
    time.clock()
    pp.do_mymove(*next((x, y) for x in range(pp.width) for y in range(pp.height) if (x, y) not in taken))
def brain_end():
    pass
for name in ['brain_init', 'brain_restart', 'brain_my', 'brain_opponents', 'brain_turn', 'brain_end']:
    setattr(pp, name, globals()[name])
pp.main()
";
/// Numbers, and kept; the same program for both games of Botzone.
const BOTZONE_TEXT: &str = "
lines = [tuple(map(int, input().split())) for _ in range(2 * int(input()) - 1)]
while True:
    answer = next((x, y) for x in range(15) for y in range(15) if (x, y) not in lines)
    print(*answer)
    print('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<', flush=True)
    lines += [answer, tuple(map(int, input().split()))]
";
const COLUMBIA: &str = "
def turns(board, row, column, down, right, color):
    seen = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return False
        if board[row][column] == color:
            return seen > 0
        seen += 1
def select(board, color):
    for i in range(8):
        for j in range(8):
            if board[j][i] == 0 and any(turns(board, j, i, d, r, color) for d in (-1, 0, 1) for r in (-1, 0, 1)):
                return i, j
print('First of all')
color = int(input())
while True:
    status, dark, light = input().strip().split()
    if status == 'FINAL':
        break
    i, j = select(eval(input()), color)
    print('{} {}'.format(i, j), flush=True)
";

/// A program for a window, whose game begins when it is imported.
const WITH_A_WINDOW: &str = "
from tkinter import *
import random
class AIPlayer:
    def __init__(self, color):
        self.color = color
    def get_move(self, board):
        return random.choice(list(board.get_legal_actions(self.color)))
root = Tk()
canvas = Canvas(root, width=400, height=400)
canvas.pack()
while True:
    name = input('your name? ')
    root.update()
root.mainloop()
";

/// A class folder with about thirty entries.
fn class(desk: &Desk) {
    fs::create_dir(desk.path("class")).expect("a folder");
    desk.write("small.toml", SUITE);
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
    #[cfg(unix)]
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

fn rows(desk: &Desk) -> BTreeMap<String, Row> {
    let rows = table(&desk.path("results/small/class.csv"));
    rows.into_iter()
        .map(|row| (row["submission"].clone(), row))
        .collect()
}

/// Grades the class; returns all that was said.
fn grade(desk: &Desk, more: &str) -> String {
    let words = format!("grade --all class --suite small.toml -j 2 {more}");
    both(&desk.run(words.split(' ').filter(|word| !word.is_empty())))
}

#[test]
#[cfg(unix)]
fn every_hand_in_gets_a_row_that_explains_itself() {
    let desk = Desk::new();
    class(&desk);
    let entries = fs::read_dir(desk.path("class")).expect("a folder").count();
    let said = grade(&desk, "");
    let rows = rows(&desk);
    // All but the hidden file.
    assert_eq!(rows.len(), entries - 1, "{said}");
    assert!(rows.len() >= 30, "{}", rows.len());

    let played = "passed or not passed";
    let mut wrong = String::new();
    for (name, state, note) in [
        ("ai_player", played, "a class with get_move(self, board)"),
        ("thinker", played, "a class with get_move(self, board)"),
        ("changer", "not passed", "illegal-move"),
        ("strategy", played, "best_strategy"),
        ("allow", played, "reversi_ai"),
        ("function", played, "a function of the board"),
        ("botzone", played, "Botzone"),
        ("columbia", played, "Columbia"),
        ("lists", "unusable", "does not play othello"),
        ("brain", "unusable", "does not play othello"),
        ("window", played, "a class with get_move(self, board)"),
        ("own_protocol", played, ""),
        ("one.py", played, ""),
        ("one/", played, ""),
        ("作业一", played, ""),
        ("作业二", played, ""),
        ("café", played, "but for blanks and comments"),
        ("my bot", played, "allow"),
        ("lone", played, ""),
        ("engine", played, ""),
        ("crab", "unusable", "ended before it sent ready"),
        ("Lone", played, ""),
        ("broken", "unusable", "start"),
        ("notebook", "not graded", "save it as a .py file"),
        ("report", "not graded", "is a document"),
        ("students", "not graded", "is a document"),
        ("'=cmd()", played, ""),
        ("'-rf", played, "the same as"),
        ("<b>x & y", played, "the same as"),
        ("a\\nb\\u{1b}[31m", played, "the same as"),
        ("course", played, "a class with get_move(self, board)"),
        ("empty", "not graded", "has no bot"),
        ("two_mains", "not graded", "several files"),
        ("bad_manifest", "unusable", "comand"),
        ("hole", "not graded", "data.bin has 1 TiB"),
        ("huge_manifest", "not graded", "bot.toml has 3 GiB"),
        ("packed", played, "the same as"),
        ("climber", "not graded", "leads out of the archive"),
        ("tarred", played, ""),
        ("linked", "not graded", "is a link or a device"),
        ("loop", "not graded", "leads nowhere"),
        ("pool", "not graded", "leads nowhere"),
        ("pipe", "not graded", "fifo is a pipe or a device"),
    ] {
        let Some(row) = rows.get(name) else {
            // Two names that differ in the case of their letters are told apart by their endings.
            let with_ending = ["lone.c", "Lone.java"]
                .into_iter()
                .find(|other| other.starts_with(name));
            if with_ending.is_none_or(|name| !rows.contains_key(name)) {
                wrong += &format!("{name}: no row\n");
            }
            continue;
        };
        let is_right =
            row["state"] == state || (state == played && row["state"].ends_with("passed"));
        let notes = format!("{} {} {}", row["note"], row["same_as"], row["taken_for"]);
        if !is_right || !notes.contains(note) {
            wrong += &format!("{name}: {} {notes}\n", row["state"]);
        }
        if state == played && row["faults"] != "0" {
            wrong += &format!("{name} has faults: {notes}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{said}");
    says(&said, &["one.py has the name of another hand-in"]);
    assert!(!desk.path("class/climbed.py").exists() && !desk.path("climbed.py").exists());

    // One comes, one goes, one changes: only that one is played.
    desk.write("class/new.py", AI_PLAYER);
    fs::remove_file(desk.path("class/作业一.py")).expect("it was there");
    desk.write("class/thinker.py", &format!("{THINKS}\nx = 1\n"));
    let again = grade(&desk, "");
    let fresh: Vec<&str> = again
        .lines()
        .filter(|line| {
            line.starts_with('[') && line.contains("beaten") && !line.contains("(unchanged)")
        })
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    let mut names: Vec<&str> = fresh
        .iter()
        .map(|name| name.trim_end_matches(':'))
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["new", "thinker"], "{again}");
}

/// The forms that the class above has not, because they need Gomoku or a package.
#[test]
fn the_other_forms_play_too() {
    let desk = Desk::new();
    for (name, text) in [
        ("lists.py", LISTS),
        ("brain.py", BRAIN),
        ("kept.py", BOTZONE_TEXT),
        ("go.py", &AI_GO.replace("import numpy as np\n", "")),
    ] {
        desk.write(name, text);
    }
    for (file, game, form) in [
        ("lists.py", "gomoku", "lists list1, list2, list3 and ai()"),
        ("brain.py", "gomoku", "a brain of pisqpipe.py"),
        ("kept.py", "gomoku", "simplified interaction"),
        ("go.py", "othello", "class AI with go(self, board)"),
    ] {
        let words =
            format!("match {file} random --game {game} -n 2 --move-ms 20000 --out {file}.run");
        let said = both(&desk.run(words.split(' ')));
        let games = table(&desk.path(format!("{file}.run/games.csv")));
        assert_eq!(games.len(), 2, "{said}");
        assert!(
            games.iter().all(|game| game["at_fault"].is_empty()),
            "{file}: {said}\n{games:?}"
        );
        let checked = both(&desk.run(["check", file, "--game", game, "--move-ms", "20000"]));
        says(&checked.replace("\n  ", " "), &[form]);
    }
    let said = both(&desk.run([
        "match", "go.py", "random", "--game", "othello", "-n", "2", "--out", "go",
    ]));
    says(&said, &["plays reversed Othello"]);
}

#[test]
fn a_gradebook_tells_who_has_no_mark_and_never_mixes_two_students_up() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    fs::create_dir_all(desk.path("class/one")).expect("a folder");
    desk.write("class/one/bot.py", AI_PLAYER);
    desk.write("class/one.py", AI_PLAYER);
    desk.write("class/ada.py", AI_PLAYER);
    let book =
        "Student,ID,Othello\n    Points Possible,,10\nAda L.,ada,\nOne,one,\nMissing M.,mia,\n";
    desk.write("book.csv", book);
    let said = grade(&desk, "--gradebook book.csv --column Othello");
    let filled = fs::read_to_string(desk.path("results/small/book.csv")).expect("a gradebook");
    assert!(filled.contains("\nOne,one,\n"), "{filled}");
    assert!(!filled.contains("\nAda L.,ada,\n"), "{filled}");
    let expected = [
        "warning: Missing M. has no mark",
        "warning: One has no mark",
        "one/ has the name of another hand-in",
    ];
    says(&said, &expected);
    assert!(!said.contains("Points Possible has no mark"), "{said}");
}

#[test]
fn a_student_reads_why_a_game_was_lost() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    let crashes = AI_PLAYER.replace("print('thinking')", "raise ValueError('my own mistake')");
    desk.write("crashes.py", &crashes);
    desk.exits(1, "grade crashes.py --suite small.toml".split(' '));
    for file in ["results.json", "junit.xml", "summary.md"] {
        let text = fs::read_to_string(desk.path("results/small-crashes").join(file)).expect(file);
        let plain = text.replace("&apos;", "'");
        says(
            &plain,
            &["exit status 1", "ValueError: my own mistake", "in get_move"],
        );
        assert!(!plain.contains("/failures/"), "{file}: {plain}");
    }
}

#[test]
fn two_graders_do_not_grade_one_class_at_once() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    fs::create_dir_all(desk.path("class")).expect("a folder");
    desk.write("class/ada.py", AI_PLAYER);
    fs::create_dir_all(desk.path("results/small")).expect("a folder");
    let lock = File::create(desk.path("results/small/class.lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let said = grade(&desk, "");
    says(&said, &["another arena is grading into results/small"]);
    assert!(!desk.path("results/small/class.csv").exists());
    drop(lock);
    grade(&desk, "");
    assert!(desk.path("results/small/class.csv").exists());
}

/// A hundred hand-ins of nearly a gigabyte: minutes to read. They are holes, and take no room on the disk.
#[test]
#[cfg(unix)]
fn a_stop_while_a_class_is_read_is_obeyed_at_once() {
    let desk = Desk::new();
    desk.write("small.toml", SUITE);
    for number in 0..100 {
        let folder = format!("class/student{number}");
        fs::create_dir_all(desk.path(&folder)).expect("a folder");
        desk.write(&format!("{folder}/bot.py"), AI_PLAYER);
        let hole = File::create(desk.path(format!("{folder}/data.bin"))).expect("a file");
        hole.set_len(1000 << 20).expect("a hole");
    }
    for signal in ["TERM", "INT"] {
        let words = "grade --all class --suite small.toml --sandbox off";
        let mut arena = desk.start(words.split(' '));
        // It says how many there are before it reads the first.
        common::once("it reads", || arena.said().contains("100 hand-ins"));
        arena.signal(signal);
        let asked = std::time::Instant::now();
        let status = arena.wait();
        assert_eq!(status.code(), Some(130), "{}", arena.said());
        assert!(asked.elapsed() < common::PATIENCE / 10, "at once");
        let rows = rows(&desk);
        assert_eq!(rows.len(), 100, "{}", arena.said());
        assert!(rows.values().all(|row| row["state"] == "unfinished"));
    }
    let words = "grade class/student1 --suite small.toml --sandbox off --out single";
    let mut arena = desk.start(words.split(' '));
    // Not INT, which a shell may have told its background jobs to ignore until they say otherwise.
    arena.signal("TERM");
    arena.wait();
    assert!(!desk.path("single/results.json").exists(), "no mark");
}

/// It keeps the square with the largest number, after the first, and does not stop by itself.
const NEVER_ENDS: &str = "
import time
DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
class Strategy:
    def best_strategy(self, board, player, best_move, still_running):
        other = 'o' if player == '@' else '@'
        def turns(square, direction):
            square += direction
            if board[square] != other:
                return False
            while board[square] == other:
                square += direction
            return board[square] == player
        legal = [s for s in range(11, 89) if board[s] == '.' and any(turns(s, d) for d in DIRECTIONS)]
        best_move.value = legal[0]
        time.sleep(0.05)
        best_move.value = legal[-1]
        while True:
            pass
";

#[test]
fn best_strategy_is_stopped_at_the_limit_and_its_last_value_counts() {
    let desk = Desk::new();
    desk.write("never.py", NEVER_ENDS);
    desk.write(
        "empty.py",
        "class Strategy:\n    def best_strategy(self, board, player, best_move, still_running):\n        \
         while still_running.value: pass\n",
    );
    for (name, reason) in [("never", "adjudicated-length"), ("empty", "illegal-move")] {
        desk.write(
            "my.toml",
            &format!(
                "game = 'othello'\ngames = 2\nmove_ms = 1500\nopenings = 'none'\n\
                 [adjudicate]\ndraw_after = 4\n[[bot]]\nuse = './{name}.py'\n[[bot]]\nuse = 'greedy'\n"
            ),
        );
        desk.succeed(["run", "my.toml", "--out", name]);
        let games = table(&desk.path(format!("{name}/games.csv")));
        let reasons: Vec<&str> = games.iter().map(|game| game["reason"].as_str()).collect();
        assert_eq!(reasons, [reason; 2], "{games:?}");
    }
    let games = table(&desk.path("never/games.csv"));
    for (game, side) in games.iter().zip(["black", "white"]) {
        let figure = |of: &str| game[&format!("{side}_{of}")].parse::<f64>().expect("ms");
        // It thinks in a process of its own; counted without that, it was 0.6 % of the time.
        let share = figure("cpu_ms") / (2.0 * figure("mean_ms"));
        assert!(share > 0.05, "{share} of the time: {game:?}");
    }
    let moves = table(&desk.path("never/moves.csv"));
    // From the start, black may play d3, c4, f5 and e6: the frame's numbers 34, 43, 56 and 65.
    assert_eq!(moves[0]["move"], "e6");
}
