//! Programs that are started anew for every turn, as on botzone.org.cn, or kept running if they ask for that.
//!
//! Such a program exits after its answer, and a new process gets the next turn. Making a box (a sandbox) for every turn
//! would be too expensive. So the box contains our own process, the server. At each turn the server starts the program,
//! unless it was kept, and writes the program's input. It passes the program's output on once the program has exited or
//! asked to be kept. As on botzone.org.cn, the turn lasts until then.
//!
//! The arena sends [`GAME`], and the server answers [`READY`] once the program has started. For each turn the arena
//! sends [`TURN`] with a number of lines, and then these lines, which are the program's input. The server sends the
//! program's answer, and before it [`KEEP`] if the program is kept.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio, exit};

pub(crate) const WORD: &str = "__turns";
pub const GAME: &str = ">>>ARENA_GAME<<<";
pub const READY: &str = ">>>ARENA_READY<<<";
/// Begins a turn; the number of its lines follows.
pub const TURN: &str = ">>>ARENA_TURN";
/// The line with which a program asks to be kept.
pub const KEEP: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// The most output of a program in a turn, in bytes.
const MOST_OUTPUT: usize = 256 << 10;
/// The largest file that is searched for [`KEEP`], in bytes.
const LARGEST: u64 = 256 << 20;
/// The exit status if the program cannot be started, as in shells.
const NOT_STARTED: i32 = 127;

/// Serves turns and then exits, if the command line asks for it; otherwise returns at once.
pub(crate) fn take_role_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != WORD) {
        return;
    }
    serve(words.collect());
}

pub(crate) fn serve(program: Vec<OsString>) -> ! {
    let mut turns = Turns {
        keeps: asks_to_be_kept(&program),
        program,
        running: None,
    };
    let done = turns.serve(io::stdin().lock(), io::stdout().lock());
    turns.end();
    exit(i32::from(done.is_err()))
}

struct Turns {
    program: Vec<OsString>,
    /// Whether the program may ask to be kept. If not, its input is closed, because it may read to the input's end.
    keeps: bool,
    running: Option<TurnProcess>,
}

struct TurnProcess {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Turns {
    fn serve(&mut self, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
        let mut line = String::new();
        while input.read_line(&mut line)? > 0 {
            if line.trim_end() == GAME {
                self.end();
                self.running = Some(self.start());
                writeln!(out, "{READY}")?;
            } else if let Some(count) = line.trim_end().strip_prefix(TURN) {
                let mut message = Vec::new();
                for _ in 0..count.trim().parse().unwrap_or(1) {
                    input.read_until(b'\n', &mut message)?;
                }
                self.turn(&message, &mut out)?;
            }
            out.flush()?;
            line.clear();
        }
        Ok(())
    }

    fn start(&self) -> TurnProcess {
        let program = self.program.first().cloned().unwrap_or_default();
        let started = Command::new(&program)
            .args(&self.program[1.min(self.program.len())..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = started.unwrap_or_else(|error| {
            eprintln!("cannot start {}: {error}", program.to_string_lossy());
            exit(NOT_STARTED)
        });
        let output = child.stdout.take().expect("it is a pipe");
        TurnProcess {
            child,
            output: BufReader::new(output),
        }
    }

    fn turn(&mut self, message: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut running = self.running.take().unwrap_or_else(|| self.start());
        if let Some(input) = &mut running.child.stdin {
            // Ignores an error: the program may answer without reading its input. The code below checks for an answer.
            let _ = input.write_all(message).and_then(|()| input.flush());
        }
        if !self.keeps {
            running.child.stdin = None;
        }
        let mut answer = Vec::new();
        loop {
            let from = answer.len();
            let room = (MOST_OUTPUT - from) as u64 + 1;
            let read = (&mut running.output)
                .take(room)
                .read_until(b'\n', &mut answer)?;
            if answer.len() > MOST_OUTPUT {
                eprintln!("the program wrote more than {MOST_OUTPUT} bytes in one turn");
                exit(1);
            }
            if read == 0 {
                let status = running.child.wait()?;
                if from > 0 && answer.last() != Some(&b'\n') {
                    answer.push(b'\n');
                }
                out.write_all(&answer)?;
                if !has_answer(&answer) {
                    out.flush()?;
                    leave(status);
                }
                return Ok(());
            }
            if answer[from..].trim_ascii() == KEEP.as_bytes() && has_answer(&answer[..from]) {
                answer.truncate(from);
                if running.child.stdin.is_some() {
                    writeln!(out, "{KEEP}")?;
                    self.running = Some(running);
                } else {
                    // This process cannot be kept, because its input is closed. The next process can be kept.
                    self.keeps = true;
                    running.end();
                }
                return out.write_all(&answer);
            }
        }
    }

    fn end(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl TurnProcess {
    fn end(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn leave(status: ExitStatus) -> ! {
    match status.code() {
        Some(code) if code != 0 => exit(code),
        _ => {
            eprintln!("the program ended without an answer ({status})");
            exit(1)
        }
    }
}

/// Returns whether a line looks like an answer, which is JSON or numbers.
fn has_answer(answer: &[u8]) -> bool {
    let mut lines = answer.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| matches!(line, [b'{' | b'-' | b'0'..=b'9', ..]))
}

/// Returns whether any file named in the command contains [`KEEP`].
fn asks_to_be_kept(command: &[OsString]) -> bool {
    command.iter().any(|word| {
        let file = Path::new(word);
        let is_fit = fs::metadata(file).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        let bytes = is_fit.then(|| fs::read(file).ok()).flatten();
        bytes.is_some_and(|bytes| {
            let line = KEEP.trim_matches(['<', '>']).as_bytes();
            bytes.windows(line.len()).any(|part| part == line)
        })
    })
}
