//! The table of a case, and its section of docs/validation_*.md.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use conformance::physics::{Case, Measure};

use super::Row;

/// A row for each measure of each solver, in Markdown.
pub(super) fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| solver | resolution | measured | | tolerance | | seconds |\n|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let solver = row.solver;
        let outcome = match &row.result {
            Ok(outcome) => outcome,
            Err(error) => {
                let _ = writeln!(text, "| {solver} | | **{error}** | | | **fails** | |");
                continue;
            }
        };
        for (number, measure) in outcome.measures.iter().enumerate() {
            // The first line of a solver has the values common to all its lines.
            let (solver, resolution, seconds) = match number {
                0 => (solver, outcome.resolution.as_str(), format!("{:.1}", row.seconds)),
                _ => ("", "", String::new()),
            };
            let Measure { what, value, unit, .. } = measure;
            let _ = writeln!(
                text,
                "| {solver} | {resolution} | {what} | {} {unit} | {} | {} | {seconds} |",
                significant(*value),
                format!("{} {unit}", measure.tolerance).trim(),
                verdict(measure),
            );
        }
    }
    text
}

fn verdict(measure: &Measure) -> String {
    match (measure.check(), &measure.figure) {
        (Err(problem), _) => format!("**fails**: {problem}"),
        (Ok(()), Some(figure)) if !measure.passes() => format!("missed: {}", figure.why),
        (Ok(()), _) => "pass".into(),
    }
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
    let _ = writeln!(part, "{}\nOn {adapter}.\n", table(rows));
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
