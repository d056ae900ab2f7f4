//! Missing modules, headers and programs, and the commands that install them.

use std::path::Path;

use message::{Message, message};

/// Each line has a program or header, and its packages for apt, brew and winget.
const PACKAGES: &str = include_str!("packages.txt");

/// Python modules whose packages have other names.
const MODULES: [[&str; 2]; 3] = [
    ["cv2", "opencv-python"],
    ["PIL", "pillow"],
    ["sklearn", "scikit-learn"],
];

/// Returns the command that installs a program or header on this system, if it is known.
pub fn install(what: &str) -> Option<String> {
    let (column, command) = if cfg!(windows) {
        (3, "winget install")
    } else if cfg!(target_os = "macos") {
        (2, "brew install")
    } else if ["/usr/bin/apt-get", "/bin/apt-get"]
        .iter()
        .any(|apt| Path::new(apt).exists())
    {
        (1, "sudo apt install")
    } else {
        return None;
    };
    let mut rows = PACKAGES
        .lines()
        .map(|row| row.split(' ').collect::<Vec<_>>());
    let row =
        rows.find(|row| what == row[0] || row[0].ends_with('/') && what.starts_with(row[0]))?;
    let package = row[column];
    (package != "-").then(|| format!("{command} {package}"))
}

/// Returns whether the output of a build has an error of glibc, curl, Node or Go about a host name.
pub fn needs_network(output: &str) -> bool {
    let words = [
        "name resolution",
        "resolve host",
        "EAI_AGAIN",
        "ENOTFOUND",
        "dial tcp",
    ];
    words.iter().any(|word| output.contains(word))
}

/// Returns advice if an error says that a module, a header or a program is missing.
pub fn missing(error: &str) -> Option<Message> {
    let quoted = || error.split(['\'', '"', '‘']).nth(1);
    if let Some((_, module)) = error.split_once("No module named ") {
        let module = module.trim_start_matches(['\'', '"']);
        let module = module.split(['\'', '"', ' ']).next().unwrap_or_default();
        let top = module.split('.').next().unwrap_or_default();
        if top != module {
            return Some(message!(
                "{top} is there, but the module {module} is not: look for a file of that name. Upper and lower case \
                 count here; on Windows and macOS they do not."
            ));
        }
        let known = MODULES.iter().find(|[name, _]| *name == top);
        let package = known.map_or(top, |[_, package]| package);
        let python = if cfg!(windows) { "py" } else { "python3" };
        return Some(message!(
            "The module {top} is missing. If {top}.py is your file, hand it in beside the program, with the same \
             upper and lower case. Otherwise install it with {python} -m pip install {package}, but the grading \
             machine may have only the standard library."
        ));
    }
    if error.contains("Cannot find module") || error.contains("Cannot find package") {
        let module = quoted().unwrap_or_default();
        let is_file = module.starts_with(['.', '/']) || module.contains(":\\");
        return Some(if is_file {
            message!(
                "The file {module} is missing: hand it in, too, and check upper and lower case."
            )
        } else {
            message!(
                "The module {module} is missing: type npm install {module} in the bot's folder, and hand in \
                 node_modules, too."
            )
        });
    }
    if let Some((before, _)) = error.split_once(": No such file or directory") {
        let header = before.rsplit(' ').next().unwrap_or_default();
        if !error.contains("error: ") || !header.contains('.') && !header.contains('/') {
            return None;
        }
        if ["windows.h", "conio.h", "Windows.h"].contains(&header) {
            return Some(message!(
                "{header} exists on Windows only: remove it. The standard library can usually replace it."
            ));
        }
        let install =
            install(header).map(|command| message!("To install it on this machine: {command}."));
        let advice = message!(
            "The file {header} is missing. If it is yours, hand it in beside the program; if it is a library's, \
             install the library, or do without it: the machine that grades may have the standard library only."
        );
        return Some(Message::sentences([advice].into_iter().chain(install)));
    }
    if let Some((_, rest)) = error.split_once("error: package ") {
        let package = rest.split_once(" does not exist")?.0;
        return Some(message!(
            "{package} is not part of Java: hand in the library's .jar and name it with -cp in the build and in \
             the command, or do without it."
        ));
    }
    if error.ends_with("not found") || error.contains("not found\n") {
        let before = error.split(": ").collect::<Vec<_>>();
        let program = before.get(before.len().checked_sub(2)?)?;
        return Some(program_missing(program));
    }
    None
}

pub fn program_missing(program: &str) -> Message {
    match install(program) {
        Some(command) => message!("The program {program} is missing: install it with {command}"),
        None => {
            message!("The program {program} is missing: install it, or add its folder to PATH.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn what_is_missing_is_named() {
        for (error, expected) in cases::<(String, String)>("missing-packages") {
            let found = missing(&error).map_or_else(String::new, |found| found.to_string());
            assert!(found.contains(&expected), "{error}: {found}");
        }
        assert_eq!(missing("KeyError: 'board'"), None);
        // Cargo's wording.
        let offline = "  [6] Could not resolve hostname (Could not resolve host: index.crates.io)";
        assert!(needs_network(offline) && !needs_network("bot.c:1: error: dial"));
    }
}
