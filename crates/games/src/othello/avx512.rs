//! Legal moves with all eight directions in a 512-bit register, flips with four rays in each of two 256-bit registers.
//! These functions are safe wherever the instructions are available, which [`super::kernel`] checks.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_lzcnt_epi64, _mm256_maskz_add_epi64, _mm256_or_si256, _mm256_set1_epi64x,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_srlv_epi64, _mm256_sub_epi64,
    _mm256_ternarylogic_epi64, _mm256_test_epi64_mask, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_extracti64x4_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64,
    _mm512_ternarylogic_epi64,
};

use super::rays::RAYS;

/// `a | (b & c)` as a truth table of the ternary logic instruction.
const A_OR_B_AND_C: i32 = 0b1111_1000;
const A_AND_B_AND_C: i32 = 0b1000_0000;
const A_OR_NOT_B: i32 = 0b1111_0011;

/// Returns the same as [`portable::legal_moves`](super::portable::legal_moves). Each lane has one direction. The shifts
/// are rotations, so the masks also exclude the first and last rows.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512cd")]
pub(super) fn legal_moves(own: u64, opponent: u64) -> u64 {
    const SIDEWAYS: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    const UPRIGHT: i64 = 0x00ff_ffff_ffff_ff00;
    const SLANTED: i64 = 0x007e_7e7e_7e7e_7e00;
    let shift = _mm512_setr_epi64(1, 7, 8, 9, 63, 57, 56, 55);
    let twice = _mm512_setr_epi64(2, 14, 16, 18, 62, 50, 48, 46);
    let mask = _mm512_setr_epi64(
        SIDEWAYS, SLANTED, UPRIGHT, SLANTED, SIDEWAYS, SLANTED, UPRIGHT, SLANTED,
    );
    let through = _mm512_and_si512(_mm512_set1_epi64(opponent as i64), mask);
    let from = _mm512_set1_epi64(own as i64);
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, shift));
    let mut run = _mm512_and_si512(through, _mm512_rolv_epi64(from, shift));
    run = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(run, through, _mm512_rolv_epi64(run, shift));
    run = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(run, pairs, _mm512_rolv_epi64(run, twice));
    run = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(run, pairs, _mm512_rolv_epi64(run, twice));
    let moves = _mm512_rolv_epi64(run, shift);
    let half = _mm256_or_si256(
        _mm512_castsi512_si256(moves),
        _mm512_extracti64x4_epi64::<1>(moves),
    );
    any_lane(half) & !(own | opponent)
}

/// Returns the same as [`portable::flips`](super::portable::flips), which defines *stop*. Each lane has one ray.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512cd")]
pub(super) fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let (up, down) = (lanes(rays.up), lanes(rays.down));
    let own = _mm256_set1_epi64x(own as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);

    // Up: all squares off the ray and all discs of the opponent are ones, so a carry reaches the nearest stop. The stop
    // counts only if it has an own disc. The stop minus one has every bit below it.
    let ones = _mm256_set1_epi64x(-1);
    let on_the_way = _mm256_ternarylogic_epi64::<A_OR_NOT_B>(opponent, up, up);
    let carried = _mm256_sub_epi64(on_the_way, ones);
    let stop = _mm256_ternarylogic_epi64::<A_AND_B_AND_C>(carried, up, own);
    let ours = _mm256_test_epi64_mask(stop, stop);
    let below = _mm256_maskz_add_epi64(ours, stop, ones);

    // Down: the nearest stop is the highest. Its double, negated, has every bit above it; without a stop, this is 0.
    let stops = _mm256_andnot_si256(opponent, down);
    let highest = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let stop = _mm256_and_si256(highest, own);
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(stop, stop));

    let flipped_down = _mm256_and_si256(above, down);
    any_lane(_mm256_ternarylogic_epi64::<A_OR_B_AND_C>(
        flipped_down,
        below,
        up,
    ))
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512cd")]
fn lanes(values: [u64; 4]) -> __m256i {
    let [a, b, c, d] = values.map(|value| value as i64);
    _mm256_setr_epi64x(a, b, c, d)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512cd")]
fn any_lane(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
