//! What whole steps keep.

use conformance::{
    cases::Case,
    device::{Flavour, block_on, gpu},
    random::Random,
    scenes::{parse, run_for, start, state},
};
use glam::{DMat3, DVec3};
use meniscus::{Gpu, Simulation, State};
use meniscus_model::{Scene, scene::Shape};

use super::{elements, matrix, norm, rows};

/// A scene without gravity and walls, with steps of this length.
fn free(dimensions: u32, step: f64, more: &str) -> Scene {
    let fps = (1.0 / step).min(1e5);
    parse(&format!(
        r#"
solver = "mls_mpm"
dimensions = {dimensions}
particle_radius = 0.0125
gravity = [0.0, 0.0, 0.0]
time = {{ step = {step}, fps = {fps}, min_step = {step} }}
[domain]
min = [-1.0, -1.0, -0.4]
max = [1.0, 1.0, 0.4]
{more}
"#
    ))
}

/// Sums over particles of one mass, per mass: angular momentum Σ x × v and that of the affine fields, in m²/s, kinetic
/// energy in m²/s², and Σ |x| |v|.
struct Sums {
    turning: DVec3,
    energy: f64,
    size: f64,
}

impl Sums {
    /// Of a state with cells of an edge, over which a field's inertia is D = Δx²/4 on each axis.
    fn of(state: &State, edge: f64) -> Self {
        let inertia = edge * edge / 4.0;
        let mut sums = Self { turning: DVec3::ZERO, energy: 0.0, size: 0.0 };
        let affine = elements(state, "affine");
        for (i, rows) in affine.iter().enumerate().take(state.particle_count()) {
            let x = DVec3::from(state.world_position(i));
            let v = DVec3::from_slice(&state.velocity()[i].map(f64::from));
            let c = matrix(rows);
            let spin = DVec3::new(
                c.y_axis.z - c.z_axis.y,
                c.z_axis.x - c.x_axis.z,
                c.x_axis.y - c.y_axis.x,
            );
            sums.turning += x.cross(v) + inertia * spin;
            sums.energy += 0.5 * (v.length_squared() + inertia * norm(c).powi(2));
            sums.size += x.length() * v.length();
        }
        sums
    }
}

/// Gives particles velocities and gradients by their place.
fn set_moving(
    simulation: &Simulation,
    state: &State,
    mut field: impl FnMut(DVec3) -> (DVec3, DMat3),
) {
    let (velocity, affine): (Vec<_>, Vec<_>) = (0..state.particle_count())
        .map(|i| {
            let (v, c) = field(DVec3::from(state.world_position(i)));
            (v.extend(0.0).as_vec4().to_array(), rows(c))
        })
        .unzip();
    let machine = simulation.machine();
    machine.write("velocity", bytemuck::cast_slice(&velocity)).expect("room");
    machine.write("affine", bytemuck::cast_slice(&affine)).expect("room");
}

fn steps(gpu: &Gpu, simulation: &mut Simulation, steps: u32) -> State {
    block_on(gpu, simulation.step(steps)).unwrap_or_else(|error| panic!("{error}"));
    state(gpu, simulation)
}

/// A disc of radius 8Δx through ten transfers to the nodes and back. Steps of 10⁻⁹ s move nothing and have no
/// forces: a rigid rotation keeps angular momentum and energy, any velocities keep their angular momentum.
#[test]
fn transfers_keep_angular_momentum() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = free(
        2,
        1e-9,
        r#"
[[material]]
name = "water"
[[fluid]]
shape.sphere = { center = [0.0, 0.0, 0.0], radius = 0.4 }
jitter = 0.3
"#,
    );
    let mut simulation = start(gpu, &scene);
    let before = steps(gpu, &mut simulation, 1);
    assert!(before.particle_count() > 700);
    let rotation = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::ZERO);
    let mut random = Random::new(12);
    for rigid in [true, false] {
        let before = state(gpu, &simulation);
        set_moving(&simulation, &before, |x| {
            let mut any = || DVec3::new(random.signed(), random.signed(), 0.0);
            let noise = DMat3::from_cols(any(), any(), DVec3::ZERO);
            let noise = if rigid { DMat3::ZERO } else { noise };
            (rotation * x + noise.x_axis, rotation + 20.0 * noise)
        });
        let first = Sums::of(&state(gpu, &simulation), 0.05);
        let after = steps(gpu, &mut simulation, 10);
        let places = after.position().iter().flatten().zip(before.position().iter().flatten());
        assert!(places.enumerate().all(|(k, (a, b))| k % 4 == 3 || (a - b).abs() < 1e-7));
        let last = Sums::of(&after, 0.05);
        let lost = (last.turning - first.turning).length() / first.size;
        let energy = last.energy / first.energy;
        println!("rigid {rigid}: angular momentum {lost:.1e}, energy {energy}");
        assert!(lost < 4e-7, "{lost:e} of the angular momentum");
        assert!(!rigid || (energy - 1.0).abs() < 1e-6, "{energy} of the energy");
        assert!(rigid || energy < 0.5, "noise is lost, but not its angular momentum");
    }
}

