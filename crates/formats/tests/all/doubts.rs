//! Warnings about scenes that are valid, and keys that another solver leaves out.

use meniscus_formats::{LoadOptions, Loaded, SCENES, load_scene, load_text};

const WATER: &str = r#"
particle_radius = 0.05
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 0.5] }
"#;

fn load(text: &str, solver: Option<&str>, set: &[&str]) -> Result<Loaded, String> {
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    let options = LoadOptions { solver: solver.map(str::to_owned), set };
    load_text("scene.toml", text, &options).map_err(|error| error.to_string())
}

#[test]
fn what_hardly_anybody_means_is_asked_about() {
    let warnings = |set: &[&str]| load(WATER, None, set).expect("valid").warnings;
    assert_eq!(warnings(&[]), [""; 0]);
    for (set, expected) in [
        ("gravity=[0, 9.81, 0]", "gravity = [0.0, 9.81, 0.0] points upwards: y is up"),
        (
            "material[0].rest_density=1",
            "material[0].rest_density = 1 kg/m³ is that of no liquid; water has 1000",
        ),
        (
            "material[0].viscosity=1e-6",
            "is it a kinematic one in m²/s? Times rest_density that is 0.001 Pa·s",
        ),
        ("boundary=[]", "nothing holds the fluid, which falls for ever: there is no [[boundary]]"),
        (
            "probe=[{ point = { name = \"a\", at = [2.0, 0.2, 0.2] } }]",
            "probe[0], \"a\", is outside of every container: it will have no values",
        ),
    ] {
        let found = warnings(&[set]);
        assert!(found.len() == 1 && found[0].ends_with(expected), "{set}: {found:?}");
    }
}

#[test]
fn a_solver_of_another_family_leaves_keys_out_and_says_so() {
    let thick = WATER
        .replace("name = \"water\"", "name = \"honey\"\nviscosity = 5.0\nsurface_tension = 0.07")
        + "response.particles = { no_slip = true }\n[viscosity]\nmodel = \"implicit\"\n";
    let loaded = load(&thick, Some("flip"), &[]).expect("without those keys");
    // Liquids on a grid have the viscosity and the tension of their material.
    let material = &loaded.scene.materials[0];
    assert_eq!((material.viscosity, material.surface_tension), (Some(5.0), 0.07));
    for key in ["viscosity.model", "boundary[0].response.particles"] {
        let named = loaded
            .warnings
            .iter()
            .filter(|warning| warning.starts_with(&format!("left out for \"flip\": {key}: ")));
        assert_eq!(named.count(), 1, "{key}: {:?}", loaded.warnings);
    }
    // In the file itself, or by --set, they are wrong.
    let error =
        load(WATER, Some("flip"), &["support_radius=0.1"]).expect_err("a key of the command line");
    assert!(error.starts_with("--set support_radius=0.1: "), "{error}");
    let error =
        load(&format!("solver = \"flip\"\n{thick}"), None, &[]).expect_err("keys of the file");
    assert!(error.contains("scene.toml:14:9: viscosity.model: must be left out"), "{error}");
}

#[test]
fn a_key_without_a_value_is_removed() {
    let text = WATER.replace("particle_radius", "support_radius = 0.25\nparticle_radius");
    let scene = |set: &[&str]| load(&text, None, set).expect("valid").scene;
    assert_eq!(
        (scene(&[]).support_radius, scene(&["support_radius="]).support_radius),
        (Some(0.25), None)
    );
    assert_eq!(scene(&["boundary[0]="]).boundaries.len(), 0);
    let error = load(&text, None, &["time.stop="]).expect_err("not there");
    assert!(error.starts_with("--set time.stop=: there is no such key to remove"), "{error}");
}

#[test]
fn a_mesh_in_millimetres_is_told_by_its_size() {
    let folder = tempfile::tempdir().expect("a folder");
    let corners = [[0, 0, 0], [900, 0, 0], [0, 900, 0], [0, 0, 900]];
    let lines = corners.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat()
        + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.path().join("part.obj"), lines).expect("written");
    let scene = folder.path().join("scene.toml").display().to_string();
    let text = format!("{WATER}[[fluid]]\nshape.mesh = {{ file = \"part.obj\" }}\n");
    let error =
        load_text(&scene, &text, &LoadOptions::default()).expect_err("too large").to_string();
    assert!(error.contains("measures 900.0000 × 900.0000 × 900.0000 m; if its file is in millimetres, scale = 0.001"), "{error}");
}

