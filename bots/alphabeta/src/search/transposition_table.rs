//! The transposition table: results of positions that were searched before.
//!
//! An entry has 16 bytes; four entries are a bucket (one cache line). The first word is the key xored with the second
//! word. So threads share the table without locks: an entry that two threads wrote at once does not match (R. Hyatt,
//! T. Mann, "A lock-less transposition table implementation", 2002).
//!
//! An entry has a lower and an upper bound. Entries of earlier searches are replaced first, then shallow entries.
//!
//! A table begins small, and grows when one search has filled a quarter of it. So short searches stay in the processor's
//! caches: a cache miss takes longer than searching the position again. It grows by one bucket at a time (W. Litwin,
//! "Linear hashing", 1980): a table that doubled at once copied entries for 20 to 40 ms, and the bot lost on time.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};

use bytemuck::Zeroable;

use super::memory::ask_for_huge_pages;
use super::numbers::{Depth, INFINITE, Move, Score};
use super::window::Window;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    pub lower: Score,
    pub upper: Score,
    pub best: Move,
    /// The [draft](super::SearchPosition::draft) of the search, 0 to 255.
    pub depth: Depth,
}

impl TableEntry {
    /// Returns the score that makes a search of `depth` in `window` unnecessary, if this entry has one.
    #[inline]
    pub fn cutoff(&self, depth: Depth, window: Window) -> Option<Score> {
        if self.depth < depth {
            return None;
        }
        if window.fail_high(self.lower) || self.lower == self.upper {
            return Some(self.lower);
        }
        window.fail_low(self.upper).then_some(self.upper)
    }

    fn pack(self, age: u8) -> u64 {
        u64::from(self.lower as u16)
            | u64::from(self.upper as u16) << 16
            | u64::from(self.best.0) << 32
            | u64::from(self.depth as u8) << 48
            | u64::from(age) << 56
    }

    fn unpack(data: u64) -> TableEntry {
        TableEntry {
            lower: Score::from(data as u16 as i16),
            upper: Score::from((data >> 16) as u16 as i16),
            best: Move((data >> 32) as u16),
            depth: Depth::from((data >> 48) as u8),
        }
    }
}

const fn age_of(data: u64) -> u8 {
    (data >> 56) as u8
}

const fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline]
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    #[inline]
    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The number of slots in a bucket, and of bytes in a cache line.
const WAYS: usize = 4;
const LINE: usize = WAYS * size_of::<Slot>();

/// Buckets of a new table: 256 KiB.
const AT_FIRST: usize = 4096;

/// The fewest buckets (4 MiB) of a table with huge pages. A smaller table fits in the TLB and is allocated faster.
const HUGE_FROM: usize = 1 << 16;

/// A value on its own cache lines. It is written often, while other threads constantly read the neighbouring data.
#[repr(align(128))]
struct Apart<T>(T);

/// A table that grows up to a limit, shared by the threads of a search.
pub struct TranspositionTable {
    /// The slots. Pages that were never touched take no memory.
    slots: Box<[Slot]>,
    /// The index of the first slot on a cache line boundary.
    first: usize,
    most: usize,
    /// The number of buckets in use. Their indices are keys modulo the power of two that is not below this number; for
    /// an index without a bucket, modulo half of it.
    buckets: AtomicUsize,
    /// The number of slots that the current search filled. Approximate if threads share the table.
    filled: Apart<AtomicUsize>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates a table of at most `mib` MiB (at least 64 KiB).
    pub fn new(mib: usize) -> TranspositionTable {
        let wanted = (mib << 20) / LINE;
        let most = if wanted < 1024 {
            1024
        } else {
            1 << wanted.ilog2()
        };
        let slots = bytemuck::zeroed_slice_box::<Slot>((most + 1) * WAYS);
        TranspositionTable {
            first: slots.as_ptr().align_offset(LINE).min(WAYS),
            slots,
            most,
            buckets: AtomicUsize::new(most.min(AT_FIRST)),
            filled: Apart(AtomicUsize::new(0)),
            age: AtomicU8::new(1),
        }
    }

    pub fn clear(&self) {
        let used = self.buckets.load(Relaxed);
        for slot in (0..used).flat_map(|number| self.numbered(number)) {
            slot.store(0, 0);
        }
        self.buckets.store(self.most.min(AT_FIRST), Relaxed);
        self.filled.0.store(0, Relaxed);
        self.age.store(1, Relaxed);
    }

    pub fn grow_older(&self) {
        // Age 0 marks an empty slot.
        let age = self.age.load(Relaxed);
        self.age.store(age.checked_add(1).unwrap_or(1), Relaxed);
        self.filled.0.store(0, Relaxed);
    }

    #[inline]
    fn numbered(&self, number: usize) -> &[Slot; WAYS] {
        let from = &self.slots[self.first + number * WAYS..];
        from.first_chunk().expect("there is a bucket to spare")
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; WAYS] {
        let buckets = self.buckets.load(Relaxed);
        let mask = usize::MAX >> (buckets - 1).leading_zeros();
        let at = key as usize & mask;
        self.numbered(if at < buckets { at } else { at & (mask >> 1) })
    }

