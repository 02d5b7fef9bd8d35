//! The table of a case, and its section of a page.

use std::{collections::BTreeSet, fmt::Write as _};

use conformance::physics::{Case, Chapter, figures, resolution};

use super::Row;

/// A value in a table.
pub(super) struct Cell<'a> {
    solver: &'a str,
    /// Quantity and tolerance: its line.
    line: (&'a str, String),
    value: f64,
    unit: &'a str,
    /// Why it misses its tolerance; empty if it does not.
    why: &'a str,
    /// What is wrong with it.
    problem: Option<String>,
}

/// The values of runs.
pub(super) fn measured(rows: &[Row]) -> Vec<Cell<'_>> {
    let results = rows.iter().filter_map(|row| Some((row.solver, row.result.as_ref().ok()?)));
    let measures = results.flat_map(|(solver, outcome)| {
        outcome.measures.iter().map(move |measure| (solver, measure))
    });
    let cells = measures.map(|(solver, measure)| {
        let figure = measure.figure.as_ref();
        let (unit, why) = figure.map_or(("", ""), |figure| (&*figure.unit, &*figure.why));
        let limit = figure.map_or(String::new(), |figure| limit(figure.tolerance, unit));
        let (value, problem) = (measure.value, measure.check().err());
        Cell { solver, line: (measure.what, limit), value, unit, why, problem }
    });
    cells.collect()
}

/// Solvers, quantities and values, as the record has them.
pub(super) fn values<'a>(cells: &[Cell<'a>]) -> Vec<(&'a str, &'a str, String)> {
    cells.iter().map(|cell| (cell.solver, cell.line.0, significant(cell.value))).collect()
}

/// The values on record of a case's fine run.
fn recorded(case: &Case) -> Vec<Cell<'static>> {
    let own = figures().iter().filter(|figure| figure.names[..2] == [case.name, "fine"]);
    let cells = own.map(|figure| Cell {
        solver: &figure.names[2],
        line: (&figure.names[3], limit(figure.tolerance, &figure.unit)),
        value: figure.measured,
        unit: &figure.unit,
        why: &figure.why,
        problem: None,
    });
    cells.collect()
}

