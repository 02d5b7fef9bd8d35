//! Physics that nobody here wrote, at the coarsest resolutions that meet its bounds. Finer ones are
//! `tools validate`'s.

use conformance::{
    device::{Flavour, gpu},
    physics::{CASES, Fineness},
};

/// The solvers with which the dearer cases run every day; `cargo verify --full` runs all.
const TWO: &[&str] = &["wcsph", "dfsph"];

fn check(name: &str, everyday: &[&'static str]) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let case = CASES.iter().find(|case| case.name == name).expect("a case of that name");
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    let solvers = if full || everyday.is_empty() { case.solvers } else { everyday };
    for solver in solvers {
        let solver_name = solver;
        let outcome = match case.run(gpu, *solver, Fineness::Coarse, &|_| ()) {
            Ok(outcome) => outcome,
            Err(error) => panic!("{name}, {solver_name}: {error}"),
        };
        for measure in &outcome.measures {
            let (what, value, unit) = (measure.what, measure.value, measure.unit);
            println!("{name}, {solver_name}: {what} {value:.3} {unit}, bound {}", measure.bound);
            assert!(!measure.fails(), "{name}, {solver_name}: {what} is {value} {unit}");
        }
    }
}

macro_rules! cases {
    ($($test:ident: $case:literal, $everyday:expr;)*) => {
        $(#[test]
        fn $test() {
            check($case, $everyday);
        })*

        #[test]
        fn every_coarse_case_is_tested() {
            let tested = [$($case),*];
            for case in CASES.iter().filter(|case| case.coarse) {
                assert!(tested.contains(&case.name), "{} is not", case.name);
            }
        }
    };
}

cases! {
    a_free_drop_keeps_its_momentum_with_every_solver: "free_drop", &[];
    water_comes_to_rest_with_hydrostatic_pressure: "hydrostatic", TWO;
    a_stretched_drop_becomes_an_ellipse: "elliptical_drop", &[];
    viscous_flow_in_a_channel_starts_up: "poiseuille", &[];
    a_standing_wave_has_its_period: "standing_wave", TWO;
    water_carries_and_lifts_boxes: "archimedes", TWO;
    a_dam_breaks_as_it_did_in_1952: "dam_break", TWO;
}
