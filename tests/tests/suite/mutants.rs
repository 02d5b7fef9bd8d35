//! Comparisons notice shaders that are wrong: a fixed sample of the changes of `cargo verify --mutants`.

use conformance::mutants::{Explained, Plan, explained, run, sample};

/// The sample takes five minutes of one core at most.
const ONE_IN: usize = 40;

/// All of the sample are noticed, or tests/mutants.toml explains why not. `MENISCUS_MUTANTS` has other passes tried
/// with all changes, by name, with spaces between.
#[test]
fn a_sample_of_mutants_is_noticed() {
    if conformance::device::gpu(conformance::device::Flavour::Default).is_none() {
        return;
    }
    let passes = std::env::var("MENISCUS_MUTANTS").ok();
    let one_in = if passes.is_some() { 1 } else { ONE_IN };
    let passes =
        passes.iter().flat_map(|names| names.split_whitespace()).map(str::to_owned).collect();
    let plan = Plan { one_in, passes, threads: 1 };
    let report = run(&plan, |pass, [done, all], report| {
        println!("{done} of {all}: {pass}: {}", report.problems().join("\n"));
    });
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    println!("{report}");
    let problems = report.problems();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_is_explained_exists() {
    let all = sample(1);
    let mut missing = Vec::new();
    for known in explained().iter().flat_map(Explained::single) {
        if !all.values().flatten().any(|mutant| known.is(mutant)) {
            missing.push(format!("no change of wgsl/{}.wgsl has `{}`", known.file, known.to[0]));
        }
        assert!(known.why.split_whitespace().count() > 3, "`{}` is not explained", known.to[0]);
    }
    assert!(missing.is_empty(), "tests/mutants.toml:\n{}", missing.join("\n"));
}

#[test]
fn every_file_of_a_pass_is_changed() {
    let all = sample(1);
    let without: Vec<_> = all.iter().filter(|(_, mutants)| mutants.is_empty()).collect();
    // Declarations only.
    assert!(without.len() < all.len() / 4, "{without:?}");
    assert!(all.values().flatten().count() > 2000);
}
