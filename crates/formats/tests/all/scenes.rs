//! Bundled and imported scenes load.

use meniscus_formats::{LoadOptions, Loaded, SCENES, load_scene, native_scene};
use meniscus_methods::Registry;
use meniscus_model::Setup;
use meniscus_model::scene::{Cuboid, Fluid, Kernel, Motion, Response, Shape};

fn load(name: &str) -> Loaded {
    load_scene(name, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn particles(loaded: &Loaded) -> usize {
    let scene = &loaded.scene;
    let fill = |fluid: &Fluid| fluid.particles(scene.spacing(), scene.dimensions, 0).len();
    let emitted = |e: &meniscus_model::scene::Emitter| {
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let layer = e.mouth.layer(e.center, e.velocity, e.up, spacing, dimensions).len();
        e.max_particles.unwrap_or(0) as usize / layer * layer
    };
    scene.fluids.iter().map(fill).sum::<usize>() + scene.emitters.iter().map(emitted).sum::<usize>()
}

#[test]
fn a_scene_with_every_table_is_sound() {
    let path = format!("{}/tests/import/every_table.toml", env!("CARGO_MANIFEST_DIR"));
    let scene = load(&path).scene;
    assert_eq!(meniscus_model::check::problems(&scene), []);
    assert!(scene.bodies.len() > 2 && scene.probes.len() > 3, "{scene:?}");
}

/// Those whose source says how many.
#[test]
fn scenes_have_the_particles_of_their_sources() {
    for (name, count, tolerance) in [
        ("double_dam_break", 55_296, 0.0),
        ("splash", 1_300, 0.0),
        ("glass_swirl", 2_200, 0.02),
        ("pour", 3_000, 0.02),
        ("zero_g_cube", 4_096, 0.0),
        ("tan_2011", 3_000, 0.0),
        ("martin_moyce", 6_400, 0.0),
        ("four_drops", 15_000, 0.03),
        ("chocolate_hare", 30_000, 0.01),
    ] {
        let found = particles(&load(name)) as f64;
        let error = (found / f64::from(count) - 1.0).abs();
        assert!(error <= tolerance, "{name}: {found} particles, not {count}");
    }
}

#[test]
fn bundled_scenes_say_what_they_are() {
    for scene in SCENES {
        let comment = scene.text.lines().take_while(|line| line.starts_with('#')).count();
        assert!((3..=6).contains(&comment), "{}: {comment} lines of comment", scene.name);
        let loaded = load(scene.name);
        assert!(!loaded.scene.title.is_empty(), "{}", scene.name);
        assert!(loaded.warnings.is_empty(), "{}", scene.name);
    }
}

#[test]
fn the_radius_alone_scales_the_dam_break() {
    for (radius, count) in [(0.0355, 5_600.0), (0.0135, 100_000.0), (0.00292, 10_000_000.0)] {
        let set = vec![format!("particle_radius={radius}")];
        let loaded = load_scene("dam_break", &LoadOptions { set, ..Default::default() });
        let scene = loaded.unwrap_or_else(|error| panic!("{error}")).scene;
        let found = scene.fluids[0].shape.count(scene.spacing(), 3);
        assert!((found / count - 1.0).abs() < 0.1, "{found} particles, not {count}");
    }
}

fn imported() -> String {
    format!("{}/tests/import/column.json", env!("CARGO_MANIFEST_DIR"))
}

fn muller() -> LoadOptions {
    LoadOptions { solver: Some("muller".into()), ..Default::default() }
}

/// A solver in place of the scene's own does without that one's keys, and keeps the viscosity of materials.
#[test]
fn another_solver_leaves_out_what_is_not_its_own() {
    let loaded = |name: &str, solver: &str| {
        let options = LoadOptions { solver: Some(solver.into()), ..Default::default() };
        load_scene(name, &options).unwrap_or_else(|error| panic!("{name}, {solver}: {error}"))
    };
    assert!(loaded("pour", "flip").scene.settings.get("muller.sound_speed").is_none());
    assert!(loaded("pour", "wcsph").scene.settings.get("muller.sound_speed").is_some());
    assert!(loaded("dam_flip", "dfsph").scene.settings.tables().is_empty());
    let column = loaded(&imported(), "apic");
    assert_eq!(column.scene.materials[0].viscosity, Some(450.0));
}

#[test]
fn a_splishsplash_scene_is_converted() {
    let loaded = load_scene(&imported(), &muller()).unwrap_or_else(|error| panic!("{error}"));
    let scene = &loaded.scene;
    let blocks: Vec<_> = scene.fluids.iter().map(|f| f.shape.fill(scene.spacing(), 3)).collect();
    assert_eq!(blocks[0].len(), 19 * 19 * 19);
    assert_eq!(blocks[1].len(), 13 * 14 * 13);
    for (found, expected) in blocks[0][0].iter().zip([-1.9, 0.1, -0.45]) {
        assert!((found - expected).abs() < 1e-12, "{:?}", blocks[0][0]);
    }
    let Shape::Box(Cuboid { min, max }) = scene.boundaries[0].shape else { panic!("not a box") };
    assert_eq!((min, max), ([-2.0, 0.0, -0.75], [2.0, 3.0, 0.75]));
    assert_eq!((scene.time.cfl, scene.time.max_step, scene.time.step), (0.75, 0.006, None));
    assert_eq!(
        (scene.materials[0].rest_density, scene.materials[0].viscosity),
        (900.0, Some(450.0))
    );
    assert_eq!(scene.fluids[1].velocity, [0.0, 0.0, 1.0]);
    // And of what so thick a liquid needs.
    assert_eq!(
        loaded.warnings[..2],
        [
            "the viscosity 0.5 of Standard viscosity is kinematic, in m²/s: 450 Pa·s here",
            "these keys have no equivalent and are ignored: Configuration.pause, Configuration.timeStepSize, \
             RigidBodies.color"
        ]
    );
}

/// Their coefficient is kinematic: 5 m²/s of a liquid of 1,000 kg/m³ are 5,000 Pa·s.
#[test]
fn its_implicit_viscosity_is_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = include_str!("../import/models/UnitBox.obj");
    std::fs::write(folder.path().join("UnitBox.obj"), mesh).expect("written");
    let text = r#"{
      "Configuration": { "simulationMethod": 4 },
      "Materials": [{ "id": "Fluid", "density0": 1000, "viscosityMethod": 6, "Weiler et al. 2018":
        { "viscosity": 5, "viscosityBoundary": 4, "viscoMaxIter": 150, "viscoMaxError": 0.05 } }],
      "RigidBodies": [{ "geometryFile": "UnitBox.obj", "scale": [9, 9, 9], "isWall": true }],
      "FluidBlocks": [{ "start": [-2, 0, 0], "end": [-1, 1, 1] }]
    }"#;
    let file = folder.path().join("scene.json").display().to_string();
    std::fs::write(&file, text).expect("written");
    let loaded = load_scene(&file, &LoadOptions::default()).expect("it is converted");
    let scene = &loaded.scene;
    assert_eq!(scene.materials[0].viscosity, Some(5000.0));
    assert_eq!(scene.settings.get("viscosity.model"), Some(&"implicit".into()));
    assert_eq!(scene.settings.get("viscosity.max_iterations"), Some(&150_i64.into()));
    let friction = Response::Particles { friction: 0.8, no_slip: false };
    assert_eq!(scene.boundaries[0].response, Some(friction));
    assert!(loaded.warnings[0].contains("5000 Pa·s here"), "{:?}", loaded.warnings);
    assert!(loaded.warnings[1].contains("viscoMaxError"), "{:?}", loaded.warnings);
}

