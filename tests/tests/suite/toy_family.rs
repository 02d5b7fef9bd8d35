//! A family of solvers and a model of material points outside the crates: each is this file, its shaders in `toy/`, and its
//! twins (docs/adding.md).
//!
//! The family is dust: particles in a box of cells that fly without touching each other. The model is putty, which
//! flows, and resists compression.

use conformance::{
    device::{Flavour, block_on, gpu},
    side_by_side::SideBySide,
};
use meniscus::{Shaders, Simulation};
use meniscus_formats::scene_with_methods;
use meniscus_methods::{
    Axis, Family, Key, Method, Registry, Scope, Solver,
    lists::{
        sort::sort,
        step::{begin, end},
    },
    mpm::materials::{MaterialNumber, Model},
    passes,
    space::PARTICLES,
    stage::{Entry, run},
};
use meniscus_model::check;
use meniscus_reference::{Response, Strain, Twins, World};

const DUST_FAMILY: Family = Family {
    keys: &[&[Key::number("cell", [0.1, 1.0], 0.2, "Edge of the cells.").unit("m")]],
    passes: &[&[passes::each("toy/fly", PARTICLES)]],
    ..Family::new("dust", |context| context.number("dust.cell"))
};

static DUST: Method = Method {
    source: "nobody",
    help: "flies",
    shaders: &[("toy/fly", include_str!("toy/fly.wgsl"))],
    solver: Some(Solver { family: &DUST_FAMILY, stages, step_share: 1.0, sph: None }),
    ..Method::new("flier", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    let mut list = begin(scope);
    list.extend(sort(scope));
    list.push(run("toy/fly"));
    list.extend(end(scope));
    list
}

/// x ← x + Δt v', v' = v + Δt g.
fn fly(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let gravity = world.params.world.gravity.as_dvec3().to_array();
    for s in 0..world.control.particle_count as usize {
        for (axis, g) in gravity.into_iter().enumerate() {
            let v = world.sorted_velocity[s][axis] + dt * g;
            world.velocity[s][axis] = v;
            world.position[s][axis] = world.sorted_position[s][axis] + dt * v;
        }
        world.velocity[s][3] = 0.0;
        world.position[s][3] = world.sorted_position[s][3];
        world.identity[s] = world.sorted_identity[s];
    }
}

const DUST_SCENE: &str = r#"
solver = "flier"
particle_radius = 0.05
time = { step = 0.01, fps = 10.0 }
domain = { min = [-1.0, -2.0, -1.0], max = [1.0, 1.0, 1.0] }
[dust]
cell = 0.25
[[material]]
name = "dust"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.3, 0.3] }
velocity = [1.0, 0.0, 0.0]
"#;

#[test]
fn a_family_of_its_own_runs_as_its_twins() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let registry = Registry::standard().with(&DUST);
    let scene = scene_with_methods("dust.toml", DUST_SCENE, &registry).expect("a scene");
    assert_eq!(check::problems_with(&scene, &registry), []);
    let shaders = Shaders::standard();
    let twins = Twins::standard().with("toy/fly", fly);
    let mut both = SideBySide::with_methods(gpu, &scene, &shaders, &registry, twins).expect("both");
    for _ in 0..3 {
        let difference = both.step().unwrap_or_else(|error| panic!("{error}"));
        assert!(difference.is_none(), "{}", difference.unwrap());
    }
    assert!(both.largest().contains_key("toy/fly"));

    // Ten steps of 10 ms: 0.1 m along, and Σ k g Δt² = 55 g Δt² down.
    let start = Simulation::with_methods(gpu, &scene, &shaders, &registry);
    let mut simulation = block_on(gpu, start).expect("a simulation");
    let center = |report: meniscus::FrameReport| report.center_of_mass;
    let before = center(block_on(gpu, simulation.report()).expect("a report"));
    block_on(gpu, simulation.next_frame()).expect("a frame");
    let after = center(block_on(gpu, simulation.report()).expect("a report"));
    let fallen = 55.0 * 9.81 * 1e-4;
    assert!((after[0] - before[0] - 0.1).abs() < 1e-5, "{before:?} {after:?}");
    assert!((before[1] - after[1] - fallen).abs() < 1e-5, "{before:?} {after:?}");
    let quantities = simulation.setup().chosen.quantities();
    assert!(quantities.iter().any(|quantity| quantity.name == "speed"));
}

