//! Plays the transcripts of `docs/protocol/golden/` with the bots of the arena, of `bots/` and of the documents.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::common::Workdir;
use crate::common::folders::folder_bots;
use protocol::{MAX_LINE, MoveMessage, ToArena, ToBot};

/// A bot that is silent for this long counts as hung. These tests do not measure speed.
const HUNG: Duration = Duration::from_secs(60);

#[test]
fn the_built_in_bots_follow_the_golden_transcripts() {
    let workdir = Workdir::new();
    let list = workdir.succeed(["bots", "--json"]);
    let list: Vec<serde_json::Value> = serde_json::from_str(&list).expect("a list");
    let spoken = list.iter().filter(|entry| entry["protocol"] == "arena");
    let bots = spoken.map(|entry| {
        let name = entry["name"].as_str().expect("a name");
        let games = entry["games"].as_array().expect("games").iter();
        let games = games.filter_map(|game| game.as_str()).map(str::to_owned);
        GoldenBot {
            name: name.to_owned(),
            games: games.collect(),
            command: workdir.arena(["bot", name]),
        }
    });
    let openers = follow(bots.collect());
    assert!(openers.contains("alphabeta"), "{openers:?}");
}

#[test]
fn the_bots_of_all_languages_follow_the_golden_transcripts() {
    let bots: Vec<GoldenBot> = folder_bots()
        .into_iter()
        .map(|bot| GoldenBot {
            name: bot.name(),
            command: bot.command(),
            games: bot.manifest.games.into_iter().collect(),
        })
        .collect();
    let examples = bots.iter().map(|bot| bot.name.clone());
    let others = ["python-alphabeta", "python-course"];
    let examples: BTreeSet<String> = examples.filter(|name| !others.contains(&&**name)).collect();
    assert_eq!(follow(bots), examples, "the bots that know opening rules");
}

/// Students copy the Python of `docs/protocol.md` and of `bots/README.md`.
#[test]
fn the_bots_on_the_pages_follow_the_golden_transcripts() {
    let bots = ["docs/protocol.md", "bots/README.md"].map(|page| {
        let text = fs::read_to_string(root().join(page)).expect(page);
        let (_, after) = text.split_once("```python\n").expect("a bot in Python");
        let (program, _) = after.split_once("```").expect("its end");
        let mut command = Command::new("python3");
        command.args(["-c", program]);
        GoldenBot {
            name: format!("the bot of {page}"),
            games: both_games(),
            command,
        }
    });
    follow(bots.into());
}

/// Without this test, transcripts that accept every answer would pass.
#[test]
fn a_bot_that_does_not_follow_is_caught() {
    let answering = |hello: &str, turn: &str| {
        format!("while read -r l; do case $l in *hello*) {hello};; *turn*) {turn};; esac; done")
    };
    let ready = r#"echo '{"type":"ready"}'"#;
    let transcripts = transcripts();
    for program in [
        "exit 0".to_owned(),
        answering("echo ready", ""),
        answering(ready, ready),
        answering(ready, r#"echo '{"move":"z9"}'"#),
        answering(ready, r#"echo '{"id":0,"move":"f4"}'"#),
        answering(ready, "exit 1"),
    ] {
        let follows = |transcript: &Transcript| {
            let play = || transcript.play("sh", Command::new("sh").args(["-c", &program]));
            std::panic::catch_unwind(play).unwrap_or(false)
        };
        assert!(!transcripts.iter().any(follows), "{program}");
    }
}

fn both_games() -> BTreeSet<String> {
    games::names().into_iter().map(str::to_owned).collect()
}

struct GoldenBot {
    name: String,
    games: BTreeSet<String>,
    command: Command,
}

/// Plays the transcripts of each bot's games. Returns the names of the bots that know opening rules.
fn follow(bots: Vec<GoldenBot>) -> BTreeSet<String> {
    assert!(!bots.is_empty(), "there are bots");
    let transcripts = transcripts();
    let openers = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for mut bot in bots {
            let (transcripts, openers) = (&transcripts, &openers);
            scope.spawn(move || {
                for transcript in transcripts {
                    if transcript.games.is_subset(&bot.games) {
                        let followed = transcript.play(&bot.name, &mut bot.command);
                        if followed && transcript.name == "openings.txt" {
                            let mut openers = openers.lock().expect("no panic");
                            openers.insert(bot.name.clone());
                        }
                    }
                }
            });
        }
    });
    openers.into_inner().expect("no panic")
}

enum TranscriptStep {
    Send { line: String, message: ToBot },
    Ready,
    Move,
    Exit,
}

