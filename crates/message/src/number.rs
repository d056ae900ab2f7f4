//! Formats numbers. A number that is rounded to zero has no sign.

/// Rounds to this number of decimals; never −0.
pub fn rounded(number: f64, decimals: u8) -> f64 {
    let unit = 10_f64.powi(decimals.into());
    // Adding 0 turns −0 into 0.
    (number * unit).round() / unit + 0.0
}

pub fn signed(number: f64, decimals: u8) -> String {
    format!("{:+.*}", decimals.into(), rounded(number, decimals))
}

/// Formats a number of at least 0 with two significant digits, enough for a forecast, and with commas: `2,400`, `57`.
pub fn about(number: f64) -> String {
    let unit = 10_f64.powf((number.abs().log10().floor() - 1.0).max(0.0));
    let digits = format!("{:.0}", rounded(number / unit, 0) * unit);

    let groups = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cases::cases;

    #[test]
    fn zero_has_no_minus_sign() {
        for (number, decimals, shown) in cases::<(f64, u8, String)>("signed-numbers") {
            assert_eq!(signed(number, decimals), shown, "{number}");
        }
    }

    #[test]
    fn two_digits_are_enough_for_a_forecast() {
        for (number, shown) in cases::<(f64, String)>("forecast-numbers") {
            assert_eq!(about(number), shown, "{number}");
        }
    }
}
