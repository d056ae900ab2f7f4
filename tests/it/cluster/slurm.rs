//! A real Slurm: a controller and two nodes of one core on this machine.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use super::{alone, free_port, games_in, plan, quick, tables};
use crate::common::asked::is_left_out;
use crate::common::{Workdir, assert_contains, both, once};

pub(super) struct Service(Child);

impl Service {
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
        // Sends TERM first, so that the program can end its children.
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

/// The test's own Slurm, in the test's folder. It ends with the test.
struct Slurm {
    nodes: Vec<Service>,
    _control: Service,
    _munged: Service,
    conf: String,
}

impl Slurm {
    pub fn start(workdir: &Workdir) -> Slurm {
        let folder = workdir.path("slurm");
        for part in ["", "state", "spool-n1", "spool-n2", "munge"] {
            fs::create_dir_all(folder.join(part)).expect("a folder");
        }
        let at = |name: &str| folder.join(name).display().to_string();
        let key: Vec<u8> = (0..=255).collect();
        fs::write(at("munge/key"), key).expect("a key");
        let private = |mode: &str, path: &str| {
            assert!(
                Command::new("chmod")
                    .args([mode, path])
                    .status()
                    .expect("chmod")
                    .success()
            );
        };
        private("600", &at("munge/key"));
        private("700", &at("munge"));
        let munge = [
            ("key-file", "munge/key"),
            ("socket", "munge/socket"),
            ("pid-file", "munge/pid"),
            ("log-file", "munge/log"),
            ("seed-file", "munge/seed"),
        ];
        let mut words = vec!["-F".to_owned(), "--force".to_owned()];
        words.extend(munge.map(|(option, name)| format!("--{option}={}", at(name))));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let munged = Service::start("/usr/sbin/munged", &words, &folder.join("munged.log"));
        once("munged answers", || folder.join("munge/socket").exists());
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a name");
        let host = host.trim().split('.').next().expect("a name").to_owned();
        let [control, one, two] = [free_port(), free_port(), free_port()];
        let folder = workdir.path("slurm").display().to_string();
        let conf = workdir.write(
            "slurm/slurm.conf",
            &format!(
                "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\n\
                 AuthType=auth/munge\nAuthInfo=socket={folder}/munge/socket\nCryptoType=crypto/munge\n\
                 SlurmUser=root\nSlurmdUser=root\nStateSaveLocation={folder}/state\n\
                 SlurmdSpoolDir={folder}/spool-%n\nSlurmctldPidFile={folder}/ctld.pid\n\
                 SlurmdPidFile={folder}/slurmd-%n.pid\nProctrackType=proctrack/linuxproc\n\
                 TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
                 ReturnToService=2\nMpiDefault=none\nSwitchType=switch/none\nKillWait=5\n\
                 SlurmctldPort={control}\n\
                 NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={one} CPUs=1 RealMemory=1000\n\
                 NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={two} CPUs=1 RealMemory=1000\n\
                 PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP\n"
            ),
        );
        let conf = conf.display().to_string();
        let slurm = Slurm {
            nodes: NODES.map(|name| node(workdir, &conf, name)).into(),
            _control: controller(workdir, &conf),
            _munged: munged,
            conf,
        };
        once("both nodes are idle", || {
            let nodes = slurm.call("sinfo", &["--noheader", "--format=%D %t"]);
            String::from_utf8_lossy(&nodes.stdout).trim() == "2 idle"
        });
        slurm
    }

    pub fn restart_node(&mut self, workdir: &Workdir, number: usize) {
        self.nodes[number].kill();
        kill_one_shard(workdir);
        self.nodes[number] = node(workdir, &self.conf, NODES[number]);
    }

    fn call(&self, program: &str, words: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.args(words).env("SLURM_CONF", &self.conf);
        command
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"))
    }

    pub fn submit(&self, workdir: &Workdir, more: &[&str]) -> String {
        let words = ["submit", "big", "--on", "slurm", "--minutes", "5"];
        let mut submit = workdir.arena(words.into_iter().chain(more.iter().copied()));
        let output = submit
            .env("SLURM_CONF", &self.conf)
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{}", both(&output));
        both(&output)
    }