#[test]
fn walls_of_too_many_particles_are_refused_before_they_are_sampled() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("scene.toml").display().to_string();
    let wall = "[[boundary]]\nshape.mesh = { file = \"wall.obj\", sheet = true }\n";
    let load = |size: u32| {
        let square =
            format!("v 0 0 0\nv {size} 0 0\nv {size} {size} 0\nv 0 {size} 0\nf 1 2 3\nf 1 3 4\n");
        std::fs::write(folder.path().join("wall.obj"), square).expect("written");
        load_text(&scene, &format!("{WATER}{wall}"), &LoadOptions::default())
    };
    // Particles are 0.1 m apart: 100 of them in a square metre.
    let error = load(900).expect_err("too many").to_string();
    for part in
        ["boundary[1].shape.mesh: needs 81 million boundary particles; at most 64", "scale = 0.001"]
    {
        assert!(error.contains(part), "{error}");
    }
    let doubts = load(190).expect("many").warnings;
    let said = "boundary[1].shape.mesh measures 190.0000 × 190.0000 × 0.0000 m and needs 4 million boundary particles";
    assert!(doubts.iter().any(|doubt| doubt.starts_with(said)), "{doubts:?}");
    let doubts = load(19).expect("few").warnings;
    assert!(!doubts.iter().any(|doubt| doubt.contains("measures")), "{doubts:?}");
}

#[test]
fn cells_that_are_coarse_for_walls_and_drops_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = folder.path().join("scene.toml").display().to_string();
    let sheet = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(folder.path().join("wall.obj"), sheet).expect("written");
    let text = format!(
        "{WATER}[[boundary]]\nshape.mesh = {{ file = \"wall.obj\", sheet = true, translation = [0.0, 0.0, 0.2] }}\nside = \"outside\"\n"
    );
    let warnings = |solver: Option<&str>, set: &[&str]| {
        let set = set.iter().map(|set| (*set).to_owned()).collect();
        let options = LoadOptions { solver: solver.map(str::to_owned), set };
        load_text(&scene, &text, &options).expect("valid").warnings
    };
    // Cells are 0.2 m, the cube of water 2.5 of them.
    let (sheet, drop) = ("boundary[1].shape.mesh is a sheet", "fluid[0] is 2.5 cells of 0.2 m");
    let finer = "need half the radius: --set particle_radius=0.025";
    let found = warnings(Some("flip"), &[]);
    for said in [sheet, drop, finer] {
        assert!(found.iter().any(|one| one.contains(said)), "{said}: {found:?}");
    }
    let found = warnings(Some("flip"), &["particle_radius=0.025"]);
    assert!(found.len() == 1 && found[0].starts_with(sheet), "{found:?}");
    assert_eq!(warnings(None, &[]), [""; 0]);
}

#[test]
fn walls_that_smoke_leaks_through_are_told_with_the_cell_that_would_do() {
    let warnings = |thickness: f64, cell: f64| {
        let text = format!(
            "solver = \"stable_fluids\"\n[domain]\nmin = [0.0, 0.0, 0.0]\nmax = [1.0, 1.0, 1.0]\n[smoke]\ncell = {cell}\n\
             [[source]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [0.4, 1.0, 1.0] }}\n\
             [[boundary]]\nshape.box = {{ min = [0.5, -0.1, -0.1], max = [{}, 1.1, 1.1] }}\nside = \"outside\"\n",
            0.5 + thickness
        );
        load_text("scene.toml", &text, &LoadOptions::default()).expect("valid").warnings
    };
    let found = warnings(0.018, 0.02);
    let said = "boundary[0] is 0.018 m thick, less than two cells of 0.02 m: smoke and air leak through it or are blocked beside it; \
                smoke.cell = 9.00e-3 makes it two cells";
    assert!(found.len() == 1 && found[0] == said, "{found:?}");
    assert_eq!(warnings(0.018, 0.009), [""; 0]);
}

#[test]
fn settings_without_effect_are_warned_of() {
    let text = r#"
        particle_radius = 0.05
        [viscosity]
        model = "artificial"
        xsph = 0.1
        [tension]
        model = "none"
        [[material]]
        name = "oil"
        rest_density = 900.0
        viscosity = 2.0
        surface_tension = 0.03
        [[fluid]]
        shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }
        [[boundary]]
        shape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }
    "#;
    assert_eq!(
        load(text, None, &[]).expect("valid").warnings,
        [
            r#"viscosity.xsph has no effect: viscosity.model does not name "xsph""#,
            r#"material[0].viscosity has no effect: viscosity.model does not name "muller" or "morris" or "pairwise" or "implicit""#,
            r#"material[0].surface_tension has no effect: tension.model does not name "color_field" or "near_surface" or "pairwise" or "akinci""#,
        ]
    );
}

