//! Evaluates the system's data on processes, and watches a process until its end. Nothing here needs a Mac.

use std::collections::BTreeSet;
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::super::reaper::Tag;
use super::{Facts, Machine};

pub fn is_ready(machine: &impl Machine, process: i32) -> bool {
    let facts = machine.facts(process);
    facts.is_some_and(|facts| facts.ready_threads > 0)
}

/// Returns whether a member of the process group of `leader` is ready. The system does not report waits for a disk.
pub fn is_group_at_work(machine: &impl Machine, leader: i32) -> bool {
    is_ready(machine, leader) || members(machine, leader).any(|facts| facts.ready_threads > 0)
}

/// Returns the CPU time of the group's living members without the leader. The system does not report ended children.
pub fn cpu_of_children(machine: &impl Machine, leader: i32) -> Duration {
    members(machine, leader).map(|facts| facts.cpu).sum()
}

pub fn children_of(machine: &impl Machine, leader: i32) -> usize {
    let lives = |facts: &Facts| !facts.is_zombie;
    members(machine, leader).filter(lives).count()
}

fn members(machine: &impl Machine, leader: i32) -> impl Iterator<Item = Facts> {
    let others = machine
        .processes()
        .into_iter()
        .filter(move |&process| process != leader);
    let facts = others.filter_map(|process| machine.facts(process));
    facts.filter(move |facts| facts.group == leader)
}

/// Returns the processes with this tag. Does not find the system's own programs, which do not show their environment.
pub fn tagged(machine: &impl Machine, tag: &Tag) -> Vec<i32> {
    let has = |process: &i32| tag.is_in(environment(&machine.arguments(*process)));
    machine.processes().into_iter().filter(has).collect()
}

pub fn kill_tagged(machine: &impl Machine, tag: &Tag) {
    let mut killed = BTreeSet::new();
    loop {
        let before = killed.len();
        killed.extend(
            tagged(machine, tag)
                .into_iter()
                .filter(|&process| machine.kill(process)),
        );
        if killed.len() == before {
            return;
        }
    }
}

/// Returns the environment in an answer to `KERN_PROCARGS2`: the number of arguments, the program's path, zero bytes,
/// arguments, environment. Each text ends with a zero byte (`bsd/kern/kern_sysctl.c` of XNU).
fn environment(answer: &[u8]) -> &[u8] {
    let Some((count, rest)) = answer.split_first_chunk() else {
        return &[];
    };
    let count = u32::from_ne_bytes(*count);
    let rest = past_text(rest);
    let padding = rest.iter().take_while(|&&byte| byte == 0).count();
    (0..count).fold(&rest[padding..], |rest, _| past_text(rest))
}

fn past_text(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == 0);
    end.map_or(&[], |end| &bytes[end + 1..])
}

const STACK: usize = 64 * 1024;

/// A descriptor that can be read once the process has ended: a thread waits for the end and then closes a pipe. A queue
/// of kernel events (`kqueue`) would need no thread, but cannot be tested without a Mac.
#[derive(Debug)]
pub struct Life(PipeReader);

