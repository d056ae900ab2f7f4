//! Linear equations with a symmetric, positive definite matrix.

pub(super) struct Cholesky {
    n: usize,
    /// The rows, with zeros to the right of the diagonal.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix of n rows, given row by row; `None` if it is not positive definite within rounding.
    pub(super) fn of(mut matrix: Vec<f64>, n: usize) -> Option<Cholesky> {
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
                let rest = matrix[i * n + j] - known;
                matrix[i * n + j] = if i == j {
                    if rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / matrix[j * n + j]
                };
            }
        }
        Some(Cholesky { n, lower: matrix })
    }

    pub(super) fn inverse(&self) -> Vec<f64> {
        let unit = |i: usize| {
            let mut unit = vec![0.0; self.n];
            unit[i] = 1.0;
            self.solve(unit)
        };
        (0..self.n).flat_map(unit).collect()
    }

    /// Returns the x with matrix·x = `vector`.
    pub(super) fn solve(&self, mut vector: Vec<f64>) -> Vec<f64> {
        let (n, lower) = (self.n, &self.lower);
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i * n + k] * vector[k]).sum();
            vector[i] = (vector[i] - known) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| lower[k * n + i] * vector[k]).sum();
            vector[i] = (vector[i] - known) / lower[i * n + i];
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_system_by_hand() {
        // 4x + 2y = 8, 2x + 3y = 8: x = 1, y = 2.
        let cholesky = Cholesky::of(vec![4.0, 2.0, 2.0, 3.0], 2).unwrap();
        let found = cholesky.solve(vec![8.0, 8.0]);
        assert!((found[0] - 1.0).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        assert!(Cholesky::of(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
