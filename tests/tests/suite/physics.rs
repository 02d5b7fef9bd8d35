//! Whole simulations against theory and experiment, at the coarse resolution, with the defaults of a user and, with
//! `MENISCUS_FULL=1`, by all solvers and tuned. The fine resolution is `lab validate`'s.

use conformance::{
    device::{Flavour, gpu},
    names::written,
    physics::{Case, Settings, cases},
};

fn check(name: &str) {
    let case = cases().find(|case| case.name == name).expect("a case of that name");
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    let solvers = if full || case.everyday.is_empty() { case.solvers } else { case.everyday };
    // Every day it has what users have.
    if case.tunes {
        runs(case, Settings::Defaults, solvers);
    }
    if full || !case.tunes {
        runs(case, Settings::Coarse, solvers);
    }
}

/// Runs a case with these solvers.
fn runs(case: &Case, run: Settings, solvers: &'static [&'static str]) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let name = case.name;
    let mut problems = Vec::new();
    for solver in solvers {
        let solver_name = *solver;
        let begin = std::time::Instant::now();
        let outcome = match case.run(gpu, solver, run, &|_| ()) {
            Ok(outcome) => outcome,
            Err(error) => panic!("{name}, {solver_name}: {error}"),
        };
        let seconds = begin.elapsed().as_secs_f64();
        for measure in &outcome.measures {
            let (what, value, run) = (measure.what, measure.value, run.name());
            println!("{name},{run},{solver_name},{what},{value:.4},{seconds:.1} s");
            if let Err(problem) = measure.check() {
                problems.push(format!("{name}, {run}, {solver_name}: {problem}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// One test for each case.
macro_rules! cases {
    ($($name:ident)+) => { $(#[test] fn $name() { check(stringify!($name)); })+ };
}

include!("physics.names");

#[test]
fn each_coarse_case_has_its_test() {
    written("physics.names", "cases", cases().filter(|case| case.coarse).map(|case| case.name));
}
