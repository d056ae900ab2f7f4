//! GNU parallel, on this machine or on others by ssh.

use super::job::{Call, Job};

/// Every block is a line of its input. Without hosts as many at a time as asked for; with hosts so many
/// on each. A block that ends with 75 is tried again.
pub(super) fn call(job: &Job, hosts: &[String]) -> Call {
    let mut words: Vec<String> = ["parallel", "--jobs"].map(str::to_owned).to_vec();
    words.push(job.at_once.to_string());
    words.extend(["--retries", "3", "--termseq", "TERM,30000,KILL,25"].map(str::to_owned));
    words.push("--joblog".to_owned());
    words.push(
        job.logs()
            .join("parallel.log")
            .to_string_lossy()
            .into_owned(),
    );
    for host in hosts {
        words.extend(["--sshlogin".to_owned(), host.clone()]);
    }
    // Parallel gives the words to a shell.
    let command = job.command(&["--index", "{}"]);
    let quoted = command.iter().map(|word| match word.as_str() {
        "{}" => word.clone(),
        word => shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into),
    });
    words.extend(quoted);
    let blocks: Vec<String> = job.blocks.iter().map(u64::to_string).collect();
    Call {
        words,
        input: blocks.join("\n") + "\n",
    }
}
