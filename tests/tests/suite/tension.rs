//! Surface tension near the surface as a whole: which particles are the surface, what happens to few particles, what
//! bodies feel, and what is refused.

use std::fs;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{momentum, parse, run_for, start, state},
};
use glam::DVec3;
use meniscus::{Gpu, Simulation};
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_methods::Registry;
use meniscus_model::params::KIND_FLUID;

/// Water with surface tension, of particles 1 m apart.
const WATER: &str = r#"
particle_radius = 0.5
kernel = "cubic_spline"
gravity = [0.0, 0.0, 0.0]
solver = "wcsph"
tension.model = "near_surface"
[time]
fps = 1.0
[[material]]
name = "water"
surface_tension = 100.0
"#;

/// A particle of fluid: place in m, and class.
struct Seen {
    place: DVec3,
    class: f32,
    normal: DVec3,
}

/// Particles of fluid before the first step.
fn seen(gpu: &Gpu, simulation: &Simulation) -> Vec<Seen> {
    let chosen = &simulation.setup().chosen;
    let names = ["surface", "normal_x", "normal_y", "normal_z"];
    let wanted = names.map(|name| chosen.quantity(name).expect("a quantity"));
    let measured = block_on(gpu, simulation.measure(&wanted)).expect("read back");
    let state = state(gpu, simulation);
    let fluid = |i: &usize| state.identity()[*i][1] & 255 == KIND_FLUID;
    let of = |i: usize| {
        let normal = [1, 2, 3].map(|k: usize| f64::from(measured[k].values[i]));
        let place = DVec3::from(state.world_position(i));
        Seen { place, class: measured[0].values[i], normal: normal.into() }
    };
    (0..state.particle_count()).filter(fluid).map(of).collect()
}

/// A set of particles whose surface is known: its scene, and the depth of a place in m.
struct Set {
    name: &'static str,
    dimensions: u32,
    fluid: &'static str,
    depth: fn(DVec3) -> f64,
}

const SETS: [Set; 3] = [
    Set {
        name: "ball",
        dimensions: 3,
        fluid: "shape.sphere = { center = [0.0, 0.0, 0.0], radius = 8.0 }",
        depth: |x| 8.0 - x.length(),
    },
    Set {
        name: "cube",
        dimensions: 3,
        fluid: "shape.box = { min = [-6.0, -6.0, -6.0], max = [6.0, 6.0, 6.0] }",
        depth: |x| 6.0 - x.abs().max_element(),
    },
    Set {
        name: "disc",
        dimensions: 2,
        fluid: "shape.sphere = { center = [0.0, 0.0, 0.0], radius = 24.0 }",
        depth: |x| 24.0 - x.length(),
    },
];

/// Particles up to 0.55 spacings deep are the surface, those of 1.5 and more are not.
#[test]
fn the_surface_is_found() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (radii, jitters) = ([2.0, 2.5, 3.0, 4.0], [0.0, 0.1, 0.2]);
    for set in &SETS {
        for (h, jitter) in radii.iter().flat_map(|h| jitters.iter().map(move |jitter| (h, jitter)))
        {
            let Set { name, dimensions, fluid, depth } = set;
            let text = format!(
                "dimensions = {dimensions}\nsupport_radius = {h:?}\n{WATER}\n[[fluid]]\n{fluid}\njitter = {jitter:?}"
            );
            let seen = seen(gpu, &start(gpu, &parse(&text)));
            let share = |of: &dyn Fn(f64) -> bool| {
                let these: Vec<_> = seen.iter().filter(|p| of(depth(p.place))).collect();
                let found = these.iter().filter(|p| p.class >= 2.0).count();
                (found as f64 / these.len() as f64, these.len())
            };
            let (recall, outer) = share(&|depth| depth <= 0.55);
            let (wrong, inner) = share(&|depth| depth >= 1.5);
            assert!(outer > 50 && inner > 500, "{name}: {outer} and {inner}");
            assert!(
                recall >= 0.96 && wrong <= 0.002,
                "{name}, h = {h}, jitter {jitter}: {recall}, {wrong}"
            );
            // Normals point out of a ball, but for a step of one layer across the kernel.
            if *name == "ball" && *jitter == 0.0 {
                let outward = seen
                    .iter()
                    .filter(|p| p.class == 2.0)
                    .map(|p| p.normal.dot(p.place.normalize()));
                let worst = outward.fold(1.0, f64::min);
                println!("{name}, h = {h}: normals are off by {:.1}°", worst.acos().to_degrees());
                assert!(worst.acos() < (0.5_f64 / h).atan());
            }
        }
    }
}