#[test]
fn its_key_and_those_of_others_are_checked() {
    let registry = Registry::standard().with(&DUST);
    let problem = |from: &str, to: &str| {
        let text = DUST_SCENE.replace(from, to);
        let scene = scene_with_methods("dust.toml", &text, &registry).expect("its form is right");
        check::problems_with(&scene, &registry).first().map(ToString::to_string)
    };
    let found = problem("cell = 0.25", "cell = 7.0").unwrap_or_default();
    assert!(found.contains("dust.cell: must be from 0.1 to 1, not 7"), "{found}");
    let found = problem("time = { step = 0.01,", "time = { cfl = 3.0,").unwrap_or_default();
    assert!(found.contains("time.cfl: must be at most 2"), "{found}");
}

static PUTTY: Model = Model {
    source: "nobody",
    help: "flows, and resists compression",
    keys: &[Key::number("bulk_modulus", [1.0, 1e9], 1e4, "Bulk modulus of putty.").unit("Pa")],
    numbers: &[MaterialNumber::new("bulk", "K in Pa", |own| own.number("bulk_modulus"))],
    sound: |own| (own.number("bulk_modulus") / own.rest_density).sqrt(),
    softens: "bulk_modulus",
    viscous: true,
    rest_density: 1200.0,
    shaders: &[("materials/putty", include_str!("toy/putty.wgsl"))],
    ..Model::new("putty")
};

/// τ = K J (J − 1) + μ (∇v + ∇vᵀ); of F only its volume is kept.
fn putty(strain: &Strain<'_>) -> Response {
    let bulk = (strain.number)("bulk");
    let j = strain.f.determinant();
    let one = glam::DMat3::IDENTITY;
    Response {
        f: one * j.powf(1.0 / f64::from(strain.dimensions)),
        tau: one * (bulk * j * (j - 1.0))
            + strain.viscosity * (strain.gradient + strain.gradient.transpose()),
        volume: j,
        energy: 0.5 * bulk * (j - 1.0).powi(2),
        sound: (bulk / strain.rest_density).sqrt(),
        state: [0.0; 3],
    }
}

const PUTTY_SCENE: &str = r#"
solver = "mls_mpm"
particle_radius = 0.05
domain = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }
[[material]]
name = "grey"
model = "putty"
bulk_modulus = 2e4
viscosity = 5.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.2, 0.2, 0.2], max = [0.5, 0.5, 0.5] }
velocity = [0.0, -1.0, 0.5]
jitter = 0.2
[[fluid]]
material = "water"
shape.box = { min = [0.5, 0.2, 0.2], max = [0.7, 0.4, 0.4] }
"#;

#[test]
fn a_material_of_its_own_runs_as_its_twin() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let registry = Registry::standard().with_model(&PUTTY);
    let scene = scene_with_methods("putty.toml", PUTTY_SCENE, &registry).expect("a scene");
    assert_eq!(check::problems_with(&scene, &registry), []);
    assert_eq!(scene.materials[0].rest_density, 1200.0);
    let shaders = Shaders::standard();
    let twins = Twins::standard().with_material("putty", putty);
    let mut both = SideBySide::with_methods(gpu, &scene, &shaders, &registry, twins).expect("both");
    for _ in 0..4 {
        let difference = both.step().unwrap_or_else(|error| panic!("{error}"));
        assert!(difference.is_none(), "{}", difference.unwrap());
    }
    // Only the scene's models are composed.
    assert!(both.largest().contains_key("mpm/deform+water+putty"), "{:?}", both.largest().keys());
    let strained = both.replica().world.floats("stress").iter().any(|tau| tau.abs() > 1.0);
    assert!(strained, "nothing was compressed");
}

#[test]
fn its_keys_belong_to_it_alone() {
    let registry = Registry::standard().with_model(&PUTTY);
    let problem = |from: &str, to: &str| {
        let text = PUTTY_SCENE.replace(from, to);
        let scene = scene_with_methods("putty.toml", &text, &registry).expect("its form is right");
        check::problems_with(&scene, &registry).first().map(ToString::to_string)
    };
    let says = |from: &str, to: &str, expected: &str| {
        let found = problem(from, to).unwrap_or_default();
        assert!(found.contains(expected), "{found}");
    };
    says("2e4", "0.5", "material[0].bulk_modulus: must be from 1 to 1000000000, not 0.5");
    says("\"putty\"", "\"snow\"", "material[0].bulk_modulus: must be left out: snow has none");
    says("\"putty\"", "\"puty\"", "material[0].model: unknown model `puty`; did you mean `putty`?");
    assert!(scene_with_methods("putty.toml", PUTTY_SCENE, &Registry::standard()).is_err());
}