/// Angular momentum over whole steps with forces: that of jelly that turns and wobbles in free flight stays.
#[test]
fn steps_keep_angular_momentum() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for dimensions in [2, 3] {
        let scene = free(
            dimensions,
            5e-4,
            r#"
[[material]]
name = "jelly"
model = "jelly"
youngs_modulus = 1e5
[[fluid]]
shape.box = { min = [-0.2, -0.1, -0.1], max = [0.2, 0.1, 0.1] }
angular_velocity = [0.0, 0.0, 20.0]
velocity = [1.0, 0.5, 0.0]
"#,
        );
        let mut simulation = start(gpu, &scene);
        let first = Sums::of(&steps(gpu, &mut simulation, 2), 0.05);
        let last = Sums::of(&steps(gpu, &mut simulation, 100), 0.05);
        let lost = (last.turning - first.turning).length() / first.size;
        println!("{dimensions}-D: {lost:.1e}");
        assert!(lost < 1e-5, "{dimensions}-D: {lost:e} of the angular momentum");
    }
}

/// A block thrown in free fall, and in which nothing moves relatively.
#[test]
fn a_thrown_block_flies_on_its_parabola() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (dimensions, material) in [
        (2, "model = \"jelly\""),
        (2, "sound_speed = 10.0"),
        (3, "sound_speed = 10.0"),
        (3, "model = \"sand\""),
    ] {
        let step = 5e-4;
        let aside = if dimensions == 3 { 0.5 } else { 0.0 };
        let more = format!(
            r#"
[[material]]
name = "matter"
{material}
[[fluid]]
shape.box = {{ min = [-0.8, 0.0, -0.1], max = [-0.6, 0.2, 0.1] }}
velocity = [3.0, 2.0, {aside:?}]
jitter = 0.2
"#
        );
        let mut scene = free(dimensions, step, &more);
        scene.gravity = [0.0, -9.81, 0.0];
        let mut simulation = start(gpu, &scene);
        let middle = |state: &State| {
            let n = state.particle_count();
            (0..n).map(|i| DVec3::from(state.world_position(i))).sum::<DVec3>() / n as f64
        };
        let speed = DVec3::new(3.0, 2.0, aside);
        let before = middle(&state(gpu, &simulation));
        let count = 100;
        let after = steps(gpu, &mut simulation, count);
        let n = f64::from(count);
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        let way = n * step * speed + 0.5 * (n * step).powi(2) * gravity;
        let error = (middle(&after) - before - way).length() / way.length();
        let last = speed + n * step * gravity;
        let spread = after
            .velocity()
            .iter()
            .map(|v| (DVec3::from_slice(&v.map(f64::from)) - last).length())
            .fold(0.0, f64::max)
            / last.length();
        println!("{dimensions}-D, {material}: place {error:.1e}, spread {spread:.1e}");
        assert!(error < 1e-5, "{dimensions}-D, {material}: place {error:e}");
        assert!(spread < 1e-4, "{dimensions}-D, {material}: spread {spread:e}");
    }
}

