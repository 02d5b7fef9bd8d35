//! `meniscus bench`: its tables, its file, comparison with an earlier run, refused input.

use std::fs;

use serde_json::{Value, json};

use crate::support::{bytes, folder, gpu, meniscus, names, refuse};

const TINY: [&str; 9] = [
    "bench",
    "--sizes",
    "0.1",
    "--solvers",
    "muller,dfsph",
    "--steps",
    "3",
    "--json",
    "bench/bench.json",
];

/// Cells of the table's rows that begin with a radius.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains(" 0.1 |"));
    rows.map(|row| row.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn a_run_is_a_table_and_a_file_that_later_runs_are_compared_with() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let path = folder.path();
    let bench = |more: &[&str]| {
        let arguments = [&TINY[..], more].concat();
        let output = meniscus(path, &arguments).output().expect("the command starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = bench(&[]);
    assert_eq!(names(path.join("bench")), ["bench.json"]);
    let found: Value = serde_json::from_slice(&bytes(path.join("bench/bench.json"))).expect("JSON");
    for key in ["adapter", "driver", "version", "commit", "date"] {
        let value = found[key].as_str().unwrap_or_default();
        assert!(!value.is_empty() && text.contains(value), "{key}: {value:?}\n{text}");
    }
    let cases = found["cases"].as_array().expect("cases");
    let subject =
        |case: &Value| ["solver", "viscous", "surface_fineness"].map(|key| case[key].clone());
    let expected = [
        [json!("muller"), json!(false), Value::Null],
        [json!("dfsph"), json!(false), Value::Null],
        [json!("dfsph"), json!(true), Value::Null],
        [json!("dfsph"), json!(false), json!(1)],
        [json!("dfsph"), json!(false), json!(2)],
    ];
    assert_eq!(cases.iter().map(subject).collect::<Vec<_>>(), expected);
    let rows_found = rows(&text);
    assert_eq!(rows_found.len(), 5, "{text}");
    for (case, row) in cases.iter().zip(&rows_found) {
        assert_eq!(row[2], case["fluid_particles"].to_string(), "{row:?}");
        let times = case["times_us"].as_array().expect("times");
        if case["surface_fineness"].is_null() {
            // Fewer only where three steps take more than eight seconds.
            assert_eq!((times.len(), &case["warm_up"]), (3, &json!(5)), "{case}");
        }
        assert_eq!(row[4], times.len().to_string(), "{row:?}");
        assert!(times.iter().all(|time| time.as_f64().is_some_and(|time| time > 0.0)), "{case}");
    }
    // Solvers with loops have their iterations in the table.
    assert!(rows_found[0][7].is_empty() && rows_found[1][7].contains(" + "), "{text}");

    // An earlier run on a device that needs days for a step.
    let mut slow = found.clone();
    for case in slow["cases"].as_array_mut().expect("cases") {
        for time in case["times_us"].as_array_mut().expect("times") {
            *time = json!(1e6 * 1e6);
        }
    }
    // A case that the earlier run lacks has no ratio.
    slow["cases"].as_array_mut().expect("cases").remove(0);
    slow["driver"] = json!("another driver");
    fs::write(path.join("slow.json"), slow.to_string()).expect("written");
    fs::write(path.join("page.md"), "before\n<!-- bench -->\nold\n<!-- end bench -->\nafter\n")
        .expect("written");
    let text = bench(&["--against", "slow.json", "--markdown", "page.md"]);
    let timed = !found["cases"][3]["times_us"].as_array().expect("times").is_empty();
    for (number, row) in rows(&text).iter().enumerate() {
        let ratio = &row[row.len() - 2];
        let expected = if number == 0 || (number > 2 && !timed) { "-" } else { "0.00" };
        assert_eq!(ratio, expected, "{text}");
    }
    assert!(text.contains("Note: the earlier run was on another adapter or driver"), "{text}");
    let page = String::from_utf8(bytes(path.join("page.md"))).expect("UTF-8");
    assert!(page.starts_with("before\n<!-- bench -->\n"), "{page}");
    assert!(page.ends_with("<!-- end bench -->\nafter\n") && !page.contains("\nold\n"), "{page}");
    assert!(page.contains(text.trim()), "{page}");
}

#[test]
fn wrong_input_is_refused_before_anything_is_measured() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("a.md"), "a page without marks\n").expect("written");
    fs::write(path.join("b.json"), "{\"particles\": 3}").expect("written");
    fs::write(path.join("c.json"), "no JSON").expect("written");
    for (options, parts) in [
        (&["--sizes", "big"][..], &["--sizes", "small, medium, large or a particle radius"][..]),
        (&["--sizes", "-1"], &["-1"]),
        (&["--sizes", "small,1e-4"], &["particle_radius", "at most"]),
        (&["--solvers", "pbf"], &["--solvers", "pbf", "muller"]),
        (&["--steps", "0"], &["--steps"]),
        (&["--seconds", "0"], &["--seconds", "greater than 0"]),
        (&["--against", "nowhere.json"], &["cannot read nowhere.json", "No such file"]),
        (&["--against", "b.json"], &["b.json: not a file of `meniscus bench --json`", "format"]),
        (&["--against", "c.json"], &["c.json: not a file of", "line 1"]),
        (&["--markdown", "a.md"], &["--markdown a.md", "lacks the lines <!-- bench -->"]),
    ] {
        refuse(path, &[&["bench"], options].concat(), 2, parts);
    }
    assert_eq!(bytes(path.join("a.md")), b"a page without marks\n");
}
