use super::*;

fn command(text: &str, chosen: &[(&str, &str)]) -> String {
    let manifest = Manifest::parse(text).expect("a manifest");
    let chosen: Vec<BotOption> = chosen
        .iter()
        .map(|&(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    manifest.launch(Path::new("folder"), &chosen).display()
}

#[test]
fn options_go_where_the_command_wants_them() {
    let added = "command = ['./bot']\noptions = { depth = 4, hash_mib = 16 }";
    assert_eq!(command(added, &[]), "./bot --depth 4 --hash-mib 16");
    let deeper = command(added, &[("depth", "7")]);
    assert_eq!(deeper, "./bot --depth 7 --hash-mib 16");
    let set_up = "command = ['ntest']\nprotocol = 'nboard'\nsetup = ['set depth {depth}']\n\
                  options = { depth = 12 }";
    let launch = Manifest::parse(set_up).expect("a manifest");
    let launch = launch.launch(Path::new("folder"), &[]);
    assert_eq!(launch.display(), "ntest");
    assert_eq!(launch.setup, ["set depth 12"]);
    let placed = "command = ['./bot', '-d{depth}']\noptions = { depth = 4 }";
    assert_eq!(command(placed, &[("depth", "7")]), "./bot -d7");
}

#[test]
fn a_value_is_not_searched_for_others() {
    let nested = "command = ['./bot', '-{a}{a}']\noptions = { a = '{b}', b = 1 }";
    assert_eq!(command(nested, &[]), "./bot '-{b}{b}' --b 1");
}

#[test]
fn a_command_has_bounds_with_its_options() {
    let many: Vec<String> = (0..=MOST_OPTIONS).map(|n| format!("o{n} = 1")).collect();
    let many = format!("command = ['./bot']\n[options]\n{}", many.join("\n"));
    let refused = Manifest::parse(&many).expect_err("too many");
    assert_eq!(refused.what, "the bot has 257 options");
    let (places, value) = ("{a}".repeat(1000), "x".repeat(2000));
    for key in [
        "command = ['./bot', '{places}']",
        "command = ['./bot']\nsetup = ['{places}']",
    ] {
        let key = key.replace("{places}", &places);
        let long = format!("{key}\noptions = {{ a = '{value}' }}");
        let refused = Manifest::parse(&long).expect_err("too long");
        assert_eq!(refused.what, "the command is too long with its options");
    }
}

#[test]
fn what_is_wrong_is_pointed_at() {
    // The manifest; then what, the help and the place.
    let table = r#"
        comand = []
        unknown key "comand" | did you mean "command"? | comand
        command = []
        command is empty | write command = ["python3", "my_bot.py"] | []
        command = ['x']\nbuild = ['']
        build is empty | write build = ["make"] | ['']
        command = ['x']\ngames = ['gomuko']
        unknown game "gomuko" | did you mean "gomoku"? | 'gomuko'
        command = ['x']\ncores = 0
        cores = 0 is out of range | choose 1 to 1024, or leave it out | 0
        command = ['./bot', '-d{depth}']
        there is no option for {depth} | add it with its default value: options = { depth = 4 } | '-d{depth}'
        command = ['x']\nprotocol = 'gtp'\nsetup = ['level {levle}']\noptions = { level = 2 }
        there is no option for {levle} | did you mean "level"? | 'level {levle}'
        command = ['x']\nname = 'a b'
        "a b" cannot be a bot's name | use 1 to 64 letters, digits, dots, dashes and underscores | 'a b'
    "#;
    let mut lines = table.trim().lines().map(str::trim);
    while let (Some(text), Some(expected)) = (lines.next(), lines.next()) {
        let text = text.replace("\\n", "\n");
        let problem = Manifest::parse(&text).expect_err("it is wrong");
        let at = &text[problem.at.expect("a place")];
        let help = problem.help.expect("a help");
        let found = format!("{} | {help} | {at}", problem.what);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn braces_that_are_no_option_are_the_programs_own() {
    for word in [
        "-D{}",
        "{a b}",
        "${HOME}/x",
        "awk {print}  file",
        "{\"depth\":4}",
    ] {
        let text = format!("command = ['./bot', '{word}']");
        let shown = command(&text, &[]);
        assert!(shown.contains(word), "{shown}");
    }
}
