//! The programming language of a bot, and the doctor's advice as code in that language.

use std::path::Path;

use referee::bot::Launch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotLanguage {
    Python,
    JavaScript,
    C,
    Cpp,
    Java,
    Rust,
    Shell,
    Awk,
    Unknown,
}

/// Interpreters, recognised by the beginnings of their names.
const INTERPRETERS: [(&[&str], BotLanguage); 4] = [
    (&["python", "pypy"], BotLanguage::Python),
    (&["node", "bun", "deno"], BotLanguage::JavaScript),
    (&["java"], BotLanguage::Java),
    (&["gawk", "awk"], BotLanguage::Awk),
];

impl BotLanguage {
    pub fn of(launch: &Launch) -> BotLanguage {
        let mut words =
            std::iter::once(launch.program.as_path()).chain(launch.arguments.iter().map(Path::new));
        let by_word = words.find_map(of_word);
        let by_folder = || {
            // The source of a compiled program is expected near the program.
            let program = launch.program.components().count() > 1;
            let folder = launch.folder.as_deref().filter(|_| program)?;
            let files = [folder.to_owned(), folder.join("src")];
            let files = files.iter().filter_map(|folder| folder.read_dir().ok());
            let languages = files
                .flatten()
                .flatten()
                .filter_map(|file| of_ending(&file.path()))
                // A script beside a program only builds or starts it, so it does not count as the program's source.
                .filter(|language| {
                    matches!(
                        language,
                        BotLanguage::C | BotLanguage::Cpp | BotLanguage::Rust
                    )
                });
            one(languages)
        };
        by_word.or_else(by_folder).unwrap_or(BotLanguage::Unknown)
    }

    pub const fn idioms(self) -> &'static Idioms {
        &IDIOMS[self as usize]
    }
}

#[derive(Debug)]
pub struct Idioms {
    pub name: &'static str,
    pub flush: &'static str,
    pub debug_print: &'static str,
    /// Code that makes the name of a square from row and column, both counted from 0.
    pub square: &'static str,
    pub answer: &'static str,
    pub main_loop: &'static str,
}

const C_LOOP: &str = "while (fgets(line, sizeof line, stdin)) {   /* char line[65 * 1024] */\n    if (is(line, \"hello\"))      ready();     /* a new game: forget the last */\n    else if (is(line, \"turn\"))  move();\n    else if (is(line, \"quit\"))  break;\n    /* \"over\" and unknown types: ignore them */\n}";

const NONE: Idioms = Idioms {
    name: "unknown",
    flush: "",
    debug_print: "",
    square: "",
    answer: "",
    main_loop: "",
};

