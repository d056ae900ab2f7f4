//! Recognises a Python file by its definitions. The file is read as text, line by line, and never run. The user can
//! correct a wrong guess by naming the form: `ai-player:my_player.py`.

use referee::dialect::Protocol;

use super::kind::Form;
use super::source::spoken;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PythonBot {
    Form(Form),
    Speaks {
        protocol: Protocol,
        /// The set-up line; for a program of Toronto, the text that follows the colour.
        setup: Option<String>,
    },
}

/// The settings for programs of Toronto: depth 5, alpha-beta, caching and ordering.
const TORONTO: &str = ",5,0,1,1";

/// Functions `f(board, player)` of courses, in lower case without underscores. `course_bot.py` has the same list.
const FUNCTIONS: [&str; 10] = [
    "getmove",
    "getbestmove",
    "bestmove",
    "choosemove",
    "findbestmove",
    "nextmove",
    "aimove",
    "getcomputermove",
    "getaction",
    "searchmax",
];

#[derive(Debug, Default)]
struct Defined<'a> {
    classes: Vec<(&'a str, Vec<&'a str>)>,
    functions: Vec<(&'a str, &'a str)>,
    globals: Vec<&'a str>,
}

impl<'a> Defined<'a> {
    fn read(text: &'a str) -> Defined<'a> {
        let mut found = Defined::default();
        for line in text.lines() {
            let code = line.trim_start();
            let is_top = code.len() == line.len();
            if let Some(rest) = code.strip_prefix("class ").filter(|_| is_top) {
                found.classes.push((word(rest), Vec::new()));
            } else if let Some(rest) = code.strip_prefix("def ") {
                let (name, parameters) = rest.split_once('(').unwrap_or((rest, ""));
                if is_top {
                    found.functions.push((name.trim(), parameters));
                } else if let Some((_, methods)) = found.classes.last_mut() {
                    methods.push(name.trim());
                }
            } else if is_top && code.contains('=') {
                let (names, _) = code.split_once('=').unwrap_or_default();
                found
                    .globals
                    .extend(names.split(',').map(|name| word(name.trim())));
            }
        }
        found
    }

    fn has_class_with(&self, method: &str) -> bool {
        self.classes
            .iter()
            .any(|(_, methods)| methods.contains(&method))
    }

    fn has_function(&self, name: &str) -> bool {
        self.functions.iter().any(|(function, _)| *function == name)
    }
}

fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

/// Recognises a file; `None` for a program with the arena's protocol, and for an unknown file.
pub fn kind(text: &str) -> Option<PythonBot> {
    let has = |part: &str| text.contains(part);
    let quoted = |word: &str| has(&format!("\"{word}\"")) || has(&format!("'{word}'"));
    let reads = has("stdin") || has("input(");
    let uses_pisqpipe = has("import pisqpipe") || has("from pisqpipe");
    if uses_pisqpipe && has("brain_turn") {
        return Some(PythonBot::Form(Form::Pisqpipe));
    }
    if reads && ((quoted("requests") && quoted("responses")) || has("BOTZONE_REQUEST_KEEP_RUNNING"))
    {
        return Some(PythonBot::Speaks {
            protocol: if has("json") {
                Protocol::Botzone
            } else {
                Protocol::BotzoneText
            },
            setup: None,
        });
    }
    if is_own(text) {
        return None;
    }
    let spoken = spoken(text).filter(|_| reads);
    if let Some(protocol @ (Protocol::Gomocup | Protocol::Gtp)) = spoken {
        return Some(PythonBot::Speaks {
            protocol,
            setup: None,
        });
    }
    if reads && quoted("FINAL") && has("split(") {
        return Some(PythonBot::Speaks {
            protocol: Protocol::Columbia,
            setup: has("split(\",\")").then(|| TORONTO.to_owned()),
        });
    }
    form(text).map(PythonBot::Form)
}

/// Returns whether a file has calls or other statements at the top level, so that it is more than definitions.
pub fn begins(text: &str) -> bool {
    let is_call = |line: &str| {
        let name = line.split('(').next().unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || "_.".contains(c);
        name.len() < line.len() && !name.is_empty() && name.chars().all(is_name)
    };
    let is_statement = |line: &str| {
        ["if ", "while ", "for ", "with ", "try:"]
            .iter()
            .any(|word| line.starts_with(word))
    };
    text.lines().any(|line| is_call(line) || is_statement(line))
}

pub fn of_others(text: &str, others: impl Fn() -> String) -> Option<PythonBot> {
    let protocol = (!is_own(text)).then(others).and_then(|all| spoken(&all))?;
    let is_line_protocol = matches!(protocol, Protocol::Gomocup | Protocol::Gtp);
    is_line_protocol.then_some(PythonBot::Speaks {
        protocol,
        setup: None,
    })
}

pub fn is_own(text: &str) -> bool {
    let has = |part: &str| text.contains(part);
    let quoted = |word: &str| has(&format!("\"{word}\"")) || has(&format!("'{word}'"));
    let reads = has("stdin") || has("input(");
    let names = quoted("move") && (quoted("type") || quoted("turn") || quoted("legal"));
    reads && has("json") && names
}

fn form(text: &str) -> Option<Form> {
    let defined = Defined::read(text);
    let global = |name: &&str| defined.globals.contains(name);
    let is_byu = |(name, methods): &(&str, Vec<&str>)| {
        *name == "ReversiBot" && methods.contains(&"make_move")
    };
    if defined.classes.iter().any(is_byu) {
        return Some(Form::Byu);
    }
    if defined.has_class_with("best_strategy") {
        return Some(Form::BestStrategy);
    }
    if defined.has_class_with("go") && text.contains("candidate_list") {
        return Some(Form::AiGo);
    }
    let is_player = |(name, methods): &(&str, Vec<&str>)| {
        let moves = methods.contains(&"get_move") || methods.contains(&"think");
        moves && (*name == "AIPlayer" || text.contains("get_legal_actions"))
    };
    if defined.classes.iter().any(is_player) {
        return Some(Form::AiPlayer);
    }
    // Kaggle calls the last function of a file as the agent.
    let is_agent = |(_, parameters): &(&str, &str)| parameters.trim_start().starts_with("obs");
    let observed = [
        "submission",
        "legalActions",
        "observationString",
        "serializedGame",
    ];
    if defined.functions.last().is_some_and(is_agent)
        && observed.iter().any(|word| text.contains(word))
    {
        return Some(Form::Kaggle);
    }
    let thinks = ["ai", "AI", "ai_step", "ai_move", "AI_move"];
    if ["list1", "list2", "list3"].iter().all(global)
        && thinks.iter().any(|name| defined.has_function(name))
    {
        return Some(Form::Lists);
    }
    if defined.has_function("reversi_ai") {
        return Some(Form::ReversiAi);
    }
    let is_asked = |(name, parameters): &(&str, &str)| {
        let first = parameters.split([',', ')', ':']).next().unwrap_or_default();
        let name = name.replace('_', "").to_lowercase();
        FUNCTIONS.contains(&&*name) && word(first.trim()).to_lowercase().contains("board")
    };
    let is_asked = defined.functions.iter().any(is_asked);
    (is_asked && !text.contains("stdin")).then_some(Form::Function)
}

pub fn is_reversed(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "reversed reversi",
        "reversed othello",
        "anti-reversi",
        "反黑白棋",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn a_file_is_what_it_defines() {
        for (text, expected) in cases::<(String, String)>("python-forms") {
            let kind = kind(&text).map_or("None".to_owned(), |kind| format!("{kind:?}"));
            assert_eq!(kind, expected, "{text}");
        }
    }

    #[test]
    fn the_example_bots_are_recognised() {
        for text in [
            include_str!("../../../../bots/python/bot.py"),
            include_str!("../../../../bots/python-alphabeta/bot.py"),
        ] {
            assert_eq!(kind(text), None);
        }
        let player = include_str!("../../../../bots/python-course/my_player.py");
        assert_eq!(kind(player), Some(PythonBot::Form(Form::AiPlayer)));
    }
}
