//! Four directions in the four lanes of a 256-bit register, for processors with AVX2. These functions are safe wherever
//! AVX2 is available, which [`super::kernel`] checks.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x,
    _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64,
};

use super::rays::RAYS;

const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Returns the same as [`portable::legal_moves`](super::portable::legal_moves). Each lane has one axis.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn legal_moves(own: u64, opponent: u64) -> u64 {
    let shift = _mm256_setr_epi64x(1, 7, 8, 9);
    let twice = _mm256_setr_epi64x(2, 14, 16, 18);
    let from = _mm256_set1_epi64x(own as i64);
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(opponent as i64),
        _mm256_setr_epi64x(INNER, INNER, -1, INNER),
    );
    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(from, shift));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(from, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(through, _mm256_srlv_epi64(down, shift)),
    );
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, shift));
    let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)),
    );
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)),
    );
    let moves = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    any_lane(moves) & !(own | opponent)
}

/// Returns the same as [`portable::flips`](super::portable::flips), which defines *stop*. Each lane has one ray.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square & 63];
    let (up, down) = (lanes(rays.up), lanes(rays.down));
    let own = _mm256_set1_epi64x(own as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let zero = _mm256_setzero_si256();

    // Up: all squares off the ray and all discs of the opponent are ones, so a carry reaches the nearest stop.
    let ones = _mm256_set1_epi64x(-1);
    let on_the_way = _mm256_or_si256(opponent, _mm256_andnot_si256(up, ones));
    let stop = _mm256_and_si256(
        _mm256_sub_epi64(on_the_way, ones),
        _mm256_and_si256(up, own),
    );
    // The stop minus one has every bit below it. If there is no stop, this is 0.
    let below = _mm256_add_epi64(
        stop,
        _mm256_andnot_si256(_mm256_cmpeq_epi64(stop, zero), ones),
    );
    let flipped_up = _mm256_and_si256(below, up);

    // Down: the stops and everything beyond them. Each shift doubles the length of the runs.
    let shift = _mm256_setr_epi64x(1, 7, 8, 9);
    let twice = _mm256_setr_epi64x(2, 14, 16, 18);
    let four = _mm256_setr_epi64x(4, 28, 32, 36);
    let mut beyond = _mm256_andnot_si256(opponent, down);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, shift));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, twice));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, four));
    let stop = _mm256_and_si256(
        _mm256_andnot_si256(_mm256_srlv_epi64(beyond, shift), beyond),
        own,
    );
    let none = _mm256_cmpeq_epi64(stop, zero);
    let flipped_down = _mm256_andnot_si256(_mm256_or_si256(none, beyond), down);

    any_lane(_mm256_or_si256(flipped_up, flipped_down))
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(values: [u64; 4]) -> __m256i {
    let [a, b, c, d] = values.map(|value| value as i64);
    _mm256_setr_epi64x(a, b, c, d)
}

#[inline]
#[target_feature(enable = "avx2")]
fn any_lane(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(
        _mm256_castsi256_si128(lanes),
        _mm256_extracti128_si256::<1>(lanes),
    );
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
