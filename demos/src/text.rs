//! Formatting numbers.

/// Three significant digits and a unit prefix k, M or G.
pub(crate) fn short(number: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| number >= *scale).unwrap_or((1.0, ""));
    let scaled = number / scale;
    let digits = if scaled >= 100.0 { 0 } else { 1 + usize::from(scaled < 10.0) };
    format!("{scaled:.digits$}{unit}")
}

pub(crate) use meniscus_live::grouped;

/// Bytes in binary units.
pub(crate) fn bytes(count: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    for (shift, unit) in units {
        if count >= 1 << shift {
            return format!("{:.1} {unit}", count as f64 / f64::from(1 << shift));
        }
    }
    format!("{count} B")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(1234.0), "1.23 k");
        assert_eq!(short(0.0), "0.00");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(bytes(12), "12 B");
    }
}