/// Keys of another solver than the chosen one, also where both have the table; bundled scenes have none.
#[test]
fn keys_of_other_solvers_are_warned_of() {
    let warnings = |text: &str| {
        let rest = r#"
            [[material]]
            name = "jelly"
            [[fluid]]
            shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.5, 0.5] }
            [[boundary]]
            shape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }
        "#;
        let text = format!("particle_radius = 0.05\n{text}\n{rest}");
        load(&text, None, &[]).expect("valid").warnings
    };
    let of_implicit =
        ["mpm.integration has no effect: solver is \"classic_mpm\", and the key is of \"mls_mpm\""];
    let classic = "solver = \"classic_mpm\"\nmpm = { integration = \"implicit\", blend = 0.9 }";
    assert_eq!(warnings(classic), of_implicit);
    let explicit = "solver = \"mls_mpm\"\nmpm = { longest_step = 5.0 }";
    assert_eq!(
        warnings(explicit),
        ["mpm.longest_step has no effect: mpm.integration is not \"implicit\""]
    );
    let implicit = "solver = \"mls_mpm\"\nmpm = { integration = \"implicit\", longest_step = 5.0 }";
    assert_eq!(warnings(implicit), [""; 0]);
    let foreign = "solver = \"dfsph\"\n[wcsph]\ngamma = 5.0";
    assert_eq!(
        warnings(foreign),
        ["wcsph.gamma has no effect: solver is \"dfsph\", and the key is of \"wcsph\""]
    );
    for scene in SCENES {
        let found = load_scene(scene.name, &LoadOptions::default()).expect("valid").warnings;
        let is_foreign = |warning: &String| warning.contains("the key is of");
        assert!(!found.iter().any(is_foreign), "{}: {found:?}", scene.name);
    }
}

/// A jet onto a statue asks for suction, which `suction = 0` declines; one beside it, onto a table, in a tube or in 2-D does not.
#[test]
fn a_jet_onto_a_statue_asks_for_suction() {
    let folder = tempfile::tempdir().expect("a folder");
    let pyramid = |name: &str, height: f64| {
        let text = format!(
            "v -0.1 0 -0.1\nv 0.1 0 -0.1\nv 0.1 0 0.1\nv -0.1 0 0.1\nv 0 {height} 0\n\
             f 1 2 3\nf 1 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n"
        );
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    pyramid("statue.obj", 0.2);
    pyramid("table.obj", 0.04);
    let text = r#"
particle_radius = 0.004
[[material]]
name = "water"
[[boundary]]
side = "outside"
shape.mesh = { file = "statue.obj" }
[[emitter]]
mouth.circle = { radius = 0.02 }
center = [0.0, 0.4, 0.01]
velocity = [0.0, -0.5, 0.0]
"#;
    let path = folder.path().join("scene.toml");
    let warnings = |solver: Option<&str>, set: &[&str]| {
        let set = set.iter().map(|set| (*set).to_owned()).collect();
        let options = LoadOptions { solver: solver.map(str::to_owned), set };
        std::fs::write(&path, text).expect("written");
        let loaded = load_scene(&path.display().to_string(), &options).expect("valid");
        let asks = |warning: &String| warning.starts_with("boundary[0].suction: ");
        loaded.warnings.into_iter().filter(asks).collect::<Vec<_>>()
    };
    for solver in [None, Some("wcsph"), Some("iisph")] {
        // It is thrown from the side, too.
        for jet in
            [&[][..], &["emitter[0].center=[0.8, 0.15, 0.0]", "emitter[0].velocity=[-6, 0.5, 0]"]]
        {
            let found = warnings(solver, jet);
            assert!(
                found.len() == 1 && found[0].ends_with("boundary[0].suction = 1000.0 holds it"),
                "{found:?}"
            );
        }
    }
    for declined in [
        "boundary[0].suction=1000",
        "boundary[0].suction=0",
        "emitter[0].center=[0.3, 0.4, 0.0]",
        "emitter[0].velocity=[0, 0.5, 0.5]",
        "boundary[0].shape.mesh.file=\"table.obj\"",
    ] {
        assert_eq!(warnings(None, &[declined]), [""; 0], "{declined}");
    }
    assert_eq!(warnings(Some("flip"), &[]), [""; 0]);
}