    pub fn is_idle(&self) -> bool {
        let queue = self.call("squeue", &["--noheader"]);
        queue.status.success() && queue.stdout.is_empty()
    }
}

const NODES: [&str; 2] = ["n1", "n2"];

fn node(workdir: &Workdir, conf: &str, name: &str) -> Service {
    let log = workdir.path(format!("slurm/{name}.log"));
    Service::start("/usr/sbin/slurmd", &["-D", "-f", conf, "-N", name], &log)
}

fn controller(workdir: &Workdir, conf: &str) -> Service {
    let log = workdir.path("slurm/ctld.log");
    Service::start("/usr/sbin/slurmctld", &["-D", "-f", conf], &log)
}

/// Returns whether Slurm is installed and the user is root, because a node must run jobs as their users.
fn is_possible() -> bool {
    let user = Command::new("id").arg("-u").output().expect("id");
    let programs = ["slurmctld", "slurmd", "munged", "sbatch", "squeue", "sinfo"];
    !programs.into_iter().any(is_left_out) && user.stdout == b"0\n"
}

#[test]
fn slurm_plays_a_plan_through_the_death_of_a_shard_and_of_a_node() {
    if !is_possible() {
        return;
    }
    let workdir = Workdir::new();
    let mut slurm = Slurm::start(&workdir);
    // The run is long enough that games remain when the node dies.
    quick(&workdir, 4000, 3);
    plan(&workdir, "big", "200");
    assert_contains(
        &slurm.submit(&workdir, &["--at-once", "2"]),
        &["submitted: slurm"],
    );
    let begun = |block| games_in(&super::block_file(&workdir, "big", block)) > 20;
    once("the first block is played", || begun(0));
    // Slurm does not restart a killed shard; the other shards continue.
    let shards = crate::common::processes("/big --index");
    assert!(!shards.is_empty());
    kill_one_shard(&workdir);
    once("the third block is played", || begun(2));
    slurm.restart_node(&workdir, 1);
    once("nothing is left in the queue", || slurm.is_idle());
    slurm.submit(&workdir, &["--missing"]);
    once("nothing is left in the queue", || slurm.is_idle());
    let printed = slurm.submit(&workdir, &["--missing"]);
    assert_contains(&printed, &["every block is complete"]);
    workdir.succeed(["merge", "big"]);
    assert_eq!(tables(&workdir.path("big")), alone(&workdir));

    // A league can play its rounds by Slurm, too.
    workdir.succeed("league new club --anchors random,greedy --move-ms 2000".split(' '));
    workdir.succeed("new-bot --lang python ada".split(' '));
    workdir.succeed("league add club ada --owner ada".split(' '));
    let file = fs::read_to_string(workdir.path("club/league.toml")).expect("a league");
    workdir.write("club/league.toml", &format!("memory_mib = 128\n{file}"));
    let mut league = workdir.arena("league play club --games 16 --on slurm".split(' '));
    let output = league.env("SLURM_CONF", &slurm.conf).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", both(&output));
    assert_contains(
        &both(&output),
        &["submitted: slurm", "rounds: 2, games: 16"],
    );

    quick(&workdir, 4000, 4);
    fs::remove_dir_all(workdir.path("big")).expect("it is there");
    plan(&workdir, "big", "200");
    slurm.submit(&workdir, &["--at-once", "1"]);
    workdir.write("big/STOP", "enough\n");
    let mut merge = workdir.arena(["merge", "big", "--cancel"]);
    let output = merge
        .env("SLURM_CONF", &slurm.conf)
        .output()
        .expect("it starts");
    assert_contains(&both(&output), &["is cancelled"]);
    once("nothing is left in the queue", || slurm.is_idle());
    assert!(
        !super::block_file(&workdir, "big", 9).exists(),
        "the waiting jobs were cancelled"
    );
}

fn shards(workdir: &Workdir) -> Vec<String> {
    let folder = workdir.path("big").display().to_string();
    let all = fs::read_dir("/proc").expect("/proc").flatten();
    let is_shard = |path: &std::path::Path| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(&format!("shard {folder} --index"))
    };
    let shards = all.filter(|entry| is_shard(&entry.path()));
    shards
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

pub(super) fn kill_one_shard(workdir: &Workdir) -> bool {
    let Some(pid) = shards(workdir).into_iter().next() else {
        return false;
    };
    let killed = Command::new("kill").args(["-s", "KILL", &pid]).status();
    killed.is_ok_and(|status| status.success())
}
