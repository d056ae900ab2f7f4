//! Test scripts of commands. Each script has its own folder.
//!
//! | Line | Meaning |
//! |---|---|
//! | `### title` | begins a script |
//! | `= NAME text` | defines a text, which replaces `{NAME}` in later lines |
//! | `-- FILE --` | begins a file; `\` at the end joins a line to the next, `\r`, `\xff` are bytes |
//! | `$ …` | runs the program with these arguments; an argument between `'` may have spaces |
//! | `exit 2` | the expected exit code, if not 0; the command must then create no file |
//! | `< words` | the output contains these words; `^` stands for its beginning, `[..]` for any text |
//! | `2 < words`, `2 FILE < words` | the output, or a file, contains the words two times |
//! | `keep FILE` | writes the output to a file |
//! | `cut FILE 40` | keeps the first line and 40 more bytes of a file |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Folder {
    program: &'static str,
    path: PathBuf,
    typed: String,
    /// The output, with `^` before it.
    pub output: String,
    pub code: i32,
    /// The file to which the next lines belong.
    file: Option<PathBuf>,
    files_before: usize,
}

impl Folder {
    pub fn new(program: &'static str, folder: &Path) -> Folder {
        let path = folder.to_owned();
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Folder {
            program,
            path,
            typed: String::new(),
            output: String::new(),
            code: 0,
            file: None,
            files_before: 0,
        }
    }

    pub fn run(&mut self, typed: &str) {
        self.files_before = self.files();
        let words = typed.split('\'').enumerate();
        let words = words.flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        let output = Command::new(self.program)
            .args(words)
            .current_dir(&self.path)
            .output()
            .expect("the program starts");
        let written = [output.stdout, output.stderr].concat();
        self.output = format!("^{}", String::from_utf8(written).expect("text"));
        self.code = output.status.code().expect("no signal");
        typed.clone_into(&mut self.typed);
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.path).expect("a folder").count()
    }

    /// Executes a line of a script. Returns whether the line's expectation holds.
    fn takes(&mut self, line: &str) -> bool {
        let name = line.strip_prefix("-- ");
        if let Some(name) = name.and_then(|line| line.strip_suffix(" --")) {
            self.file = Some(self.path.join(name));
            fs::write(self.path.join(name), "").is_ok()
        } else if let Some(typed) = line.strip_prefix("$ ") {
            // The last command must have succeeded; an `exit` line resets the code.
            let is_over = self.code == 0;
            self.file = None;
            self.run(typed);
            is_over
        } else if let Some(path) = &self.file {
            let more = match line.strip_suffix('\\') {
                Some(line) => bytes(line),
                None => [bytes(line), b"\n".to_vec()].concat(),
            };
            let before = fs::read(path).expect("a file");
            fs::write(path, [before, more].concat()).is_ok()
        } else if let Some(code) = line.strip_prefix("exit ") {
            let ended = std::mem::take(&mut self.code).to_string();
            ended == code && self.files() == self.files_before
        } else if let Some(name) = line.strip_prefix("keep ") {
            fs::write(self.path.join(name), &self.output[1..]).is_ok()
        } else if let Some(cut) = line.strip_prefix("cut ") {
            let (name, more) = cut.split_once(' ').expect("a file and a number");
            let text = fs::read_to_string(self.path.join(name)).expect(name);
            let first = text.find('\n').expect("a line") + 1;
            let end = first + more.parse::<usize>().expect("a number");
            fs::write(self.path.join(name), &text[..end]).is_ok()
        } else if let Some((place, words)) = line.split_once("< ") {
            self.holds(place.trim_end(), words)
        } else {
            line.is_empty() || line.starts_with('#')
        }
    }

    fn holds(&self, place: &str, words: &str) -> bool {
        let (times, file) = place.split_once(' ').unwrap_or((place, ""));
        let text = match file {
            "" => self.output.clone(),
            file => fs::read_to_string(self.path.join(file)).expect(file),
        };
        let words = String::from_utf8(bytes(words)).expect("text");
        match times {
            "" => {
                let mut rest = Some(&*text);
                for part in words.split("[..]") {
                    rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
                }
                rest.is_some()
            }
            times => text.matches(&words).count() == times.parse::<usize>().expect("a number"),
        }
    }
}

fn bytes(line: &str) -> Vec<u8> {
    let mut parts = line.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, taken) = match part.split_at_checked(1) {
            Some(("n", _)) => (b'\n', 1),
            Some(("r", _)) => (b'\r', 1),
            Some(("x", _)) => (u8::from_str_radix(&part[1..3], 16).expect("hex"), 3),
            _ => panic!("{line}: no \\{part}"),
        };
        bytes.push(byte);
        bytes.extend(part[taken..].bytes());
    }
    bytes
}

pub fn play(program: &'static str, folder: &Path, scripts: &str) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let folder_of = |number: usize| Folder::new(program, &folder.join(format!("script-{number}")));
    fs::create_dir_all(folder).expect("a folder");
    let mut folder = folder_of(0);
    for (number, line) in (1..).zip(scripts.lines()) {
        let fill = |line: String, (name, text): (&String, &String)| line.replace(name, text);
        let line = names.iter().fold(line.to_owned(), fill);
        if let Some(definition) = line.strip_prefix("= ") {
            let (name, text) = definition.split_once(' ').expect("a name and a text");
            names.insert(format!("{{{name}}}"), text.to_owned());
        } else if line.starts_with("### ") {
            assert_eq!(folder.code, 0, "{}", folder.typed);
            folder = folder_of(number);
        } else if !folder.takes(&line) {
            let (typed, output) = (&folder.typed, &folder.output);
            panic!("line {number}: {line}\n$ {typed}\n{output}");
        }
    }
    assert_eq!(folder.code, 0, "{}", folder.typed);
}
