//! The mean of a few measured values, with Student's interval.

use super::Z_95;

/// The mean of independent values, such as one value for each game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The number of values, at least one.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The half-width of the 95 % interval, from Student's t with n − 1 degrees of freedom; `None` for one value.
    pub error_95: Option<f64>,
}

impl Mean {
    /// Returns the mean of these values; `None` without values.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let count = values.len();
        let number = count as f64;
        let mean = values.iter().sum::<f64>() / number;
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = |freedom: usize| t_95(freedom) * (spread / freedom as f64 / number).sqrt();
        (count > 0).then(|| Mean {
            count,
            mean,
            error_95: (count > 1).then(|| error(count - 1)),
        })
    }

    /// Returns the ends of the interval; `None` for one value.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.error_95
            .map(|error| [self.mean - error, self.mean + error])
    }
}

/// The quantiles 0.975 of Student's t for 1 to 10 degrees of freedom, from the usual tables.
const T_95: [f64; 10] = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
];

/// Returns the quantile 0.975 of Student's t, from the table or by the expansion of Cornish and Fisher.
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

    /// The values of R: `qt(0.975, c(11, 30, 100))`. `tests/figures.txt` has intervals.
    #[test]
    fn quantiles_are_those_of_r() {
        for (freedom, quantile) in [(11, 2.2010), (30, 2.0423), (100, 1.9840)] {
            assert!((t_95(freedom) - quantile).abs() < 1e-3, "{freedom}");
        }
    }
}
