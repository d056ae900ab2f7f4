//! The forms that bots have when nobody wrote a `bot.toml`: a script, a program, a source file, a class or
//! a function that some course asks for.
//!
//! [`of_file`] finds out how a file is started and writes it down as a [`Manifest`]. [`python`] looks at what
//! a file defines, [`source`] knows the compilers, [`frame`] keeps the frame in which a class or a function
//! becomes a bot.

mod frame;
mod main_file;
mod python;
mod source;

use std::path::{Path, PathBuf};

pub use main_file::main_file;
use referee::bot::{Manifest, Restart, read_regular};
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::word::interpreter;

/// Longer files are not looked into, in bytes.
const LONGEST: u64 = 8 << 20;

/// How a bot without a manifest expects to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `class AIPlayer` with `get_move(self, board)` or `think(self, board)`.
    AiPlayer,
    /// `class AI(size, color, time_out)` with `go(self, board)` and `candidate_list`.
    AiGo,
    /// Globals `list1`, `list2`, `list3` and `ai()`.
    Lists,
    /// `class Strategy` with `best_strategy(self, board, player, best_move, still_running)`.
    BestStrategy,
    /// `reversi_ai(player, board, allow)`.
    ReversiAi,
    /// A function such as `get_move(board, player)`.
    Function,
    /// A brain for pisqpipe.py.
    Pisqpipe,
    /// A program for botzone.org in JSON.
    Botzone,
    /// The same with the simplified interaction.
    BotzoneText,
}

impl Form {
    /// All forms.
    const ALL: [Form; 9] = [
        Form::AiPlayer,
        Form::AiGo,
        Form::Lists,
        Form::BestStrategy,
        Form::ReversiAi,
        Form::Function,
        Form::Pisqpipe,
        Form::Botzone,
        Form::BotzoneText,
    ];

    /// Its name on command lines and for the frame.
    pub const fn word(self) -> &'static str {
        match self {
            Form::AiPlayer => "ai-player",
            Form::AiGo => "ai-go",
            Form::Lists => "lists",
            Form::BestStrategy => "best-strategy",
            Form::ReversiAi => "reversi-ai",
            Form::Function => "function",
            Form::Pisqpipe => "pisqpipe",
            Form::Botzone => "botzone",
            Form::BotzoneText => "botzone-text",
        }
    }

    /// The form with the name `word`.
    pub fn from_word(word: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.word() == word)
    }

    /// The form with the name `word`; a problem says which there are.
    pub fn find(word: &str) -> Result<Form, Problem> {
        Form::from_word(word).ok_or_else(|| {
            problem!("unknown frame {word:?}")
                .did_you_mean(word, Form::ALL.into_iter().map(Form::word))
        })
    }

    /// What a file of this form defines, for the person who handed it in.
    const fn about(self) -> &'static str {
        match self {
            Form::AiPlayer => "a class with get_move(self, board)",
            Form::AiGo => "class AI with go(self, board) and candidate_list",
            Form::Lists => "lists list1, list2, list3 and ai()",
            Form::BestStrategy => "a class with best_strategy(self, board, player, …)",
            Form::ReversiAi => "reversi_ai(player, board, allow)",
            Form::Function => "a function of the board and the player",
            Form::Pisqpipe => "a brain of pisqpipe.py",
            Form::Botzone => "a program for Botzone, JSON",
            Form::BotzoneText => "a program for Botzone, simplified interaction",
        }
    }

    /// The games that a bot of this form can play; some play the one or the other.
    fn games(self, text: &str) -> &'static [&'static str] {
        let lower = || text.to_lowercase();
        match self {
            Form::AiPlayer | Form::BestStrategy | Form::ReversiAi => &["othello"],
            Form::Lists | Form::Pisqpipe => &["gomoku"],
            Form::Botzone | Form::BotzoneText => &["othello", "gomoku"],
            Form::AiGo | Form::Function => {
                let text = lower();
                let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
                let othello = says(&["reversi", "othello", "flip", "reverse", "mobility"]);
                let gomoku = says(&[
                    "gomoku",
                    "gobang",
                    "renju",
                    "five",
                    "五子",
                    "chessboard_size // 2",
                ]);
                match (othello, gomoku) {
                    (true, false) => &["othello"],
                    (false, true) => &["gomoku"],
                    _ => &["othello", "gomoku"],
                }
            }
        }
    }
}

