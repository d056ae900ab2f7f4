//! Makes beginners' mistakes in the example bots, one at a time. `arena check` must name each, or show the evidence.
//!
//! A row of `tests/mistakes.csv` has one or two texts of the example with their replacements, and the code and words of
//! the first finding. The code `-` means that nothing is wrong, and `refused` that the bot is not started. The last
//! columns are the encoding of the program (`crlf` or a name that Python knows), another file in its folder, and
//! options of `arena check` that replace the usual ones. Other languages than Python are
//! tested only if they are asked for.
//!
//! `tests/cases/mistake-examples.csv` has the program that each example needs, its file, and its `bot.toml` (empty: the
//! file alone is recognised).

use std::fs;
use std::path::Path;

use crate::common::asked::is_left_out;
use crate::common::{TableRow, Workdir, assert_nothing_is_wrong, both, judged, table};
use cases::cases;
use serde_json::Value;

/// The arena waits for an answer until a bot has computed for 30 times the limit of a move.
const OPTIONS: [[&str; 2]; 3] = [
    ["--game", "othello"],
    ["--move-ms", "300"],
    ["--silence-ms", "700"],
];

#[test]
fn every_planted_mistake_is_named() {
    let mistakes = table(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.csv"));
    let workdir = Workdir::new();
    let is_taught = |row: &&TableRow| !is_left_out(&row["compiler"]);
    let planted: Vec<&TableRow> = mistakes.iter().filter(is_taught).collect();
    assert_nothing_is_wrong(&planted, |mistake| {
        let name = format!("{}-{}", mistake["compiler"], mistake["name"]);
        plant(mistake, &workdir.path(&name));
        misnamed(&workdir, &name, mistake)
    });
}

fn plant(mistake: &TableRow, folder: &Path) {
    let mut examples = cases::<[String; 3]>("mistake-examples").into_iter();
    let [_, example, manifest] = examples
        .find(|[compiler, ..]| *compiler == mistake["compiler"])
        .expect("an example");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join(example);
    let mut text = fs::read_to_string(&example).expect("an example");
    for (from, to) in [("from", "instead"), ("from_2", "instead_2")] {
        let (from, to) = (&mistake[from], &mistake[to]);
        assert!(text.contains(from), "{}: no {from:?}", mistake["name"]);
        text = text.replacen(from, to, 1);
    }
    fs::create_dir(folder).expect("a folder");
    let program = folder.join(example.file_name().expect("a name"));
    fs::write(&program, encoded(&text, &mistake["encoding"])).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, mode).expect("a mode");
    }
    if !manifest.is_empty() {
        fs::write(folder.join("bot.toml"), manifest).expect("a file");
    }
    if !mistake["file"].is_empty() {
        fs::write(folder.join(&mistake["file"]), &mistake["text"]).expect("a file");
    }
}

fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "crlf" => text.replace('\n', "\r\n").into(),
        "utf-8-sig" => format!("\u{feff}{text}").into(),
        "utf-16" => {
            let units = format!("\u{feff}{text}");
            units.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        // "黑白棋" in GBK.
        "gbk" => {
            let (before, after) = text.split_once("黑白棋").expect("Chinese");
            [
                before.as_bytes(),
                b"\xba\xda\xb0\xd7\xc6\xe5",
                after.as_bytes(),
            ]
            .concat()
        }
        _ => text.into(),
    }
}

fn misnamed(workdir: &Workdir, name: &str, mistake: &TableRow) -> Option<String> {
    let (code, expected) = (&mistake["code"], &mistake["says"]);
    let own = &mistake["options"];
    let usual = OPTIONS.iter().filter(|[option, _]| !own.contains(option));
    let words = ["check", name, "--json"].into_iter();
    let words = words
        .chain(usual.copied().flatten())
        .chain(own.split_whitespace());
    let Some(output) = judged(workdir, &words) else {
        return Some(format!("{name}: the machine is busy\n"));
    };
    if code == "refused" {
        let is_named = output.status.code() == Some(2) && both(&output).contains(expected);
        return (!is_named).then(|| format!("{name}: expected {expected:?}\n{}\n", both(&output)));
    }
    let report: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let finding = report.as_ref().map(|report| &report["findings"][0]);
    let field = |key: &str| finding.and_then(|finding| finding[key].as_str());
    let seen = finding.and_then(|finding| finding["seen"].as_array());
    let seen = seen.into_iter().flatten().filter_map(Value::as_str);
    let text: Vec<&str> = ["what", "fix"]
        .into_iter()
        .filter_map(field)
        .chain(seen)
        .collect();
    let is_named = field("code").unwrap_or("-") == code && text.join(" ").contains(expected);
    let status = if field("severity") == Some("error") {
        3
    } else {
        0
    };
    let is_right = is_named && output.status.code() == Some(status);
    (!is_right).then(|| format!("{name}: expected {code}, {expected:?}\n{}\n", both(&output)))
}
