//! Figures on record: `figures.csv`.

use std::sync::OnceLock;

use super::Settings;

/// Columns, between semicolons: case, quantity, tolerance, unit, the values of the fine, coarse and default runs
/// (`wcsph 1.2, iisph dfsph 0.7`, the largest of several solvers), and why these miss the tolerance. The quantity
/// `resolution` has what the fine run was made with in place of values.
const FILE: &str = include_str!("figures.csv");
const RESOLUTION: &str = "resolution";
const RUNS: [Settings; 3] = [Settings::Fine, Settings::Coarse, Settings::Defaults];

/// A figure on record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Case, run, solver and quantity.
    pub names: [String; 4],
    /// Largest value that theory, rounding or what others have published allow.
    pub tolerance: f64,
    /// Unit of tolerance and value.
    pub unit: String,
    /// Value when it was last measured.
    pub measured: f64,
    /// Reason why the tolerance is missed; empty if it is met.
    pub why: String,
}

/// All figures on record.
///
/// # Panics
/// If `figures.csv` is malformed.
pub fn figures() -> &'static [Figure] {
    static FIGURES: OnceLock<Vec<Figure>> = OnceLock::new();
    FIGURES.get_or_init(|| rows().filter(|row| row[1] != RESOLUTION).flat_map(parse).collect())
}

/// Resolution, seconds and device of a case's fine run on record.
#[must_use]
pub fn resolution(case: &str) -> Option<&'static str> {
    rows().find(|row| row[..2] == [case, RESOLUTION]).map(|row| row[4])
}

fn rows() -> impl Iterator<Item = [&'static str; 8]> {
    FILE.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.splitn(8, ';').collect();
        let count = fields.len();
        let fields = fields.try_into();
        fields.unwrap_or_else(|_| panic!("figures.csv: “{line}” has {count} fields, not 8"))
    })
}

/// The figures of a row, one for each run and solver.
fn parse(row: [&str; 8]) -> Vec<Figure> {
    let [case, what, tolerance, unit, .., why] = row;
    let number = |text: &str| -> f64 {
        text.parse().unwrap_or_else(|_| panic!("figures.csv: “{text}” in {row:?} is not a number"))
    };
    let mut figures = Vec::new();
    for (run, cell) in RUNS.into_iter().zip(&row[4..7]) {
        for group in cell.split(", ").filter(|group| !group.is_empty()) {
            let mut words: Vec<_> = group.split(' ').collect();
            let measured = number(words.pop().unwrap_or_default());
            figures.extend(words.into_iter().map(|solver| Figure {
                names: [case, run.name(), solver, what].map(str::to_owned),
                tolerance: number(tolerance),
                unit: unit.to_owned(),
                measured,
                why: why.to_owned(),
            }));
        }
    }
    figures
}

pub(super) fn find(case: &str, run: Settings, solver: &str, what: &str) -> Option<&'static Figure> {
    let wanted = [case, run.name(), solver, what];
    figures().iter().find(|figure| figure.names.iter().map(String::as_str).eq(wanted))
}

/// The text of `figures.csv` with other values of a case's fine run, (solver, quantity, value as text), and another
/// resolution. Rows for what is new are to be written by hand, with their tolerance.
#[must_use]
pub fn recorded(
    text: &str,
    case: &str,
    resolution: &str,
    values: &[(&str, &str, String)],
) -> String {
    let line = |line: &str| {
        let mut fields: Vec<String> = line.splitn(8, ';').map(str::to_owned).collect();
        if fields[0] == case && fields[1] == RESOLUTION {
            resolution.clone_into(&mut fields[4]);
        } else if fields[0] == case {
            let renewed = fields[4].split(", ").map(|group| {
                let solver = group.split(' ').next().unwrap_or_default();
                let new = values.iter().find(|value| value.0 == solver && value.1 == fields[1]);
                new.map_or(group.to_owned(), |(solver, _, value)| format!("{solver} {value}"))
            });
            fields[4] = renewed.collect::<Vec<_>>().join(", ");
        }
        fields.join(";") + "\n"
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::cases;

    #[test]
    fn what_misses_its_tolerance_has_a_reason() {
        for figure in figures() {
            let misses = figure.measured > figure.tolerance;
            assert_eq!(misses, !figure.why.is_empty(), "{figure:?}");
        }
    }

    #[test]
    fn names_are_those_of_cases_runs_and_solvers() {
        for case in cases() {
            assert!(resolution(case.name).is_some(), "{} has no resolution", case.name);
        }
        for (number, figure) in figures().iter().enumerate() {
            let [case, _, solver, _] = &figure.names;
            let case = cases().find(|known| known.name == case);
            let case = case.unwrap_or_else(|| panic!("no case {:?}", figure.names));
            assert!(case.solvers.iter().any(|known| *known == solver), "{:?}", figure.names);
            let twice = figures()[..number].iter().any(|other| other.names == figure.names);
            assert!(!twice, "{:?} is listed twice", figure.names);
        }
    }

    #[test]
    fn values_of_a_run_take_the_place_of_those_before() {
        let text = "head\na;resolution;;;R/2;;;\na;x;1;%;wcsph 0.1, dfsph 0.2;wcsph 0.3;;\nb;x;1;%;wcsph 0.1;;;\n";
        let new = "head\na;resolution;;;R/4;;;\na;x;1;%;wcsph 0.1, dfsph 0.5;wcsph 0.3;;\nb;x;1;%;wcsph 0.1;;;\n";
        assert_eq!(recorded(text, "a", "R/4", &[("dfsph", "x", "0.5".into())]), new);
    }
}
