//! The scripts of pages. A server sends them as modules; a file has one script, since it cannot import modules.

macro_rules! modules {
    ($($name:literal)*) => {
        [("message.js", include_str!("../../../../message/src/message.js")), $(($name, include_str!(concat!("assets/", $name)))),*]
    };
}

/// The modules of pages in files. A server sends the same modules, except for `source.js` instead of `packed.js`.
pub const MODULES: [(&str, &str); 14] = modules!(
    "analysis.js" "app.js" "board.js" "evaluation.js" "export.js" "file.js" "fresh.js" "gif.js" "graphs.js" "lists.js"
    "pair.js" "packed.js" "viewer.js"
);

/// Joins a module and the modules that it imports. Each is in a function of its own.
pub(super) fn bundle(entry: &str) -> String {
    let mut script = "const modules = {};\n".to_owned();
    add(entry, &mut Vec::new(), &mut script);
    script
}

fn add<'a>(name: &'a str, done: &mut Vec<&'a str>, script: &mut String) {
    if done.contains(&name) {
        return;
    }
    done.push(name);
    // A file contains its data, which `packed.js` reads.
    let file = if name == "source.js" {
        "packed.js"
    } else {
        name
    };
    let (_, text) = MODULES
        .iter()
        .find(|(known, _)| *known == file)
        .expect("a module of files");
    let (mut body, mut exported) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(import) = line.strip_prefix("import ") {
            let (names, from) = import.rsplit_once('"').map_or(("", ""), |(import, _)| {
                import.rsplit_once('"').unwrap_or_default()
            });
            let from = from.trim_start_matches("/assets/");
            add(from, done, script);
            if let Some(names) = names.strip_suffix(" from ") {
                let names = names.replace(" as ", ": ");
                body += &format!("const {names} = modules[\"{from}\"];\n");
            }
        } else if let Some(item) = line.strip_prefix("export ") {
            let mut words = item.split(|c: char| !c.is_alphanumeric());
            let is_name = |word: &&str| !["async", "function", "const", "class"].contains(word);
            exported.extend(words.find(is_name));
            body += &format!("{item}\n");
        } else {
            body += &format!("{line}\n");
        }
    }
    *script += &format!(
        "modules[\"{name}\"] = await (async () => {{\n{body}return {{ {} }};\n}})();\n",
        exported.join(", ")
    );
}
