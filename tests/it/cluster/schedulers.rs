//! What schedulers are told, and GNU parallel itself: here, and over ssh.

use std::fs;
use std::io::{Write, stderr};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::{alone, block_file, plan, play, quick, tables};
use crate::common::{Desk, once, says};

/// Whether these programs are installed; where `ARENA_ALL_LANGUAGES` is set they have to be.
pub fn are_there(programs: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = format!("{}:/usr/sbin", path.display());
    let is_there =
        |program: &&&str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let Some(missing) = programs.iter().find(|program| !is_there(program)) else {
        return true;
    };
    let what = format!("NOT TESTED: this needs {missing}");
    assert!(std::env::var_os("ARENA_ALL_LANGUAGES").is_none(), "{what}");
    let _ = writeln!(stderr(), "\n{what}\n");
    false
}

#[test]
fn slurm_gets_arrays_of_at_most_a_thousand_one_after_the_other() {
    let desk = Desk::new();
    quick(&desk, 4600, 1);
    plan(&desk, "big", "1");
    let printed = desk.succeed([
        "submit",
        "big",
        "--on",
        "slurm",
        "--print",
        "--minutes",
        "90",
    ]);
    let calls: Vec<&str> = printed.lines().collect();
    assert_eq!(calls.len(), 3, "{printed}");
    says(
        calls[0],
        &[
            "sbatch --parsable",
            "--array=0-999%64",
            "--requeue",
            "--signal=B:TERM@30",
        ],
    );
    says(
        calls[0],
        &[
            "--cpus-per-task=1",
            "--time=90",
            "SLURM_ARRAY_TASK_ID + 0))",
        ],
    );
    says(
        calls[1],
        &[
            "--array=0-999%64",
            "--dependency=afterany:{previous}",
            "_ID + 1000))",
        ],
    );
    says(calls[2], &["--array=0-299%64", "_ID + 2000))"]);
    for block in [0, 1, 5] {
        play(&desk, "big", block);
    }
    let more = [
        "--missing",
        "--at-once",
        "8",
        "--partition",
        "long",
        "--memory-mib",
        "900",
    ];
    let words = ["submit", "big", "--on", "slurm", "--print"]
        .into_iter()
        .chain(more);
    let printed = desk.succeed(words);
    says(
        &printed,
        &["--array=2-4,6-999%8", "--partition=long", "--mem=900M"],
    );
}

/// The fields that a type of Kubernetes 1.29 has, from its published API description
/// (api/openapi-spec/v3/apis__batch__v1_openapi.json), as far as the manifest uses the type.
const FIELDS: [(&str, &[&str]); 4] = [
    ("", &["apiVersion", "kind", "metadata", "spec", "status"]),
    (
        "/spec",
        &[
            "activeDeadlineSeconds",
            "backoffLimit",
            "backoffLimitPerIndex",
            "completionMode",
            "completions",
            "manualSelector",
            "maxFailedIndexes",
            "parallelism",
            "podFailurePolicy",
            "podReplacementPolicy",
            "selector",
            "suspend",
            "template",
            "ttlSecondsAfterFinished",
        ],
    ),
    (
        "/spec/podFailurePolicy/rules/0",
        &["action", "onExitCodes", "onPodConditions"],
    ),
    (
        "/spec/podFailurePolicy/rules/1/onExitCodes",
        &["containerName", "operator", "values"],
    ),
];

#[test]
fn kubernetes_gets_an_indexed_job() {
    let desk = Desk::new();
    quick(&desk, 12, 1);
    plan(&desk, "big", "2");
    let words = ["submit", "big", "--on", "kubernetes", "--print"];
    says(&desk.exits(2, words), &["needs an image", "--image"]);
    play(&desk, "big", 1);
    let more = [
        "--missing",
        "--image",
        "mine/arena:1",
        "--claim",
        "plans",
        "--sub-path",
        "big",
    ];
    let printed = desk.succeed(words.into_iter().chain(more).chain(["--minutes", "30"]));
    let (call, manifest) = printed.split_once('\n').expect("a call and a manifest");
    says(call, &["kubectl create"]);
    let manifest = manifest.strip_suffix("END\n").expect("its end");
    let job: Value = serde_json::from_str(manifest).expect("JSON");
    for (place, fields) in FIELDS {
        let object = job
            .pointer(place)
            .and_then(Value::as_object)
            .expect("an object");
        for field in object.keys() {
            assert!(fields.contains(&field.as_str()), "{place} has no {field}");
        }
    }
    for (place, value) in [
        ("/apiVersion", "batch/v1".into()),
        ("/spec/completionMode", "Indexed".into()),
        ("/spec/completions", 2.into()),
        ("/spec/backoffLimitPerIndex", 3.into()),
        (
            "/spec/podFailurePolicy/rules/0/onPodConditions/0/type",
            "DisruptionTarget".into(),
        ),
        // Both are required where that policy is used.
        ("/spec/template/spec/restartPolicy", "Never".into()),
        (
            "/spec/podFailurePolicy/rules/1/onExitCodes/operator",
            "In".into(),
        ),
        ("/spec/template/spec/activeDeadlineSeconds", 1800.into()),
        (
            "/spec/template/spec/volumes/0/persistentVolumeClaim/claimName",
            "plans".into(),
        ),
    ] {
        assert_eq!(job.pointer(place), Some(&value), "{place}");
    }
    // Its pods count from 0, and play these blocks: as the container would.
    let command = &job["spec"]["template"]["spec"]["containers"][0]["command"];
    assert_eq!(
        *command,
        serde_json::json!(["arena", "shard", "/plan", "--of", "0,2"])
    );
    let mut pod = desk.arena(["shard", "big", "--of", "0,2"]);
    let status = pod
        .env("JOB_COMPLETION_INDEX", "1")
        .output()
        .expect("it starts")
        .status;
    assert!(status.success());
    assert_eq!(super::games_in(&block_file(&desk, "big", 2)), 4);
}