/// Two runs of all materials with an emitter, a drain, moving walls and open sides.
#[test]
fn runs_give_the_same_bits() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = Case::read("mpm").with("mls_mpm");
    let run = |scene: &Scene, steps: u32| {
        let mut simulation = start(gpu, scene);
        simulation.set_steps_per_submission(steps);
        run_for(gpu, &mut simulation, 0.01);
        let middle = state(gpu, &simulation);
        run_for(gpu, &mut simulation, 0.01);
        (middle, state(gpu, &simulation))
    };
    let (middle, whole) = run(&scene, 64);
    let control = &whole.control;
    println!("{} steps, {} particles", control.step, control.particle_count);
    assert!(control.step >= 20 && control.left > 0, "enough to differ in");
    assert!(control.next_id > middle.control.next_id, "the emitter runs after the checkpoint");
    assert!(run(&scene, 64) == (middle.clone(), whole.clone()), "a second run differs");
    assert!(run(&scene, 7) == (middle.clone(), whole.clone()), "submissions differ");
    let mut resumed = block_on(gpu, Simulation::resume(gpu, &scene, &middle))
        .unwrap_or_else(|error| panic!("{error}"));
    run_for(gpu, &mut resumed, 0.01);
    assert!(state(gpu, &resumed) == whole, "resuming changes the result");
    // Twice the room, for an emitter that never starts.
    let mut roomy = scene;
    let mut other = roomy.emitters[0].clone();
    (other.start, other.max_particles) = (1e3, Some(4 * control.particle_count));
    roomy.emitters.push(other);
    let (_, found) = run(&roomy, 64);
    let particles = control.particle_count as usize;
    let capacity = whole.arrays["position"].len() / 4;
    for name in ["position", "velocity", "identity", "affine", "deformation", "stress"] {
        let (found, whole) = (&found.arrays[name], &whole.arrays[name]);
        assert!(found.len() > 2 * whole.len(), "more room");
        let live = whole.len() / capacity * particles;
        assert!(found[..live] == whole[..live], "{name} differs with more room");
    }
}

/// Particles on the faces, edges and corners of a domain with walls there belong to the cells inside.
#[test]
fn what_stands_on_the_domain_s_faces_stays() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let sides = [-1.0, 0.0, 1.0];
    let all = sides.map(|x| sides.map(|y| sides.map(|z| [x, y, 0.4 * z])));
    let points = all.as_flattened().as_flattened();
    for model in ["water", "jelly", "snow", "sand"] {
        let more = format!(
            r#"
[[material]]
name = "matter"
model = "{model}"
[[fluid]]
shape.points = {{ file = "scenes/crowd.csv", scale = 1e-4 }}
[[boundary]]
shape.box = {{ min = [-1.0, -1.0, -0.4], max = [1.0, 1.0, 0.4] }}
"#
        );
        let mut scene = free(3, 1e-4, &more);
        let Shape::Points(shape) = &mut scene.fluids[0].shape else { panic!("points") };
        shape.fill_in(&points.iter().map(|p| p.map(|x| 1e4 * x)).collect::<Vec<_>>());
        let mut simulation = start(gpu, &scene);
        let after = steps(gpu, &mut simulation, 20);
        assert_eq!((after.control.left, after.particle_count()), (0, points.len()), "{model}");
    }
}

/// Jelly as stiff as the warning asks for springs back from the corner that it is thrown into; softer, it is crushed.
#[test]
fn jelly_as_stiff_as_its_impact_springs_back() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = parse(
        r#"
solver = "mls_mpm"
dimensions = 2
particle_radius = 0.01
gravity = [0.0, -9.81, 0.0]
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 0.0]
[time]
fps = 50.0
[[material]]
name = "jelly"
model = "jelly"
youngs_modulus = 2e5
[[fluid]]
shape.box = { min = [0.2, 0.2, 0.0], max = [0.6, 0.6, 0.0] }
velocity = [-10.0, -10.0, 0.0]
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 0.0] }
"#,
    );
    let left = |scene: &Scene| {
        let mut simulation = start(gpu, scene);
        block_on(gpu, simulation.run_until(0.1)).map(|_| {
            let report = block_on(gpu, simulation.report()).expect("a report");
            println!("{} J, {} %", report.kinetic_energy, report.density_error_mean);
            report
        })
    };
    let report = left(&scene).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.momentum[0] > 0.0 && report.kinetic_energy > 5e3, "{report:?}");
    assert!(report.density_error_mean < 30.0, "{report:?}");
    scene.materials[0].keys.clear();
    if let Err(error) = left(&scene) {
        assert!(error.to_string().contains("a larger youngs_modulus"), "{error}");
    }
}

/// The bundled soft robot walks forward, by more than a quarter of its length in its second second.
#[test]
fn the_crawler_moves_forward() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let set = vec!["particle_radius=0.005".to_owned()];
    let options = meniscus_formats::LoadOptions { set, ..Default::default() };
    let loaded = meniscus_formats::load_scene("crawler", &options);
    let mut simulation = start(gpu, &loaded.expect("a bundled scene").scene);
    let place = |simulation: &mut Simulation, until: f64| {
        run_for(gpu, simulation, until);
        block_on(gpu, simulation.report()).expect("a report").center_of_mass[0]
    };
    let first = place(&mut simulation, 1.0);
    let then = place(&mut simulation, 1.0);
    println!("{first} m, {then} m");
    assert!(then - first > 0.1, "from {first} to {then} m in a second");
}
