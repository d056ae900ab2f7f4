//! `action.yml` and `ci/arena-ci.sh`: each row of `tests/cases/ci.csv` runs the steps of the action as a runner of GitHub
//! does, in a repository with a tag `v1`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cases::cases;
use yaml_rust2::{Yaml, YamlLoader};

use crate::common::{Workdir, assert_contains, both};

#[path = "../../crates/run/src/report/grade/junit_schema.rs"]
mod schema;

/// The inputs as `name=value; name=value`, the exit code, the only case in `junit.xml` and words of the output.
type Row = (String, i32, String, String);

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn yaml(text: &str) -> Yaml {
    YamlLoader::load_from_str(text).expect("YAML").remove(0)
}

fn action() -> Yaml {
    yaml(&fs::read_to_string("action.yml").expect("the action"))
}

/// Makes a repository in which `my_bot` was random at the tag `v1`, and its own release beside it.
fn repository() -> Workdir {
    let workdir = Workdir::new();
    let bot = |name: &str, command: &str| {
        fs::create_dir_all(workdir.path(name)).expect("a folder");
        workdir.write(
            &format!("{name}/bot.toml"),
            &format!("command = [{command}]\n"),
        );
    };
    let built_in = |name: &str| format!("{:?}, \"bot\", {name:?}", env!("CARGO_BIN_EXE_arena"));
    bot("repository/my_bot", &built_in("random"));
    bot(
        "repository/broken",
        "\"sh\", \"-c\", \"echo '<x> & no bot' >&2\"",
    );
    sh(
        &workdir,
        "repository",
        "git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm 1 && git tag v1",
    );
    bot("repository/my_bot", &built_in("minimax-ab"));
    bot("repository/new_bot", &built_in("random"));
    workdir.write(
        "repository/small.toml",
        "name = \"small\"\ngame = \"othello\"\ngames = 4\nsandbox = \"off\"\n[grade]\nthreshold = 0.5\n\
         [[bot]]\nuse = \"minimax-ab\"\noptions = { depth = 2 }\n",
    );
    // The last commit has a tag itself, as on the push of a tag.
    sh(
        &workdir,
        "repository",
        "git add . && git -c user.name=a -c user.email=a@b commit -qm 2 && git tag v2",
    );
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("arena-{version}-x86_64-unknown-linux-musl");
    let files = format!("releases/owner/arena/releases/download/v{version}");
    fs::create_dir_all(workdir.path(&files).join(&name)).expect("a folder");
    let program = env!("CARGO_BIN_EXE_arena");
    workdir.write(
        &format!("{files}/{name}/arena"),
        &format!("#!/bin/sh\nexec {program} \"$@\"\n"),
    );
    sh(
        &workdir,
        &files,
        &format!(
            "chmod +x {name}/arena && tar czf {name}.tar.gz {name} && sha256sum *.gz >SHA256SUMS"
        ),
    );
    workdir
}

fn sh(workdir: &Workdir, folder: &str, line: &str) {
    let output = workdir
        .shell(line)
        .current_dir(workdir.path(folder))
        .output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{line}: {}", both(&output));
}

/// Runs the steps of the action, as `actions/runner` does, until one fails.
fn run_action(workdir: &Workdir, folder: &str, inputs: &BTreeMap<&str, &str>) -> Output {
    let action = action();
    let server = format!("file://{}", workdir.path("releases").display());
    let value = |expression: &str| {
        let expression = expression.trim();
        match (expression, expression.strip_prefix("inputs.")) {
            ("github.server_url", _) => server.clone(),
            ("github.action_repository", _) => "owner/arena".to_owned(),
            (_, Some(name)) => {
                let input = &action["inputs"][name];
                assert!(!input.is_badvalue(), "no input {name}");
                let default = input["default"].as_str().unwrap_or_default();
                (*inputs.get(name).unwrap_or(&default)).to_owned()
            }
            _ => panic!("{expression}"),
        }
    };
    let evaluated = |text: &str| {
        let mut parts = text.split("${{");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |out, part| {
            let (expression, rest) = part.split_once("}}").expect("its end");
            out + &value(expression) + rest
        })
    };
    let mut last = None;
    for step in action["runs"]["steps"].as_vec().expect("steps") {
        assert_eq!(step["shell"].as_str(), Some("bash"));
        let script = workdir.write(
            "step.sh",
            &evaluated(step["run"].as_str().expect("a script")),
        );
        let mut command = workdir.command("bash");
        command
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail"])
            .arg(script)
            .current_dir(workdir.path(folder))
            .env("GITHUB_ACTION_PATH", ROOT)
            .env("GITHUB_STEP_SUMMARY", workdir.path("job.md"));
        for (name, text) in step["env"].as_hash().into_iter().flatten() {
            let text = text.as_str().expect("text");
            command.env(name.as_str().expect("a name"), evaluated(text));
        }
        let output = command.output().expect("it starts");
        let failed = !output.status.success();
        last = Some(output);
        if failed {
            break;
        }
    }
    last.expect("a step")
}

