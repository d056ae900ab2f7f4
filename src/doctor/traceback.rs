//! Why a program ended, from the end of its standard error.

/// Advice for the author of a bot that ended with this standard error; `None` if nothing is known.
pub fn advice(stderr: &str) -> Option<String> {
    let lines = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    lines.rev().take(12).find_map(advice_on)
}

fn advice_on(line: &str) -> Option<String> {
    let quoted = || {
        line.split(['\'', '"'])
            .nth(1)
            .unwrap_or_default()
            .to_owned()
    };
    // `json.decoder.JSONDecodeError: …` as well as `JSONDecodeError: …`.
    let error = line.split(':').next().unwrap_or_default();
    let error = error.rsplit('.').next().unwrap_or_default();
    Some(match error {
        "ModuleNotFoundError" | "ImportError" => format!(
            "The Python that runs the bot has no module {0:?}: install it there (python3 -m pip \
             install {0}), or name another Python in the command, or do without it. The machine that \
             grades may only have the standard library.",
            quoted()
        ),
        "FileNotFoundError" => format!(
            "There is no file {:?}. A bot with a bot.toml starts in its own folder: put the files \
             that it needs there, and open them relative to the program's folder.",
            quoted()
        ),
        "KeyError" => format!(
            "The message has no field {:?}: look at its \"type\" before its fields. hello, turn, \
             over and quit have different fields (docs/protocol.md).",
            quoted()
        ),
        "JSONDecodeError" | "SyntaxError" if line.contains("JSON") || line.contains("Expecting") => {
            "It could not read a message as JSON. Read line by line, not in blocks of a fixed size: \
             each line of its input is one message."
                .to_owned()
        }
        "SyntaxError" | "IndentationError" | "TabError" => {
            "The program itself is not valid: the error above names the line. Run it once by hand."
                .to_owned()
        }
        "EOFError" => {
            "It reads after the end of its input: read with `for line in sys.stdin`, which stops by \
             itself, or exit when \"quit\" comes."
                .to_owned()
        }
        "BrokenPipeError" => {
            "It wrote after the arena closed the connection: exit when \"quit\" comes or the input \
             ends."
                .to_owned()
        }
        "RecursionError" => {
            "Its recursion does not end: give its search a maximum depth.".to_owned()
        }
        "IndexError" | "ArrayIndexOutOfBoundsException" => {
            "It uses an index beyond the end of a list. The number of rows differs between games: \
             take it from the board. Indices count from 0, but rows in a move count from 1."
                .to_owned()
        }
        "UnicodeDecodeError" | "UnicodeEncodeError" => {
            "It does not read or write UTF-8: set UTF-8 for standard input and output."
                .to_owned()
        }
        "MemoryError" | "OutOfMemoryError" => {
            "It ran out of memory: store less, or limit its tables.".to_owned()
        }
        _ if line.contains("Cannot find module") => format!(
            "Node cannot find the module {:?}: put its files into the bot's folder.",
            quoted()
        ),
        _ if line.contains("Could not find or load main class") => {
            "Java cannot find the compiled class: compile it with a build command in bot.toml, and \
             name the folder of the classes with -cp."
                .to_owned()
        }
        _ if line.contains("NullPointerException") => {
            "A field that it reads is missing: look at \"type\" before the other fields.".to_owned()
        }
        _ if line.contains("panicked at") => {
            "The program panicked: see the line above for the place.".to_owned()
        }
        _ if line.contains("command not found") || line.ends_with("not found") => {
            "A program that it calls is missing: install it, or add its folder to PATH.".to_owned()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_errors_have_advice() {
        for (stderr, expected) in [
            (
                "Traceback …\nModuleNotFoundError: No module named 'numpy'",
                "pip install numpy",
            ),
            ("KeyError: 'board'\n", "no field \"board\""),
            (
                "json.decoder.JSONDecodeError: Expecting value: line 1",
                "line by line",
            ),
            (
                "EOFError: EOF when reading a line\n\n",
                "for line in sys.stdin",
            ),
            (
                "  File \"bot.py\", line 3\nSyntaxError: invalid syntax",
                "not valid",
            ),
            ("SyntaxError: Unexpected end of JSON input", "line by line"),
            (
                "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'",
                "\"weights.bin\"",
            ),
            (
                "Error: Cannot find module 'left-pad'\nRequire stack:\n",
                "\"left-pad\"",
            ),
            (
                "thread 'main' panicked at src/main.rs:3:5:\noops",
                "panicked",
            ),
        ] {
            let found = advice(stderr).unwrap_or_default();
            assert!(found.contains(expected), "{stderr}: {found}");
        }
        assert_eq!(advice("I have had enough"), None);
        assert_eq!(advice(""), None);
    }
}
