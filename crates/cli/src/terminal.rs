//! Terminal output: lines, tables and short numbers.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Row, Table, presets};

use crate::Failure;

/// Writes to standard output. A reader that has closed the pipe (`| head`) is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error, ignoring errors.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes to standard error, with a prefix on each line.
pub(crate) fn complain(word: &str, text: &str) {
    for line in text.lines() {
        note(&format!("{word}: {line}"));
    }
}

/// Text of a table with its head, columns two spaces apart, those named in `right` flush right.
pub(crate) fn table<const N: usize>(
    head: [&str; N],
    right: &[usize],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = filled(&head, right, rows);
    table.load_style(presets::NOTHING);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt() + "\n"
}

/// Markdown of a table with its head, columns named in `right` flush right.
pub(crate) fn markdown(
    head: &[&str],
    right: &[usize],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = filled(head, right, rows);
    table.load_style(presets::ASCII_MARKDOWN);
    table.trim_fmt() + "\n"
}

fn filled(head: &[&str], right: &[usize], rows: impl IntoIterator<Item = impl Into<Row>>) -> Table {
    let mut table = Table::new();
    table.set_header(head).add_rows(rows);
    for column in right {
        if let Some(column) = table.column_mut(*column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Three significant digits, at most three of them after the point.
pub(crate) fn digits(number: f64) -> String {
    let after = [100.0, 10.0, 1.0].iter().filter(|least| number.abs() < **least).count();
    format!("{number:.after$}")
}

/// Three significant digits and a unit prefix k, M or G.
pub(crate) fn short(number: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| number >= *scale).unwrap_or((1.0, ""));
    let scaled = number / scale;
    let digits = if scaled >= 100.0 { 0 } else { 1 + usize::from(scaled < 10.0) };
    format!("{scaled:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let rows = [["µ".to_owned(), "1".to_owned()], ["long".to_owned(), "1000".to_owned()]];
        let text = table(["a", "b"], &[1], rows);
        assert_eq!(text, "a        b\nµ        1\nlong  1000\n");
    }

    #[test]
    fn markdown_has_bars() {
        let rows = [vec!["x".to_owned(), "1".to_owned()], vec!["y".to_owned(), "1000".to_owned()]];
        let text = markdown(&["a", "b"], &[1], rows);
        assert_eq!(text, "| a |    b |\n|---|------|\n| x |    1 |\n| y | 1000 |\n");
    }

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 0.0123, 1.234, 99.94, 1234.5].map(digits);
        assert_eq!(shown, ["0.000", "0.012", "1.23", "99.9", "1234"]);
    }

    #[test]
    fn short_numbers_have_three_digits() {
        let shown = [0.0, 7.0, 42.0, 999.0, 1234.0, 101_000.0, 12.3e6, 1e9].map(short);
        assert_eq!(shown, ["0.00", "7.00", "42.0", "999", "1.23 k", "101 k", "12.3 M", "1.00 G"]);
    }
}