#[test]
fn fluid_in_a_full_tank_of_particles_has_no_surface() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = format!(
        "support_radius = 2.5\n{WATER}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [8.0, 8.0, 8.0] }}\n\
         [[boundary]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [8.0, 8.0, 8.0] }}\nresponse.particles = {{}}"
    );
    let seen = seen(gpu, &start(gpu, &parse(&text)));
    assert_eq!((seen.len(), seen.iter().filter(|p| p.class > 0.0).count()), (512, 0));
}

/// Films of one layer, and less, are splashes; of three layers the outer two are the surface.
#[test]
fn films_have_the_classes_of_their_thickness() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (layers, expected) in [(1, &[3.0][..]), (2, &[2.0, 2.0]), (3, &[2.0, 0.0, 2.0])] {
        let text = format!(
            "support_radius = 2.5\n{WATER}\n[domain]\nmin = [0.0, -5.0, 0.0]\nmax = [9.0, 15.0, 9.0]\nperiodic = [true, \
             false, true]\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [9.0, {layers}.0, 9.0] }}"
        );
        for Seen { place, class, .. } in seen(gpu, &start(gpu, &parse(&text))) {
            assert_eq!(class, expected[place.y as usize], "{layers} layers, {place}");
        }
    }
}

/// A lone particle has no tension: it falls as without.
#[test]
fn a_lone_particle_falls_freely() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let fall = |tension: f64| {
        let text = format!(
            "support_radius = 2.5\n{WATER}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }}"
        );
        let mut scene = parse(&text);
        scene.gravity = [0.0, -9.81, 0.0];
        scene.materials[0].surface_tension = tension;
        scene.time.step = Some(0.01);
        let mut simulation = start(gpu, &scene);
        let classes = (tension > 0.0).then(|| seen(gpu, &simulation)[0].class);
        run_for(gpu, &mut simulation, 1.0);
        (state(gpu, &simulation).position()[0], classes)
    };
    let (free, with) = (fall(0.0), fall(100.0));
    assert_eq!((free.0, Some(3.0)), (with.0, with.1));
}

/// A drop that touches a free body pulls it as strongly as it is pulled.
#[test]
fn bodies_feel_the_reaction() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = format!(
        "support_radius = 2.5\n{WATER}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [5.0, 5.0, 5.0] }}\n\
         [[body]]\nshape.box = {{ min = [0.5, 5.0, 0.5], max = [4.5, 8.0, 4.5] }}\ndensity = 500.0"
    );
    let mut scene = parse(&text);
    scene.time.step = Some(0.01);
    for (solver, model) in [
        ("wcsph", "near_surface"),
        ("dfsph", "near_surface"),
        ("wcsph", "pairwise"),
        ("dfsph", "akinci"),
    ] {
        scene.solver = solver.into();
        scene.settings.set("tension.model", model);
        let mut simulation = start(gpu, &scene);
        run_for(gpu, &mut simulation, 1.0);
        let (of_fluid, size) = momentum(&state(gpu, &simulation), 1000.0);
        let body = &simulation.bodies()[0];
        let of_body = 500.0 * 48.0 * DVec3::from(body.velocity);
        let sum = of_fluid + of_body;
        assert!(of_body.length() > 1e-3 * size, "{solver}, {model}: the body moves, {of_body}");
        assert!(
            sum.length() < 1e-3 * of_body.length(),
            "{solver}, {model}: {of_fluid} and {of_body}"
        );
    }
}

