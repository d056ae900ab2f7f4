//! Programs that compete for the first core.

use std::process::{Child, Command, Stdio};

/// Returns the first core that this test may use, in the format of `taskset`.
pub fn first_core() -> String {
    let pid = std::process::id().to_string();
    let output = Command::new("taskset").args(["-cp", &pid]).output();
    let output = output.expect("taskset is part of util-linux").stdout;
    let text = String::from_utf8(output).expect("text");
    // The output: pid 17's current affinity list: 2,5-7
    let cores = text.trim().rsplit(' ').next().unwrap_or_default();
    let first = cores.split([',', '-']).next().unwrap_or_default();
    assert!(first.parse::<u32>().is_ok(), "{text}");
    first.to_owned()
}

pub struct Crowd(Vec<Child>);

impl Crowd {
    pub fn on_the_first_core(size: usize) -> Crowd {
        let spinner = || {
            // Linux first divides a core among sessions. Like a sandboxed bot, each program here has its own session.
            Command::new("setsid")
                .args(["taskset", "-c", &first_core()])
                .args(["sh", "-c", "while :; do :; done"])
                .stdin(Stdio::null())
                .spawn()
                .expect("taskset is part of util-linux")
        };
        Crowd((0..size).map(|_| spinner()).collect())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            child.kill().expect("our own child");
            child.wait().expect("our own child");
        }
    }
}
