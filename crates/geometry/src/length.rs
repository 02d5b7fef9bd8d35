//! Lengths in messages.

use std::fmt::{Display, Formatter, Result};

/// A length in m, of which messages show three significant digits: `0.125 m`.
#[derive(Clone, Copy, Debug)]
pub struct Length(pub f64);

impl Display for Length {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self(length) = *self;
        // Digits as people write them; the exponent of very small and large ones stays.
        let rounded = format!("{length:.2e}").parse().unwrap_or(length);
        match rounded {
            whole if whole == f64::trunc(whole) && whole.abs() < 1e6 => write!(f, "{whole} m"),
            _ => write!(f, "{rounded:?} m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        let shown =
            [0.1, 0.125, 2.0 / 3.0, 12.345, 3.0, 4e-6, f64::NAN].map(|x| Length(x).to_string());
        assert_eq!(shown, ["0.1 m", "0.125 m", "0.667 m", "12.3 m", "3 m", "4e-6 m", "NaN m"]);
    }
}
