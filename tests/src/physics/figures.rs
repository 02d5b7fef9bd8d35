//! Figures on record: `figures.csv`.

use std::sync::OnceLock;

use super::Settings;

/// Columns, between semicolons: case, quantity, runs with their solvers (`coarse wcsph dfsph, fine dfsph`), largest measured value, bound,
/// and why the tolerance is missed.
const FILE: &str = include_str!("figures.csv");

/// A figure on record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Case, run, solver and quantity.
    pub names: [String; 4],
    /// Value when it was last measured, the largest of its line.
    pub measured: f64,
    /// Bound on the value: about twice that.
    pub bound: f64,
    /// Reason why the tolerance is missed; empty if it is met.
    pub why: String,
}

/// All figures on record.
///
/// # Panics
/// If `figures.csv` is malformed.
pub fn figures() -> &'static [Figure] {
    static FIGURES: OnceLock<Vec<Figure>> = OnceLock::new();
    FIGURES.get_or_init(|| FILE.lines().skip(1).flat_map(parse).collect())
}

/// The figures of a line, one for each run and solver.
fn parse(line: &str) -> Vec<Figure> {
    let fields: Vec<&str> = line.splitn(6, ';').collect();
    let [case, what, runs, measured, bound, why] = fields[..] else {
        panic!("figures.csv: “{line}” has {} fields, not 6", fields.len());
    };
    let number = |text: &str| -> f64 {
        text.parse().unwrap_or_else(|_| panic!("figures.csv: “{text}” in “{line}” is not a number"))
    };
    let of = |run: &str, solver: &str| Figure {
        names: [case, run, solver, what].map(str::to_owned),
        measured: number(measured),
        bound: number(bound),
        why: why.trim().into(),
    };
    let run = |text: &str| -> Vec<Figure> {
        let mut words = text.split_whitespace();
        let run = words.next().unwrap_or_default();
        words.map(|solver| of(run, solver)).collect()
    };
    runs.split(',').flat_map(run).collect()
}

pub(super) fn find(case: &str, run: Settings, solver: &str, what: &str) -> Option<&'static Figure> {
    let wanted = [case, run.name(), solver, what];
    figures().iter().find(|figure| figure.names.iter().map(String::as_str).eq(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::CASES;

    #[test]
    fn bounds_are_finite_and_above_what_was_measured() {
        for Figure { names, measured, bound, .. } in figures() {
            assert!(bound.is_finite() && bound > measured, "{names:?}: {bound} for {measured}");
        }
    }

    #[test]
    fn names_are_those_of_cases_runs_and_solvers() {
        for (number, figure) in figures().iter().enumerate() {
            let [case, run, solver, _] = &figure.names;
            let case = CASES.iter().find(|known| known.name == case);
            let case = case.unwrap_or_else(|| panic!("no case {:?}", figure.names));
            assert!(case.solvers.iter().any(|known| *known == solver), "{:?}", figure.names);
            assert!(Settings::ALL.iter().any(|known| known.name() == run), "{:?}", figure.names);
            let twice = figures()[..number].iter().any(|other| other.names == figure.names);
            assert!(!twice, "{:?} is listed twice", figure.names);
        }
    }
}
