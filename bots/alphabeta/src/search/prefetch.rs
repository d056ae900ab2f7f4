//! Asking for memory before it is needed.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction takes a raw pointer")
)]

/// Tells the processor that `place` will be read soon. Changes nothing but time, and nothing at all
/// on processors other than x86-64.
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
