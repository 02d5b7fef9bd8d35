//! Scenes with one problem each: every one causes one clear message with its place.

use std::path::{Path, PathBuf};

use meniscus_formats::{Error, LoadOptions, load_scene};

/// Every file of `tests/bad`, the beginning of its message after the place, and line and column of
/// the place. The message may have a key path in front.
const EXPECTED: &[(&str, &str, &str)] = &[
    ("array.json", "1:1", "the scene: expected an object, found [1,2]"),
    (
        "block_beyond_wall.json",
        "4:53",
        "fluid[0].shape: reaches 0.975 m outside the container boundary[0]",
    ),
    ("block_without_end.json", "4:20", "FluidBlocks[0]: `end` is missing"),
    ("bodies_overlap.toml", "11:1", "body[1].shape: fills a place that body[0] fills already"),
    ("body_flat.json", "5:5", "body[0].shape.mesh: there are no meshes in 2-D"),
    ("body_lighter_than_air.toml", "7:11", "body[0].density: gives a density of 1 kg/m³"),
    ("body_missing_mesh.toml", "8:23", "body[0].shape.mesh.file: there is no file \"none.obj\""),
    (
        "body_of_slivers.toml",
        "8:23",
        "body[0].shape.mesh.file: mesh \"../bad_meshes/slivers.obj\": none of its triangles has an area",
    ),
    ("body_open.json", "4:5", "body[0].shape.mesh: has 4 open edges: a body needs a closed mesh"),
    ("body_open.toml", "8:7", "body[0].shape.mesh: has 4 open edges: a body needs a closed mesh"),
    (
        "body_through_floor.toml",
        "10:1",
        "body[0].shape: reaches 0.1 m behind the plane boundary[0]",
    ),
    ("body_without_volume.toml", "8:7", "body[0].shape.mesh: encloses no volume"),
    ("dense_mode.json", "4:36", "FluidBlocks[0].denseMode: expected 0, 1 or 2, found 3"),
    ("duplicate_key.toml", "3:1", "duplicate key"),
    (
        "duplicate_material.toml",
        "7:8",
        "material[1].name: \"water\" is the name of material[0] already",
    ),
    ("emitter.json", "3:27", "Emitters[0].type: expected a number, found \"round\""),
    (
        "emitter_in_obstacle.toml",
        "11:10",
        "emitter[0].center: its mouth is 0.1 m deep in the obstacle boundary[0]",
    ),
    ("emitter_too_small.toml", "6:1", "emitter[0].mouth: is too small for a particle"),
    ("empty.json", "1:1", "the file is empty: expected a JSON scene"),
    ("empty.toml", "1:1", "the file is empty: a scene needs a [[material]] and a [[fluid]]"),
    (
        "explicit_step.toml",
        "4:17",
        "time.step: 0.002 s is more than the 1.000e-3 s that explicit diffusion allows",
    ),
    (
        "fluid_outside_its_box.toml",
        "7:1",
        "fluid[0].shape: reaches 0.238 m outside the container boundary[0]",
    ),
    ("infinite_gravity.toml", "2:17", "gravity[1]: must be a finite number up to 1e12, not -inf"),
    (
        "min_above_max.toml",
        "8:18",
        "pcisph.max_iterations: must be at least pcisph.min_iterations = 5, not 4",
    ),
    (
        "missing_mesh.json",
        "3:38",
        "RigidBodies[0].geometryFile: there is no mesh file \"../none.obj\"",
    ),
    ("missing_mesh.toml", "8:23", "boundary[0].shape.mesh.file: there is no file \"none.obj\""),
    ("missing_sky.toml", "7:13", "light.sky_image: there is no file \"none.png\""),
    (
        "nan_viscosity.toml",
        "5:13",
        "material[0].viscosity: must be a finite number up to 1e12, not NaN",
    ),
    (
        "negative_density.toml",
        "5:16",
        "material[0].rest_density: must be greater than 0, not -1000.0",
    ),
    ("negative_radius.json", "2:40", "particle_radius: must be greater than 0, not -0.025"),
    ("negative_radius.toml", "2:19", "particle_radius: must be greater than 0, not -0.01"),
    (
        "no_fluid.toml",
        "1:1",
        "fluid: no fluid: add [[fluid]] with a shape, or an [[emitter]] or [[inlet]]; for smoke, a [[source]], a [[vortex]], wind, or a wall that moves or has a temperature",
    ),
    ("no_iterations.toml", "4:24", "iisph.max_iterations: must be 1 or more, not 0"),
    ("no_material.toml", "1:1", "material: no material: add [[material]] with a name"),
    (
        "not_a_number.json",
        "2:40",
        "Configuration.particleRadius: expected a number, found \"small\"",
    ),
    ("not_json.json", "2:3", "key must be a string"),
    ("not_toml.toml", "3:1", "missing comma between array elements, expected `,`"),
    ("nothing.json", "1:1", "no fluid: expected FluidBlocks, FluidModels or Emitters"),
    (
        "overlapping_blocks.toml",
        "10:1",
        "fluid[1].shape: fills a place that fluid[0] fills already",
    ),
    (
        "periodic_too_short.toml",
        "6:13",
        "domain.periodic[0]: the domain is 2.00 support radii long in x",
    ),
    ("several.toml", "2:19", "particle_radius: must be greater than 0, not 0.0"),
    (
        "slow_sound.toml",
        "2:21",
        "wcsph.sound_speed: must be at least 4.4294 m/s, the largest speed to expect",
    ),
    ("slow_sound_muller.toml", "1:22", "muller.sound_speed: must be at least 4.4294 m/s"),
    ("source_turns.toml", "5:11", "source[0].motion[0]: a source can only translate and sway"),
    (
        "step_above_cfl.toml",
        "8:8",
        "time.step: 0.02 s is more than the CFL condition allows with time.cfl = 1: 9.030e-3 s by \
         speed (0.4 h/v with 4.4294 m/s), 2.524e-2 s by gravity",
    ),
    (
        "step_above_sound.toml",
        "8:8",
        "time.step: 0.002 s is more than the CFL condition allows with time.cfl = 1: 9.030e-4 s by \
         sound (0.4 h/c with 44.2945 m/s)",
    ),
    (
        "step_too_viscous.toml",
        "9:8",
        "time.step: 0.001 s is more than the CFL condition allows with time.cfl = 1: 9.030e-3 s by \
         speed (0.4 h/v with 4.4294 m/s), 2.524e-2 s by gravity (0.25 √(h/g)), 3.125e-4 s by \
         viscosity",
    ),
    ("support_radius.toml", "3:18", "support_radius: must be larger than the particle spacing"),
    (
        "three_dimensional_in_2d.toml",
        "9:7",
        "fluid[0].shape.cylinder: there are no cylinders in 2-D",
    ),
    (
        "too_many_particles.toml",
        "6:1",
        "fluid: 1,000,000,000,000 particles in total; at most 64,000,000 are",
    ),
    (
        "turned_wall.json",
        "4:43",
        "RigidBodies[0].rotationAxis: expected three numbers, found [0,0]",
    ),
    (
        "unknown_kernel.toml",
        "2:10",
        "unknown value `quintic`; expected one of: muller, cubic_spline, wendland_c2",
    ),
    ("unknown_key.toml", "6:1", "unknown key `viscosty`; did you mean `viscosity`?"),
    (
        "unknown_key_of_solver.toml",
        "5:8",
        "wcsph.xsph: unknown key `xsph`; expected one of: gamma, sound_speed, negative_pressure, density",
    ),
    (
        "unknown_material.toml",
        "7:12",
        "fluid[0].material: no material is called \"oil\"; there are: water",
    ),
    (
        "unknown_shape.toml",
        "7:11",
        "unknown value `cube`; expected one of: box, sphere, plane, cylinder, capsule, mesh, points",
    ),
    (
        "unknown_solver.json",
        "2:42",
        "Configuration.simulationMethod: solver \"pbf\" does not exist yet; try --solver muller or wcsph or pcisph or iisph or dfsph",
    ),
    (
        "unknown_solver.toml",
        "2:10",
        "solver: unknown solver `pbf`; expected one of: muller, wcsph, pcisph, iisph, dfsph",
    ),
    (
        "viscous_smoke.toml",
        "6:13",
        "material[0].viscosity: must be left out: the air's is smoke.viscosity, ν in m²/s",
    ),
    ("wrong_length.toml", "2:11", "expected three components, as in [x, y, z], not 2; scenes"),
    ("wrong_type.toml", "2:19", "invalid type: string \"small\", expected a number"),
    ("zero_tolerance.toml", "3:19", "dfsph.max_error: must be greater than 0"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

fn load(name: &str) -> Error {
    // Imported scenes name solvers of their own: test those without an option.
    let own = name == "unknown_solver.json" || name.ends_with(".toml");
    let solver = (!own).then(|| "muller".to_owned());
    let path = folder().join(name).display().to_string();
    load_scene(&path, &LoadOptions { solver, ..Default::default() }).expect_err(name)
}

#[test]
fn every_bad_scene_is_refused_at_its_place() {
    let mut wrong = Vec::new();
    for (name, place, message) in EXPECTED {
        let error = load(name);
        let Error::Input(faults) = &error else { panic!("{name}: {error}") };
        let expected = format!("{}:{place}: {message}", folder().join(name).display());
        let one = faults.len() == 1 || *name == "several.toml";
        if !one || !error.to_string().starts_with(&expected) {
            wrong.push(format!("{error}\n    expected {place}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_is_expected() {
    let entries = std::fs::read_dir(folder()).expect("tests/bad");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect();
    names.sort();
    let expected: Vec<&str> = EXPECTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, expected);
}

#[test]
fn all_problems_are_reported_one_a_line() {
    let error = load("several.toml").to_string();
    assert_eq!(error.lines().count(), 3, "{error}");
    assert!(error.lines().all(|line| line.contains("several.toml:")), "{error}");
}