/// Their force has no area, so that it acts like a tension over the square of the spacing.
#[test]
fn its_surface_tension_is_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = r#"{
      "Configuration": { "simulationMethod": 4, "particleRadius": 0.02, "gravitation": [0, 0, 0] },
      "Materials": [{ "id": "Fluid", "surfaceTensionMethod": 5,
        "Zorilla, Ritter, et al. 2020": { "surfaceTension": 0.1 } }],
      "FluidBlocks": [{ "start": [-0.5, -0.5, -0.5], "end": [0.5, 0.5, 0.5] }]
    }"#;
    let file = folder.path().join("scene.json").display().to_string();
    std::fs::write(&file, text).expect("written");
    let loaded = load_scene(&file, &LoadOptions::default()).expect("it is converted");
    let tension = loaded.scene.materials[0].surface_tension;
    assert!((tension - 62.5).abs() < 1e-9, "{tension} N/m");
    assert_eq!(loaded.scene.settings.get("tension.model"), Some(&"near_surface".into()));
    assert!(loaded.warnings[0].contains("62.5000 N/m"), "{:?}", loaded.warnings);
}

/// Their γ, which is no tension, becomes the one that it amounts to at this radius; β stays.
#[test]
fn its_cohesion_is_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = r#"{
      "Configuration": { "simulationMethod": 4, "particleRadius": 0.02, "gravitation": [0, 0, 0] },
      "Materials": [{ "id": "Fluid", "surfaceTensionMethod": 2,
        "Akinci et al. 2013": { "surfaceTension": 0.2, "surfaceTensionBoundary": 0.03 } }],
      "FluidBlocks": [{ "start": [-0.5, -0.5, -0.5], "end": [0.5, 0.5, 0.5] }]
    }"#;
    let file = folder.path().join("scene.json").display().to_string();
    let load = |text: &str| {
        std::fs::write(&file, text).expect("written");
        load_scene(&file, &LoadOptions::default()).expect("it is converted")
    };
    let loaded = load(text);
    let tension = loaded.scene.materials[0].surface_tension;
    // h = 0.08 m: γ (k_C ρ0² h² + 0.34 ρ0 h⁵/V0).
    let expected = 0.2 * (0.002_982_954_5 * 1e6 * 0.0064 + 0.339_75 * 1e3 * 0.0064 * 8.0);
    assert!((tension / expected - 1.0).abs() < 1e-4, "{tension} N/m, not {expected}");
    let settings = &loaded.scene.settings;
    assert_eq!(settings.get("tension.model"), Some(&"akinci".into()));
    assert_eq!(settings.get("tension.akinci_adhesion"), Some(&0.03.into()));
    assert!(loaded.warnings[0].contains("surfaceTension 0.2 of Akinci"), "{:?}", loaded.warnings);
    // Without the keys it has their defaults.
    let object = r#", "surfaceTensionMethod": 2,
        "Akinci et al. 2013": { "surfaceTension": 0.2, "surfaceTensionBoundary": 0.03 }"#;
    let usual = load(&text.replace(object, r#", "surfaceTensionMethod": 2"#)).scene;
    assert!((usual.materials[0].surface_tension / expected - 0.25).abs() < 1e-4);
    assert_eq!(usual.settings.get("tension.akinci_adhesion"), Some(&0.01.into()));
}

#[test]
fn its_dynamic_bodies_are_bodies() {
    let folder = tempfile::tempdir().expect("a folder");
    let mesh = include_str!("../import/models/UnitBox.obj");
    std::fs::write(folder.path().join("Brick.obj"), mesh).expect("written");
    std::fs::write(folder.path().join("UnitBox.obj"), mesh).expect("written");
    let text = r#"{
      "RigidBodies": [
        { "geometryFile": "UnitBox.obj", "scale": [9, 9, 9], "isWall": true },
        { "geometryFile": "Brick.obj", "isDynamic": 1, "density": 200, "translation": [1, 2, 0],
          "scale": [0.4, 0.8, 1.2], "rotationAxis": [0, 0, 2], "rotationAngle": 0.5,
          "velocity": [1, 0, 0], "angularVelocity": [0, 3, 0], "restitution": 0.5, "friction": 0.1 },
        { "geometryFile": "UnitBox.obj", "isDynamic": true, "translation": [3, 2, 0] }
      ],
      "FluidBlocks": [{ "start": [-2, 0, 0], "end": [-1, 1, 1] }]
    }"#;
    let file = folder.path().join("scene.json").display().to_string();
    std::fs::write(&file, text).expect("written");
    let loaded =
        load_scene(&file, &LoadOptions { solver: Some("dfsph".into()), ..Default::default() });
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((loaded.scene.boundaries.len(), loaded.scene.bodies.len()), (1, 2));
    let [brick, cube] = &loaded.scene.bodies[..] else { panic!("two bodies") };
    assert_eq!((brick.density, brick.restitution, brick.friction), (Some(200.0), 0.5, 0.1));
    assert_eq!((brick.velocity, brick.angular_velocity), ([1.0, 0.0, 0.0], [0.0, 3.0, 0.0]));
    // SPlisHSPlasH's defaults.
    assert_eq!((cube.density, cube.restitution, cube.friction), (Some(1000.0), 0.6, 0.2));
    assert_eq!(cube.shape, Shape::Box(Cuboid { min: [2.5, 1.5, -0.5], max: [3.5, 2.5, 0.5] }));
    let solid = brick.shape.mesh().expect("read");
    let (filled, own) = solid.as_body().expect("closed");
    assert!((filled.volume - 0.384).abs() < 1e-12);
    assert!((filled.center - glam::DVec3::new(1.0, 2.0, 0.0)).length() < 1e-12);
    let (_, half) = own.mesh().bounds();
    assert!((half - glam::DVec3::new(0.2, 0.4, 0.6)).length() < 1e-12, "{half}");
    let turn = glam::DQuat::from_rotation_z(0.5);
    assert!(filled.axes.angle_between(turn) < 1e-12, "{:?}", filled.axes);
    // The native scene is equivalent.
    let native = folder.path().join("native.toml");
    std::fs::write(&native, native_scene(&loaded).expect("a folder")).expect("written");
    let again = load_scene(&native.display().to_string(), &LoadOptions::default());
    let again = again.unwrap_or_else(|error| panic!("{error}"));
    let (a, b) = (Setup::new(&loaded.scene), Setup::new(&again.scene));
    let (a, b) = (a.expect("sound"), b.expect("sound"));
    assert_eq!(
        (a.params, a.position, a.identity, a.colliders),
        (b.params, b.position, b.identity, b.colliders)
    );
}

