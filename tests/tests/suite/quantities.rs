//! Quantities of particles: every solver has those that it declares, and their arrays are in the
//! order of the particles at the end of a step.

use std::collections::BTreeSet;

use conformance::device::{Flavour, block_on, gpu};
use meniscus::{Simulation, Splats};
use meniscus_formats::scene_with_methods;
use meniscus_model::{
    Scene,
    methods::{
        Quantity, Registry,
        quantity::{Form, table},
        sph,
    },
    params::KIND_FLUID,
};
use meniscus_render::{FluidBuffers, Offscreen, View};

/// A block on the floor, an emitter above it and a drain at its side.
const SCENE: &str = r#"
particle_radius = 0.025
time = { fps = 50.0 }
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.3, 0.3, 0.3] }
[[boundary]]
shape.box = { min = [-0.3, 0.0, -0.3], max = [0.6, 1.2, 0.6] }
side = "inside"
[[emitter]]
mouth.rectangle = { width = 0.2, height = 0.2 }
center = [0.15, 0.9, 0.15]
velocity = [0.0, -2.0, 0.0]
[[drain]]
shape.box = { min = [-1.0, 0.0, -1.0], max = [0.1, 0.1, 1.0] }
"#;

fn scene(solver: &str) -> Scene {
    let text = format!("solver = {solver:?}\n{SCENE}");
    let scene = scene_with_methods("falling.toml", &text, &Registry::standard());
    scene.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_solver_has_the_quantities_that_it_declares() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in Registry::standard().solvers(&sph::FAMILY) {
        let scene = scene(solver.name);
        let mut simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("it runs");
        block_on(gpu, simulation.next_frame()).expect("a frame");
        let declared = simulation.setup().chosen.quantities();
        assert_eq!(simulation.quantities(), declared, "{}", solver.name);
        let names: BTreeSet<_> = declared.iter().map(|quantity| quantity.name).collect();
        assert_eq!(names.len(), declared.len(), "{}: {names:?}", solver.name);
        let measured = block_on(gpu, simulation.measure(&declared)).expect("read back");
        for one in &measured {
            let Quantity { name, range, .. } = one.quantity;
            let own = !Quantity::COMMON.contains(&one.quantity);
            assert!(one.mean.is_finite() && one.max.is_finite(), "{}: {name}", solver.name);
            assert!(!own || one.values.iter().any(|x| *x != 0.0), "{}: {name} is 0", solver.name);
            let [low, high] = range(&simulation.setup().params.scale());
            assert!(low < high && high.is_finite(), "{name} from {low} to {high}");
        }
    }
}

#[test]
fn arrays_in_cell_order_belong_to_the_particles() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = scene("dfsph");
    let mut simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("it runs");
    let mut splats = Splats::new(&simulation).expect("splats");
    let chosen = simulation.setup().chosen.clone();
    let named = ["compression", "density"].map(|name| chosen.quantity(name).expect("a quantity"));
    let (mut counts, mut different) = (Vec::new(), BTreeSet::new());
    for _ in 0..8 {
        block_on(gpu, simulation.next_frame()).expect("a frame");
        // This sorts by the new positions.
        splats.extract(&simulation).expect("splats");
        let state = block_on(gpu, simulation.read()).expect("a state");
        let measured = block_on(gpu, simulation.measure(&named)).expect("read back");
        let [compression, density] = &measured[..] else { panic!("two quantities") };
        let fluid = |i: &usize| state.identity()[*i][1] & 0xff == KIND_FLUID;
        counts.push((0..state.particle_count()).filter(fluid).count());
        for i in (0..state.particle_count()).filter(fluid) {
            assert_eq!(density.values[i], state.density(i));
            let (expected, found) = (state.density(i) / 1000.0 - 1.0, compression.values[i]);
            // `factor` is in cell order; f32 rounds ρ/ρ0 to 6e-8.
            assert!((found - expected).abs() < 2e-7, "particle {i}: {found} for {expected}");
            different.insert(found.to_bits());
        }
    }
    assert!(different.len() > 1000, "{} different compressions", different.len());
    let grows = |pair: &[usize]| pair[1] > pair[0];
    let shrinks = |pair: &[usize]| pair[1] < pair[0];
    assert!(counts.windows(2).any(grows) && counts.windows(2).any(shrinks), "{counts:?}");
}

#[test]
fn pictures_show_the_values_that_are_read_back() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = scene("wcsph");
    scene.materials[0].rest_density = 2.0;
    scene.fluids[0].velocity = [3.0, 4.0, 0.0];
    let simulation = block_on(gpu, Simulation::new(gpu, &scene)).expect("it runs");
    let mut fluid = FluidBuffers::of(&simulation);
    let camera = fluid.camera(4.0 / 3.0);
    let mut offscreen = Offscreen::new(gpu, [160, 120]).expect("a target");
    let plain = View { legend: false, ground: false, boundaries: false, ..View::default() };
    // The yellow end of Viridis, where values are at least as large as the upper end of the range.
    let mut yellow = |fluid: &FluidBuffers, color: Quantity, range: [f32; 2]| {
        let view = View { color, range: Some(range), camera, ..plain.clone() };
        let picture = block_on(gpu, offscreen.picture(fluid, &view)).expect("a picture");
        picture.pixels().filter(|p| p[0] > p[2].saturating_add(60) && p[1] > p[2]).count()
    };
    let velocity = |lanes| Quantity::new("q", table("velocity"), lanes, "");
    for (quantity, value) in [
        (velocity("x"), 3.0),
        (velocity("y"), 4.0),
        (velocity("xy"), 5.0),
        (velocity("xyz"), 5.0),
        (velocity("x").form(Form::Excess), 50.0),
        (velocity("y").form(Form::Excess), 100.0),
    ] {
        assert_eq!(quantity.problem(), None);
        let measured = block_on(gpu, simulation.measure(&[quantity])).expect("read back");
        assert_eq!([measured[0].mean, measured[0].max], [value; 2], "{}", quantity.lanes);
        fluid.quantities = vec![(quantity, fluid.velocity.clone())];
        let value = value as f32;
        assert_eq!(yellow(&fluid, quantity, [1.001 * value, 2.0 * value]), 0, "{}", quantity.lanes);
        let found = yellow(&fluid, quantity, [0.0, 0.999 * value]);
        assert!(found > 300, "{}: {found} yellow pixels", quantity.lanes);
    }
    // Whole numbers: ids from 0 on, which as bits of an f32 would all be nearly 0.
    let id = Quantity::new("q", table("identity"), "x", "");
    fluid.quantities = vec![(id, fluid.identity.clone())];
    assert!(yellow(&fluid, id, [0.0, 0.5]) > 300);
    assert_eq!(yellow(&fluid, id, [1e5, 2e5]), 0);

    let error = block_on(gpu, offscreen.picture(&fluid, &plain)).expect_err("it has only q");
    assert_eq!(error.to_string(), "the fluid has no quantity `speed`; it has: q");
}