#[test]
fn scenes_that_do_not_suit_it_are_refused_or_warned_of() {
    let load = |head: &str, rest: &str| {
        let text = format!(
            "{head}\nparticle_radius = 0.01\n[[material]]\nname = \"water\"\nsurface_tension = 0.07\n[[fluid]]\nshape.box = {{ min = [0.0, \
             0.0, 0.0], max = [0.2, 0.2, 0.2] }}\n{rest}"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("drop.toml");
        fs::write(&file, text).expect("a file");
        load_scene(&file.to_string_lossy(), &LoadOptions::default()).map(|loaded| loaded.scene)
    };
    let refused = |head: &str| load(head, "").expect_err("it is refused").to_string();
    let twice = refused("tension.model = [\"color_field\", \"near_surface\"]");
    assert!(twice.contains("drop.toml:1:") && twice.contains("act twice"), "{twice}");
    let share = refused("tension = { model = \"near_surface\", cohesion_share = 0.0 }");
    assert!(share.contains("tension.cohesion_share"), "{share}");
    let corrected = "tension = { model = \"near_surface\", density_correction = true }";
    let continuity =
        refused(&format!("solver = \"wcsph\"\nwcsph.density = \"continuity\"\n{corrected}"));
    assert!(continuity.contains("continuity"), "{continuity}");
    let warnings = |head: &str, rest: &str| {
        Registry::standard().warnings(&load(head, rest).expect("it runs")).join("\n")
    };
    let near = "tension.model = \"near_surface\"";
    let smooth = "let kernel be \"wendland_c2\"";
    assert!(warnings(near, "").contains(smooth), "{}", warnings(near, ""));
    // It acts where a material has tension and the scene names no model.
    assert_eq!(warnings("", ""), warnings(near, ""));
    let color = "tension.model = \"color_field\"";
    assert_eq!(warnings(color, ""), "");
    let oil = "[[material]]\nname = \"oil\"\nsurface_tension = 0.07\nviscosity = 0.1";
    let thin = warnings(color, oil);
    assert!(thin.contains("material[1]") && thin.contains("1.18 Pa·s"), "{thin}");
    let pairwise = "tension.model = \"pairwise\"";
    assert!(warnings(pairwise, "").contains(smooth), "{}", warnings(pairwise, ""));
    let akinci = "tension.model = \"akinci\"";
    assert_eq!(warnings(akinci, ""), "");
    let plate = "[[boundary]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }\ncontact_angle = 60.0";
    let bare = format!("{plate}\nresponse.volume = {{}}");
    for model in [near, pairwise, akinci] {
        let message = load(model, &bare).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            message.contains("boundary[0].contact_angle: needs response.particles"),
            "{model}: {message}"
        );
    }
    let angle = warnings(color, plate);
    assert!(
        angle.contains("does not name \"near_surface\" or \"pairwise\" or \"akinci\""),
        "{angle}"
    );
    let negative = refused("tension = { model = \"akinci\", akinci_adhesion = -1.0 }");
    assert!(negative.contains("tension.akinci_adhesion: must be 0 or more"), "{negative}");
    let wide = format!("support_radius = 0.05\n{near}");
    assert_eq!(warnings(&wide, ""), "");
    let wall = "[[boundary]]\nshape.plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }\nresponse.reflect = {}";
    assert!(warnings(&wide, wall).contains("boundary[0]"), "{}", warnings(&wide, wall));
}

/// Share Ψ of flat faces is what a plane leaves of the kernel, and densities over it are those at rest.
#[test]
fn corrected_densities_are_those_at_rest() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (dimensions, h) in [2, 3].into_iter().flat_map(|d| [2.0, 2.5, 3.0].map(|h| (d, h))) {
        let text = format!(
            "dimensions = {dimensions}\nsupport_radius = {h:?}\n{WATER}\n[[fluid]]\nshape.box = {{ min = [-6.0, -6.0, -6.0], max = \
             [6.0, 6.0, 6.0] }}"
        );
        let mut scene = parse(&text);
        scene.settings.set("tension.density_correction", true);
        let simulation = start(gpu, &scene);
        let (_, arrays) =
            block_on(gpu, simulation.machine().read(&["tension_fill"])).expect("read back");
        let fill: Vec<f32> = bytemuck::pod_collect_to_vec(&arrays["tension_fill"]);
        let state = state(gpu, &simulation);
        let (mut raw, mut worst) = (0.0_f64, 0.0_f64);
        for i in 0..state.particle_count() {
            let mut depth = (6.0 - DVec3::from(state.world_position(i)).abs()).to_array();
            depth[..dimensions].sort_by(f64::total_cmp);
            // Faces, without their edges.
            if depth[1] > h {
                let ratio = f64::from(state.density(i)) / 1000.0;
                raw = raw.max((ratio - 1.0).abs());
                worst = worst.max((ratio / f64::from(fill[2 * i]) - 1.0).abs());
            }
        }
        assert!(raw > 0.1 && worst < 0.036, "{dimensions}-D, h = {h}: {raw} without, {worst} with");
    }
}

