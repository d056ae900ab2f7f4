use message::{Message, message};
use referee::problem;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use referee::bot::read_regular;
use referee::dialect::Protocol;
use referee::problem::Problem;

use super::build_system::{self, System};
use super::kind::Form;
use super::recognised::{Recognised, about, make_speak, manifest};
use super::source::{LONGEST, begins_program, text};
use super::{frame, python, source};
use crate::file_kind::{begins_as_program, interpreter};

/// Recognises how the file at `path` is started. `own` is the file's folder if the folder has only this bot; without
/// it, the file alone is the bot. `form` and `speaks` are the form and the protocol that the user named, if any.
pub fn of_file(
    path: &Path,
    own: Option<&Path>,
    form: Option<Form>,
    speaks: Option<Protocol>,
) -> Result<Recognised, Problem> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Some(system) = System::of(&path) {
        let beside = path.parent().unwrap_or(Path::new("/"));
        return build_system::recognised(system, &path, own.unwrap_or(beside), form, speaks);
    }
    if let Some(language) = source::Language::of(&path) {
        let text = text(&path)?;
        let form = form.or_else(|| Form::of_program(&text).filter(|_| speaks.is_none()));
        if let Some(form) = form.filter(|form| !form.is_program()) {
            let word = form.word();
            return Err(problem!("the frame {word} is for Python files")
                .help("for a program, write its protocol before it: gomocup:, gtp:, botzone:, …"));
        }
        let mut found = source::recognised(language, &path, own, &text)?;
        // Words of a protocol or of a game may be in another file of the folder.
        let all = own.map_or(text, build_system::sources);
        if let Some(form) = form {
            found.put_into(form, &all)?;
            return Ok(found);
        }
        found.speak(speaks, source::spoken(&all));
        return Ok(found);
    }
    let mut folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let is_python = interpreter(&path) == Some("python3") || begins_as_python(&path);
    let command = match interpreter(&path).or(is_python.then_some("python3")) {
        // Without `./`, an interpreter would read `-i.py` as an option.
        Some(program) if name.starts_with('-') => vec![program.to_owned(), format!("./{name}")],
        Some(program) => vec![program.to_owned(), name.clone()],
        None => vec![format!("./{name}")],
    };
    let mut manifest = manifest(command);
    if own.is_some() && manifest.command.len() == 1 && is_closed_program(&path) {
        manifest.build = Some(["chmod", "+x", &name].map(str::to_owned).to_vec());
    }
    let (mut note, mut in_form) = (None, None);
    if is_python || form.is_some() {
        let text = if is_python {
            text(&path)?
        } else {
            String::new()
        };
        let kind = match (form, speaks) {
            (Some(form), _) => Some(python::PythonBot::Form(form)),
            (None, Some(_)) => None,
            (None, None) => python::kind(&text).or_else(|| {
                let others = || own.map_or_else(|| imported(&path, &text), build_system::sources);
                python::of_others(&text, others)
            }),
        };
        match kind {
            Some(python::PythonBot::Form(form)) => {
                frame::around(&mut manifest, form, &text)?;
                in_form = Some(form);
                let reversed = python::is_reversed(&text).then_some(
                    "its source says that it plays reversed Othello, in which fewer discs win; in the arena, more \
                     discs win",
                );
                let about = [form.about()].into_iter().chain(reversed);
                note = Some(Message::list(about.map(Message::from)));
            }
            Some(python::PythonBot::Speaks { protocol, setup }) => {
                make_speak(&mut manifest, protocol);
                manifest.setup.extend(setup);
                note = about(protocol);
            }
            None => {}
        }
    }
    // Gomocup requires that the names of engines begin with `pbrain`.
    let is_brain = || note.is_none() && name.starts_with("pbrain");
    if let Some(protocol) = speaks.or_else(|| is_brain().then_some(Protocol::Gomocup)) {
        make_speak(&mut manifest, protocol);
        note = note.or_else(|| about(protocol).filter(|_| speaks.is_none()));
    }
    let module = own.and_then(|own| Some((own, module(&path, own)?)));
    if let Some((own, module)) = module.filter(|_| manifest.command.len() == 2 && is_python) {
        manifest.command = ["python3", "-m", &module].map(str::to_owned).to_vec();
        own.clone_into(&mut folder);
    }
    Ok(Recognised {
        manifest,
        folder,
        note,
        form: in_form,
    })
}

