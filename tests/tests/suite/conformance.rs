//! Each pass against its twin, from identical bits.

use conformance::{
    compare::{Expected, check, check_idle},
    device::{Flavour, gpu},
    fixture::{Kind, just_before, remove_some},
    rows::ROWS,
    worlds::kinds,
};

fn check_pass(pass: &str) {
    let row = ROWS.iter().find(|row| row.pass == pass).expect("the row exists");
    let print = std::env::var_os("MENISCUS_ERRORS").is_some();
    let kinds = kinds(row);
    let mut worlds = 0;
    for kind in &kinds {
        let Some(world) = just_before(pass, *kind) else { continue };
        worlds += 1;
        let expected = Expected::of(row, &world);
        for flavour in [Flavour::Default, Flavour::PlainFolded] {
            let Some(gpu) = gpu(flavour) else { return };
            let result = expected.compare(gpu, &[]);
            if print {
                println!("{pass} {flavour:?} {kind:?} {result:?}");
                continue;
            }
            result.unwrap_or_else(|e| panic!("{flavour:?}, {kind:?}: {e}"));
        }
    }
    assert!(3 * worlds >= 2 * kinds.len(), "{pass} is run in {worlds} of {} worlds", kinds.len());
}

/// One test for each pass, so that the list of tests is the list of passes.
macro_rules! rows {
    ($($name:ident: $pass:literal),+ $(,)?) => {
        $(#[test] fn $name() { check_pass($pass); })+

        #[test]
        fn each_pass_has_its_test() {
            let tested = [$($pass),+];
            for row in ROWS {
                assert!(tested.contains(&row.pass), "{} has no test", row.pass);
            }
        }
    };
}

rows! {
    time_begin_frame: "time/begin_frame",
    time_begin_step: "time/begin_step",
    emit_plan: "emit/plan",
    emit_points: "emit/points",
    emit_drain: "emit/drain",
    body_begin: "body/begin",
    integrate_drift: "integrate/drift",
    body_place: "body/place",
    reduce_clear: "reduce/clear",
    sort_count: "sort/count",
    reduce_sum: "reduce/sum",
    reduce_scan: "reduce/scan",
    sort_bin: "sort/bin",
    sort_rank: "sort/rank",
    sort_live: "sort/live",
    sort_reorder: "sort/reorder",
    neighbours_rows: "neighbours/rows",
    neighbours_count: "neighbours/count",
    neighbours_room: "neighbours/room",
    neighbours_list: "neighbours/list",
    sph_density: "sph/density",
    muller_pressure: "muller/pressure",
    wcsph_continuity: "wcsph/continuity",
    wcsph_pressure: "wcsph/pressure",
    sph_forces_pressure_muller: "sph/forces+pressure_muller",
    sph_forces_pressure_wcsph: "sph/forces+pressure_wcsph",
    sph_forces_viscosity_muller: "sph/forces+viscosity_muller",
    sph_forces_viscosity_artificial: "sph/forces+viscosity_artificial",
    sph_forces_viscosity_xsph: "sph/forces+viscosity_xsph",
    sph_forces_tension_color_field: "sph/forces+tension_color_field",
    sph_forces_of_muller: "sph/forces+viscosity_muller+pressure_muller+tension_color_field",
    sph_forces_of_wcsph: "sph/forces+viscosity_muller+pressure_wcsph+tension_color_field+viscosity_artificial+viscosity_xsph",
    integrate_fields: "integrate/fields",
    integrate_kick_drift: "integrate/kick_drift",
    integrate_kick: "integrate/kick",
    body_fall: "body/fall",
    body_fields: "body/fields",
    body_react_of_muller: "body/react+viscosity_muller+pressure_muller",
    body_react_of_wcsph: "body/react+viscosity_artificial+viscosity_xsph+pressure_wcsph",
    body_kick: "body/kick",
    body_carry: "body/carry",
    sph_factor: "sph/factor",
    sph_warm: "sph/warm",
    sph_push: "sph/push",
    sph_keep: "sph/keep",
    pcisph_compression: "pcisph/compression",
    dfsph_divergence: "dfsph/divergence",
    sph_compression: "sph/compression",
    loop_residual: "loop/residual",
    sph_correct: "sph/correct",
    body_press: "body/press",
    integrate_advance: "integrate/advance",
    body_near: "body/near",
    body_contact: "body/contact",
    body_partners: "body/partners",
    body_impulse: "body/impulse",
    body_apply: "body/apply",
    body_touch: "body/touch",
    body_end: "body/end",
    solid_collide: "solid/collide",
    check_limits: "check/limits",
    time_end_step: "time/end_step",
    loop_begin: "loop/begin",
    loop_test: "loop/test",
    loop_end: "loop/end",
    diagnostics_partial: "diagnostics/partial",
    diagnostics_total: "diagnostics/total",
    surface_volume: "surface/volume",
    surface_mark: "surface/mark",
    surface_touch: "surface/touch",
    surface_list: "surface/list",
    surface_shape: "surface/shape",
    surface_field: "surface/field",
    surface_field_anisotropic: "surface/field_anisotropic",
    surface_classify: "surface/classify",
    surface_cut: "surface/cut",
    surface_draw: "surface/draw",
    surface_cut_list: "surface/cut_list",
    surface_vertices: "surface/vertices",
    surface_indices: "surface/indices",
    surface_ring: "surface/ring",
    surface_smooth: "surface/smooth",
    surface_speed: "surface/speed",
    surface_splat: "surface/splat",
    solid_bake: "solid/bake",
    solid_flood: "solid/flood",
}

#[test]
fn every_pass_is_idle_when_it_is_not_active() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for row in ROWS {
        let world = just_before(row.pass, Kind::of(65)).expect("the pass is run");
        check_idle(gpu, row, &world, &[]).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn limits_name_the_smallest_id_that_is_not_finite_or_too_far() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let row = ROWS.iter().find(|row| row.pass == "check/limits").expect("the row exists");
    let wrong = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e9, -3e5];
    for (n, value) in wrong.iter().enumerate() {
        for place in [0, 1] {
            let mut world = just_before("check/limits", Kind { seed: 303, ..Kind::of(300) })
                .expect("the pass is run");
            for i in [200, 77 + n, 290] {
                let data = if place == 0 { &mut world.position } else { &mut world.velocity };
                data[i][n % 3] = *value;
            }
            check(gpu, row, &world, None).unwrap_or_else(|error| panic!("{value}: {error}"));
            meniscus_reference::run(&mut world, "check/limits");
            let fails = place == 0 || !value.is_finite();
            assert_eq!(world.control.pending_failure != 0, fails, "{value} at {place}");
        }
    }
}

#[test]
fn the_sort_drops_removed_particles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for pass in ["sort/count", "sort/bin", "sort/rank"] {
        let row = ROWS.iter().find(|row| row.pass == pass).expect("the row exists");
        let mut world = just_before("sort/count", Kind::of(500)).expect("the pass is run");
        remove_some(&mut world);
        world.cell_count.fill(0);
        let before = ["sort/count", "sort/bin", "sort/rank"];
        for name in before.iter().take_while(|name| **name != pass) {
            meniscus_reference::run(&mut world, name);
            let mut sum = 0;
            for (start, count) in world.cell_start.iter_mut().zip(&world.cell_count) {
                *start = sum;
                sum += count;
            }
        }
        check(gpu, row, &world, None).unwrap_or_else(|error| panic!("{error}"));
    }
}
