//! Whole simulations against theory and experiment, at the coarse resolution, tuned and, if tuning differs from them, with the
//! defaults of a user. The fine resolution is `lab validate`'s.

use conformance::{
    device::{Flavour, gpu},
    physics::{Settings, cases},
};

/// Solvers of the more expensive cases in `cargo verify`; `cargo verify --full` runs all.
const TWO: &[&str] = &["wcsph", "dfsph"];
/// Solvers of the more expensive cases in `cargo verify` for runs with all defaults.
const ONE: &[&str] = &["dfsph"];

fn check(name: &str, run: Settings, everyday: &[&'static str]) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let case = cases().find(|case| case.name == name).expect("a case of that name");
    if run == Settings::Defaults && !case.tunes {
        return;
    }
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    let solvers = if full || everyday.is_empty() { case.solvers } else { everyday };
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

/// A test of each case: (name, solvers in `cargo verify`, solvers with all defaults), where an empty list stands for all.
macro_rules! cases {
    ($($test:ident: $case:literal, $everyday:expr, $defaults:expr;)*) => {
        $(#[test]
        fn $test() {
            check($case, Settings::Coarse, $everyday);
            check($case, Settings::Defaults, $defaults);
        })*

        #[test]
        fn every_coarse_case_is_tested() {
            let tested = [$($case),*];
            for case in cases().filter(|case| case.coarse) {
                assert!(tested.contains(&case.name), "{} is not", case.name);
            }
        }
    };
}

/// All solvers.
const ALL: &[&str] = &[];

cases! {
    a_free_drop_keeps_its_momentum: "free_drop", ALL, ALL;
    pairs_cohere_as_their_formula_says: "pair_forces", ALL, ALL;
    surface_tension_keeps_momentum: "tension_momentum", ALL, ALL;
    densities_at_a_flat_surface_are_those_at_rest: "flat_surface", ALL, ALL;
    a_drop_oscillates_with_rayleigh_s_period: "oscillating_drop", ALL, ALL;
    a_ball_oscillates_with_rayleigh_s_period: "oscillating_ball", &["wcsph"], ONE;
    a_short_wave_has_its_period: "capillary_wave", ONE, ONE;
    a_square_becomes_a_disc: "square_drop", ALL, ALL;
    pressure_in_drops_at_rest_is_their_tension_s: "laplace", ALL, ALL;
    drops_meet_walls_at_their_angle: "contact_angle", &["wcsph"], ONE;
    a_cube_becomes_a_ball: "cube_to_ball", ONE, ONE;
    water_comes_to_rest_with_hydrostatic_pressure: "hydrostatic", TWO, ONE;
    a_stretched_drop_becomes_an_ellipse: "elliptical_drop", ALL, ALL;
    viscous_flow_in_a_channel_starts_up: "poiseuille", ALL, ALL;
    viscous_flow_on_a_grid_starts_up: "poiseuille_grid", ALL, ALL;
    viscous_flow_starts_up_in_long_steps: "poiseuille_implicit", ALL, ALL;
    a_plate_drags_a_viscous_liquid: "couette", ALL, ALL;
    a_viscous_drop_turns_rigidly: "rigid_rotation", ALL, ALL;
    a_standing_wave_has_its_period: "standing_wave", TWO, ONE;
    water_carries_and_lifts_boxes: "archimedes", &["wcsph", "dfsph", "flip"], ONE;
    a_disc_falls_with_the_water_around_it: "added_mass", &["dfsph", "flip"], &["dfsph", "flip"];
    a_cylinder_heaves_with_its_period: "heave", &["dfsph", "flip"], &["flip"];
    a_ball_sinks_in_honey_as_stokes_says: "sinking_ball", ONE, ONE;
    a_crate_slides_or_stays: "slider", ONE, ONE;
    a_dam_breaks_as_it_did_in_1952: "dam_break", TWO, ONE;
    transfers_keep_what_they_should: "transfers", ALL, ALL;
    an_eddy_in_a_full_box_keeps_its_energy: "eddy", &["pic", "polypic", "eulerian"], ALL;
    air_between_a_hot_and_a_cold_wall_turns: "convection", ALL, ALL;
    air_over_a_hot_floor_begins_to_roll: "convection_onset", ALL, ALL;
    a_standing_wave_on_a_grid_has_its_period: "standing_wave_grid", &["apic"], ALL;
    material_points_keep_a_shear_wave: "transfers_points", ALL, ALL;
    water_of_material_points_rests: "hydrostatic_points", ALL, ALL;
    a_block_slides_or_stays: "block_on_slope", &["mls_mpm"], ALL;
    sand_rests_or_flows_on_a_slope: "sand_slope", &["mls_mpm"], ALL;
    pastes_keep_their_profile_in_a_channel: "paste_channel", ALL, ALL;
    a_cylinder_of_paste_slumps: "paste_slump", ALL, ALL;
    jelly_carries_sound: "p_wave", ALL, ALL;
    a_bar_rings_with_its_period: "elastic_bar", ALL, ALL;
    a_bar_rings_in_long_steps: "implicit_bar", ALL, ALL;
    a_beam_bends_with_its_period: "cantilever", ALL, ALL;
    a_dam_on_a_grid_breaks_as_it_did_in_1952: "dam_break_grid", &["flip"], ALL;
}
