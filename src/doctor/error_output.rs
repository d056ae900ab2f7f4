//! Advice on the errors that a compiler or a runtime wrote, by the words of their lines.

use super::evidence::quoted;
use message::{Message, Value};

const LINES: usize = 16;

/// Parts of a compiler's line, and the advice; `{name}` is the line's first quoted text, or the file's name before the
/// part.
const BY_COMPILER_TEXT: &[(&str, &str)] = &[
    (
        "windows.h: No such file",
        "windows.h exists on Windows only: do without it. What it is usually needed for is in the \
         standard library: <thread>, <chrono>, <filesystem>.",
    ),
    (
        "conio.h: No such file",
        "conio.h exists on Windows only: read with std::getline or fgets.",
    ),
    (
        ": No such file or directory",
        "The file {name} is missing. If it is yours, hand it in beside the program; if it is a \
         library's, do without it: the machine that grades has the standard library only.",
    ),
    (
        "undefined reference to `main'",
        "It has no function main, with which a program begins: int main() { ... }.",
    ),
    (
        "undefined reference to",
        "{name} is declared or called, but defined nowhere: define it, spell it as it is defined, or add \
         the file that has it to the build command.",
    ),
    (
        "should be declared in a file named",
        "In Java, a public class is in a file of its own name: rename the file or the class \
         ({name}). The command in bot.toml names the class, too.",
    ),
    (
        "does not exist",
        "{name} is not part of Java: hand in the library's .jar and name it with -cp in the build and in \
         the command, or do without it.",
    ),
    (
        "cannot find symbol",
        "It uses a name that is not declared: a typing error, or an import that is missing (such as \
         import java.util.List;). The lines above show the name after \"symbol:\".",
    ),
    (
        "was not declared in this scope",
        "{name} is not declared at that place: a typing error, a missing #include, or std:: is missing \
         before it.",
    ),
    (
        "is not a member of 'std'",
        "The #include for {name} is missing.",
    ),
    (
        "is not a member of ‘std’",
        "The #include for {name} is missing.",
    ),
    (
        "does not name a type",
        "{name} is not declared at that place: a typing error, a missing #include, or std:: is missing \
         before it.",
    ),
    (
        "unreported exception",
        "Write throws IOException after the head of the method, or catch it.",
    ),
    (
        "unmappable character",
        "Save the file as UTF-8, or write its comments in English.",
    ),
    (
        "reached end of file while parsing",
        "A closing brace is missing: the compiler came to the end of the file inside a block.",
    ),
    (
        "might not have been initialized",
        "{name} has no value on every way to that line: give it one where it is declared.",
    ),
    (
        "' expected",
        "{name} is missing at that place, or just before it.",
    ),
    (
        "expected ",
        "It is not valid at that place, or just before it: often a ; or a brace is missing at the end of \
         the line before.",
    ),
    (
        "ncompatible types",
        "A value has another type than the place that it is given to: convert it.",
    ),
    (
        "cannot convert",
        "A value has another type than the place that it is given to: convert it.",
    ),
];

/// Returns advice on the first error of a compiler; `None` if it is unknown.
pub fn compiler_advice(output: &str) -> Option<Message> {
    let lines: Vec<&str> = output.lines().collect();
    lines[first_error(&lines)?..].iter().find_map(|line| {
        let (part, advice) = BY_COMPILER_TEXT
            .iter()
            .find(|(part, _)| line.contains(part))?;
        Some(advice_on(subject(line, part), advice))
    })
}

/// Returns the compiler's lines to show, from the first error on.
pub fn compiler_lines(output: &str) -> Vec<Message> {
    let lines: Vec<&str> = output.lines().collect();
    let last = lines.len().saturating_sub(LINES);
    let begin = first_error(&lines).map_or(last, |first| {
        // The line before names the function.
        let is_place = first > 0 && lines[first - 1].ends_with(':');
        first - usize::from(is_place)
    });
    let kept = lines[begin..].iter().take(LINES);
    kept.map(|line| quoted(line)).collect()
}

fn first_error(lines: &[&str]) -> Option<usize> {
    lines
        .iter()
        .position(|line| line.contains("error: ") || line.contains("undefined reference"))
}

/// Returns the subject of a line: the first quoted name, or the file or package before `part`.
fn subject<'a>(line: &'a str, part: &str) -> &'a str {
    let quoted = line.split(['‘', '’', '`', '\'']).nth(1);
    quoted.unwrap_or_else(|| {
        let before = line.split(part).next().unwrap_or_default().trim_end();
        match part {
            "should be declared in a file named" => line.rsplit(' ').next().unwrap_or_default(),
            _ => before.rsplit(' ').next().unwrap_or_default(),
        }
    })
}

