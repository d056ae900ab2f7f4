//! Why a program ended, from the end of its standard error.

/// Advice for the author of a bot that ended with this standard error; `None` if nothing is known.
pub fn advice(stderr: &str) -> Option<String> {
    let lines = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    // What comes after the error of a Java program are its calls.
    let lines = lines.filter(|line| !line.starts_with("at "));
    lines.rev().take(12).find_map(advice_on)
}

/// Stands for the error that a module is missing which is known to be somebody else's.
const KNOWN_MODULE: &str = "known module";
/// Modules that are installed, never handed in.
const KNOWN: &[&str] = &[
    "numpy",
    "scipy",
    "pandas",
    "numba",
    "torch",
    "tensorflow",
    "keras",
    "sklearn",
    "matplotlib",
    "jax",
    "cython",
    "networkx",
    "cv2",
    "PIL",
    "pygame",
    "gym",
    "gymnasium",
    "tqdm",
    "requests",
    "psutil",
];

/// Names of errors, and the advice; `{0}` and `{0:?}` are what stands in quotes in the line.
const BY_NAME: &[(&[&str], &str)] = &[
    (
        &[KNOWN_MODULE],
        "The Python that runs the bot has no module {0:?}: install it there (python3 -m pip install \
         {0}), or name another Python in the command, or do without it. The machine that grades may \
         only have the standard library.",
    ),
    (
        &["ModuleNotFoundError", "ImportError"],
        "There is no module {0:?}. If it is a file of yours, {0}.py is missing: hand it in beside the \
         program. If others wrote it, install it for the Python that runs the bot.",
    ),
    (
        &["FileNotFoundError"],
        "There is no file {0:?}. A bot with a bot.toml starts in its own folder: put the files that it \
         needs there, and open them relative to the program's folder.",
    ),
    (
        &["KeyError"],
        "The message has no field {0:?}: look at its \"type\" before its fields. hello, turn, over and \
         quit have different fields (docs/protocol.md).",
    ),
    (
        &["JSONDecodeError"],
        "It could not read a message as JSON. Read line by line, not in blocks of a fixed size: each \
         line of its input is one message.",
    ),
    (
        &["SyntaxError", "IndentationError", "TabError"],
        "The program itself is not valid: the error above names the line. Run it once by hand.",
    ),
    (
        &["EOFError"],
        "It reads after the end of its input: read with `for line in sys.stdin`, which stops by \
         itself, or exit when \"quit\" comes.",
    ),
    (
        &["BrokenPipeError"],
        "It wrote after the arena closed the connection: exit when \"quit\" comes or the input ends.",
    ),
    (
        &["RecursionError", "StackOverflowError"],
        "Its recursion does not end: give its search a maximum depth.",
    ),
    (
        &[
            "IndexError",
            "IndexOutOfBoundsException",
            "ArrayIndexOutOfBoundsException",
            "StringIndexOutOfBoundsException",
        ],
        "It uses an index beyond the end of a list. The number of rows differs between games: take it \
         from the board. Indices count from 0, but rows in a move count from 1.",
    ),
    (
        &["UnicodeDecodeError", "UnicodeEncodeError"],
        "It does not read or write UTF-8: set UTF-8 for standard input and output.",
    ),
    (
        &["NameError", "ReferenceError"],
        "It uses the name {0:?}, which it has not defined at that place: a typing error, or an import \
         that is missing. The error above names the line.",
    ),
    (
        &["UnboundLocalError"],
        "It reads {0:?} before it has set it: give it a value on every way through the function.",
    ),
    (
        &["AttributeError"],
        "It asks for an attribute or method that this value does not have: the error above names both. \
         A message is a dictionary: message[\"board\"], not message.board.",
    ),
    (
        &["TypeError"],
        "It uses a value in a way that its type does not allow: the error above names the line. A value \
         may be missing (None, null, undefined); and the rows of \"board\" are strings, which cannot be \
         changed in place: make a list of each row first.",
    ),
    (
        &["ZeroDivisionError", "ArithmeticException"],
        "It divides by zero: check its divisions. The error above names the line.",
    ),
    (
        &[
            "ValueError",
            "NumberFormatException",
            "InputMismatchException",
        ],
        "It takes for a number, or for another value, what is none: the error above names the line. A \
         message is one line of JSON, and a square such as d3 is a letter and a number.",
    ),
    (
        &["NoSuchElementException"],
        "It asks for a line or an element when there is none: look before (hasNextLine, isEmpty), and exit \
         when the input ends.",
    ),
    (
        &["NullPointerException"],
        "It uses a value that is null: the error above names the line. A field that a message does not have \
         is one such value: look at \"type\" before the other fields.",
    ),
    (
        &[
            "ClassCastException",
            "ClassNotFoundException",
            "NoClassDefFoundError",
        ],
        "It meets another class than the one it expects, or misses one: compile all its files with the \
         build command, and name every folder or .jar that it needs with -cp.",
    ),
    (
        &["UnsupportedClassVersionError"],
        "It was compiled by a newer Java than the one that runs it: hand in its source with a build \
         command, or compile it with --release.",
    ),
    (
        &["PermissionError", "AccessDeniedException"],
        "It may not read or write {0:?}: keep to its own folder and to temporary files.",
    ),
    (
        &["AssertionError"],
        "A condition that it checks itself (assert) does not hold: the error above names the line.",
    ),
    (
        &["MemoryError", "OutOfMemoryError"],
        "It ran out of memory: store less, or limit its tables.",
    ),
];

