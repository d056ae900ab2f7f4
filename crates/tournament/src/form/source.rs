//! A source file as a bot. It is built like the template that `arena new-bot` has for its language.

use referee::problem;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::Walk;
use referee::bot::{cached, digits, is_generated_or_installed, read_named, read_own, read_regular};
use referee::dialect::Protocol;
use referee::problem::Problem;
use sha2::{Digest, Sha256};

use super::recognised::{Recognised, manifest};
use crate::file_kind::ending;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Java,
    Rust,
    Go,
    Kotlin,
    CSharp,
    TypeScript,
}

/// A class name must have fewer bytes than this, because it becomes a file name, which has at most 255 bytes.
const LONGEST_CLASS: usize = 240;

/// The header of the JSON library, by its path on Botzone.
const JSONCPP: &str = "jsoncpp/json.h";

impl Language {
    pub fn of(path: &Path) -> Option<Language> {
        match ending(path).as_str() {
            "c" => Some(Language::C),
            "cpp" | "cc" | "cxx" => Some(Language::Cpp),
            "java" => Some(Language::Java),
            "rs" => Some(Language::Rust),
            "go" => Some(Language::Go),
            "kt" => Some(Language::Kotlin),
            "cs" => Some(Language::CSharp),
            "ts" => Some(Language::TypeScript),
            _ => None,
        }
    }

    pub fn main(self) -> (&'static str, &'static str) {
        match self {
            Language::C | Language::Cpp => ("function main", "int main() { ... }"),
            Language::Java => (
                "method main",
                "public static void main(String[] arguments) { ... }",
            ),
            Language::Rust => ("function main", "fn main() { ... }"),
            Language::Go => ("function main", "func main() { ... }"),
            Language::Kotlin => ("function main", "fun main() { ... }"),
            Language::CSharp => ("method Main", "static void Main() { ... }"),
            Language::TypeScript => ("line that reads its input", "process.stdin"),
        }
    }

    fn compiler(self) -> &'static [&'static str] {
        match self {
            Language::C => &["gcc", "-O2", "-std=gnu99", "-o", "bot"],
            Language::Cpp => &["g++", "-O2", "-std=c++17", "-pthread", "-o", "bot"],
            Language::Java => &["javac", "-encoding", "UTF-8", "-d", "classes"],
            Language::Rust => &["rustc", "-O", "--edition", "2021", "-o", "bot"],
            Language::Go => &["go", "build", "-o", "bot"],
            Language::Kotlin => &["kotlinc", "-include-runtime", "-d", "bot.jar"],
            Language::CSharp => &["mcs", "-optimize", "-out:bot.exe"],
            Language::TypeScript => &["tsc", "--outFile", "arena-bot.js"],
        }
    }

    const fn package(self) -> &'static str {
        match self {
            Language::C => "gcc",
            Language::Cpp => "g++",
            Language::Java => "default-jdk",
            Language::Rust => "rustc",
            Language::Go => "golang-go",
            Language::Kotlin => "kotlin",
            Language::CSharp => "mono-mcs",
            Language::TypeScript => "node-typescript",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Java => "Java",
            Language::Rust => "Rust",
            Language::Go => "Go",
            Language::Kotlin => "Kotlin",
            Language::CSharp => "C#",
            Language::TypeScript => "TypeScript",
        }
    }
}