impl Life {
    /// Does not reap the child `pid`: the caller must call [`std::process::Child::wait`].
    pub fn of(pid: Pid) -> io::Result<Life> {
        let (reader, writer) = io::pipe()?;
        let watch = move || {
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), how), Err(Errno::INTR)) {}
            drop(writer);
        };
        let thread = thread::Builder::new().name(format!("life of {pid}"));
        thread.stack_size(STACK).spawn(watch)?;
        Ok(Life(reader))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::process::{Command, Stdio};

    /// A simulated machine. Killing one of its processes can start another.
    #[derive(Default)]
    struct Double {
        living: RefCell<BTreeMap<i32, (Facts, Vec<u8>)>>,
        born_at_a_death: RefCell<Vec<(i32, Facts, Vec<u8>)>>,
    }

    impl Machine for Double {
        fn processes(&self) -> Vec<i32> {
            self.living.borrow().keys().copied().collect()
        }

        fn facts(&self, process: i32) -> Option<Facts> {
            Some(self.living.borrow().get(&process)?.0.clone())
        }

        fn arguments(&self, process: i32) -> Vec<u8> {
            let living = self.living.borrow();
            living
                .get(&process)
                .map_or_else(Vec::new, |(_, answer)| answer.clone())
        }

        fn kill(&self, process: i32) -> bool {
            if let Some((number, facts, answer)) = self.born_at_a_death.borrow_mut().pop() {
                self.living.borrow_mut().insert(number, (facts, answer));
            }
            self.living.borrow_mut().remove(&process).is_some()
        }
    }

    fn facts(group: i32, cpu_ms: u64) -> Facts {
        Facts {
            group,
            is_zombie: false,
            ready_threads: 0,
            cpu: Duration::from_millis(cpu_ms),
        }
    }

    fn answer(variable: &str) -> Vec<u8> {
        let texts =
            format!("/bin/bot\0\0\0\0\0\0\0\0bot\0ARENA_BOT=in an argument\0HOME=/\0{variable}\0");
        [&2_u32.to_ne_bytes(), texts.as_bytes()].concat()
    }

    #[test]
    fn the_environment_begins_after_the_arguments() {
        let bytes = answer("ARENA_BOT=7-1.");
        assert_eq!(environment(&bytes), b"HOME=/\0ARENA_BOT=7-1.\0");
        // A system program without an environment, and two answers that were cut.
        assert_eq!(environment(b"\x01\0\0\0/bin/sh\0\0sh\0"), b"");
        assert_eq!(environment(b"\x09\0\0\0/bin/sh\0\0sh\0"), b"");
        assert_eq!(environment(b"\x01\0"), b"");
    }

    #[test]
    fn the_group_without_its_leader_is_counted() {
        let zombie = Facts {
            is_zombie: true,
            ..facts(10, 1)
        };
        let ready = Facts {
            ready_threads: 2,
            ..facts(99, 1000)
        };
        let table = [
            (10, facts(10, 5)),
            (11, facts(10, 20)),
            (12, zombie),
            (13, ready),
        ];
        let machine = Double::default();
        for (number, facts) in table {
            machine
                .living
                .borrow_mut()
                .insert(number, (facts, Vec::new()));
        }
        assert_eq!(children_of(&machine, 10), 1);
        assert_eq!(cpu_of_children(&machine, 10), Duration::from_millis(21));
        assert_eq!(
            [10, 13, 14].map(|process| is_ready(&machine, process)),
            [false, true, false]
        );
        // The only ready process belongs to group 99; give group 10 a ready member, too.
        let ready = Facts {
            ready_threads: 1,
            ..facts(10, 0)
        };
        assert_eq!(
            [10, 99].map(|leader| is_group_at_work(&machine, leader)),
            [false, true]
        );
        let mut living = machine.living.borrow_mut();
        living.insert(14, (ready, Vec::new()));
        drop(living);
        assert!(is_group_at_work(&machine, 10));
    }

    #[test]
    fn processes_that_start_during_the_kill_are_killed_too() {
        let (tag, other) = (Tag::new(), Tag::new());
        let with = |tag: &Tag| answer(&format!("ARENA_BOT={}", tag.text()));
        let machine = Double::default();
        for (number, tag) in [(1, &tag), (2, &other), (3, &tag)] {
            machine
                .living
                .borrow_mut()
                .insert(number, (facts(number, 0), with(tag)));
        }
        machine
            .born_at_a_death
            .borrow_mut()
            .push((4, facts(4, 0), with(&tag)));
        assert_eq!(tagged(&machine, &tag), [1, 3]);
        kill_tagged(&machine, &tag);
        assert_eq!(machine.processes(), [2]);
    }

    fn has_ended(life: &Life, limit_s: i64) -> bool {
        let limit = Timespec {
            tv_sec: limit_s,
            tv_nsec: 0,
        };
        let mut polled = [PollFd::from_borrowed_fd(life.fd(), PollFlags::IN)];
        poll(&mut polled, Some(&limit)).expect("a poll") == 1
    }

    #[test]
    fn the_end_of_a_process_is_seen_and_its_status_is_kept() {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .spawn()
            .expect("cat");
        let life = Life::of(Pid::from_child(&child)).expect("a thread");
        assert!(!has_ended(&life, 0), "it waits for its input");
        drop(child.stdin.take());
        assert!(has_ended(&life, 60));
        assert!(child.wait().expect("its status").success());
    }
}
