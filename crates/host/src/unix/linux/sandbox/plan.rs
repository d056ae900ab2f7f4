//! What the arena tells the process that makes the box, as words of a command line.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use crate::{Sandbox, Tier};

/// The word after the last of them.
const END: &str = "--";

/// All that is known of a box before it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the program may do.
    pub sandbox: Sandbox,
    /// Whether memory and processes are limited for each process, since nothing limits the whole.
    pub limits_each: bool,
    /// Whether the keeper reports that the program has started another process, since nothing counts the
    /// CPU time of the whole.
    pub watches_forks: bool,
    /// Files in which a process enters itself to be counted with the box.
    pub joins: Vec<PathBuf>,
    /// The group that the program enters, and that is stopped while the opponent thinks; `None`: it is
    /// already in it, or the keeper stops the box.
    pub held: Option<PathBuf>,
    /// The pipe by which the arena commands the keeper.
    pub control: PathBuf,
    /// The pipe by which the keeper reports.
    pub status: PathBuf,
    /// The user that the program becomes; `None`: it keeps the arena's user.
    pub user: Option<u32>,
    /// A folder for temporary files; `None`: the box has its own `/tmp`.
    pub private: Option<PathBuf>,
    /// Where the program starts; `None`: at the root.
    pub folder: Option<PathBuf>,
    /// Our own program.
    pub ourselves: PathBuf,
}

impl Plan {
    /// The words, with the one that ends them.
    pub fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let mut say = |key: &str, value: &OsStr| {
            let mut word = OsString::from(format!("{key}="));
            word.push(value);
            words.push(word);
        };
        let sandbox = &self.sandbox;
        say("tier", sandbox.tier.word().as_ref());
        for (key, paths) in [
            ("read", &sandbox.readable),
            ("write", &sandbox.writable),
            ("hide", &sandbox.hidden),
            ("join", &self.joins),
        ] {
            for path in paths {
                say(key, path.as_os_str());
            }
        }
        for (key, is_so) in [
            ("network", sandbox.network),
            ("builds", sandbox.builds),
            ("each", self.limits_each),
            ("forks", self.watches_forks),
        ] {
            if is_so {
                say(key, "yes".as_ref());
            }
        }
        for (key, limit) in [
            ("memory", sandbox.memory_mib),
            ("processes", sandbox.processes),
            ("disk", sandbox.disk_mib),
            ("user", self.user.map(u64::from)),
        ] {
            if let Some(limit) = limit {
                say(key, limit.to_string().as_ref());
            }
        }
        for (key, path) in [
            ("held", self.held.as_ref()),
            ("control", Some(&self.control)),
            ("status", Some(&self.status)),
            ("private", self.private.as_ref()),
            ("folder", self.folder.as_ref()),
            ("ourselves", Some(&self.ourselves)),
        ] {
            if let Some(path) = path {
                say(key, path.as_os_str());
            }
        }
        words.push(END.into());
        words
    }

    /// Reads the words up to the one that ends them; `None`: they are not ours.
    pub fn read(words: &mut impl Iterator<Item = OsString>) -> Option<Plan> {
        let mut plan = Plan {
            sandbox: Sandbox::new(Tier::Strict),
            limits_each: false,
            watches_forks: false,
            joins: Vec::new(),
            held: None,
            user: None,
            control: PathBuf::new(),
            status: PathBuf::new(),
            private: None,
            folder: None,
            ourselves: PathBuf::new(),
        };
        loop {
            let word = words.next()?;
            if word == END {
                return Some(plan);
            }
            let bytes = word.as_bytes();
            let equals = bytes.iter().position(|&byte| byte == b'=')?;
            let key = std::str::from_utf8(&bytes[..equals]).ok()?;
            let value = OsString::from_vec(bytes[equals + 1..].to_vec());
            plan.put(key, value)?;
        }
    }

    fn put(&mut self, key: &str, value: OsString) -> Option<()> {
        let sandbox = &mut self.sandbox;
        let number = || value.to_str()?.parse::<u64>().ok();
        match key {
            "tier" => sandbox.tier = Tier::from_word(value.to_str()?)?,
            "read" => sandbox.readable.push(value.into()),
            "write" => sandbox.writable.push(value.into()),
            "hide" => sandbox.hidden.push(value.into()),
            "join" => self.joins.push(value.into()),
            "network" => sandbox.network = true,
            "builds" => sandbox.builds = true,
            "each" => self.limits_each = true,
            "forks" => self.watches_forks = true,
            "memory" => sandbox.memory_mib = Some(number()?),
            "processes" => sandbox.processes = Some(number()?),
            "disk" => sandbox.disk_mib = Some(number()?),
            "user" => self.user = Some(number()?.try_into().ok()?),
            "held" => self.held = Some(value.into()),
            "control" => self.control = value.into(),
            "status" => self.status = value.into(),
            "private" => self.private = Some(value.into()),
            "folder" => self.folder = Some(value.into()),
            "ourselves" => self.ourselves = value.into(),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let path = |name: &[u8]| PathBuf::from(OsStr::from_bytes(name));
        let plan = Plan {
            sandbox: Sandbox {
                readable: vec![path(b"/a=b"), path(b"/not \xff text")],
                writable: vec!["/w".into()],
                hidden: vec!["--".into()],
                network: true,
                builds: true,
                memory_mib: Some(512),
                processes: None,
                disk_mib: Some(7),
                ..Sandbox::new(Tier::Standard)
            },
            limits_each: true,
            watches_forks: true,
            joins: vec!["/sys/fs/cgroup/x".into()],
            held: Some("/sys/fs/cgroup/x/held".into()),
            user: Some(0x7000_0001),
            control: "/proc/1/fd/3".into(),
            status: "/proc/1/fd/4".into(),
            private: None,
            folder: Some("/a=b".into()),
            ourselves: "/bin/arena".into(),
        };
        let mut words = plan.words().into_iter().chain(["program".into()]);
        assert_eq!(Plan::read(&mut words), Some(plan));
        assert_eq!(words.next(), Some("program".into()));
    }
}
