//! A body that another engine moves.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{block, start, tank, water},
};
use meniscus::{
    Coupling, Gpu, KinematicTarget,
    glam::{DQuat, DVec3},
    scene::{Body, Cuboid, Scene},
};

const WATER: f64 = 1000.0;
const RATE: f64 = 200.0;

/// Mean draft in m, by Archimedes and found, of a body in 2-D: one of the scene, or one which an engine of these lines moves.
fn drafts(gpu: &Gpu, is_coupled: bool) -> [f64; 2] {
    let (size, density) = ([0.25, 0.16], 700.0);
    let (width, depth, radius) = (0.8, 0.25, 0.005);
    let draft = size[1] * density / WATER;
    let mut scene = Scene::new(radius).with_solver("dfsph").with_fps(RATE);
    scene.dimensions = 2;
    scene.materials = vec![water()];
    scene.fluids = vec![block([0.0; 3], [width, depth, 0.0])];
    scene.boundaries = vec![tank([0.0; 3], [width, 0.5, 0.0])];
    // It falls into the water from 1 cm too high.
    let min = [0.5 * (width - size[0]), depth - draft + 0.01, 0.0];
    let max = [min[0] + size[0], min[1] + size[1], 0.0];
    let mut body = Body::new(Cuboid { min, max }.into());
    body.name = Some("hull".into());
    body.fixed = is_coupled;
    body.density = Some(density);
    let scene = scene.with_body(body);
    let mut simulation = start(gpu, &scene);
    let solid = simulation.solid("hull").expect("it has the name");

    let area = size[0] * size[1];
    let mut coupling = Coupling::new(density * area, WATER * area, 1.0 / RATE);
    let mass = coupling.mass();
    let moment = mass * (size[0].powi(2) + size[1].powi(2)) / 12.0;
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, moment]];
    let mut place = simulation.place(solid).expect("it is there").pose.position;
    let (mut v, mut angle, mut spin) = (DVec3::ZERO, 0.0, 0.0);
    let mut load = [DVec3::ZERO; 2];
    let frames = 400;
    let (mut mean, mut particles) = (0.0, 0.0);
    for frame in 1..=frames {
        if is_coupled {
            // The engine: semi-implicit steps.
            let gravity = DVec3::new(0.0, -9.81 * coupling.gravity_scale(), 0.0);
            v += (gravity + load[0] / mass) / RATE;
            spin += load[1].z / moment / RATE;
            place += v / RATE;
            angle += spin / RATE;
            let goal = KinematicTarget::new(place, DQuat::from_rotation_z(angle));
            simulation.set_kinematic_target(solid, goal).unwrap();
        }
        block_on(gpu, simulation.next_frame()).unwrap();
        let own = simulation.place(solid).expect("it is there").pose.position;
        if is_coupled {
            let force = simulation.forces().into_iter().next().expect("one body");
            let fluid = [force.mean_force, force.mean_torque];
            load = coupling.load(fluid, [v.to_array(), [0.0, 0.0, spin]], inertia).map(DVec3::from);
            assert!(
                own.distance(place) < 1e-6 && angle.abs() < 0.2,
                "{own} is not {place}, {angle}"
            );
        }
        if frame == 1 {
            particles = block_on(gpu, simulation.read()).unwrap().fluid().count() as f64;
        }
        if 2 * frame > frames {
            // At rest it displaces its weight's worth of water.
            let level = particles * (2.0 * radius).powi(2) / width + area * density / WATER / width;
            mean += (level - (own.y - 0.5 * size[1])) / f64::from(frames / 2);
        }
    }
    [draft, mean]
}

#[test]
fn a_body_of_another_engine_floats_at_its_draft() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let [[due, coupled], [_, own]] = [true, false].map(|is_coupled| drafts(gpu, is_coupled));
    println!("{coupled:.5} m, {own:.5} m as a body of the scene, {due:.5} m by Archimedes");
    assert!((coupled / due - 1.0).abs() < 0.02, "{coupled} m, not {due}");
    assert!((coupled / own - 1.0).abs() < 0.01, "{coupled} m, not {own} as a body of the scene");
}

/// What the engine has is force over mass, whatever mass is added, and f32 as f64.
#[test]
fn an_added_mass_is_given_back() {
    let inertia = [[2.0, 0.5, 0.0], [0.5, 3.0, 0.0], [0.0, 0.0, 4.0]];
    // At a constant acceleration a, (m + M) a = force + M a.
    let [force, a] = [6.0, 2.0];
    let mut one = Coupling::new(3.0, 9.0, 0.5).at([[1.0, 0.0, 0.0], [0.0; 3]]);
    let mut single = Coupling::new(3.0_f32, 9.0, 0.5).at([[1.0, 0.0, 0.0], [0.0; 3]]);
    for step in 1..4_u8 {
        let v = 1.0 + 0.5 * a * f64::from(step);
        let spin = 0.5 * f64::from(step);
        let load =
            one.load([[force, 0.0, 0.0], [0.0; 3]], [[v, 0.0, 0.0], [0.0, spin, 0.0]], inertia);
        assert!((load[0][0] / one.mass() - a).abs() < 1e-12, "{load:?}");
        // Three quarters of the inertia are added; the angular acceleration is 1.
        let due = inertia.map(|row| 0.75 * row[1]);
        assert!(load[1].iter().zip(due).all(|(found, due)| (found - due).abs() < 1e-12));
        let small = |rows: [[f64; 3]; 2]| rows.map(|row| row.map(|x| x as f32));
        let same = single.load(
            small([[force, 0.0, 0.0], [0.0; 3]]),
            small([[v, 0.0, 0.0], [0.0, spin, 0.0]]),
            inertia.map(|row| row.map(|x| x as f32)),
        );
        assert!(
            load.as_flattened()
                .iter()
                .zip(same.as_flattened())
                .all(|(a, b)| (*a as f32 - b).abs() < 1e-5)
        );
    }
    assert!((one.mass() * one.gravity_scale() - 3.0).abs() < 1e-12);
}