/// Returns advice on the error that ended a bot; `None` if it is unknown.
pub fn runtime_advice(stderr: &str) -> Option<Message> {
    let lines = stderr
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    // In Java's output, the calls follow the error.
    let lines = lines.filter(|line| !line.starts_with("at "));
    lines.rev().take(12).find_map(runtime_advice_on)
}

/// The name, in [`BY_NAME`], of the error that a [`KNOWN`] module is missing.
const KNOWN_MODULE: &str = "known module";
/// Modules from a registry, which are never part of a hand-in.
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

/// Names of errors, and the advice; `{name}` is the line's quoted text, and `{quoted}` the same in quotes.
const BY_NAME: &[(&[&str], &str)] = &[
    (
        &[KNOWN_MODULE],
        "The Python that runs the bot has no module {quoted}: install it there (python3 -m pip install \
         {name}), or name another Python in the command, or do without it. The machine that grades may \
         only have the standard library.",
    ),
    (
        &["ModuleNotFoundError", "ImportError"],
        "There is no module {quoted}. If it is a file of yours, {name}.py is missing: hand it in beside the \
         program. If others wrote it, install it for the Python that runs the bot.",
    ),
    (
        &["FileNotFoundError"],
        "There is no file {quoted}. A bot with a bot.toml starts in its own folder: put the files that it \
         needs there, and open them relative to the program's folder.",
    ),
    (
        &["KeyError"],
        "The message has no field {quoted}: look at its \"type\" before its fields. hello, turn, over and \
         quit have different fields (docs/protocol.md, or PROTOCOL.md beside a bot of arena new-bot).",
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
        "It uses the name {quoted}, which it has not defined at that place: a typing error, or an import \
         that is missing. The error above names the line.",
    ),
    (
        &["UnboundLocalError"],
        "It reads {quoted} before it has set it: give it a value on every way through the function.",
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
        "It may not read or write {quoted}: keep to its own folder and to temporary files.",
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

/// Parts of lines without such a name, and the advice.
const BY_TEXT: &[(&str, &str)] = &[
    (
        "Cannot find module",
        "Node cannot find the module {quoted}: put its files into the bot's folder.",
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
    // The messages of env for `python3\r` in two locales, and those of shells.
    ("\\r’", WINDOWS),
    ("\\r'", WINDOWS),
    ("^M: ", WINDOWS),
    ("command not found", MISSING),
];

/// Advice for C and C++ programs that access invalid memory.
pub const INVALID_MEMORY: &str = "It probably accessed invalid memory: compile with -g \
    -fsanitize=address,undefined and check again; standard error then names the line.";

const WINDOWS: &str = "Its first line ends with a carriage return (CR), as on Windows, which is taken \
    for a part of the interpreter's name: save the file with LF line ends, or type sed -i \
    's/\\r$//' FILE.";

const MISSING: &str = "A program that it calls is missing: install it, or add its folder to PATH.";

fn runtime_advice_on(line: &str) -> Option<Message> {
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
    let name = line.split(['\'', '"']).nth(1).unwrap_or_default();
    Some(advice_on(name, advice))
}

fn advice_on(name: &str, advice: &'static str) -> Message {
    let values = [
        ("name", Value::text(name)),
        ("quoted", Value::text(&format!("{name:?}"))),
    ];
    Message::new(
        advice,
        values.map(|(place, value)| (place.into(), value)).into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn known_errors_of_compilers_have_advice() {
        // From gcc 12, ld 2.40 and javac 17.
        for (output, expected) in cases::<(String, String)>("doctor-compiler") {
            let found =
                compiler_advice(&output).map_or_else(String::new, |advice| advice.to_string());
            assert!(found.contains(&expected), "{output}: {found}");
            assert_eq!(found.is_empty(), expected.is_empty(), "{output}: {found}");
        }
    }

    #[test]
    fn the_first_error_is_compiler_lines() {
        let notes = "note: x\n".repeat(40);
        let output = format!(
            "warning: y\nbot.cpp: In function ‘int main()’:\nbot.cpp:3:1: error: z\n{notes}"
        );
        let lines = compiler_lines(&output);
        assert_eq!(lines[0], "| bot.cpp: In function ‘int main()’:");
        assert_eq!(lines.len(), LINES);
        assert_eq!(
            compiler_lines("make: *** [bot] Error 1"),
            ["| make: *** [bot] Error 1"]
        );
    }

    #[test]
    fn known_errors_of_runtimes_have_advice() {
        for (stderr, expected) in cases::<(String, String)>("doctor-traceback") {
            let found =
                runtime_advice(&stderr).map_or_else(String::new, |advice| advice.to_string());
            assert!(found.contains(&expected), "{stderr}: {found}");
        }
        assert_eq!(runtime_advice("I have had enough"), None);
        assert_eq!(runtime_advice(""), None);
    }
}
