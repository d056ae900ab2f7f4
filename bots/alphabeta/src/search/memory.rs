//! Prefetch and huge pages. Both affect only the speed.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a raw pointer")
)]

/// Prefetches `place` into the processor's cache; on x86-64 only.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

// --- Transparent huge pages ---
//
// With 4 KiB pages, most accesses to a large table also miss the processor's address cache (TLB).

#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// Requests huge pages for the part of `memory` that fills them. Only on Linux, because Windows requires a privilege.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "madvise takes a raw pointer")]
pub fn ask_for_huge_pages<T>(memory: &[T]) {
    use rustix::mm::{Advice, madvise};

    let skipped = memory.as_ptr().cast::<u8>().align_offset(HUGE_PAGE);
    let length = size_of_val(memory).saturating_sub(skipped) / HUGE_PAGE * HUGE_PAGE;
    if length > 0 {
        let from = memory.as_ptr().wrapping_byte_add(skipped);
        // SAFETY: the range is within `memory`, and the advice keeps the content. After an error, pages stay small.
        let _ = unsafe { madvise(from.cast_mut().cast(), length, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
pub fn ask_for_huge_pages<T>(_memory: &[T]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Returns whether the mapping that contains `place` has the flag "hg" (huge page advice); see proc(5), `VmFlags`.
    fn is_advised(place: usize) -> bool {
        let maps = fs::read_to_string("/proc/self/smaps").expect("smaps");
        let mut is_here = false;
        for line in maps.lines() {
            let range = line
                .split_once(' ')
                .and_then(|(range, _)| range.split_once('-'));
            let bounds =
                range.map(|(from, to)| [from, to].map(|text| usize::from_str_radix(text, 16)));
            if let Some([Ok(from), Ok(to)]) = bounds {
                is_here = (from..to).contains(&place);
            } else if is_here && let Some(flags) = line.strip_prefix("VmFlags:") {
                return flags.split_whitespace().any(|flag| flag == "hg");
            }
        }
        false
    }

    #[test]
    fn only_whole_huge_pages_are_advised() {
        if !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return;
        }
        let memory = vec![0u64; 5 * HUGE_PAGE / 8];
        let first = memory.as_ptr() as usize;
        let aligned = first.next_multiple_of(HUGE_PAGE);
        ask_for_huge_pages(&memory[..=(aligned - first + 2 * HUGE_PAGE) / 8]);
        assert!(is_advised(aligned) && is_advised(aligned + 2 * HUGE_PAGE - 1));
        assert!(!is_advised(aligned + 2 * HUGE_PAGE) && !is_advised(aligned - 1));

        let small = vec![0u64; HUGE_PAGE / 16];
        ask_for_huge_pages(&small);
        assert!(!is_advised(small.as_ptr() as usize));
    }
}