#[test]
fn a_splishsplash_scene_has_its_own_solver() {
    let scene = load_scene(&imported(), &LoadOptions::default());
    let scene = scene.unwrap_or_else(|error| panic!("{error}")).scene;
    let chosen = Registry::standard().choose(&scene).expect("methods");
    assert_eq!((chosen.solver().name, chosen.kernel(&scene)), ("dfsph", Kernel::CubicSpline));
}

#[test]
fn overrides_are_applied_after_conversion() {
    let set = vec!["material[0].viscosity=1".into(), "time.step=0.0005".into()];
    let loaded = load_scene(&imported(), &LoadOptions { set, ..muller() });
    let scene = loaded.unwrap_or_else(|error| panic!("{error}")).scene;
    assert_eq!((scene.materials[0].viscosity, scene.time.step), (Some(1.0), Some(0.0005)));
    let set = vec!["particle_radius=-1".into()];
    let error = load_scene(&imported(), &LoadOptions { set, ..muller() }).expect_err("negative");
    assert!(error.to_string().starts_with("--set particle_radius=-1: "), "{error}");
}

#[test]
fn its_sampling_rule_gives_its_counts() {
    // The blocks of its DamBreakModel and DoubleDamBreak, in our own files.
    let block = |start: [f64; 3], end: [f64; 3]| {
        format!(r#"{{ "denseMode": 0, "start": {start:?}, "end": {end:?} }}"#)
    };
    let dam = vec![block([-0.5, 0.0, -0.5], [0.5, 1.0, 0.5])];
    let double = vec![
        block([-1.5, 0.0, -1.5], [-0.8, 0.75, -0.8]),
        block([0.8, 0.0, 0.8], [1.5, 0.75, 1.5]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("blocks.json");
    for (blocks, count) in [(dam, 6_859), (double, 4_732)] {
        let blocks = blocks.join(", ");
        let text = format!(
            r#"{{ "Configuration": {{ "particleRadius": 0.025 }}, "FluidBlocks": [{blocks}] }}"#
        );
        std::fs::write(&file, text).expect("written");
        let loaded = load_scene(&file.display().to_string(), &muller());
        assert_eq!(particles(&loaded.unwrap_or_else(|error| panic!("{error}"))), count);
    }
}

#[test]
fn its_denser_packings_give_its_counts_and_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("block.json");
    for mode in [1, 2] {
        let text = format!(
            r#"{{ "Configuration": {{ "particleRadius": 0.025 }}, "FluidBlocks": [
              {{ "denseMode": {mode}, "start": [0, 0, 0], "end": [0.5, 0.6, 0.7] }}] }}"#
        );
        std::fs::write(&file, text).expect("written");
        let loaded = load_scene(&file.display().to_string(), &muller());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        // As SimulatorBase::createFluidBlocks.
        let (r, d) = (0.025_f64, 0.05_f64);
        let x = if mode == 1 { d } else { 6f64.sqrt() * d / 3.0 };
        let y = 3f64.sqrt() * r;
        let steps = |extent: f64, step: f64| (extent / step).round() as u64 - 1;
        let mut expected = Vec::new();
        for j in 0..steps(0.5 - x, x) {
            for k in 0..steps(0.6, y) {
                for l in 0..steps(0.7 - d, d) {
                    let mut p = [d + j as f64 * x, d + k as f64 * y, d + l as f64 * d];
                    if mode == 1 {
                        p[if k % 2 == 0 { 2 } else { 0 }] += r;
                    } else {
                        p[2] += r;
                        p[2] += if j % 2 == 0 {
                            0.0
                        } else if k % 2 == 0 {
                            r
                        } else {
                            -r
                        };
                        p[0] += if k % 2 == 0 { 0.5 * x } else { 0.0 };
                    }
                    expected.push(p);
                }
            }
        }
        let scene = &loaded.scene;
        let found = scene.fluids[0].particles(scene.spacing(), 3, 0);
        assert_eq!(found.len(), expected.len(), "mode {mode}");
        for (found, expected) in found.iter().zip(&expected) {
            let apart = (0..3).map(|k| (found[k] - expected[k]).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-7, "mode {mode}: {found:?}, not {expected:?}");
        }
    }
}

