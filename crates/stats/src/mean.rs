//! The mean of a few measured values, with Student's interval.

use super::Z_95;

/// The mean of independent values, such as one value for each game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The number of values, at least one.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The half-width of the 95 % interval, from Student's t; `None` if no group has two values.
    pub error_95: Option<f64>,
}

impl Mean {
    /// Returns the mean of these values; `None` without values.
    pub fn of(values: &[f64]) -> Option<Mean> {
        Mean::of_groups(&[values])
    }

    /// Returns the mean of the means of the groups that have values. The groups are assumed to have the same variance,
    /// which n values in k groups estimate with n − k degrees of freedom.
    pub fn of_groups(groups: &[impl AsRef<[f64]>]) -> Option<Mean> {
        let values = groups.iter().map(AsRef::as_ref);
        let values: Vec<&[f64]> = values.filter(|values| !values.is_empty()).collect();
        let (count, number) = (
            values.iter().map(|one| one.len()).sum(),
            values.len() as f64,
        );
        let mean_of = |one: &[f64]| one.iter().sum::<f64>() / one.len() as f64;
        let means: Vec<f64> = values.iter().map(|one| mean_of(one)).collect();
        let of_mean = |(one, mean): (&&[f64], &f64)| -> f64 {
            one.iter().map(|value| (value - mean).powi(2)).sum()
        };
        let spread: f64 = values.iter().zip(&means).map(of_mean).sum();
        let weight: f64 = values.iter().map(|one| 1.0 / one.len() as f64).sum();
        let error =
            |freedom: usize| t_95(freedom) * (spread / freedom as f64 * weight).sqrt() / number;
        (count > 0).then(|| Mean {
            count,
            mean: mean_of(&means),
            error_95: (count > values.len()).then(|| error(count - values.len())),
        })
    }

    /// Returns the ends of the interval; `None` without an error.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.error_95
            .map(|error| [self.mean - error, self.mean + error])
    }
}

/// The quantiles 0.975 of Student's t for 1 to 10 degrees of freedom, from the usual tables.
const T_95: [f64; 10] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
];

/// Uses the table up to 10 degrees of freedom, and for more, the expansion of Cornish and Fisher.
fn t_95(freedom: usize) -> f64 {
    if let Some(quantile) = T_95.get(freedom - 1) {
        return *quantile;
    }
    let (z, n) = (Z_95, freedom as f64);
    let [z3, z5, z7] = [3, 5, 7].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R computed the expected error: `qt(0.975, 3) * sqrt(4/3 * (1/3 + 1/2)) / 2`.
    #[test]
    fn groups_have_the_same_weight() {
        let groups: [&[f64]; 3] = [&[1.0, 2.0, 3.0], &[], &[5.0, 7.0]];
        let mean = Mean::of_groups(&groups).expect("values");
        assert_eq!((mean.count, mean.mean), (5, 4.0));
        let error = mean.error_95.expect("an error");
        assert!((error - 1.677_26).abs() < 1e-4, "{error}");
        let single: [&[f64]; 2] = [&[1.0], &[3.0]];
        assert_eq!(
            Mean::of_groups(&single).and_then(|mean| mean.error_95),
            None
        );
    }

    /// R computed the quantiles: `qt(0.975, c(11, 30, 100))`.
    #[test]
    fn quantiles_are_those_of_r() {
        for (freedom, quantile) in [(11, 2.2010), (30, 2.0423), (100, 1.9840)] {
            assert!((t_95(freedom) - quantile).abs() < 1e-3, "{freedom}");
        }
    }
}
