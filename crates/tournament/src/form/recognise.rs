//! Finding out how a file is started.

use message::{Message, message};
use referee::problem;
use std::path::Path;

use referee::bot::{Manifest, Restart, read_regular};
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::kind::Form;
use super::recognised::{Recognised, manifest};
use super::{frame, python, source};
use crate::bot_word::interpreter;

/// Longer files are not looked into, in bytes.
const LONGEST: u64 = 8 << 20;

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
        if let Some(form) = form {
            let word = form.word();
            return Err(problem!("the frame {word} is for Python files")
                .help("a program speaks a protocol: gomocup:, gtp:, botzone:, … before it"));
        }
        let mut found = source::recognised(language, &path, own, &text)?;
        let seems = source::for_botzone(&text).filter(|_| speaks.is_none());
        found.note = seems.and_then(about);
        if let Some(protocol) = speaks.or(seems) {
            make_speak(&mut found.manifest, protocol);
        }
        return Ok(found);
    }
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let command = match interpreter(&path) {
        // An interpreter would take `-i.py` for its options.
        Some(program) if name.starts_with('-') => vec![program.to_owned(), format!("./{name}")],
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
                let reversed = python::is_reversed(&text).then_some(
                    "it says that it plays reversed Othello, where fewer discs win: here more win",
                );
                let about = [form.about()].into_iter().chain(reversed);
                note = Some(Message::list(about.map(Message::from)));
            }
            Some(python::Kind::Speaks { protocol, setup }) => {
                make_speak(&mut manifest, protocol);
                manifest.setup.extend(setup);
                note = about(protocol);
            }
            None => {}
        }
    }
    if let Some(protocol) = speaks {
        make_speak(&mut manifest, protocol);
    }
    Ok(Recognised {
        manifest,
        folder,
        note,
    })
}

/// A bot of this protocol.
fn make_speak(manifest: &mut Manifest, protocol: Protocol) {
    manifest.protocol = protocol;
    if protocol == Protocol::Columbia {
        // Its programs end with their game.
        manifest.restart = Restart::Always;
        manifest.games = protocol.games().into_iter().map(str::to_owned).collect();
    }
}

/// What a program of this protocol is, for the person who handed it in.
fn about(protocol: Protocol) -> Option<Message> {
    let about = match protocol {
        Protocol::Columbia => "a program of the courses at Columbia and Toronto",
        Protocol::Botzone => "a program for Botzone, JSON",
        Protocol::BotzoneText => "a program for Botzone, simplified interaction",
        _ => return None,
    };
    Some(about.into())
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

/// What is wrong with a source file that has no place where a program begins.
pub fn without_main(path: &Path) -> Option<Problem> {
    let language = source::Language::of(path).filter(|_| !begins_program(path))?;
    let (main, form) = language.main();
    let main = Message::from(main);
    let what = problem!(
        "{} has no {main}, with which a program begins",
        path.display()
    );
    Some(what.help(message!("write {form} in the file that is the bot")))
}

fn text(path: &Path) -> Result<String, Problem> {
    let bytes = read_regular(path, LONGEST)
        .map_err(|error| problem!("cannot read {}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
