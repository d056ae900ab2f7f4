//! Thinking times in bounded memory: exact mean and maximum, percentiles within 1 %.

use std::time::Duration;

/// Binary digits of a time that its bucket keeps after the leading one.
const DIGITS: u32 = 6;

/// A summary of any number of durations, in memory that does not grow with their number.
///
/// Count, sum and maximum are exact. Percentiles come from a histogram whose buckets split every
/// octave of nanoseconds into 64, so that a bucket's middle is at most 1/128 (0.8 %) away from any
/// duration in it. It takes 8 bytes for each bucket up to the longest duration: 13 KiB when that is a
/// second, 30 KiB at most. All is counted in integers, hence the order of adding and merging never
/// shows in the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DurationSummary {
    /// `buckets[bucket_of(ns)]` durations; as long as the longest duration needs.
    buckets: Vec<u64>,
    count: u64,
    sum_ns: u128,
    max_ns: u64,
}

impl DurationSummary {
    /// Nothing added yet.
    pub fn new() -> DurationSummary {
        DurationSummary::default()
    }

    /// Adds one duration; more than 584 years count as 584 years.
    pub fn add(&mut self, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let bucket = bucket_of(ns);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
        self.sum_ns += u128::from(ns);
        self.max_ns = self.max_ns.max(ns);
    }

    /// Adds all that another summary has seen.
    pub fn merge(&mut self, other: &DurationSummary) {
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// Durations added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all, exact.
    pub fn total(&self) -> Duration {
        duration_of(self.sum_ns)
    }

    /// The mean, exact but for the fraction of a nanosecond; none if nothing was added.
    pub fn mean(&self) -> Option<Duration> {
        (self.count > 0).then(|| duration_of(self.sum_ns / u128::from(self.count)))
    }

    /// The longest duration, exact; none if nothing was added.
    pub fn max(&self) -> Option<Duration> {
        (self.count > 0).then(|| Duration::from_nanos(self.max_ns))
    }

    /// The shortest duration that at least `percent` per cent of all do not exceed (nearest rank),
    /// at most 0.8 % off; exact below 128 ns and for 100 %. `percent` is held to 0–100. None if
    /// nothing was added.
    pub fn percentile(&self, percent: f64) -> Option<Duration> {
        let rank = (percent * self.count as f64 / 100.0).ceil() as u64;
        let rank = rank.clamp(1, self.count.max(1));
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|&count| {
            seen += count;
            seen >= rank
        })?;
        if rank == self.count {
            return self.max();
        }
        Some(Duration::from_nanos(middle_of(bucket).min(self.max_ns)))
    }
}

impl Extend<Duration> for DurationSummary {
    fn extend<I: IntoIterator<Item = Duration>>(&mut self, durations: I) {
        for duration in durations {
            self.add(duration);
        }
    }
}

impl FromIterator<Duration> for DurationSummary {
    fn from_iter<I: IntoIterator<Item = Duration>>(durations: I) -> DurationSummary {
        let mut summary = DurationSummary::new();
        summary.extend(durations);
        summary
    }
}

/// The bucket of a time: its leading [`DIGITS`] + 1 binary digits, and how many follow.
///
/// Up to 2^(DIGITS + 1) every nanosecond has a bucket of its own.
fn bucket_of(ns: u64) -> usize {
    let dropped = (u64::BITS - ns.leading_zeros()).saturating_sub(DIGITS + 1);
    ((dropped as usize) << DIGITS) + (ns >> dropped) as usize
}

/// The middle of a bucket, in nanoseconds.
fn middle_of(bucket: usize) -> u64 {
    let dropped = (bucket >> DIGITS).saturating_sub(1);
    let digits = bucket - (dropped << DIGITS);
    ((digits as u64) << dropped) + ((1 << dropped) >> 1)
}

/// A time in nanoseconds; more than 584 years are 584 years.
fn duration_of(ns: u128) -> Duration {
    Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_summary_has_nothing_to_say() {
        let none = DurationSummary::new();
        assert_eq!(
            (none.mean(), none.max(), none.percentile(50.0)),
            (None, None, None)
        );
        assert_eq!((none.count(), none.total()), (0, Duration::ZERO));
    }

    #[test]
    fn buckets_follow_each_other_without_gap() {
        let mut last = 0;
        for ns in 0..100_000 {
            let bucket = bucket_of(ns);
            assert!(bucket == last || bucket == last + 1, "{ns} ns");
            assert_eq!(bucket_of(middle_of(bucket)), bucket, "{ns} ns");
            last = bucket;
        }
        assert!(bucket_of(u64::MAX) * size_of::<u64>() < 30 * 1024);
        assert!(bucket_of(1_000_000_000) * size_of::<u64>() < 13 * 1024);
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        let summary: DurationSummary = [Duration::MAX, Duration::MAX, Duration::ZERO]
            .into_iter()
            .collect();
        assert_eq!(summary.max(), Some(Duration::from_nanos(u64::MAX)));
        assert!(summary.mean() <= summary.max());
        assert_eq!(summary.percentile(f64::NAN), Some(Duration::ZERO));
    }

    fn times() -> impl Strategy<Value = Vec<Duration>> {
        let time = (0..=40u32, 0..=u64::MAX).prop_map(|(bits, ns)| ns & ((1 << bits) - 1));
        prop::collection::vec(time.prop_map(Duration::from_nanos), 1..200)
    }

    proptest! {
        #[test]
        fn a_percentile_is_within_one_per_cent_of_the_sorted_list(
            mut times in times(), percent in 0.0..=100.0f64,
        ) {
            let summary: DurationSummary = times.iter().copied().collect();
            times.sort();
            let rank = (percent * times.len() as f64 / 100.0).ceil().max(1.0) as usize;
            let exact = times[rank - 1].as_secs_f64();
            let found = summary.percentile(percent).unwrap().as_secs_f64();
            prop_assert!((found - exact).abs() <= 0.01 * exact, "{found} for {exact}");
        }

        #[test]
        fn count_mean_and_maximum_are_exact(times in times()) {
            let summary: DurationSummary = times.iter().copied().collect();
            let total: Duration = times.iter().sum();
            prop_assert_eq!(summary.count(), times.len() as u64);
            prop_assert_eq!(summary.total(), total);
            prop_assert_eq!(summary.mean(), Some(total / times.len() as u32));
            prop_assert_eq!(summary.max(), times.iter().copied().max());
        }

        #[test]
        fn merging_in_any_order_is_adding_all(a in times(), b in times()) {
            let summary = |times: &[Duration]| times.iter().copied().collect::<DurationSummary>();
            let mut ab = summary(&a);
            ab.merge(&summary(&b));
            let mut ba = summary(&b);
            ba.merge(&summary(&a));
            prop_assert_eq!(&ab, &ba);
            prop_assert_eq!(ab, summary(&[a, b].concat()));
        }

        #[test]
        fn percentiles_rise_to_the_maximum(times in times(), p in 0.0..=100.0, q in 0.0..=100.0) {
            let summary: DurationSummary = times.into_iter().collect();
            let (p, q) = if p <= q { (p, q) } else { (q, p) };
            prop_assert!(summary.percentile(p) <= summary.percentile(q));
            prop_assert!(summary.percentile(q) <= summary.max());
            prop_assert_eq!(summary.percentile(100.0), summary.max());
        }
    }
}