/// Returns how the source file at `path` is built and started.
///
/// With a folder `own`, the bot is built there, from all files of its language. Without one, the file alone is built in
/// the user's cache, because the other files of its folder may be the bots of a whole class.
pub fn recognised(
    language: Language,
    path: &Path,
    own: Option<&Path>,
    text: &str,
) -> Result<Recognised, Problem> {
    need(language.compiler()[0], language.package(), language.name())?;
    let library = own.map(|_| path.with_file_name("jsoncpp.cpp"));
    let library = library.filter(|library| library.is_file());
    if language == Language::Cpp && text.contains(JSONCPP) && library.is_none() {
        has_jsoncpp()?;
    }
    let (folder, sources) = if let Some(own) = own {
        (own.to_owned(), beside(language, path, own)?)
    } else {
        let (folder, file) = copied(language, path, text).map_err(|error| {
            problem!("cannot copy {} to build it: {error}", path.display())
                .help("make room, or name another folder in XDG_CACHE_HOME")
                .of_machine()
        })?;
        (folder, vec![file])
    };
    let libraries = own.filter(|_| language == Language::Java).map(jars);
    let libraries = libraries.unwrap_or_default();
    let mut build: Vec<String> = language
        .compiler()
        .iter()
        .map(ToString::to_string)
        .collect();
    build.extend(sources);
    if !libraries.is_empty() {
        let words = ["-Xprefer:source", "-cp", &class_path(&libraries)];
        build.extend(words.map(str::to_owned));
    }
    match language {
        Language::C => build.push("-lm".to_owned()),
        Language::Cpp if library.is_some() => build.push("-I.".to_owned()),
        Language::Cpp => build.extend(for_cpp(text, own.is_none())),
        Language::Java if text.contains(char::REPLACEMENT_CHARACTER) => {
            // The text is not UTF-8. Chinese editors save GBK, a part of GB18030; javac warns of other bytes.
            let encoding = build.iter_mut().filter(|word| *word == "UTF-8");
            encoding.for_each(|word| "GB18030".clone_into(word));
        }
        _ => {}
    }
    if let (Language::C | Language::Cpp, Some(own)) = (language, own) {
        let folders = ["include", "inc"]
            .into_iter()
            .filter(|name| own.join(name).is_dir());
        build.extend(folders.map(|name| format!("-I{name}")));
    }
    let command = match language {
        Language::Java => {
            // The template for Java has the same options.
            let options = "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp";
            let mut command: Vec<String> = options.split(' ').map(str::to_owned).collect();
            let classes = [&["classes".to_owned()], &libraries[..]].concat();
            command.extend([class_path(&classes), main_class(path, text)]);
            command
        }
        Language::Kotlin => ["java", "-jar", "bot.jar"].map(str::to_owned).to_vec(),
        Language::CSharp => ["mono", "bot.exe"].map(str::to_owned).to_vec(),
        Language::TypeScript => vec!["node".to_owned(), "arena-bot.js".to_owned()],
        _ => vec!["./bot".to_owned()],
    };
    let mut manifest = manifest(command);
    manifest.build = Some(build);
    Ok(Recognised {
        manifest,
        folder,
        note: None,
        form: None,
    })
}

/// Returns the Java libraries in a bot's folder, as paths relative to it.
fn jars(own: &Path) -> Vec<String> {
    let (mut jars, mut walk) = (Vec::new(), Walk::of(own));
    while let Some(Ok((inner, data))) = walk.next() {
        if is_generated_or_installed(&own.join(&inner)) {
            walk.leave_out();
        } else if data.is_file() && ending(&inner) == "jar" {
            // javac would read the options in a file that is named `@x.jar`. A colon would separate two paths.
            let path = Path::new(".").join(inner).to_string_lossy().into_owned();
            jars.extend((!path.contains([':', ';'])).then_some(path));
        }
    }
    jars.sort();
    jars
}

fn class_path(parts: &[String]) -> String {
    parts.join(if cfg!(windows) { ";" } else { ":" })
}

pub fn need(tool: &str, package: &str, what: &str) -> Result<(), Problem> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tool_file =
        |folder: PathBuf| folder.join(format!("{tool}{}", std::env::consts::EXE_SUFFIX));
    if std::env::split_paths(&path).any(|folder| tool_file(folder).is_file()) {
        return Ok(());
    }
    Err(
        problem!("{what} needs {tool}, which is not installed on this machine")
            .help(message::message!("install the package {package}"))
            .of_machine(),
    )
}

/// A file is read only if it has at most this many bytes.
pub const LONGEST: u64 = 8 << 20;

