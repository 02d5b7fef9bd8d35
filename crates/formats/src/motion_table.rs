//! Measured motions of solids and inflows: CSV files with a row for each time.

use meniscus_model::scene::Keyframe;

use crate::solids::Files;

/// Most rows of a table.
const MOST: usize = 1_000_000;

/// Rows of numbers of a CSV file, each with its place, `file:line`. A line of names and lines that begin with `#` are left
/// out.
fn numbers(files: &Files, name: &str) -> Result<Vec<(String, Vec<f64>)>, String> {
    let bytes = files.read(name)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| format!("{name:?}: byte {} is not UTF-8 text", error.valid_up_to()))?;
    let mut rows = Vec::new();
    let mut is_first = true;
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let place = format!("{name}:{}", number + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<_> = line.split([',', ';', '\t']).map(str::trim).collect();
        let numbers: Result<Vec<f64>, _> = cells.iter().map(|cell| cell.parse()).collect();
        let has_names = std::mem::take(&mut is_first) && cells[0].parse::<f64>().is_err();
        if has_names {
            continue;
        }
        let numbers = numbers.ok().filter(|all| all.iter().all(|number| number.is_finite()));
        let Some(numbers) = numbers else {
            return Err(format!("{place}: {line:?} has something that is not a finite number"));
        };
        if rows.len() == MOST {
            return Err(format!("{place}: at most {MOST} rows are possible"));
        }
        rows.push((place, numbers));
    }
    Ok(rows)
}

/// Error unless a time is later than that of the row before it.
fn later(place: &str, time: f64, last: Option<f64>) -> Result<(), String> {
    match last {
        Some(last) if time <= last => {
            Err(format!("{place}: {time} s must be later than {last} s before it"))
        }
        _ => Ok(()),
    }
}

/// Rows `time, x, y, z` in s and m, perhaps with an angle in degrees; in 2-D also `time, x, y`.
pub(crate) fn read(files: &Files, name: &str, flat: bool) -> Result<Vec<Keyframe>, String> {
    let mut rows: Vec<Keyframe> = Vec::new();
    for (place, numbers) in numbers(files, name)? {
        let row = match numbers[..] {
            [time, x, y] if flat => Keyframe { time, position: [x, y, 0.0], angle: 0.0 },
            [time, x, y, z] => Keyframe { time, position: [x, y, z], angle: 0.0 },
            [time, x, y, z, angle] => Keyframe { time, position: [x, y, z], angle },
            _ => {
                let count = numbers.len();
                return Err(format!(
                    "{place}: expected time, x, y, z and perhaps an angle, found {count} columns"
                ));
            }
        };
        later(&place, row.time, rows.last().map(|last| last.time))?;
        if flat && row.position[2] != 0.0 {
            return Err(format!("{place}: z must be 0 in 2-D, not {}", row.position[2]));
        }
        rows.push(row);
    }
    if rows.len() < 2 {
        return Err(format!("{name:?} has {} rows; a motion needs two", rows.len()));
    }
    Ok(rows)
}

/// Most rows of a table of inflow: a step reads them all.
const MOST_FLOWS: usize = 10_000;

/// Rows of two numbers, the time in s and a value.
pub(crate) fn read_flow(files: &Files, name: &str) -> Result<Vec<[f64; 2]>, String> {
    let mut rows: Vec<[f64; 2]> = Vec::new();
    for (place, numbers) in numbers(files, name)? {
        let [time, value] = numbers[..] else {
            let count = numbers.len();
            return Err(format!(
                "{place}: expected time and velocity or rate, found {count} columns"
            ));
        };
        later(&place, time, rows.last().map(|last| last[0]))?;
        if rows.len() == MOST_FLOWS {
            return Err(format!("{place}: at most {MOST_FLOWS} rows are possible"));
        }
        rows.push([time, value]);
    }
    if rows.is_empty() {
        return Err(format!("{name:?} has no rows; an inflow needs one"));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, flat: bool) -> Result<Vec<Keyframe>, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("m.csv"), text).expect("written");
        read(&Files::Folder(folder.path().to_owned()), "m.csv", flat)
    }

    #[test]
    fn tables_with_and_without_names_and_angles_are_read() {
        let row = |time, x, angle| Keyframe { time, position: [x, 0.0, 0.0], angle };
        let two = Ok(vec![row(0.0, 0.0, 0.0), row(0.5, 0.1, 0.0)]);
        assert_eq!(rows("time [s],x [m],y [m],z [m]\n0,0,0,0\n0.5,0.1,0,0\n", false), two);
        assert_eq!(rows("# a piston\n0\t0\t0\n\n0.5\t1e-1\t0", true), two);
        let turned = Ok(vec![row(0.0, 0.0, 0.0), row(0.5, 0.1, 30.0)]);
        assert_eq!(rows("0;0;0;0;0\n0.5;0.1;0;0;30", false), turned);
    }

    #[test]
    fn tables_of_inflow_have_two_columns() {
        let flow = |text: &str| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            std::fs::write(folder.path().join("q.csv"), text).expect("written");
            read_flow(&Files::Folder(folder.path().to_owned()), "q.csv")
        };
        assert_eq!(flow("time,velocity\n0,0.5\n2,1\n"), Ok(vec![[0.0, 0.5], [2.0, 1.0]]));
        let wrong = |text: &str| flow(text).expect_err("wrong");
        assert!(wrong("0,1,2").starts_with("q.csv:1: expected time and velocity or rate"));
        assert!(wrong("1,1\n1,2").starts_with("q.csv:2: 1 s must be later"));
        assert!(wrong("time,rate\n").contains("has no rows"));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let wrong = |text, flat| rows(text, flat).expect_err("wrong");
        assert!(wrong("t,x,y,z\n0,0,0,0\n1,a,0,0", false).starts_with("m.csv:3: \"1,a,0,0\" has"));
        assert!(wrong("0,0,0,0\n1,0,0,nan", false).starts_with("m.csv:2: "));
        assert!(wrong("0,0,0\n1,0,0", false).starts_with("m.csv:1: expected time, x, y, z"));
        assert!(wrong("0,0,0,0\n0,1,0,0", false).starts_with("m.csv:2: 0 s must be later"));
        assert!(wrong("0,0,0,1\n1,1,0,0", true).starts_with("m.csv:1: z must be 0 in 2-D"));
        assert!(wrong("0,0,0,0", false).contains("has 1 rows; a motion needs two"));
    }
}