/// Returns the texts of the modules that a Python file imports from its folder, at most [`build_system::MOST`] bytes.
fn imported(path: &Path, text: &str) -> String {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let name = |line: &str| {
        let rest = line
            .strip_prefix("from ")
            .or(line.strip_prefix("import "))?;
        let name = rest.split([' ', ',']).next()?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        name.chars()
            .all(is_name)
            .then(|| format!("{}.py", name.replace('.', "/").trim_start_matches('/')))
    };
    let modules: BTreeSet<String> = text.lines().filter_map(name).collect();
    let mut all = String::new();
    for module in modules {
        let left = build_system::MOST.saturating_sub(all.len() as u64);
        let bytes = read_regular(&folder.join(module), left).unwrap_or_default();
        all += &String::from_utf8_lossy(&bytes);
    }
    all
}

/// Returns whether a file is a program without permission to execute. Some archives do not keep permissions.
fn is_closed_program(path: &Path) -> bool {
    cfg!(unix) && !host::is_program(path) && begins_as_program(path)
}

/// Returns the module name of a Python file in a folder inside `own`, if the file imports modules of its package, or
/// modules from `own` and none that is beside it.
fn module(path: &Path, own: &Path) -> Option<String> {
    let text = text(path).ok()?;
    let inner = path.strip_prefix(own).ok()?.with_extension("");
    let parts: Vec<&str> = inner
        .iter()
        // A dot would separate modules.
        .map(|part| part.to_str().filter(|part| !part.contains('.')))
        .collect::<Option<_>>()?;
    let beside = path.parent().filter(|_| parts.len() > 1)?;
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("from ").or(line.strip_prefix("import ")))
        .filter_map(|named| named.trim_start().split([' ', '.', ',']).next())
        .filter(is_name)
        .collect();
    let has_some = |folder: &Path| {
        let is_other = |file: PathBuf| file.is_file() && file != path;
        names
            .iter()
            .any(|name| folder.join(name).is_dir() || is_other(folder.join(format!("{name}.py"))))
    };
    let is_relative = text.lines().any(|line| line.starts_with("from ."));
    (is_relative || has_some(own) && !has_some(beside)).then(|| parts.join("."))
}

/// Returns whether the first line of a file without an ending names Python. The arena starts such a file with the
/// interpreter, because the file may have no permission to execute, or may have Windows line ends.
fn begins_as_python(path: &Path) -> bool {
    let begin = || read_regular(path, LONGEST).unwrap_or_default();
    path.extension().is_none() && {
        let begin = begin();
        let line = begin
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        line.starts_with(b"#!") && String::from_utf8_lossy(line).contains("python")
    }
}

pub fn is_known(path: &Path) -> bool {
    let is_python = interpreter(path) == Some("python3") || begins_as_python(path);
    let is_player = |text: &str| {
        if is_python {
            // The words of the protocol may be in a module that the program imports.
            let kind = python::kind(text);
            let is_form = matches!(kind, Some(python::PythonBot::Form(_)));
            let speaks = || kind.or_else(|| python::of_others(text, || imported(path, text)));
            is_form || python::begins(text) && speaks().is_some()
        } else {
            matches!(Form::of_program(text), Some(Form::Nthu | Form::Java))
        }
    };
    (is_python || source::Language::of(path).is_some())
        && text(path).is_ok_and(|text| is_player(&text))
}

/// Returns whether a Python script speaks a protocol whose words are in the files of `folder`.
pub fn speaks_in(path: &Path, folder: &Path) -> bool {
    let others = || build_system::sources(folder);
    interpreter(path) == Some("python3")
        && text(path).is_ok_and(|text| python::of_others(&text, others).is_some())
}

pub fn is_own(path: &Path) -> bool {
    interpreter(path).is_some() && text(path).is_ok_and(|text| python::is_own(&text))
}

/// Returns whether the source of a program has the words of a protocol.
pub fn has_words(path: &Path) -> bool {
    text(path).is_ok_and(|text| python::is_own(&text) || source::has_words(&text))
}

pub fn is_source(path: &Path) -> bool {
    source::Language::of(path).is_some() || System::of(path).is_some()
}

/// Returns whether a script is a program, not only a module of another script.
pub fn begins_script(path: &Path) -> bool {
    match interpreter(path) {
        Some("python3") => text(path).is_ok_and(|text| python::begins(&text)),
        other => other.is_some(),
    }
}

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
