//! Why a program cannot be built, from what its compiler wrote.

use super::evidence::quoted;

/// How many lines of the output are shown.
const LINES: usize = 16;

/// Parts of a compiler's line, and the advice; `{0}` is what stands in the line's first quotes, or what
/// stands before the part as a file's name.
const ADVICE: &[(&str, &str)] = &[
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
        "The file {0} is missing. If it is yours, hand it in beside the program; if it is a \
         library's, do without it: the machine that grades has the standard library only.",
    ),
    (
        "undefined reference to `main'",
        "It has no function main, with which a program begins: int main() { ... }.",
    ),
    (
        "undefined reference to",
        "{0} is declared or called, but defined nowhere: define it, spell it as it is defined, or add \
         the file that has it to the build command.",
    ),
    (
        "should be declared in a file named",
        "In Java, a public class is in a file of its own name: rename the file or the class \
         ({0}). The command in bot.toml names the class, too.",
    ),
    (
        "does not exist",
        "{0} is not part of Java: hand in the library's .jar and name it with -cp in the build and in \
         the command, or do without it.",
    ),
    (
        "cannot find symbol",
        "It uses a name that is not declared: a typing error, or an import that is missing (such as \
         import java.util.List;). The lines above show the name after \"symbol:\".",
    ),
    (
        "was not declared in this scope",
        "{0} is not declared at that place: a typing error, a missing #include, or std:: is missing \
         before it.",
    ),
    (
        "is not a member of 'std'",
        "The #include for {0} is missing.",
    ),
    (
        "is not a member of ‘std’",
        "The #include for {0} is missing.",
    ),
    (
        "does not name a type",
        "{0} is not declared at that place: a typing error, a missing #include, or std:: is missing \
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
        "{0} has no value on every way to that line: give it one where it is declared.",
    ),
    (
        "' expected",
        "{0} is missing at that place, or just before it.",
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

/// Advice on the first error in the output of a compiler; `None` if nothing is known of it.
pub fn advice(output: &str) -> Option<String> {
    let lines: Vec<&str> = output.lines().collect();
    lines[first_error(&lines)?..].iter().find_map(|line| {
        let (part, advice) = ADVICE.iter().find(|(part, _)| line.contains(part))?;
        Some(advice.replace("{0}", subject(line, part)))
    })
}

/// The lines of the output that are shown: from the first error on.
pub fn shown(output: &str) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    let last = lines.len().saturating_sub(LINES);
    let begin = first_error(&lines).map_or(last, |first| {
        // The line before says in which function it is.
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

/// What a line is about: the name in its first quotes, or the file or package before `part`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn known_errors_have_advice() {
        // Lines of gcc 12, ld 2.40 and javac 17.
        for (output, expected) in cases::<(String, String)>("doctor-compiler") {
            let found = advice(&output).unwrap_or_default();
            assert!(found.contains(&expected), "{output}: {found}");
            assert_eq!(found.is_empty(), expected.is_empty(), "{output}: {found}");
        }
    }

    #[test]
    fn the_first_error_is_shown() {
        let notes = "note: x\n".repeat(40);
        let output = format!(
            "warning: y\nbot.cpp: In function ‘int main()’:\nbot.cpp:3:1: error: z\n{notes}"
        );
        let lines = shown(&output);
        assert_eq!(lines[0], "| bot.cpp: In function ‘int main()’:");
        assert_eq!(lines.len(), LINES);
        assert_eq!(
            shown("make: *** [bot] Error 1"),
            ["| make: *** [bot] Error 1"]
        );
    }
}
