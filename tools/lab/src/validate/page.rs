//! The table of a case, and its section of docs/validation_*.md.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use conformance::physics::{Case, Measure};

use super::Row;

/// A row for each measure with a column for each solver, then why some miss their tolerance, in Markdown.
pub(super) fn table(rows: &[Row]) -> String {
    let outcomes = || rows.iter().filter_map(|row| row.result.as_ref().ok());
    let mut lines: Vec<(&str, String)> = Vec::new();
    for measure in outcomes().flat_map(|outcome| &outcome.measures) {
        let line = line(measure);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let solvers: Vec<_> = rows.iter().map(|row| format!("`{}`", row.solver)).collect();
    let rules = "---|".repeat(rows.len());
    let mut text = format!("| | tolerance | {} |\n|---|---|{rules}\n", solvers.join(" | "));
    let mut reasons = Vec::new();
    for line in &lines {
        let (what, tolerance) = line;
        let cells: Vec<_> = rows.iter().map(|row| cell(row, line, &mut reasons)).collect();
        let _ = writeln!(text, "| {what} | {tolerance} | {} |", cells.join(" | "));
    }
    for row in rows {
        if let Err(error) = &row.result {
            let _ = writeln!(text, "\n`{}` **fails**: {error}", row.solver);
        }
    }
    if !reasons.is_empty() {
        let numbered = reasons.iter().enumerate();
        let numbered: Vec<_> =
            numbered.map(|(number, why)| format!("({}) {why}", number + 1)).collect();
        let missed = wrap(&format!("Missed: {}.", numbered.join("; ")));
        let _ = writeln!(text, "\n{missed}");
    }
    text
}

/// Name and tolerance of a measure: what its row in the table has.
fn line(measure: &Measure) -> (&'static str, String) {
    let limit = format!("{} {}", measure.tolerance, measure.unit);
    (measure.what, limit.trim().into())
}

/// The value of a solver in a row, with the number of the reason why it misses its tolerance, if it does.
fn cell<'a>(row: &'a Row, wanted: &(&str, String), reasons: &mut Vec<&'a str>) -> String {
    let Ok(outcome) = &row.result else { return "**fails**".into() };
    let Some(measure) = outcome.measures.iter().find(|measure| line(measure) == *wanted) else {
        return String::new();
    };
    let value = format!("{} {}", significant(measure.value), measure.unit);
    let value = value.trim();
    match (measure.check(), &measure.figure) {
        (Err(problem), _) => format!("{value} **fails**: {problem}"),
        (Ok(()), Some(figure)) if !measure.passes() => {
            let why = figure.why.as_str();
            let number = reasons.iter().position(|known| *known == why).unwrap_or_else(|| {
                reasons.push(why);
                reasons.len() - 1
            });
            format!("**{value}** ({})", number + 1)
        }
        (Ok(()), _) => value.into(),
    }
}

/// The solvers' resolutions, and what all of them took.
fn resolutions(rows: &[Row]) -> String {
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
    format!("{}; {seconds:.0} s", named.collect::<Vec<String>>().join("; "))
}

/// Three significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// Replaces the case's section between its markers in the page that has them.
pub(super) fn replace(docs: &Path, case: &Case, rows: &[Row], adapter: &str) -> Result<()> {
    let mut part = format!("## {}\n\n{}\n\n", case.title, wrap(case.about));
    let made = wrap(&format!("{} on {adapter}.", resolutions(rows)));
    let _ = writeln!(part, "{}\n{made}\n", table(rows));
    for plot in case.plots {
        let (case, name) = (case.name, plot.name);
        let _ = writeln!(part, "![{}](pictures/validation/{case}_{name}.png)", plot.title);
    }
    let (page, new) = section(docs, case.name, &part)?;
    meniscus_formats::write_whole(&page, |file| file.write_all(new.as_bytes()))?;
    Ok(())
}

/// The page with the marks of a case, and its text with another section between them.
fn section(docs: &Path, case: &str, part: &str) -> Result<(PathBuf, String)> {
    let read = || docs.display().to_string();
    for entry in fs::read_dir(docs).with_context(read)? {
        let page = entry?.path();
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("validation_") && name.ends_with(".md") {
            let old = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
            if let Some(new) = meniscus_formats::with_section(&old, case, part) {
                return Ok((page, new));
            }
        }
    }
    bail!("{}: no page validation_*.md has the marks of {case}", docs.display())
}

/// Lines of at most 108 characters.
fn wrap(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() > 108 {
            lines.push(word.to_owned());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        let found = [0.012_34, 0.1, 1.234, 12.34, 1234.0, 0.0].map(significant);
        assert_eq!(found, ["0.0123", "0.100", "1.23", "12.3", "1234", "0"]);
    }

    #[test]
    fn every_case_has_a_section() {
        let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
        for case in conformance::physics::CASES {
            let (page, new) = section(docs, case.name, "new").unwrap_or_else(|e| panic!("{e}"));
            assert!(new.contains("\n\nnew\n\n"), "{}: {}", page.display(), case.name);
        }
    }

    #[test]
    fn no_page_has_a_row_that_fails() {
        let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs"));
        for case in conformance::physics::CASES {
            let (page, _) = section(docs, case.name, "").unwrap_or_else(|e| panic!("{e}"));
            let text = fs::read_to_string(&page).expect("a page");
            assert!(!text.contains("**fails**"), "{}: {}", page.display(), case.name);
        }
    }

    #[test]
    fn text_is_wrapped_at_words() {
        let wrapped = wrap(&"four ".repeat(50));
        assert!(wrapped.lines().all(|line| line.len() <= 108 && !line.ends_with(' ')));
        assert_eq!(wrapped.split_whitespace().count(), 50);
    }
}
