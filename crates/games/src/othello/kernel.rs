//! Chooses, at run time, the instructions that compute moves and flips.
//!
//! [`Position`](super::Position) makes this choice at every call, which costs about 0.3 ns. A search spends its time on
//! moves and flips, so it takes a [`Kernel`] as a generic parameter, and its caller makes the choice once. A kernel's
//! value has size zero, and proves that the kernel's instructions are available.
//!
//! ```
//! use games::othello::{Kernel, Position, Task, squares, with_fastest};
//!
//! /// Counts the lines of play of two plies.
//! struct TwoPlies(Position);
//!
//! impl Task for TwoPlies {
//!     type Output = u32;
//!
//!     fn run<K: Kernel>(self, kernel: K) -> u32 {
//!         let Position { own, opponent } = self.0;
//!         let replies = |square| {
//!             let flips = kernel.flips(own, opponent, square);
//!             let after = self.0.play_flips(square, flips);
//!             kernel.legal_moves(after.own, after.opponent).count_ones()
//!         };
//!         squares(kernel.legal_moves(own, opponent)).map(replies).sum()
//!     }
//! }
//!
//! assert_eq!(with_fastest(TwoPlies(Position::START)), 12);
//! ```
//!
//! A function compiled for any processor calls the vector code out of line, which costs another 0.3 ns. Inside
//! [`Kernel::vectorize`] the code is inlined. A recursive function must call `vectorize` at each level: see `perft.rs`.

#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "calling code for instructions that were detected at run time"
    )
)]

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

use super::portable;

/// Moves and flips by one set of instructions. All kernels give the same results.
pub trait Kernel: Copy + Send + Sync + 'static {
    /// The name in tables and logs: `portable`, `avx2`, `avx512`.
    const NAME: &'static str;

    /// Returns the empty squares on which a disc of `own` turns over at least one disc of `opponent`.
    fn legal_moves(self, own: u64, opponent: u64) -> u64;

    /// Returns the discs of `opponent` that a disc of `own` on the empty `square` (0–63) turns over; 0 if illegal.
    fn flips(self, own: u64, opponent: u64, square: usize) -> u64;

    /// Runs `body` with this kernel's instructions. They apply only to inlined code: mark callees `#[inline(always)]`.
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R;
}

/// A computation that runs on the fastest kernel: see [`with_fastest`].
pub trait Task {
    /// The result of the computation.
    type Output;

    /// Runs the computation on `kernel`.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Runs `task` with the fastest kernel of this machine.
#[inline]
pub fn with_fastest<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        // The queries take longer than a flip, so they run once. Relaxed, because no other memory depends on the value.
        const UNKNOWN: u8 = 0;
        const PORTABLE: u8 = 1;
        const AVX2: u8 = 2;
        const AVX512: u8 = 3;
        static FASTEST: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        fn detect() -> u8 {
            let fastest = match (Avx512::detect(), Avx2::detect()) {
                (Some(_), _) => AVX512,
                (None, Some(_)) => AVX2,
                (None, None) => PORTABLE,
            };
            FASTEST.store(fastest, Ordering::Relaxed);
            fastest
        }

        let fastest = match FASTEST.load(Ordering::Relaxed) {
            UNKNOWN => detect(),
            known => known,
        };
        match fastest {
            AVX512 => return task.run(Avx512(())),
            AVX2 => return task.run(Avx2(())),
            _ => {}
        }
    }
    task.run(Portable)
}

/// Runs `body` with the instructions of the fastest kernel of this machine: see [`Kernel::vectorize`].
#[inline]
pub fn vectorized<R>(body: impl FnOnce() -> R) -> R {
    struct Body<F>(F);
    impl<R, F: FnOnce() -> R> Task for Body<F> {
        type Output = R;
        #[inline]
        fn run<K: Kernel>(self, kernel: K) -> R {
            kernel.vectorize(self.0)
        }
    }
    with_fastest(Body(body))
}

/// Returns [`Kernel::legal_moves`] of the fastest kernel.
#[inline]
pub fn legal_moves(own: u64, opponent: u64) -> u64 {
    struct LegalMoves(u64, u64);
    impl Task for LegalMoves {
        type Output = u64;
        #[inline]
        fn run<K: Kernel>(self, kernel: K) -> u64 {
            kernel.legal_moves(self.0, self.1)
        }
    }
    with_fastest(LegalMoves(own, opponent))
}

/// Returns [`Kernel::flips`] of the fastest kernel.
#[inline]
pub fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    struct Flips(u64, u64, usize);
    impl Task for Flips {
        type Output = u64;
        #[inline]
        fn run<K: Kernel>(self, kernel: K) -> u64 {
            kernel.flips(self.0, self.1, self.2)
        }
    }
    with_fastest(Flips(own, opponent, square))
}

/// The kernel of plain shifts, for any machine.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Kernel for Portable {
    const NAME: &'static str = "portable";

    #[inline]
    fn legal_moves(self, own: u64, opponent: u64) -> u64 {
        portable::legal_moves(own, opponent)
    }

    #[inline]
    fn flips(self, own: u64, opponent: u64, square: usize) -> u64 {
        portable::flips(own, opponent, square)
    }

    #[inline]
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R {
        body()
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    ($(#[$doc:meta])* $kernel:ident, $name:literal, $code:ident, [$($feature:tt),+], $features:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $kernel(());

        impl $kernel {
            /// Returns this kernel if this machine has its instructions.
            #[inline]
            pub fn detect() -> Option<$kernel> {
                ($(is_x86_feature_detected!($feature))&&+).then_some($kernel(()))
            }
        }

        impl Kernel for $kernel {
            const NAME: &'static str = $name;

            #[inline]
            fn legal_moves(self, own: u64, opponent: u64) -> u64 {
                // SAFETY: a value of this type exists only where `detect` has found the features.
                unsafe { super::$code::legal_moves(own, opponent) }
            }

            #[inline]
            fn flips(self, own: u64, opponent: u64, square: usize) -> u64 {
                // SAFETY: a value of this type exists only where `detect` has found the features.
                unsafe { super::$code::flips(own, opponent, square) }
            }

            #[inline]
            fn vectorize<R>(self, body: impl FnOnce() -> R) -> R {
                #[inline]
                #[target_feature(enable = $features)]
                fn with_features<R>(body: impl FnOnce() -> R) -> R {
                    body()
                }
                // SAFETY: a value of this type exists only where `detect` has found the features.
                unsafe { with_features(body) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernel!(
    /// Four lanes of 64 bits (Intel since 2013, AMD since 2015).
    Avx2, "avx2", avx2,
    ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"],
    "avx2,bmi1,bmi2,lzcnt,popcnt"
);

#[cfg(target_arch = "x86_64")]
kernel!(
    /// Eight lanes of 64 bits (Intel servers since 2017, AMD since 2022).
    Avx512, "avx512", avx512,
    ["avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512cd", "bmi1", "bmi2", "lzcnt", "popcnt"],
    "avx512f,avx512vl,avx512bw,avx512dq,avx512cd,bmi1,bmi2,lzcnt,popcnt"
);