/// Files of `SPlisHSPlasH`, if present: they are not copied into this repository.
#[test]
fn scenes_of_splishsplash_load_unmodified() {
    let Ok(folder) = std::env::var("MENISCUS_SPLISHSPLASH") else {
        eprintln!("skipped: MENISCUS_SPLISHSPLASH does not name SPlisHSPlasH's data folder");
        return;
    };
    // As its createFluidBlocks counts, and the number of particles in its files.
    for (name, count) in [
        ("DamBreakModel.json", 6_859),
        ("DamBreakModel_2D.json", 29 * 29),
        ("DoubleDamBreak.json", 4_732),
        ("DragTest.json", 6_859),
        ("Emitter.json", 34 * 3 * 19),
        ("GridModel_Akinci2012.json", 400),
        ("SurfaceTension_DoubleDroplet_ZR2020.json", 2 * 4_096),
    ] {
        let loaded = load_scene(&format!("{folder}/Scenes/{name}"), &muller());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        let scene = &loaded.scene;
        let of = |fluid: &Fluid| fluid.particles(scene.spacing(), scene.dimensions, 0).len();
        assert_eq!(scene.fluids.iter().map(of).sum::<usize>(), count, "{name}");
        println!("{name}: {:?}", loaded.warnings);
        // The native scene is equivalent.
        let copy = tempfile::NamedTempFile::with_suffix(".toml").expect("a file");
        std::fs::write(copy.path(), native_scene(&loaded).expect("written")).expect("written");
        let native = load_scene(&copy.path().display().to_string(), &LoadOptions::default());
        let native = native.unwrap_or_else(|error| panic!("{error}"));
        let bits = |loaded: &Loaded| {
            let setup = Setup::new(&loaded.scene).expect("sound");
            let fields: Vec<_> = setup.fields.iter().map(|(_, field)| *field).collect();
            (setup.position, setup.velocity, setup.params, setup.emitters, fields)
        };
        assert!(bits(&loaded) == bits(&native), "{name}");
    }
    let empty = load_scene(&format!("{folder}/Scenes/Empty.json"), &muller());
    assert!(empty.expect_err("empty").to_string().contains("no fluid"));
}

