//! Memory in pages of megabytes: a look into a large table otherwise waits for the address, too.

/// Bytes of a huge page, on the processors that matter here.
#[cfg(target_os = "linux")]
const HUGE: usize = 2 << 20;

/// Asks the system for huge pages where `memory` lies, as far as they fit. Changes nothing but time,
/// and nothing at all on systems other than Linux: Windows gives them only to those with a privilege.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "advice on memory is given by its address")]
pub fn ask_for_huge_pages<T>(memory: &[T]) {
    use rustix::mm::{Advice, madvise};

    let skipped = memory.as_ptr().cast::<u8>().align_offset(HUGE);
    let length = size_of_val(memory).saturating_sub(skipped) / HUGE * HUGE;
    if length > 0 {
        let from = memory.as_ptr().wrapping_byte_add(skipped);
        // SAFETY: the range is within `memory`, and this advice leaves what is in it alone.
        // A system that has no huge pages says so; the table is as good without.
        let _ = unsafe { madvise(from.cast_mut().cast(), length, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
pub fn ask_for_huge_pages<T>(_memory: &[T]) {}
