//! The reads in the queues of the machine's disks (`Documentation/block/stat.rst` and `ABI/stable/sysfs-block` of the
//! kernel).

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// If a disk has at most this many reads, they are not waited for. Other programs often leave a few.
const FEW: u64 = 4;
const PAUSE: Duration = Duration::from_micros(200);

/// The counters of each disk, which are kept open because they are read at many plies. Disks without a device, such as
/// encrypted ones, pass their requests on to others.
static DISKS: LazyLock<Vec<Disk>> = LazyLock::new(|| {
    let folders = fs::read_dir("/sys/block").into_iter().flatten().flatten();
    folders
        .filter_map(|folder| Disk::of(&folder.path()))
        .collect()
});

struct Disk {
    /// The file `inflight`: the reads and the writes that the device has.
    begun: File,
    /// The file `stat`. Its first number is the reads that are done.
    counters: File,
    /// The most requests that wait in the kernel before the device gets them. No file shows their number.
    room: u64,
}

impl Disk {
    fn of(folder: &Path) -> Option<Disk> {
        folder.join("device").exists().then_some(())?;
        let room = fs::read_to_string(folder.join("queue/nr_requests")).ok()?;
        let open = |name| File::open(folder.join(name)).ok();
        Some(Disk {
            begun: open("inflight")?,
            counters: open("stat")?,
            room: room.trim().parse().ok()?,
        })
    }

    /// Returns when all reads that are in the queues now are done: if the device has few, or has done so many in all.
    fn goal(&self) -> Option<u64> {
        let begun = first_number(&self.begun)?;
        if begun <= FEW {
            return None;
        }
        Some(first_number(&self.counters)? + begun.max(self.room))
    }

    fn has_reached(&self, goal: u64) -> bool {
        first_number(&self.begun).is_none_or(|begun| begun <= FEW)
            || first_number(&self.counters).is_none_or(|done| done >= goal)
    }
}

fn first_number(file: &File) -> Option<u64> {
    let mut bytes = [0; 32];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = str::from_utf8(&bytes[..length]).ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Waits until the disks have done the reads that are in their queues now, such as those of processes that were stopped or
/// killed. Later reads of other programs are not waited for.
pub fn wait_for_disks(most: Duration) {
    let until = Instant::now() + most;
    for disk in &*DISKS {
        let Some(goal) = disk.goal() else { continue };
        while !disk.has_reached(goal) && Instant::now() < until {
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_reads_and_writes_of_other_programs_are_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a file");
        };
        fs::create_dir_all(folder.path().join("queue")).expect("a folder");
        fs::create_dir_all(folder.path().join("device")).expect("a folder");
        let look = |begun: u64, done: u64| {
            write("inflight", &format!("{begun:8} {:8}\n", 99));
            write("stat", &format!("{done:8} 9 9 9 9 9 9 9 {begun} 9 9\n"));
        };
        write("queue/nr_requests", "128\n");
        look(4, 1000);
        let disk = Disk::of(folder.path()).expect("a disk");
        assert_eq!(disk.goal(), None, "99 writes and 4 reads");
        look(70, 1000);
        let goal = disk.goal().expect("70 reads");
        let looks = [(70, 1000), (90, 1127), (90, 1128), (4, 1070)];
        let is_reached = looks.map(|(begun, done)| {
            look(begun, done);
            disk.has_reached(goal)
        });
        assert_eq!(is_reached, [false, false, true, true]);
    }
}