#[test]
fn overrides_reach_every_key() {
    let sets = [
        "time.fps=30",
        "material[0].viscosity = 2",
        "material.0.surface_tension=0.1",
        "material.water.rest_density=998",
        "support_radius=0.06",
        "title=a b c",
        "fluid[0].velocity=[1, 0, 0]",
    ];
    let set = sets.map(String::from).to_vec();
    let loaded = load_scene("dam_break", &LoadOptions { set, ..Default::default() });
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    let scene = &loaded.scene;
    assert_eq!(scene.time.fps, 30.0);
    assert_eq!(scene.materials[0].viscosity, Some(2.0));
    assert_eq!(scene.materials[0].surface_tension, 0.1);
    assert_eq!(scene.materials[0].rest_density, 998.0);
    assert_eq!(scene.support_radius, Some(0.06));
    assert_eq!(scene.title, "a b c");
    assert_eq!(scene.fluids[0].velocity, [1.0, 0.0, 0.0]);
    assert_ne!(loaded.hash, load("dam_break").hash);
}

#[test]
fn wrong_overrides_are_named() {
    let cases = [
        ("time.fsp=30", "--set time.fsp=30: unknown key `fsp`; did you mean `fps`?"),
        ("time.fps", "--set time.fps: expected key=value"),
        ("=3", "--set =3: expected key=value"),
        ("fluid[7].jitter=0", "--set fluid[7].jitter=0: there is no element 7; the array has 1"),
        (
            "material.wine.viscosity=2",
            "--set material.wine.viscosity=2: there is no element named `wine`: there are water, and numbers, as in [0]",
        ),
        ("time.fps.x=1", "--set time.fps.x=1: `x` is not within a table"),
        (
            "particle_radius=-1",
            "--set particle_radius=-1: particle_radius: must be greater than 0, not -1.0",
        ),
        (
            "particle_radius=nan",
            "--set particle_radius=nan: particle_radius: must be a finite number",
        ),
        ("time.fps=fast", "--set time.fps=fast: invalid type: string \"fast\", expected a number"),
        (
            "solver=wrong",
            "--set solver=wrong: solver: unknown solver `wrong`; expected one of: muller",
        ),
    ];
    for (set, expected) in cases {
        let options = LoadOptions { set: vec![set.into()], ..Default::default() };
        let error = load_scene("dam_break", &options).expect_err(set).to_string();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn the_hash_knows_what_is_computed_and_not_how_long() {
    let hash = |set: &str| {
        let options = LoadOptions { set: vec![set.into()], ..Default::default() };
        load_scene("dam_break", &options).unwrap_or_else(|error| panic!("{error}")).hash
    };
    let own = load("dam_break").hash;
    assert_eq!(hash("time.until=9"), own);
    assert_eq!(hash("title=other"), own);
    assert_ne!(hash("time.fps=61"), own);
    assert_ne!(hash("gravity=[0, -1, 0]"), own);
}

#[test]
fn files_that_are_no_scenes_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let refuse =
        |name: &str| load_scene(name, &LoadOptions::default()).expect_err(name).to_string();

    let missing = path("missing.toml");
    assert_eq!(refuse(&missing), format!("cannot read {missing}: there is no such file"));
    let directory = folder.path().to_str().expect("UTF-8");
    assert!(refuse(directory).ends_with("this is a directory, not a scene file"));
    std::fs::write(path("binary.toml"), [0x74, 0xff, 0xfe]).expect("written");
    assert!(refuse(&path("binary.toml")).ends_with("byte 1 is not UTF-8 text"));
    assert!(
        refuse("dam_brake")
            .ends_with("unknown bundled scene `dam_brake`; did you mean `dam_break`?")
    );
    let options = LoadOptions { solver: Some("mueller".into()), ..Default::default() };
    let error = load_scene("dam_break", &options).expect_err("no such solver");
    assert_eq!(
        error.to_string(),
        "--solver mueller: unknown solver `mueller`; did you mean `muller`?"
    );
}

#[test]
fn a_motion_is_read_beside_its_scene() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let scene = folder.path().join("piston.toml");
    let text = r#"
dimensions = 2
material = [{ name = "water" }]
fluid = [{ shape.box = { min = [0.0, 0.0], max = [0.5, 0.3] } }]
[[boundary]]
shape.plane = { point = [0.0, 0.0], normal = [1.0, 0.0] }
motion = [{ table = { file = "way.csv" } }]
"#;
    std::fs::write(&scene, text).expect("written");
    let load = |rows: &str| {
        std::fs::write(folder.path().join("way.csv"), rows).expect("written");
        load_scene(&scene.display().to_string(), &LoadOptions::default())
    };
    let first = load("time [s],x [m],y [m]\n0,0,0\n0.5,0.1,0\n").expect("valid");
    let Motion::Table { rows, .. } = &first.scene.boundaries[0].motion[0] else {
        panic!("not a table")
    };
    assert_eq!(rows.get().map(|rows| rows.len()), Some(2));
    // Another motion is another scene for checkpoints.
    assert_ne!(load("0,0,0\n0.5,0.2,0\n").expect("valid").hash, first.hash);
    let error = load("0,0,0\n0.5,far,0\n").expect_err("no number").to_string();
    assert!(
        error.contains("piston.toml:7:30: boundary[0].motion[0].table.file: way.csv:2: "),
        "{error}"
    );
}

