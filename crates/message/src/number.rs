//! Formats numbers. A number that is rounded to zero has no sign.

/// Rounds to this number of decimals; never −0.
pub fn rounded(number: f64, decimals: u8) -> f64 {
    let unit = 10_f64.powi(decimals.into());
    // Adding 0 turns −0 into 0.
    (number * unit).round() / unit + 0.0
}

/// Formats with a sign and this number of decimals: `+1.50`, `-0.25`, `+0.00`.
pub fn signed(number: f64, decimals: u8) -> String {
    format!("{:+.*}", decimals.into(), rounded(number, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_minus_sign() {
        for (number, decimals, shown) in [
            (1.5, 2, "+1.50"),
            (-0.25, 2, "-0.25"),
            (-0.001, 2, "+0.00"),
            (-0.0, 1, "+0.0"),
            (-0.4, 0, "+0"),
            (-21.73, 0, "-22"),
        ] {
            assert_eq!(signed(number, decimals), shown, "{number}");
        }
    }
}
