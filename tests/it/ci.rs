//! Tests `action.yml` and `ci/arena-ci.sh`: for each row of `ci.csv`, runs the step as GitHub's runner does.

use std::collections::BTreeMap;
use std::fs;

use cases::cases;
use yaml_rust2::{Yaml, YamlLoader};

use crate::common::{Workdir, assert_contains, both};

#[path = "../../crates/run/src/report/grade/junit_schema.rs"]
mod schema;

/// A command to run before the step, the inputs as `name=value; name=value`, the exit code, the outcome of the only
/// test case in `junit.xml` (`none`: no file), and words of the output.
type CiCase = (String, String, i32, String, String);

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the text with the values of its expressions `${{ … }}`.
fn evaluated(text: &Yaml, action: &Yaml, given: &BTreeMap<&str, &str>, server: &str) -> String {
    let mut parts = text.as_str().expect("text").split("${{ ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| {
        let (expression, rest) = part.split_once(" }}").expect("its end");
        let value = match expression.split_once('.').expect("a context") {
            ("github", "server_url") => server,
            ("github", "action_repository") => "owner/arena",
            ("inputs", name) => given
                .get(name)
                .copied()
                .or(action["inputs"][name]["default"].as_str())
                .unwrap_or_default(),
            _ => panic!("{expression}"),
        };
        out + value + rest
    })
}

#[test]
fn the_step_of_the_action_checks_grades_and_compares() {
    let workdir = Workdir::new();
    let made = workdir
        .command("sh")
        .arg(format!("{ROOT}/tests/cases/ci.sh"))
        .args([env!("CARGO_BIN_EXE_arena"), env!("CARGO_PKG_VERSION")])
        .output()
        .expect("it starts");
    assert!(made.status.success(), "{}", both(&made));
    let text = fs::read_to_string("action.yml").expect("the action");
    let action = YamlLoader::load_from_str(&text).expect("YAML").remove(0);
    let server = format!("file://{}", workdir.path("").display());
    let repository = workdir.path("repository");
    for (before, inputs, exit, case, words) in cases::<CiCase>("ci") {
        let given: BTreeMap<_, _> = inputs
            .split("; ")
            .filter_map(|pair| pair.split_once('='))
            .collect();
        for name in given.keys() {
            assert!(!action["inputs"][*name].is_badvalue(), "no input {name}");
        }
        let evaluated = |text: &Yaml| evaluated(text, &action, &given, &server);
        let [step] = &action["runs"]["steps"].as_vec().expect("steps")[..] else {
            panic!("one step is expected");
        };
        assert_eq!(step["shell"].as_str(), Some("bash"));
        workdir.write("job.md", "");
        workdir.write("step.sh", &evaluated(&step["run"]));
        // GitHub's runner starts `shell: bash` with these options.
        let line = format!("{before}\nexec bash --noprofile --norc -e -o pipefail ../step.sh");
        let mut command = workdir.command("sh");
        command.args(["-c", &line]).current_dir(&repository);
        command.env("GITHUB_ACTION_PATH", ROOT);
        command.env("GITHUB_STEP_SUMMARY", workdir.path("job.md"));
        for (name, text) in step["env"].as_hash().expect("variables") {
            command.env(name.as_str().expect("a name"), evaluated(text));
        }
        let output = command.output().expect("it starts");
        let printed = both(&output);
        assert_eq!(output.status.code(), Some(exit), "{inputs}: {printed}");
        assert_contains(&printed, &[&words]);
        let summary = fs::read_to_string(workdir.path("job.md")).expect("a summary");
        if case == "none" {
            assert!(summary.is_empty(), "{inputs}: {summary}");
            continue;
        }
        let file = |name| fs::read_to_string(repository.join("arena-report").join(name));
        assert_eq!(summary, file("summary.md").expect("a summary"), "{inputs}");
        let junit = schema::check(&file("junit.xml").expect("a report"));
        let counts =
            ["testcase", "failure", "error"].map(|name| junit.get(name).copied().unwrap_or(0));
        let expected = [true, case == "failure", case == "error"].map(usize::from);
        assert_eq!(counts, expected, "{inputs}");
    }
}