/// How a file is started.
#[derive(Clone, Debug)]
pub struct Recognised {
    /// As if its author had written it.
    pub manifest: Manifest,
    /// The folder of the manifest's paths.
    pub folder: PathBuf,
    /// What the file was taken for, if that is not obvious.
    pub note: Option<String>,
}

/// How the file at `path` is started. `own` is the folder that holds this bot and nothing else; without it
/// the file is a bot alone. `form` is what the file is said to be, `speaks` its protocol.
pub fn of_file(
    path: &Path,
    own: Option<&Path>,
    form: Option<Form>,
    speaks: Option<Protocol>,
) -> Result<Recognised, Problem> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Some(language) = source::Language::of(&path) {
        let text = text(&path)?;
        let says_so = form.or_else(|| source::for_botzone(&text).then_some(Form::Botzone));
        let form = says_so.filter(|_| speaks.is_none());
        let mut found = source::recognised(language, &path, own, &text)?;
        if let Some(form) = form {
            frame::around(&mut found.manifest, form, &text)?;
            found.note = Some(form.about().to_owned());
        }
        return Ok(found);
    }
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let command = match interpreter(&path) {
        Some(program) => vec![program.to_owned(), name.into_owned()],
        None => vec![format!("./{name}")],
    };
    let mut manifest = manifest(command);
    let mut note = None;
    let is_python = interpreter(&path) == Some("python3");
    if is_python || form.is_some() {
        let text = if is_python {
            text(&path)?
        } else {
            String::new()
        };
        let kind = match (form, speaks) {
            (Some(form), _) => Some(python::Kind::Form(form)),
            (None, Some(_)) => None,
            (None, None) => python::kind(&text),
        };
        match kind {
            Some(python::Kind::Form(form)) => {
                frame::around(&mut manifest, form, &text)?;
                let reversed = if python::is_reversed(&text) {
                    "; it says that it plays reversed Othello, where fewer discs win: here more win"
                } else {
                    ""
                };
                note = Some(format!("{}{reversed}", form.about()));
            }
            Some(python::Kind::Columbia { further }) => {
                columbia(&mut manifest);
                manifest.setup.extend(further);
                note = Some("a program of the courses at Columbia and Toronto".to_owned());
            }
            None => {}
        }
    }
    if speaks == Some(Protocol::Columbia) {
        columbia(&mut manifest);
    }
    Ok(Recognised {
        manifest,
        folder,
        note,
    })
}

/// Its programs end with their game.
fn columbia(manifest: &mut Manifest) {
    manifest.protocol = Protocol::Columbia;
    manifest.restart = Restart::Always;
    manifest.games = vec!["othello".to_owned()];
}

/// Whether a Python file defines a bot of some course, or of a protocol that is known by its look.
pub fn is_known(path: &Path) -> bool {
    interpreter(path) == Some("python3")
        && text(path).is_ok_and(|text| python::kind(&text).is_some())
}

/// Whether a file is the source of a program.
pub fn is_source(path: &Path) -> bool {
    source::Language::of(path).is_some()
}

/// Whether a source file holds where its program begins.
pub fn begins_program(path: &Path) -> bool {
    text(path).is_ok_and(|text| source::has_main(&text))
}

fn text(path: &Path) -> Result<String, Problem> {
    let bytes = read_regular(path, LONGEST)
        .map_err(|error| problem!("cannot read {}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The manifest of a bot that has only a command.
fn manifest(command: Vec<String>) -> Manifest {
    Manifest {
        name: None,
        command,
        build: None,
        games: games::names().into_iter().map(str::to_owned).collect(),
        restart: Restart::Never,
        memory_mib: None,
        cores: 1,
        install: None,
        protocol: Protocol::Arena,
        setup: Vec::new(),
        options: Vec::new(),
    }
}