pub fn text(path: &Path) -> Result<String, Problem> {
    let bytes = read_regular(path, LONGEST)
        .map_err(|error| problem!("cannot read {}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn begins_program(path: &Path) -> bool {
    text(path).is_ok_and(|text| has_main(&text))
}

fn has_main(text: &str) -> bool {
    let before = [
        "int main",
        "void main",
        "fn main",
        "auto main",
        "signed main",
        "func main",
        "fun main",
        "void Main",
        "process.stdin",
    ];
    before.iter().any(|main| text.contains(main))
}

/// Returns additional arguments for the C++ compiler. `is_alone` means that the bot is built in the user's cache.
/// Programs recognise Botzone by a macro. On Botzone, the header of the JSON library has another path than on Linux.
fn for_cpp(text: &str, is_alone: bool) -> Vec<String> {
    let mut words = Vec::new();
    if text.contains("_BOTZONE_ONLINE") {
        words.push("-D_BOTZONE_ONLINE");
    }
    if text.contains(JSONCPP) && is_alone {
        words.extend(["-I.", "-I/usr/include/jsoncpp"]);
    }
    if text.contains("jsoncpp") {
        words.push("-ljsoncpp");
    }
    words.into_iter().map(str::to_owned).collect()
}

/// Returns whether the text of a program has words of a protocol.
pub fn has_words(text: &str) -> bool {
    says(text, "ready") && says(text, "move") || spoken(text).is_some()
}

fn says(text: &str, word: &str) -> bool {
    text.contains(&format!("\"{word}")) || text.contains(&format!("'{word}"))
}

fn is_own(text: &str) -> bool {
    says(text, "legal") && says(text, "move") && says(text, "ready")
}

/// Recognises the protocol by words in the text of a program; `None`: the arena's own protocol, or unknown.
pub fn spoken(text: &str) -> Option<Protocol> {
    let has = |part: &str| text.contains(part);
    let says = |word: &str| says(text, word);
    let is_json = says("requests") && says("response");
    // This word is matched without a quote before it, because in programs `>>>` is between the quote and the word.
    let is_kept = has("BOTZONE_REQUEST_KEEP_RUNNING");
    match (is_json, is_kept) {
        _ if is_own(text) => None,
        (true, _) => Some(Protocol::Botzone),
        (false, true) => Some(Protocol::BotzoneText),
        // This name is in Botzone's examples for the simplified interaction.
        _ if has("turnID") => Some(Protocol::BotzoneText),
        _ if says("BEGIN") && says("TURN") && says("START") => Some(Protocol::Gomocup),
        _ if says("genmove") || has("genmove ") => Some(Protocol::Gtp),
        _ => None,
    }
}

/// Returns the sources that are compiled together, relative to the bot's folder `own`. rustc and tsc find further
/// files. For C and C++, leaves out other files with a main function, and files that another file includes.
fn beside(language: Language, path: &Path, own: &Path) -> Result<Vec<String>, Problem> {
    let name = |path: &Path| {
        let inner = path.strip_prefix(own).unwrap_or(path);
        inner.to_string_lossy().into_owned()
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    if let Language::Rust | Language::TypeScript = language {
        return Ok(vec![name(path)]);
    }
    let mut names = Vec::new();
    if language == Language::Java {
        // javac finds the classes of other packages by their names.
        names.extend(["-sourcepath".to_owned(), source_root(path, own)]);
        // Beside a player without `main`, other classes may need a library or another Java version.
        if !begins_program(path) {
            names.push(name(path));
            return Ok(names);
        }
    }
    let entries = fs::read_dir(folder)
        .map_err(|error| problem!("cannot read the folder {}: {error}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut sources: Vec<PathBuf> = paths
        .filter(|other| Language::of(other) == Some(language))
        .collect();
    if let Language::C | Language::Cpp = language {
        sources.retain(|other| other == path || !begins_program(other));
        let included = included(&sources, own);
        let is_included = |other: &Path| {
            let real = fs::canonicalize(other);
            real.is_ok_and(|real| included.contains(&real))
        };
        sources.retain(|other| other == path || !is_included(other));
    }
    sources.sort();
    names.extend(sources.iter().map(|source| name(source)));
    Ok(names)
}

/// Returns the folder of a Java file's outermost package, relative to `own`.
fn source_root(path: &Path, own: &Path) -> String {
    let text = String::from_utf8_lossy(&read_named(path).unwrap_or_default()).into_owned();
    let depth = package(&text).map_or(0, |package| package.split('.').count());
    let root = path.ancestors().nth(depth + 1);
    let inner = root
        .and_then(|root| root.strip_prefix(own).ok())
        .unwrap_or(Path::new(""));
    Path::new(".").join(inner).to_string_lossy().into_owned()
}

/// At most this many bytes of sources are searched for included files.
const MOST_SEARCHED: usize = 16 << 20;

/// Returns the files in `own` that the C or C++ files `sources` include. The search is bounded: authors may be hostile.
fn included(sources: &[PathBuf], own: &Path) -> BTreeSet<PathBuf> {
    let (mut included, mut tried) = (BTreeSet::new(), BTreeSet::new());
    let Ok(real_own) = fs::canonicalize(own) else {
        return included;
    };
    let real = sources.iter().flat_map(fs::canonicalize);
    let (mut waiting, mut left) = (real.collect::<Vec<_>>(), MOST_SEARCHED);
    while let Some(file) = waiting.pop() {
        let bytes = read_own(&file, left as u64).unwrap_or_default();
        left -= bytes.len();
        for line in String::from_utf8_lossy(&bytes).lines() {
            let line = line.trim_start().strip_prefix('#').map(str::trim_start);
            let name =
                line.and_then(|line| line.strip_prefix("include")?.trim_start().strip_prefix('"'));
            let Some(name) = name.and_then(|name| name.split('"').next()) else {
                continue;
            };
            let places = [file.parent().unwrap_or(own), own].map(|place| place.join(name));
            if !tried.insert(places.clone()) {
                continue;
            }
            let found = places.iter().find_map(|place| fs::canonicalize(place).ok());
            let found = found.filter(|found| found.starts_with(&real_own) && found.is_file());
            if let Some(found) = found
                && included.insert(found.clone())
            {
                waiting.push(found);
            }
        }
    }
    included
}

fn has_jsoncpp() -> Result<(), Problem> {
    let installed = [
        "/usr/include/jsoncpp/json/json.h",
        "/usr/include/json/json.h",
    ];
    if cfg!(not(target_os = "linux")) || installed.iter().any(|file| Path::new(file).is_file()) {
        return Ok(());
    }
    Err(
        problem!("it needs the library jsoncpp, which is not installed on this machine")
            .help("install the package libjsoncpp-dev, or hand in a folder with jsoncpp.cpp and jsoncpp/json.h")
            .of_machine(),
    )
}

fn copied(language: Language, path: &Path, text: &str) -> io::Result<(PathBuf, String)> {
    let mut hash = Sha256::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    let folder = cached("sources", &digits(hash)[..32])?;
    fs::create_dir_all(&folder)?;
    let name = match language {
        // javac requires that the file is named after its public class.
        Language::Java => {
            // If the class name is too long for a file name, javac reports the error to the author.
            let class = public_class(text).filter(|name| name.len() < LONGEST_CLASS);
            format!("{}.java", class.unwrap_or("Main"))
        }
        Language::Cpp => "bot.cpp".to_owned(),
        _ => format!(
            "bot.{}",
            path.extension().unwrap_or_default().to_string_lossy()
        ),
    };
    let copy = folder.join(&name);
    let bytes = read_named(path)?;
    if fs::read(&copy).ok().as_ref() != Some(&bytes) {
        // Removes an earlier copy before writing, because a build could have replaced it by a link.
        match fs::remove_file(&copy) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => File::create_new(&copy)?.write_all(&bytes)?,
        }
    }
    let alias = folder.join(JSONCPP);
    if text.contains(JSONCPP) && !alias.exists() {
        fs::create_dir_all(folder.join("jsoncpp"))?;
        fs::write(&alias, "#include <json/json.h>\n")?;
    }
    Ok((folder, name))
}

fn main_class(path: &Path, text: &str) -> String {
    let package = package(text).map(|name| format!("{name}."));
    let main = text.find("static void main");
    let before = &text[..main.unwrap_or(text.len())];
    let class = public_class(text).or_else(|| {
        let words: Vec<&str> = before.split_whitespace().collect();
        let at = words.iter().rposition(|word| *word == "class")?;
        words.get(at + 1).map(|name| name.trim_end_matches('{'))
    });
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{}{}", package.unwrap_or_default(), class.unwrap_or(&stem))
}

fn package(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    let named = lines.find_map(|line| line.trim().strip_prefix("package "))?;
    Some(named.split(';').next()?.trim())
}

fn public_class(text: &str) -> Option<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words
        .windows(2)
        .position(|pair| pair[0] == "public" && ["class", "final"].contains(&pair[1]))?;
    let further = words[at..].iter().position(|word| *word == "class")?;
    let name = words.get(at + further + 1)?.trim_end_matches('{');
    // The name becomes a file name, so it must be a plain identifier.
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn java_starts_the_class_with_main() {
        let path = Path::new("smith_123_Bot.java");
        for (text, class) in cases::<(String, String)>("java-main-class") {
            assert_eq!(main_class(path, &text), class, "{text}");
        }
    }
}