struct Transcript {
    name: String,
    games: BTreeSet<String>,
    steps: Vec<(usize, TranscriptStep)>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn transcripts() -> Vec<Transcript> {
    let folder = root().join("docs/protocol/golden");
    let files = fs::read_dir(folder).expect("the transcripts");
    let files = files.map(|file| file.expect("a file").path());
    let transcripts: Vec<_> = files.map(|path| read(&path)).collect();
    assert!(!transcripts.is_empty(), "there are transcripts");
    transcripts
}

fn read(path: &Path) -> Transcript {
    let text = fs::read_to_string(path).expect("a transcript");
    let mut transcript = Transcript {
        name: path.file_name().expect("a name").display().to_string(),
        games: BTreeSet::new(),
        steps: Vec::new(),
    };
    for (number, line) in (1..).zip(text.lines()) {
        let step = match line.split_once(' ') {
            Some((">", line)) => {
                let message = serde_json::from_str(line).expect(line);
                if let ToBot::Hello(hello) = &message {
                    transcript.games.insert(hello.game.clone());
                }
                let line = line.to_owned();
                TranscriptStep::Send { line, message }
            }
            Some(("<", "ready")) => TranscriptStep::Ready,
            Some(("<", "move")) => TranscriptStep::Move,
            Some(("<", "exit")) => TranscriptStep::Exit,
            _ if line.is_empty() || line.starts_with('#') => continue,
            _ => panic!("{} line {number}: unknown step {line:?}", transcript.name),
        };
        transcript.steps.push((number, step));
    }
    transcript
}

impl Transcript {
    /// Plays this transcript with a new process. Returns false if the bot does not know the transcript's opening rule.
    fn play(&self, bot: &str, command: &mut Command) -> bool {
        let mut talk =
            Talk::start(command).unwrap_or_else(|error| panic!("{bot} does not start: {error}"));
        let (mut asked, mut opening) = (None, None);
        for (number, step) in &self.steps {
            let here = format!("{bot}, {} line {number}", self.name);
            match step {
                TranscriptStep::Send { line, message } => {
                    match message {
                        ToBot::Hello(hello) => opening = hello.opening.as_ref(),
                        ToBot::Turn(turn) => asked = Some(turn),
                        _ => {}
                    }
                    talk.send(line)
                        .unwrap_or_else(|error| panic!("{here}: {error}"));
                }
                TranscriptStep::Ready => match talk.answer(&here) {
                    // The arena uses an opening rule only with bots that know it.
                    ToArena::Ready(ready) => {
                        if opening.is_some_and(|rule| !ready.openings.contains(rule)) {
                            return false;
                        }
                    }
                    other => panic!("{here}: ready was due, not {other:?}"),
                },
                TranscriptStep::Move => {
                    let turn = asked.expect("a question before its answer");
                    match talk.answer(&here) {
                        ToArena::Move(MoveMessage { id, played }) => {
                            let played = played.to_lowercase();
                            let is_legal = turn.legal.contains(&played);
                            assert!(is_legal, "{here}: {played} is not legal");
                            assert_eq!(id.unwrap_or(turn.id), turn.id, "{here}");
                        }
                        other => panic!("{here}: a move was due, not {other:?}"),
                    }
                }
                TranscriptStep::Exit => talk.end(&here),
            }
        }
        true
    }
}

/// A bot's process. A thread reads its output, so that a bot that hangs fails the test instead of blocking it.
struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    fn start(command: &mut Command) -> std::io::Result<Talk> {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn()?;
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut printed = output.lines().map_while(Result::ok);
            printed.try_for_each(|line| sender.send(line))
        });
        Ok(Talk {
            child,
            input,
            lines,
        })
    }

    fn send(&mut self, line: &str) -> std::io::Result<()> {
        writeln!(self.input, "{line}")
    }

    fn answer(&self, here: &str) -> ToArena {
        loop {
            let line = self.lines.recv_timeout(HUNG);
            let line = line.unwrap_or_else(|error| panic!("{here}: no answer ({error})"));
            assert!(line.len() <= MAX_LINE, "{here}: a line of {}", line.len());
            match understand(&line) {
                Some(ToArena::Info(_)) => {}
                Some(message) => return message,
                None => panic!("{here}: not a message: {line:?}"),
            }
        }
    }

    fn end(&mut self, here: &str) {
        match self.lines.recv_timeout(HUNG) {
            Ok(line) => panic!("{here}: unexpected output {line:?}"),
            Err(RecvTimeoutError::Timeout) => panic!("{here}: the bot does not exit"),
            Err(RecvTimeoutError::Disconnected) => {}
        }
        let status = self.child.wait().expect("a status");
        assert!(status.success(), "{here}: {status}");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // The bot is still running only if the test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn understand(line: &str) -> Option<ToArena> {
    let message = serde_json::from_str(line).ok();
    message.or_else(|| serde_json::from_str(line).map(ToArena::Move).ok())
}