/// Densities over the share Ψ in a tank, beside its walls and in its corners, are those at rest: solids are full.
#[test]
fn corrected_densities_beside_walls_are_those_at_rest() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (dimensions, response) in [(2, "particles"), (3, "particles"), (2, "volume"), (3, "volume")]
    {
        let text = format!(
            "dimensions = {dimensions}\nsupport_radius = 2.5\n{WATER}\n[[fluid]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [8.0, \
             6.0, 8.0] }}\n[[boundary]]\nshape.box = {{ min = [0.0, 0.0, 0.0], max = [8.0, 12.0, 8.0] }}\nresponse.{response} = \
             {{}}"
        );
        let mut scene = parse(&text);
        scene.settings.set("tension.density_correction", true);
        let simulation = start(gpu, &scene);
        let (_, arrays) =
            block_on(gpu, simulation.machine().read(&["tension_fill"])).expect("read back");
        let fill: Vec<f32> = bytemuck::pod_collect_to_vec(&arrays["tension_fill"]);
        let state = state(gpu, &simulation);
        let fluid: Vec<_> = (0..state.particle_count())
            .filter(|i| state.identity()[*i][1] & 255 == KIND_FLUID)
            .map(|i| (f64::from(state.density(i)) / 1000.0, f64::from(fill[2 * i])))
            .collect();
        let raw = fluid.iter().map(|(ratio, _)| (ratio - 1.0).abs()).fold(0.0, f64::max);
        let worst = fluid.iter().map(|(ratio, fill)| (ratio / fill - 1.0).abs());
        let worst = worst.fold(0.0, f64::max);
        println!("{dimensions}-D, {response}: {raw} without, {worst} with");
        // Measured are 3.9 and 2.1 %, where two walls meet the surface.
        assert!(raw > 0.1 && worst < 0.07, "{dimensions}-D, {response}: {raw}, {worst}");
    }
}

/// A bump of one particle is a splash; the fluid below it is not taken for empty.
#[test]
fn a_bump_does_not_empty_what_it_is_on() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let text = format!(
        "dimensions = 2\nsupport_radius = 2.5\n{WATER}\n[[fluid]]\nshape.box = {{ min = [-6.0, -6.0, 0.0], max = [7.0, 6.0, \
         0.0] }}\n[[fluid]]\nshape.box = {{ min = [0.0, 6.1, 0.0], max = [1.0, 7.1, 0.0] }}"
    );
    let mut scene = parse(&text);
    scene.settings.set("tension.density_correction", true);
    let simulation = start(gpu, &scene);
    let (_, arrays) =
        block_on(gpu, simulation.machine().read(&["tension_fill"])).expect("read back");
    let fill: Vec<f32> = bytemuck::pod_collect_to_vec(&arrays["tension_fill"]);
    let (state, seen) = (state(gpu, &simulation), seen(gpu, &simulation));
    let at = |x: f64, y: f64| {
        let near = |p: &Seen| (p.place - DVec3::new(x, y, 0.0)).length() < 0.1;
        seen.iter().position(near).expect("a particle")
    };
    assert_eq!(seen[at(0.5, 6.6)].class, 3.0);
    let below = at(0.5, 5.5);
    let ratio = f64::from(state.density(below)) / 1000.0 / f64::from(fill[2 * below]);
    assert!(ratio < 1.02, "{ratio}");
}