/// Parts of a line without such a name, and the advice.
const BY_TEXT: &[(&str, &str)] = &[
    (
        "Cannot find module",
        "Node cannot find the module {0:?}: put its files into the bot's folder.",
    ),
    (
        "Could not find or load main class",
        "Java cannot find the compiled class: compile it with a build command in bot.toml, and name \
         the folder of the classes with -cp.",
    ),
    (
        "Main method",
        "java begins with public static void main(String[] args): declare main exactly so, in the class \
         that the command names.",
    ),
    (
        "'std::out_of_range'",
        "It uses an index or a key beyond the end of a vector, string or map (at, substr). The number of \
         rows differs between games: take it from the board. Indices count from 0, but rows in a move \
         count from 1.",
    ),
    (
        "'std::invalid_argument'",
        "It takes for a number what is none (std::stoi and the like): a square such as d3 is a letter and a \
         number, and a message is one line of JSON.",
    ),
    (
        "'std::bad_alloc'",
        "It ran out of memory, or asked for a size that was never set: look at its tables and at variables \
         without a value.",
    ),
    (
        "terminate called",
        "It throws an exception that nobody catches: the lines above name it.",
    ),
    ("stack smashing detected", INVALID_MEMORY),
    ("free(): ", INVALID_MEMORY),
    ("malloc(): ", INVALID_MEMORY),
    ("corrupted", INVALID_MEMORY),
    ("double free", INVALID_MEMORY),
    (
        "Assertion `",
        "A condition that it checks itself (assert) does not hold: the line above names it.",
    ),
    (
        "error while loading shared libraries",
        "A library that it needs is not on this machine: link it statically (-static), or do without it.",
    ),
    (
        "no display name",
        "It opens a window, which nobody sees here: leave the window out of what is handed in, or hand in a \
         class or function that the arena knows (docs/courses.md).",
    ),
    (
        "asks a person for its move",
        "Nobody sits there to be asked: let the program choose its move by itself.",
    ),
    (
        "panicked at",
        "The program panicked: see the line above for the place.",
    ),
    // What env says of `python3\r`, in two locales; what shells say.
    ("\\r’", WINDOWS),
    ("\\r'", WINDOWS),
    ("^M: ", WINDOWS),
    ("command not found", MISSING),
];

/// What to do about a C or C++ program that reads or writes where it may not.
pub const INVALID_MEMORY: &str = "It probably accessed invalid memory: compile with -g \
    -fsanitize=address,undefined and check again; standard error then names the line.";

const WINDOWS: &str = "Its first line ends with a carriage return (CR), as on Windows, which is taken \
    for a part of the interpreter's name: save the file with LF line ends, or type sed -i \
    's/\\r$//' FILE.";

const MISSING: &str = "A program that it calls is missing: install it, or add its folder to PATH.";

fn advice_on(line: &str) -> Option<String> {
    // `json.decoder.JSONDecodeError: …` as well as `JSONDecodeError: …`.
    let error = line.split(':').next().unwrap_or_default();
    let error = match error.rsplit('.').next().unwrap_or_default() {
        "SyntaxError" if line.contains("JSON") || line.contains("Expecting") => "JSONDecodeError",
        "ModuleNotFoundError"
            if KNOWN
                .iter()
                .any(|known| line.contains(&format!("'{known}"))) =>
        {
            KNOWN_MODULE
        }
        error => error,
    };
    let named = BY_NAME.iter().find(|(names, _)| names.contains(&error));
    let described = || BY_TEXT.iter().find(|(part, _)| line.contains(part));
    let missing = || line.ends_with("not found").then_some(MISSING);
    let advice = named.map(|(_, advice)| *advice);
    let advice = advice.or_else(|| Some(described()?.1)).or_else(missing)?;
    let quoted = line.split(['\'', '"']).nth(1).unwrap_or_default();
    let advice = advice.replace("{0:?}", &format!("{quoted:?}"));
    Some(advice.replace("{0}", quoted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn known_errors_have_advice() {
        for (stderr, expected) in cases::<(String, String)>("doctor-traceback") {
            let found = advice(&stderr).unwrap_or_default();
            assert!(found.contains(&expected), "{stderr}: {found}");
        }
        assert_eq!(advice("I have had enough"), None);
        assert_eq!(advice(""), None);
    }
}