#[test]
fn shapes_of_2_d_come_from_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("drops.csv", "id,x,y\n0,0.1,0.9\n1,0.2,0.9\n");
    write("bed.csv", "x,y\n0,0\n1,0\n1,0.1\n0,0.3\n");
    let scene = folder.path().join("bed.toml");
    let text = |place: &str| {
        format!(
            r#"
dimensions = 2
particle_radius = 0.01
material = [{{ name = "water" }}]
[[fluid]]
shape.points = {{ file = "drops.csv" }}
[[fluid]]
shape.polygon = {{ points = [[0.1, 0.4], [0.5, 0.4], [0.1, 0.8]] }}
[[boundary]]
shape.polygon = {{ file = "bed.csv"{place} }}
side = "outside"
"#
        )
    };
    let load = |place: &str| {
        std::fs::write(&scene, text(place)).expect("written");
        load_scene(&scene.display().to_string(), &LoadOptions::default())
    };
    let first = load("").expect("valid");
    let counts = first.scene.fluids.iter().map(|fluid| fluid.particles(0.02, 2, 0).len());
    // Half of 0.4 m × 0.4 m.
    assert_eq!(counts.collect::<Vec<_>>(), [2, 200]);
    let bulk = first.scene.boundaries[0].shape.bulk(2).expect("an area");
    assert!((bulk.volume - 0.2).abs() < 1e-12);
    let bulk =
        load(", scale = 2.0, rotation = 30.0").expect("valid").scene.boundaries[0].shape.bulk(2);
    assert!((bulk.expect("an area").volume - 0.8).abs() < 1e-12);
    write("bed.csv", "x,y\n0,0\n1,0\n1,0.1\n0,0.2\n");
    assert_ne!(load("").expect("valid").hash, first.hash, "another bed is another scene");
    write("bed.csv", "x,y\n0,0\n1,one\n");
    let error = load("").expect_err("no number").to_string();
    assert!(
        error
            .contains("boundary[0].shape.polygon.file: outline \"bed.csv\": line 3: expected x, y"),
        "{error}"
    );
}