/// A row for each quantity with a column for each solver, then why some miss their tolerance, in Markdown.
pub(super) fn table(solvers: &[&str], cells: &[Cell<'_>]) -> String {
    let mut lines = Vec::new();
    for cell in cells {
        if !lines.contains(&&cell.line) {
            lines.push(&cell.line);
        }
    }
    let heads: Vec<_> = solvers.iter().map(|solver| format!("`{solver}`")).collect();
    let rules = "---|".repeat(solvers.len());
    let mut text = format!("| | tolerance | {} |\n|---|---|{rules}\n", heads.join(" | "));
    let mut reasons = Vec::new();
    for line in lines {
        let find =
            |solver: &&str| cells.iter().find(|cell| cell.solver == *solver && cell.line == *line);
        let shown = solvers
            .iter()
            .map(|solver| find(solver).map_or(String::new(), |cell| cell.text(&mut reasons)));
        let shown: Vec<_> = shown.collect();
        let _ = writeln!(text, "| {} | {} | {} |", line.0, line.1, shown.join(" | "));
    }
    if !reasons.is_empty() {
        let numbered = reasons.iter().enumerate();
        let numbered: Vec<_> =
            numbered.map(|(number, why)| format!("({}) {why}", number + 1)).collect();
        let _ = writeln!(text, "\nMissed: {}.", numbered.join("; "));
    }
    text
}

impl<'a> Cell<'a> {
    /// The value, with the number of the reason why it misses its tolerance, if it does.
    fn text(&self, reasons: &mut Vec<&'a str>) -> String {
        let value = match self.value {
            f64::INFINITY => "never".to_owned(),
            value => format!("{} {}", significant(value), self.unit).trim().to_owned(),
        };
        if let Some(problem) = &self.problem {
            return format!("{value} **fails**: {problem}");
        }
        if self.why.is_empty() {
            return value;
        }
        let number = reasons.iter().position(|known| *known == self.why).unwrap_or_else(|| {
            reasons.push(self.why);
            reasons.len() - 1
        });
        format!("**{value}** ({})", number + 1)
    }
}

fn limit(tolerance: f64, unit: &str) -> String {
    format!("{tolerance} {unit}").trim().to_owned()
}

/// The solvers' resolutions, and what all of them took.
pub(super) fn resolutions(rows: &[Row]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in rows {
        let Ok(outcome) = &row.result else { continue };
        match groups.iter_mut().find(|(resolution, _)| *resolution == outcome.resolution) {
            Some((_, solvers)) => solvers.push(row.solver),
            None => groups.push((outcome.resolution.as_str(), vec![row.solver])),
        }
    }
    let several = groups.len() > 1;
    let named = groups.iter().map(|(resolution, solvers)| {
        if several {
            format!("{resolution} (`{}`)", solvers.join("`, `"))
        } else {
            (*resolution).into()
        }
    });
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    // Semicolons would end the field of figures.csv.
    format!("{}, {seconds:.0} s", named.collect::<Vec<String>>().join(", "))
}

/// Three significant digits.
pub(super) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// File of a chapter's page, in docs.
pub(crate) fn file(chapter: &Chapter) -> String {
    format!("validation_{}.md", chapter.name)
}

/// A chapter's page, from the figures on record. `plots` has the text of each plot: a title, and its file's name.
pub(crate) fn page(chapter: &Chapter, mut plot: impl FnMut(&str, &str) -> String) -> String {
    let Chapter { title, about, more, .. } = chapter;
    let mut text = format!(
        "# Validation: {title}\n\n{about} [validation.md](validation.md) says how to read and repeat these sections.\n\n"
    );
    for case in chapter.cases {
        let cells = recorded(case);
        let _ = write!(text, "## {}\n\n{}\n\n", case.title, case.about);
        let _ = writeln!(
            text,
            "{}\n{}.\n",
            table(case.solvers, &cells),
            resolution(case.name).unwrap_or_default()
        );
        for one in case.plots {
            text += &plot(one.title, &super::plot::file(case, one));
        }
        text.push('\n');
    }
    text + more
}

/// All cases, one a line, in Markdown.
pub(crate) fn contents(chapters: &[Chapter]) -> String {
    let mut text =
        String::from("| case | solvers | quantities within their tolerance |\n|---|---|---|\n");
    for chapter in chapters {
        let _ = writeln!(text, "| **[{}]({})** | | |", chapter.title, file(chapter));
        for case in chapter.cases {
            let cells = recorded(case);
            let within = cells.iter().filter(|cell| cell.why.is_empty()).count();
            let solvers = case.solvers.join(", ");
            let _ = writeln!(text, "| {} | {solvers} | {within} of {} |", case.title, cells.len());
        }
    }
    text
}

/// What is known to miss its tolerance at the fine resolution, one reason a line, in Markdown.
pub(crate) fn misses(chapters: &[Chapter]) -> String {
    let mut text = String::from("| case | reason | quantities |\n|---|---|---|\n");
    for case in chapters.iter().flat_map(|chapter| chapter.cases) {
        let cells = recorded(case);
        let mut seen = BTreeSet::from([""]);
        for why in cells.iter().map(|cell| cell.why) {
            if !seen.insert(why) {
                continue;
            }
            let own = cells.iter().filter(|cell| cell.why == why);
            let own = own.map(|cell| {
                let value = cell.text(&mut vec![why]).replace(" (1)", "");
                format!("{}: `{}` {value} of {}", cell.line.0, cell.solver, cell.line.1)
            });
            let _ = writeln!(
                text,
                "| {} | {why} | {} |",
                case.title,
                own.collect::<Vec<_>>().join("; ")
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use conformance::physics::CHAPTERS;

    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let found = [0.012_34, 0.1, 1.234, 12.34, 1234.0, 0.0].map(significant);
        assert_eq!(found, ["0.0123", "0.100", "1.23", "12.3", "1234", "0"]);
    }

    #[test]
    fn a_page_has_the_values_on_record_and_why_some_miss() {
        let bodies = CHAPTERS.iter().find(|chapter| chapter.name == "bodies").expect("a chapter");
        let page = page(bodies, |title, file| format!("![{title}]({file})\n"));
        for part in [
            "## Archimedes\n",
            "| | tolerance | `muller` | `wcsph` | `pcisph` | `iisph` | `dfsph` | `flip` | `apic` | `mls_mpm` |\n",
            "| **5.83 %** (1) |\n",
            "Missed: (1) ",
            "](heave_height.png)",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
    }
}