#[test]
fn the_steps_of_the_action_check_grade_and_compare() {
    let workdir = repository();
    for (inputs, exit, case, words) in cases::<Row>("ci") {
        let _ = fs::remove_file(workdir.path("job.md"));
        let pairs = inputs.split("; ").filter_map(|pair| pair.split_once('='));
        let output = run_action(&workdir, "repository", &pairs.collect());
        let said = both(&output);
        assert_eq!(output.status.code(), Some(exit), "{inputs}: {said}");
        assert_contains(&said, &[&words]);
        let report = workdir.path("repository/arena-report");
        let summary = fs::read_to_string(workdir.path("job.md")).unwrap_or_default();
        if case == "none" {
            assert!(summary.is_empty(), "{inputs}: {summary}");
            continue;
        }
        let kept = fs::read_to_string(report.join("summary.md")).expect("a summary");
        assert_eq!(summary, kept, "{inputs}");
        let junit = fs::read_to_string(report.join("junit.xml")).expect("a report");
        let junit = schema::check(&junit);
        let [failures, errors] = ["failure", "error"].map(|name| junit.all(name).count());
        let expected = [case == "failure", case == "error"].map(usize::from);
        assert_eq!([failures, errors], expected, "{inputs}");
        assert_eq!(junit.all("testcase").count(), 1, "{inputs}");
    }
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let workdir = repository();
    sh(
        &workdir,
        ".",
        "git clone -q --depth 1 file://$PWD/repository shallow",
    );
    sh(&workdir, "shallow", "git tag -d v2");
    let inputs = BTreeMap::from([("command", "sprt"), ("bot", "my_bot")]);
    let said = both(&run_action(&workdir, "shallow", &inputs));
    assert_contains(&said, &["fetch-depth: 0", "GIT_DEPTH: 0"]);
    let damaged =
        "for file in releases/owner/arena/releases/download/*/*.gz; do echo >>$file; done";
    sh(&workdir, ".", damaged);
    let output = run_action(&workdir, "repository", &inputs);
    assert_eq!(output.status.code(), Some(4));
    assert_contains(&both(&output), &["is damaged"]);
    // On another server, with the arena in the PATH.
    let script = Path::new(ROOT).join("ci/arena-ci.sh");
    let line = format!("sh {} check my_bot --game othello", script.display());
    sh(&workdir, "repository", &line);
    assert!(workdir.path("repository/arena-report/junit.xml").exists());
}

#[test]
fn the_examples_use_inputs_of_the_action() {
    let page = fs::read_to_string("docs/continuous-integration.md").expect("the page");
    let inputs = action();
    let mut used = 0;
    for block in page.split("```yaml\n").skip(1) {
        let example = yaml(block.split("```").next().unwrap_or_default());
        let steps = if example.is_array() {
            &example
        } else {
            &example["jobs"]["arena"]["steps"]
        };
        for step in steps.as_vec().into_iter().flatten() {
            let is_ours = step["uses"]
                .as_str()
                .is_some_and(|uses| uses.starts_with("OWNER/arena@v"));
            for name in step["with"]
                .as_hash()
                .into_iter()
                .flatten()
                .filter(|_| is_ours)
            {
                let name = name.0.as_str().expect("a name");
                assert!(!inputs["inputs"][name].is_badvalue(), "{name}");
                used += 1;
            }
        }
    }
    assert!(used > 5, "{used}");
}
