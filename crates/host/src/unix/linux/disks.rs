//! The queues of the machine's disks (`Documentation/block/stat.rst` of the kernel).

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// If a disk has at most this many requests, they are not waited for. Other programs often leave a few.
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
    counters: File,
    /// The most requests that wait in the kernel before the device gets them.
    room: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Requests {
    done: u64,
    /// Those that are not done. Before Linux 6.15, those that wait in the kernel do not count. The file `inflight` would
    /// tell reads from writes, but it has only what is in the device.
    begun: u64,
}

impl Disk {
    fn of(folder: &Path) -> Option<Disk> {
        folder.join("device").exists().then_some(())?;
        let room = fs::read_to_string(folder.join("queue/nr_requests")).ok()?;
        Some(Disk {
            counters: File::open(folder.join("stat")).ok()?,
            room: room.trim().parse().ok()?,
        })
    }

    fn requests(&self) -> Option<Requests> {
        let mut bytes = [0; 512];
        let length = self.counters.read_at(&mut bytes, 0).ok()?;
        Requests::from_counters(str::from_utf8(&bytes[..length]).ok()?)
    }
}

impl Requests {
    /// The first and the fifth number are the reads and writes that are done, the ninth is what is not done.
    fn from_counters(text: &str) -> Option<Requests> {
        let numbers: Option<Vec<u64>> = text.split_whitespace().map(|n| n.parse().ok()).collect();
        let [reads, _, _, _, writes, _, _, _, begun, ..] = numbers?[..] else {
            return None;
        };
        Some(Requests {
            done: reads + writes,
            begun,
        })
    }

    /// Returns whether a disk has done all requests that it or the kernel had at an earlier time.
    fn are_after(self, earlier: Requests, room: u64) -> bool {
        self.begun <= FEW || self.done >= earlier.done + earlier.begun.max(room)
    }
}

/// Waits until the disks have done what is in their queues now, such as reads of processes that were stopped or killed.
/// Later requests of other programs are not waited for.
pub fn wait_for_disks(most: Duration) {
    let until = Instant::now() + most;
    for disk in &*DISKS {
        let Some(earlier) = disk.requests() else {
            continue;
        };
        while disk
            .requests()
            .is_some_and(|now| !now.are_after(earlier, disk.room))
            && Instant::now() < until
        {
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_others_that_come_later_are_not_waited_for() {
        let looks = [
            "100 9 9 9 50 9 9 9 70 9 9 9 9 9 9 9 9\n",
            "120 9 9 9 50 9 9 9 90 9 9\n",
            "200 9 9 9 77 9 9 9 90 9 9\n",
            "200 9 9 9 78 9 9 9 90 9 9\n",
            "130 9 9 9 50 9 9 9 4 9 9\n",
        ];
        let looks = looks.map(|text| Requests::from_counters(text).expect("counters"));
        let is_over = looks.map(|now| now.are_after(looks[0], 128));
        assert_eq!(is_over, [false, false, false, true, true]);
        assert_eq!(Requests::from_counters("1 2 3"), None);
    }
}
