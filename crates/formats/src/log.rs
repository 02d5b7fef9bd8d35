//! The log: one JSON object per line and frame.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A line of the log. Sums and means are over the fluid particles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// Number of the frame; 0 is the initial state.
    pub frame: u32,
    /// Simulated time in s.
    pub time: f64,
    /// Steps since the start.
    pub steps: u32,
    /// Length of the last complete step in s.
    pub dt: f64,
    /// Number of live particles.
    pub particles: u32,
    /// Number of particles outside a closed wall by more than a particle radius.
    pub lost: u32,
    /// Number of particles that have left through open sides of a grid method's box.
    pub left: u32,
    /// Mean of max(0, ρ/ρ0 − 1) in percent.
    pub density_error_mean: f64,
    /// Maximum of max(0, ρ/ρ0 − 1) in percent.
    pub density_error_max: f64,
    /// Σ m v²/2 in J.
    pub kinetic_energy: f64,
    /// −Σ m g·r in J, relative to the world's origin.
    pub potential_energy: f64,
    /// Σ m v in kg m/s.
    pub momentum: [f64; 3],
    /// Σ m r × v about the world's origin, in kg m²/s.
    pub angular_momentum: [f64; 3],
    /// Centre of mass in m.
    pub center_of_mass: [f64; 3],
    /// Lower corner of the bounding box of all particle centres, in m.
    pub bounds_min: [f64; 3],
    /// Upper corner of the bounding box of all particle centres, in m.
    pub bounds_max: [f64; 3],
    /// Iterations of all loops in this frame.
    pub iterations: u32,
    /// Of each loop the residual in percent after each iteration in the last step.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub residuals: BTreeMap<String, Vec<f64>>,
    /// Values of the solver's loops and of quantities, by name.
    #[serde(flatten)]
    pub more: BTreeMap<String, f64>,
}

impl LogLine {
    /// The line, without a line break.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers and strings always serialise; JSON writes non-finite numbers as null.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_documented_keys_and_no_line_break() {
        let more = BTreeMap::from([("residual".to_owned(), 0.5)]);
        let residuals = BTreeMap::from([("density".to_owned(), vec![2.0, 0.5])]);
        let line =
            LogLine { frame: 3, time: 0.05, residuals, more, ..LogLine::default() }.to_json();
        assert!(!line.contains('\n'));
        let keys = "frame time steps dt particles lost left density_error_mean density_error_max \
                    kinetic_energy potential_energy momentum angular_momentum center_of_mass \
                    bounds_min bounds_max iterations residuals residual";
        let keys: Vec<String> = keys.split_whitespace().map(|key| format!("\"{key}\":")).collect();
        let places: Vec<_> = keys.iter().map(|key| line.find(key)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{line}");
        assert_eq!(serde_json::from_str::<LogLine>(&line).expect("parses").time, 0.05);
    }

    #[test]
    fn what_is_not_finite_is_null() {
        let line = LogLine { dt: f64::NAN, ..LogLine::default() }.to_json();
        assert!(line.contains("\"dt\":null"), "{line}");
    }
}
