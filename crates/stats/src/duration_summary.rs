//! Thinking times in bounded memory: exact mean and maximum, percentiles within 1 %.

use std::time::Duration;

use hdrhistogram::Histogram;

/// The significant digits of a bucket: buckets are at most 1 % wide.
const DIGITS: u8 = 2;

/// A summary of any number of durations in at most 60 KiB. The order of adding and merging has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationSummary {
    histogram: Histogram<u64>,
    sum_ns: u128,
    max_ns: u64,
}

impl Default for DurationSummary {
    fn default() -> DurationSummary {
        DurationSummary {
            histogram: Histogram::new(DIGITS).expect("a number of digits from 0 to 5"),
            sum_ns: 0,
            max_ns: 0,
        }
    }
}

impl DurationSummary {
    /// Creates an empty summary.
    pub fn new() -> DurationSummary {
        DurationSummary::default()
    }

    /// Adds one duration; more than 584 years count as 584 years.
    pub fn add(&mut self, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.histogram.record(ns).expect("a histogram that grows");
        self.sum_ns += u128::from(ns);
        self.reach(duration);
    }

    /// Raises the maximum to a duration, without adding the duration.
    pub fn reach(&mut self, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.max_ns = self.max_ns.max(ns);
    }

    /// Adds the durations of another summary.
    pub fn merge(&mut self, other: &DurationSummary) {
        let added = self.histogram.add(&other.histogram);
        added.expect("a histogram that grows");
        self.sum_ns += other.sum_ns;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// Returns the number of durations.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Returns the exact sum; more than 584 years count as 584 years.
    pub fn total(&self) -> Duration {
        duration_of(self.sum_ns)
    }

    /// Returns the mean, exact to the nanosecond; `None` without a duration.
    pub fn mean(&self) -> Option<Duration> {
        (self.count() > 0).then(|| duration_of(self.sum_ns / u128::from(self.count())))
    }

    /// Returns the longest duration, added or [reached](DurationSummary::reach), exact; `None` without a duration.
    pub fn max(&self) -> Option<Duration> {
        (self.count() > 0 || self.max_ns > 0).then(|| Duration::from_nanos(self.max_ns))
    }

    /// Returns the percentile by nearest rank: at least `percent` per cent of the durations are not longer than the
    /// result. The result is at most 1 % too long; `None` without a duration. `percent` is limited to 0–100.
    pub fn percentile(&self, percent: f64) -> Option<Duration> {
        let found = self
            .histogram
            .value_at_percentile(percent.clamp(0.0, 100.0));
        (self.count() > 0).then(|| Duration::from_nanos(found.min(self.max_ns)))
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
