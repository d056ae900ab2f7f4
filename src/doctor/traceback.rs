//! What the end of a program's standard error says of why it ended.

/// Advice for an author whose bot ended with these last words; `None`: nothing that is known.
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
             install {0}), name that Python in the command, or do without. Where bots are graded \
             there may be nothing but the standard library.",
            quoted()
        ),
        "FileNotFoundError" => format!(
            "There is no file {:?}. A bot with a bot.toml starts in its own folder: files that it \
             needs belong there; open them relative to the program's own place.",
            quoted()
        ),
        "KeyError" => format!(
            "The message has no field {:?}: look at its \"type\" before its fields. hello, turn, \
             over and quit have different ones (docs/protocol.md).",
            quoted()
        ),
        "JSONDecodeError" | "SyntaxError" if line.contains("JSON") || line.contains("Expecting") => {
            "It could not read a message as JSON: each line of its input is one whole message; read \
             line by line, not in pieces of a fixed size."
                .to_owned()
        }
        "SyntaxError" | "IndentationError" | "TabError" => {
            "The program itself is not valid: the line is named above; run it once by hand."
                .to_owned()
        }
        "EOFError" => {
            "It reads on after its input has ended: read with `for line in sys.stdin`, which ends \
             by itself, or leave when \"quit\" comes."
                .to_owned()
        }
        "BrokenPipeError" => {
            "It wrote after the arena had gone: leave when \"quit\" comes or the input ends."
                .to_owned()
        }
        "RecursionError" => {
            "It calls itself without an end: give its search a depth at which it stops.".to_owned()
        }
        "IndexError" | "ArrayIndexOutOfBoundsException" => {
            "It looks beyond the end of a list: boards have board.length rows, which is not \
             the same in every game; rows and columns count from 0 inside, and rows from 1 in a move."
                .to_owned()
        }
        "UnicodeDecodeError" | "UnicodeEncodeError" => {
            "Its text is not read or written as UTF-8: set that for standard input and output."
                .to_owned()
        }
        "MemoryError" | "OutOfMemoryError" => {
            "It ran out of memory: keep less, or limit its tables.".to_owned()
        }
        _ if line.contains("Cannot find module") => format!(
            "Node finds no module {:?}: its files belong into the bot's folder.",
            quoted()
        ),
        _ if line.contains("Could not find or load main class") => {
            "Java finds no compiled class: compile it with a build command in bot.toml, and name \
             the folder of the classes with -cp."
                .to_owned()
        }
        _ if line.contains("NullPointerException") => {
            "A field that it reads is not there: look at \"type\" before the other fields.".to_owned()
        }
        _ if line.contains("panicked at") => {
            "The program panicked: the line above names the place.".to_owned()
        }
        _ if line.contains("command not found") || line.ends_with("not found") => {
            "A program that it calls is not there, or not in PATH.".to_owned()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_that_are_known() {
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
