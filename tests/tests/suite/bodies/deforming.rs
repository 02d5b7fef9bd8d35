//! Boundaries that change their shape by frames.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use glam::DVec3;
use meniscus::{Simulation, State};
use meniscus_model::{
    Scene,
    mesh::{Frames, Pose},
    params::{KIND_BOUNDARY, KIND_FLUID},
    scene::{Content, Keyframe, MeshShape, Motion, Response, Shape},
};

use super::vector;

/// A tank under a lid, or around a bag, which is still to be given.
const TANK: &str = r#"
particle_radius = 0.04
solver = "dfsph"
[time]
fps = 50.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 0.4, 0.4] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 1.2, 0.4] }
[[boundary]]
shape.sphere = { center = [0.0, 4.0, 0.0], radius = 0.2 }
side = "outside"
"#;

/// A box of this many squares along each edge.
fn cuboid(min: DVec3, max: DVec3, parts: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (axis, up) in [(0, false), (0, true), (1, false), (1, true), (2, false), (2, true)] {
        let first = positions.len() as u32;
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        for (i, j) in (0..=parts).flat_map(|i| (0..=parts).map(move |j| (i, j))) {
            let mut share = DVec3::splat(if up { 1.0 } else { 0.0 });
            share[u] = f64::from(i) / f64::from(parts);
            share[v] = f64::from(j) / f64::from(parts);
            positions.push((min + share * (max - min)).to_array());
        }
        for (i, j) in (0..parts).flat_map(|i| (0..parts).map(move |j| (i, j))) {
            let at = |i: u32, j: u32| first + i * (parts + 1) + j;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let [a, b, c, d] =
                if up { corners } else { [corners[0], corners[3], corners[2], corners[1]] };
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (positions, triangles)
}

/// A mesh that starts as a box, and its motion by `count` frames at 25 Hz, each moved by `place` of the place and the time.
fn deforming(
    scene: &mut Scene,
    min: DVec3,
    max: DVec3,
    count: u32,
    repeats: bool,
    place: impl Fn(DVec3, f64) -> DVec3,
) {
    let (positions, triangles) = cuboid(min, max, 6);
    let pose = |k: u32| Pose {
        name: format!("frame {k}"),
        positions: positions
            .iter()
            .map(|p| place(DVec3::from(*p), f64::from(k) / 25.0).to_array())
            .collect(),
        triangles: triangles.clone(),
    };
    let frames = Frames::new(&(0..count).map(pose).collect::<Vec<_>>()).expect("sound");
    let mut mesh = MeshShape::new("first frame");
    mesh.fill_in(frames.first());
    scene.boundaries[1].shape = Shape::Mesh(mesh);
    let (files, poses) = ("*".into(), Content::of(frames));
    scene.boundaries[1].motion =
        vec![Motion::Frames { files, animation: None, fps: 25.0, repeats, poses }];
}

/// A lid that goes down into water by 8 cm and up again, of particles or not.
fn dip(time: f64) -> f64 {
    -0.04 * (1.0 - (std::f64::consts::TAU * time / 0.48).cos())
}

fn lids(response: Option<Response>) -> [Scene; 2] {
    [false, true].map(|by_frames| {
        let mut scene = parse(TANK);
        let (min, max) = (DVec3::new(-0.2, 0.4, -0.2), DVec3::new(1.0, 0.6, 0.6));
        deforming(&mut scene, min, max, 13, false, |p, t| p + DVec3::Y * dip(t));
        if !by_frames {
            let row = |k: u32| {
                let time = f64::from(k) / 25.0;
                Keyframe { time, position: [0.0, dip(time), 0.0], angle: 0.0 }
            };
            let rows = (0..13).map(row).collect();
            scene.boundaries[1].motion = vec![Motion::table(rows, None, [0.0, 1.0, 0.0])];
        }
        // The water may rise around the lid, but not through it.
        scene.fluids[0].shape =
            Shape::Box(meniscus_model::scene::Cuboid { min: [0.0; 3], max: [0.8, 0.32, 0.4] });
        scene.boundaries[1].response.clone_from(&response);
        scene
    })
}

/// Places of particles of a kind, by id.
fn places(state: &State, kind: u32) -> Vec<DVec3> {
    let identity = state.identity();
    let own = identity.iter().zip(state.position()).filter(|([_, who], _)| who & 255 == kind);
    let mut all: Vec<_> = own.map(|([id, _], place)| (*id, vector(*place))).collect();
    all.sort_by_key(|(id, _)| *id);
    all.into_iter().map(|(_, place)| place).collect()
}

#[test]
fn a_lid_that_moves_by_frames_presses_water_as_one_that_moves_by_a_table() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let particles = Response::Particles { friction: 0.0, no_slip: false };
    let volume = Response::Volume { friction: 0.0, no_slip: false };
    for response in [particles, volume] {
        let ends = lids(Some(response.clone())).map(|scene| {
            let mut simulation = start(gpu, &scene);
            for _ in 0..12 {
                block_on(gpu, simulation.next_frame()).unwrap();
            }
            state(gpu, &simulation)
        });
        for (kind, most) in [(KIND_BOUNDARY, 2e-5), (KIND_FLUID, 4e-3)] {
            let [a, b] = ends.each_ref().map(|state| places(state, kind));
            assert_eq!(a.len(), b.len());
            let off = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            println!("{response:?}, kind {kind}: {off:.2e} m");
            assert!(off < most, "{response:?}, kind {kind}: {off}");
        }
    }
}

/// A bag within the water, which swells and shrinks as a whole and bends.
fn bag(response: Option<Response>, solver: &str) -> Scene {
    let mut scene = parse(TANK);
    scene.solver = solver.into();
    let (min, max) = (DVec3::new(0.25, 0.1, 0.1), DVec3::new(0.55, 0.3, 0.3));
    let middle = 0.5 * (min + max);
    deforming(&mut scene, min, max, 12, true, |p, t| {
        let turn = std::f64::consts::TAU * t / 0.48;
        let arm = p - middle;
        let size = 1.0 + 0.15 * turn.sin();
        middle + size * arm + DVec3::Y * 0.06 * (turn.cos() - 1.0) * (8.0 * arm.x).cos()
    });
    scene.boundaries[1].response = response;
    scene
}

/// Depth in m of the deepest fluid particle in the bag.
fn depth(simulation: &Simulation, state: &State) -> f64 {
    let setup = simulation.setup();
    let bag = setup.deforming[0].solid_at(simulation.time());
    let fluid = places(state, KIND_FLUID);
    fluid.iter().map(|p| -bag.distance(*p + setup.center)).fold(f64::MIN, f64::max)
}

#[test]
fn nothing_gets_into_a_bag_that_swells_and_bends() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let particles = Some(Response::Particles { friction: 0.0, no_slip: false });
    // Two of its periods, and twelve.
    let many = if std::env::var_os("MENISCUS_FULL").is_some() { 300 } else { 60 };
    for (response, solver, frames) in
        [(particles, "dfsph", many), (None, "dfsph", 60), (None, "flip", 60)]
    {
        let scene = bag(response.clone(), solver);
        let mut simulation = start(gpu, &scene);
        let count = simulation.control().particle_count;
        let mut deepest = f64::MIN;
        for frame in 0..frames {
            block_on(gpu, simulation.next_frame()).unwrap();
            if frame % 12 == 5 || frame + 1 == frames {
                deepest = deepest.max(depth(&simulation, &state(gpu, &simulation)));
            }
        }
        println!("{solver}, {response:?}: deepest {deepest:.4} m");
        assert_eq!(simulation.control().particle_count, count);
        assert_eq!(block_on(gpu, simulation.report()).unwrap().lost, 0, "{solver}, {response:?}");
        // A quarter of a spacing.
        assert!(deepest < 0.02, "{solver}, {response:?}: {deepest} m within the bag");
    }
}