const IDIOMS: [Idioms; 9] = [
    Idioms {
        name: "Python",
        flush: "print(json.dumps(message), flush=True)",
        debug_print: "print(\"thinking\", file=sys.stderr)",
        square: "move = \"abcdefghijklmnopqrstuv\"[column] + str(row + 1)",
        answer: "print(json.dumps({\"type\": \"move\", \"id\": message[\"id\"], \"move\": move}),\n      flush=True)",
        main_loop: "for line in sys.stdin:             # ends when the input ends\n    message = json.loads(line)\n    if message[\"type\"] == \"hello\":\n        ...                        # a new game: forget the last; answer ready\n    elif message[\"type\"] == \"turn\":\n        ...                        # send your move\n    elif message[\"type\"] == \"quit\":\n        break\n    # \"over\" and unknown types: ignore them",
    },
    Idioms {
        name: "JavaScript",
        flush: "process.stdout.write(JSON.stringify(message) + \"\\n\")",
        debug_print: "console.error(\"thinking\")",
        square: "const move = \"abcdefghijklmnopqrstuv\"[column] + (row + 1)",
        answer: "const answer = { type: \"move\", id: message.id, move };\nprocess.stdout.write(JSON.stringify(answer) + \"\\n\");",
        main_loop: "readline.createInterface({ input: process.stdin }).on(\"line\", (line) => {\n  const message = JSON.parse(line);\n  if (message.type === \"hello\") { /* a new game: answer ready */ }\n  else if (message.type === \"turn\") { /* send your move */ }\n  else if (message.type === \"quit\") process.exit(0);\n  // \"over\" and unknown types: ignore them\n});",
    },
    Idioms {
        name: "C",
        flush: "printf(\"{\\\"move\\\":\\\"%s\\\"}\\n\", move);\nfflush(stdout);",
        debug_print: "fprintf(stderr, \"thinking\\n\");",
        square: "snprintf(move, sizeof move, \"%c%d\", 'a' + column, row + 1);",
        answer: "printf(\"{\\\"type\\\":\\\"move\\\",\\\"id\\\":%ld,\\\"move\\\":\\\"%s\\\"}\\n\", id, move);\nfflush(stdout);",
        main_loop: C_LOOP,
    },
    Idioms {
        name: "C++",
        flush: "std::cout << message << std::endl;   // endl flushes, \"\\n\" does not",
        debug_print: "std::cerr << \"thinking\\n\";",
        square: "snprintf(move, sizeof move, \"%c%d\", 'a' + column, row + 1);",
        answer: "std::cout << \"{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"\" << move << \"\\\"}\" << std::endl;",
        main_loop: C_LOOP,
    },
    Idioms {
        name: "Java",
        flush: "System.out.println(message);\nSystem.out.flush();",
        debug_print: "System.err.println(\"thinking\");",
        square: "String move = \"\" + (char) ('a' + column) + (row + 1);",
        answer: "System.out.println(\"{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"\" + move + \"\\\"}\");\nSystem.out.flush();",
        main_loop: "while ((line = in.readLine()) != null) {   // null: the input has ended\n    switch (type(line)) {\n        case \"hello\" -> ready();   // a new game: forget the last\n        case \"turn\" -> move(line);\n        case \"quit\" -> { return; }\n        default -> { }             // \"over\" and unknown types\n    }\n}",
    },
    Idioms {
        name: "Rust",
        flush: "println!(\"{message}\");\nstd::io::stdout().flush()?;   // use std::io::Write",
        debug_print: "eprintln!(\"thinking\");",
        square: "let square = format!(\"{}{}\", (b'a' + column) as char, row + 1);",
        answer: "println!(r#\"{{\"type\":\"move\",\"id\":{id},\"move\":\"{square}\"}}\"#);",
        main_loop: "for line in std::io::stdin().lines() {\n    match kind(&line?) {\n        \"hello\" => ready(),    // a new game: forget the last\n        \"turn\" => answer(),\n        \"quit\" => break,\n        _ => {}                // \"over\" and unknown types\n    }\n}",
    },
    Idioms {
        name: "shell",
        debug_print: "echo thinking >&2",
        answer: "echo \"{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"$move\\\"}\"",
        ..NONE
    },
    Idioms {
        name: "awk",
        flush: "print message; fflush()",
        debug_print: "print \"thinking\" > \"/dev/stderr\"",
        square: "move = substr(\"abcdefghijklmnopqrstuv\", column + 1, 1) (row + 1)",
        answer: "printf \"{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"%s\\\"}\\n\", move; fflush()",
        ..NONE
    },
    Idioms {
        name: "unknown",
        answer: "{\"type\":\"move\",\"id\":7,\"move\":\"d3\"}",
        ..NONE
    },
];

fn of_word(word: &Path) -> Option<BotLanguage> {
    let name = word.file_name()?.to_str()?;
    let runs = |(programs, _): &&(&[&str], _)| programs.iter().any(|it| name.starts_with(it));
    of_ending(word).or_else(|| Some(INTERPRETERS.iter().find(runs)?.1))
}

fn of_ending(path: &Path) -> Option<BotLanguage> {
    Some(
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "py" => BotLanguage::Python,
            "js" | "mjs" => BotLanguage::JavaScript,
            "jar" | "java" | "class" => BotLanguage::Java,
            "awk" => BotLanguage::Awk,
            "sh" => BotLanguage::Shell,
            "rs" => BotLanguage::Rust,
            "cpp" | "cc" | "cxx" => BotLanguage::Cpp,
            "c" => BotLanguage::C,
            _ => return None,
        },
    )
}

fn one(mut languages: impl Iterator<Item = BotLanguage>) -> Option<BotLanguage> {
    let first = languages.next()?;
    languages.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_program_beside_a_script_is_not_written_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("build.sh"), "").expect("a file");
        let launch = Launch {
            program: "./engine".into(),
            folder: Some(folder.path().to_owned()),
            ..Launch::default()
        };
        assert_eq!(BotLanguage::of(&launch), BotLanguage::Unknown);
        std::fs::write(folder.path().join("engine.cpp"), "").expect("a file");
        assert_eq!(BotLanguage::of(&launch), BotLanguage::Cpp);
    }

    #[test]
    fn a_command_shows_its_language() {
        for (command, expected) in cases::<(String, String)>("doctor-language") {
            let mut words = command.split(' ');
            let launch = Launch {
                program: words.next().unwrap_or_default().into(),
                arguments: words.map(Into::into).collect(),
                ..Launch::default()
            };
            assert_eq!(
                format!("{:?}", BotLanguage::of(&launch)),
                expected,
                "{command}"
            );
        }
    }
}
