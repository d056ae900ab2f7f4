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

/// The longest file that is read, in bytes.
const LONGEST: u64 = 8 << 20;

/// Finds out how the file at `path` is started. `own` is the folder that holds only this bot; without it, the file
/// alone is the bot. `form` and `speaks` are the form and the protocol that the user named.
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
        // Without `./`, an interpreter would take `-i.py` for its options.
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

fn make_speak(manifest: &mut Manifest, protocol: Protocol) {
    manifest.protocol = protocol;
    if protocol == Protocol::Columbia {
        // Such programs end after one game.
        manifest.restart = Restart::Always;
        manifest.games = protocol.games().into_iter().map(str::to_owned).collect();
    }
}

/// A description of a program with this protocol, for its author.
fn about(protocol: Protocol) -> Option<Message> {
    let about = match protocol {
        Protocol::Columbia => "a program of the courses at Columbia and Toronto",
        Protocol::Botzone => "a program for Botzone, JSON",
        Protocol::BotzoneText => "a program for Botzone, simplified interaction",
        _ => return None,
    };
    Some(about.into())
}

/// Whether a Python file is recognised as a bot of a course or of a protocol.
pub fn is_known(path: &Path) -> bool {
    interpreter(path) == Some("python3")
        && text(path).is_ok_and(|text| python::kind(&text).is_some())
}

pub fn is_source(path: &Path) -> bool {
    source::Language::of(path).is_some()
}

/// Whether the file has a main function.
pub fn begins_program(path: &Path) -> bool {
    text(path).is_ok_and(|text| source::has_main(&text))
}

/// Returns the problem of a source file without a main function.
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