#[test]
fn gnu_parallel_plays_a_plan_and_then_what_is_missing() {
    if !are_there(&["parallel"]) {
        return;
    }
    let desk = Desk::new();
    quick(&desk, 24, 1);
    plan(&desk, "big", "2");
    let words = ["submit", "big", "--on", "parallel", "--at-once", "2"];
    desk.succeed(words);
    fs::remove_file(block_file(&desk, "big", 4)).expect("it was played");
    desk.succeed(words.into_iter().chain(["--missing"]));
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}

/// A program that is ended with the test.
pub struct Service(Child);

impl Service {
    /// Starts it; what it says goes to `log`.
    pub fn start(program: &str, words: &[&str], log: &Path) -> Service {
        let log = fs::File::create(log).expect("a log");
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null());
        let second = log.try_clone().expect("a second handle");
        let child = command.stdout(log).stderr(second).spawn();
        Service(child.unwrap_or_else(|error| panic!("{program}: {error}")))
    }

    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let pid = self.pid().to_string();
        // Asked first: it may have processes of its own.
        let _ = Command::new("kill").args(["-s", "TERM", &pid]).status();
        let start = std::time::Instant::now();
        while let Ok(None) = self.0.try_wait()
            && start.elapsed().as_secs() < 5
        {
            std::thread::yield_now();
        }
        self.kill();
    }
}

/// A port of this machine that nobody listens to.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn hosts_play_over_ssh() {
    // A server of the test's own, for whoever runs the test; as root it needs a folder of the system's.
    let sshd = "/usr/sbin/sshd";
    if !are_there(&["parallel", "sshd", "ssh", "ssh-keygen"]) {
        return;
    }
    let _ = fs::create_dir_all("/run/sshd");
    let desk = Desk::new();
    for key in ["host", "user"] {
        let path = desk.path(key).display().to_string();
        let words = ["-q", "-t", "ed25519", "-N", "", "-f", &path];
        assert!(
            Command::new("ssh-keygen")
                .args(words)
                .status()
                .expect("it starts")
                .success()
        );
    }
    let (port, folder) = (free_port(), desk.path("").display().to_string());
    desk.write(
        "sshd_config",
        &format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}host\nPidFile none\nUsePAM no\n\
             StrictModes no\nPasswordAuthentication no\nAuthorizedKeysFile {folder}user.pub\n"
        ),
    );
    let config = desk.path("sshd_config").display().to_string();
    let _server = Service::start(sshd, &["-D", "-e", "-f", &config], &desk.path("sshd.log"));
    once("the server listens", || {
        std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    desk.write(
        "ssh_config",
        &format!(
            "Host one two\nHostName 127.0.0.1\nPort {port}\nIdentityFile {folder}user\n\
             IdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile {folder}known\nLogLevel ERROR\n"
        ),
    );
    quick(&desk, 24, 1);
    plan(&desk, "big", "2");
    let ssh = |host| format!("ssh -F {folder}ssh_config {host}");
    let place = format!("ssh:{},{}", ssh("one"), ssh("two"));
    let output = desk.run(["submit", "big", "--on", &place, "--at-once", "1"]);
    let server = fs::read_to_string(desk.path("sshd.log")).unwrap_or_default();
    assert!(
        output.status.success(),
        "{}\n{server}",
        crate::common::both(&output)
    );
    let log = fs::read_to_string(desk.path("big/logs/parallel.log")).expect("a log");
    says(&log, &["one", "two"]);
    desk.succeed(["merge", "big"]);
    assert_eq!(tables(&desk.path("big")), alone(&desk));
}