    #[inline]
    fn note_filled(&self) {
        let buckets = self.buckets.load(Relaxed);
        if buckets == self.most {
            return;
        }
        let filled = self.filled.0.load(Relaxed) + 1;
        self.filled.0.store(filled, Relaxed);
        if filled > buckets * WAYS / 4 {
            self.grow(buckets);
        }
    }

    /// Adds a bucket to a table of `buckets` buckets, and moves the entries that belong there. Concurrent writes of other
    /// threads may be lost.
    #[cold]
    fn grow(&self, buckets: usize) {
        let half = 1 << buckets.ilog2();
        // The request must come before the first access, which would map small pages. A second request does no harm.
        if buckets == half && half >= HUGE_FROM {
            let from = self.first + buckets * WAYS;
            ask_for_huge_pages(&self.slots[from..from + buckets * WAYS]);
        }
        let swap = self
            .buckets
            .compare_exchange(buckets, buckets + 1, Relaxed, Relaxed);
        if swap.is_err() {
            return;
        }
        let slots = self.numbered(buckets - half).iter();
        for (from, to) in slots.zip(self.numbered(buckets)) {
            let (key, data) = from.load();
            if data != 0 && key as usize & half != 0 {
                to.store(key, data);
                from.store(0, 0);
            }
        }
    }

    #[inline]
    pub fn prefetch(&self, key: u64) {
        super::memory::prefetch(self.bucket(key));
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let (stored, data) = slot.load();
            (stored == key && data != 0).then(|| TableEntry::unpack(data))
        })
    }

    /// Stores the result of a search. Keeps tighter bounds of an earlier search of the same depth.
    pub fn store(&self, key: u64, depth: Depth, window: Window, score: Score, best: Move) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        let mut old = None;
        for slot in bucket {
            let (stored, data) = slot.load();
            if stored == key && data != 0 {
                old = Some(TableEntry::unpack(data));
                victim = slot;
                break;
            }
            let worth = u32::from(depth_of(data)) + if age_of(data) == age { 256 } else { 0 };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let mut entry = TableEntry {
            lower: if window.fail_low(score) {
                -INFINITE
            } else {
                score
            },
            upper: if window.fail_high(score) {
                INFINITE
            } else {
                score
            },
            best,
            depth,
        };
        if let Some(old) = old {
            if old.depth == depth && old.lower <= entry.upper && old.upper >= entry.lower {
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
            }
            if best == Move::NONE || (window.fail_low(score) && old.best != Move::NONE) {
                entry.best = old.best;
            }
        }
        let replaced = age_of(victim.load().1);
        victim.store(key, entry.pack(age));
        if replaced != age {
            self.note_filled();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_entry_is_found() {
        let table = TranspositionTable::new(1);
        let window = Window::new(-10, 10);
        for (key, score, lower, upper) in [
            (1, -20, -INFINITE, -20),
            (2, 5, 5, 5),
            (3, 10, 10, INFINITE),
        ] {
            table.store(key, 7, window, score, Move(63));
            let entry = table.probe(key).expect("just stored");
            assert_eq!((entry.lower, entry.upper), (lower, upper), "{score}");
            assert_eq!((entry.best, entry.depth), (Move(63), 7));
        }
        assert_eq!(table.probe(4), None);
        table.clear();
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn a_growing_table_keeps_its_entries() {
        let table = TranspositionTable::new(4);
        // The table has room for 262,144 entries. While it grows, its size is no power of two.
        for most in [20_000u64, 50_000, 100_000] {
            // An odd factor spreads the keys evenly over all buckets.
            let keys = || (1..=most).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7);
            for key in keys() {
                table.store(key, 3, Window::FULL, 1, Move(5));
            }
            let found = keys().filter(|&key| table.probe(key).is_some()).count() as u64;
            assert!(100 * found > 99 * most, "{found} of {most}");
            table.clear();
            let found = keys().filter(|&key| table.probe(key).is_some()).count();
            assert_eq!(found, 0, "after it was cleared");
        }
    }

    #[test]
    fn two_null_windows_meet_in_an_exact_score() {
        let table = TranspositionTable::new(1);
        table.store(9, 5, Window::zero(3), 4, Move(1));
        table.store(9, 5, Window::zero(4), 4, Move(2));
        let entry = table.probe(9).expect("just stored");
        assert_eq!((entry.lower, entry.upper, entry.best), (4, 4, Move(1)));
        assert_eq!(entry.cutoff(5, Window::FULL), Some(4));
        assert_eq!(entry.cutoff(6, Window::FULL), None);
    }

    #[test]
    fn older_entries_go_first_and_then_the_shallowest() {
        let table = TranspositionTable::new(0);
        let keys = |n: u64| n << 32; // all in bucket 0
        table.store(keys(1), 50, Window::FULL, 0, Move(0));
        table.grow_older();
        for n in 2..=4 {
            table.store(keys(n), n as Depth, Window::FULL, 0, Move(0));
        }
        table.store(keys(5), 1, Window::FULL, 0, Move(0));
        assert_eq!(table.probe(keys(1)), None, "the old one, deep as it is");
        table.store(keys(6), 1, Window::FULL, 0, Move(0));
        assert_eq!(table.probe(keys(5)), None, "the shallowest");
        assert!(table.probe(keys(2)).is_some());
    }
}
