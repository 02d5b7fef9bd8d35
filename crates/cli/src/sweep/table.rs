//! `meniscus sweep merge`: one table of all runs.

use std::{collections::BTreeMap, fs};

use meniscus_formats::LogLine;
use serde_json::Value;

use super::{
    course::{Course, State},
    plan::Plan,
};
use crate::{Failure, arguments::Merge, files, terminal};

/// Cells of a row by their columns.
type Row = BTreeMap<String, String>;

pub(super) fn merge(arguments: &Merge) -> Result<(), Failure> {
    let plan = Plan::read(&arguments.folder)?;
    let folder = arguments.folder.display();
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for run in &plan.runs {
        let course = Course::of(&plan, run);
        if course.state() != State::Finished {
            missing.push(run.index);
            continue;
        }
        let path = course.report();
        let fail = |what: &dyn ToString| {
            Failure::Input(format!("cannot read {}: {}", path.display(), what.to_string()))
        };
        let text = fs::read_to_string(&path).map_err(|error| fail(&error))?;
        let report: Value = serde_json::from_str(&text).map_err(|error| fail(&error))?;
        let mut row = Row::new();
        for (key, value) in report.as_object().into_iter().flatten() {
            match value {
                Value::Array(all) => {
                    for (axis, value) in ["x", "y", "z"].iter().zip(all) {
                        row.insert(format!("{key}_{axis}"), cell(value));
                    }
                }
                // Lists of all iterations are no cells.
                Value::Object(_) => {}
                value => drop(row.insert(key.clone(), cell(value))),
            }
        }
        rows.push((run, row));
    }
    if let [first, ..] = missing[..] {
        let (count, all) = (missing.len(), plan.runs.len());
        let text =
            format!("{folder}: {count} of {all} runs are not finished, the first is {first}");
        if !arguments.unfinished {
            return Err(Failure::Input(text + "; --unfinished leaves them out"));
        }
        terminal::complain("warning", &text);
    }
    let keys: Vec<_> = plan.runs.first().map(|run| run.values.keys().collect()).unwrap_or_default();
    let columns = columns(rows.iter().map(|(_, row)| row));
    let mut table = csv::Writer::from_writer(Vec::new());
    let head = ["index", "seed"].into_iter().chain(keys.iter().map(|key| key.as_str()));
    let head = head.chain(columns.iter().map(String::as_str));
    let fail = |error: &dyn ToString| Failure::Failed(format!("the table: {}", error.to_string()));
    table.write_record(head).map_err(|error| fail(&error))?;
    for (run, row) in &rows {
        let own = [run.index.to_string(), run.seed.to_string()];
        let values = keys.iter().map(|key| run.values.get(*key).map(cell).unwrap_or_default());
        let report = columns.iter().map(|key| row.get(key).cloned().unwrap_or_default());
        let cells = own.into_iter().chain(values).chain(report);
        table.write_record(cells).map_err(|error| fail(&error))?;
    }
    let bytes = table.into_inner().map_err(|error| fail(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| fail(&error))?;
    match &arguments.out {
        Some(path) => files::write(path, &text),
        None => terminal::print(&text),
    }
}

/// All columns of the rows: those that every log has in its order, then the others by name.
fn columns<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Vec<String> {
    let line = serde_json::from_str(&LogLine::default().to_json());
    let line: Value = line.unwrap_or_default();
    let text = LogLine::default().to_json();
    let mut usual: Vec<_> = line.as_object().into_iter().flatten().collect();
    usual.sort_by_key(|(key, _)| text.find(&format!("\"{key}\":")));
    let mut columns: Vec<String> = Vec::new();
    for (key, value) in usual {
        match value {
            Value::Array(_) => columns.extend(["x", "y", "z"].map(|axis| format!("{key}_{axis}"))),
            _ => columns.push(key.clone()),
        }
    }
    let mut more: Vec<_> =
        rows.flat_map(|row| row.keys()).filter(|key| !columns.contains(key)).cloned().collect();
    more.sort();
    more.dedup();
    columns.extend(more);
    columns
}

/// A value as a cell; nothing where there is none.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
