//! Foam, spray and bubbles: where they are born, how they move, and that runs are the same however they are submitted.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, same_bits, start, state},
};
use meniscus::{Gpu, Simulation};
use meniscus_methods::foam::{
    FOAM_BORN, FOAM_BUBBLE, FOAM_COUNT, FOAM_END, FOAM_FIRST, FOAM_SHARE, FOAM_SPRAY, FOAM_STEP,
};
use meniscus_model::{FoamKind, Scene, Setup, State};
use meniscus_reference::{Replica, run};

/// A lump of water that falls onto the floor of a tank, with much foam.
fn fall() -> Scene {
    parse(
        r#"
particle_radius = 0.025
[time]
fps = 50.0
[foam]
amount = 3.0
lifetime = 0.05
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.5, 0.2] }
velocity = [1.0, -2.0, 0.0]
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.8, 0.8, 0.2] }
"#,
    )
}

/// A tank with still water, 0.6 m deep, in 2-D.
fn still() -> Scene {
    parse(
        r#"
dimensions = 2
particle_radius = 0.02
[time]
fps = 50.0
[foam]
amount = 100.0
every = 1
[[material]]
name = "water"
viscosity = 20.0
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 0.6, 0.0] }
[[boundary]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 2.0, 0.0] }
"#,
    )
}

/// Births up to a time in s.
fn births(gpu: &Gpu, scene: &Scene, time: f64) -> u32 {
    let mut simulation = start(gpu, scene);
    block_on(gpu, simulation.run_until(time)).unwrap();
    let report = block_on(gpu, simulation.report()).unwrap();
    report.foam.expect("a scene with foam").born
}

#[test]
fn water_at_rest_makes_no_foam() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    assert_eq!(births(gpu, &still(), 0.2), 0);
}

#[test]
fn uniform_motion_makes_no_foam() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = parse(
        r#"
particle_radius = 0.025
gravity = [0.0, 0.0, 0.0]
[time]
fps = 50.0
[foam]
amount = 100.0
length = 0.1
[[material]]
name = "water"
[domain]
min = [0.0, 0.0, 0.0]
max = [0.4, 0.4, 0.4]
periodic = [true, true, true]
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.4] }
velocity = [3.0, 1.0, -2.0]
"#,
    );
    assert_eq!(births(gpu, &scene, 0.1), 0);
}

/// At the rim v̂·n̂ is 0, and `|v_ij|` = ω r traps no more than ω h N/6, 0.6 of the least.
#[test]
fn rigid_rotation_makes_no_foam() {
    let scene = parse(
        r#"
dimensions = 2
particle_radius = 0.0125
gravity = [0.0, 0.0, 0.0]
[foam]
length = 1.0
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 0.0] }
velocity = [2.5, 0.0, 0.0]
"#,
    );
    let mut replica = replica(&scene);
    let world = &mut replica.world;
    // Rings of particles, one spacing apart.
    let (spacing, spin) = (0.025, 5.0);
    let mut place = 0;
    for ring in 0..=20 {
        let count = (std::f64::consts::TAU * f64::from(ring)).round().max(1.0);
        for k in 0..count as u32 {
            let radius = spacing * f64::from(ring);
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / count).sin_cos();
            let [x, y] = [radius * cos, radius * sin];
            world.sorted_position[place] = [x, y, 0.0, spacing * spacing];
            world.sorted_velocity[place] = [-spin * y, spin * x, 0.0, 0.0];
            place += 1;
        }
    }
    world.control.particle_count = place as u32;
    let state = world.words_mut("foam_state");
    state[FOAM_STEP as usize] = 0.01_f32.to_bits();
    state[FOAM_SHARE as usize] = 1024;
    run(world, "foam/potential");
    run(world, "foam/rate");
    let air = (0..place).map(|i| world.floats("foam_potential")[4 * i + 3]).fold(0.0, f64::max);
    let rates = &world.floats("foam_rate")[..place];
    assert!(air > 0.0 && rates.iter().all(|rate| *rate == 0.0), "{air}, {rates:?}");
    // Twice as fast, it makes some.
    world.sorted_velocity[..place].iter_mut().flatten().for_each(|v| *v *= 2.0);
    run(world, "foam/potential");
    run(world, "foam/rate");
    assert!(world.floats("foam_rate")[..place].iter().any(|rate| *rate > 0.0));
}

/// A column of water of this height in m collapses for four times √(L/g).
fn column(height: f64, particle_radius: f64) -> (Scene, f64) {
    let text = format!(
        r#"
particle_radius = {particle_radius}
time.fps = {fps}
time.max_step = {step}
[foam]
max = 10000
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [{half}, {height}, {half}] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [{wide}, {wide}, {half}] }}
"#,
        fps = 12.0 * (9.81 / height).sqrt(),
        step = 0.0035 * height.sqrt(),
        half = height / 2.0,
        wide = 2.0 * height,
    );
    (parse(&text), 4.0 * (height / 9.81).sqrt())
}

/// Births per particle with the same keys by DFSPH, at radii of 4 and 6 cm, and from 0.1 m to 10 m.
#[test]
fn births_are_alike_at_two_resolutions_and_every_size() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let each = [(2.0, 0.04), (2.0, 0.06), (0.1, 0.003), (10.0, 0.3)].map(|(height, radius)| {
        let (scene, time) = column(height, radius);
        let mut simulation = start(gpu, &scene);
        block_on(gpu, simulation.run_until(time)).unwrap();
        let report = block_on(gpu, simulation.report()).unwrap();
        f64::from(report.foam.expect("foam").born) / f64::from(report.fluid)
    });
    let [least, most] = [f64::min, f64::max].map(|f| each.into_iter().reduce(f).unwrap());
    assert!(least > 0.3 && most < 4.0 / 3.0 * least, "{each:?}");
}

/// A scene in the reference, whose sorted particles are those at the start.
fn replica(scene: &Scene) -> Replica {
    let setup = Setup::new(scene).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut replica = Replica::new(&setup).unwrap();
    let world = &mut replica.world;
    world.stage.element_count = world.params.counts.capacity;
    for i in 0..world.control.particle_count as usize {
        let volume = f64::from(world.params.materials[0].rest_volume);
        let [x, y, z, _] = world.position[i];
        world.sorted_position[i] = [x, y, z, volume];
        world.sorted_velocity[i] = world.velocity[i];
        world.sorted_identity[i] = world.identity[i];
    }
    replica
}

/// Σ `|v_ij| (1 − v̂_ij·x̂_ij)` (1 − r/h) of two particles: twice the speed where they approach, nothing where they part, and once
/// where they pass each other.
#[test]
fn trapped_air_of_two_particles_is_as_by_hand() {
    let scene = parse(
        r#"
particle_radius = 0.05
[foam]
length = 0.001
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.2, 0.1, 0.1] }
"#,
    );
    let mut replica = replica(&scene);
    let world = &mut replica.world;
    assert_eq!(world.control.particle_count, 2);
    // Half of the support radius apart.
    let weight = 0.5;
    for (v, expected) in [
        ([3.0, 0.0, 0.0], 2.0 * 6.0 * weight),
        ([-3.0, 0.0, 0.0], 0.0),
        ([0.0, 3.0, 0.0], 6.0 * weight),
        ([0.0, 0.0, 0.0], 0.0),
    ] {
        let [x, y, z] = v;
        let left = usize::from(world.position[0][0] > world.position[1][0]);
        world.sorted_velocity[left] = [x, y, z, 0.0];
        world.sorted_velocity[1 - left] = [-x, -y, -z, 0.0];
        run(world, "foam/potential");
        for i in 0..2 {
            let found = world.floats("foam_potential")[4 * i + 3];
            assert!((found - expected).abs() < 1e-6, "{found}, not {expected}, with {v:?}");
        }
    }
}

/// In their cylinder, `(r/r_V)²`, the angle and the place along the velocity are even: 10 bins each, χ² below its value at
/// 0.1 % for 9 degrees of freedom.
#[test]
fn births_fill_the_cylinder_of_their_particle_evenly() {
    let scene = parse(
        r#"
particle_radius = 0.05
[foam]
length = 1.0
max = 20000
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.6, 0.6, 0.5] }
velocity = [1.0, -2.0, -0.5]
"#,
    );
    let mut replica = replica(&scene);
    let world = &mut replica.world;
    let (parents, each, step) = (world.control.particle_count, 60, 0.02_f32);
    for i in 0..=parents {
        world.words_mut("foam_births_start")[i as usize] = each * i;
    }
    let state = world.words_mut("foam_state");
    state[FOAM_STEP as usize] = step.to_bits();
    state[FOAM_END as usize] = each * parents;
    run(world, "foam/birth");
    let v = glam::DVec3::new(1.0, -2.0, -0.5);
    let across = v.any_orthonormal_vector();
    let radius = world.number("foam.radius");
    let mut bins = [[0_u32; 10]; 3];
    for slot in 0..(each * parents) as usize {
        let place = glam::DVec3::from_slice(&world.floats("foam_position")[4 * slot..]);
        let parent = glam::DVec3::from_slice(&world.sorted_position[slot / each as usize]);
        let arm = place - parent;
        let along = arm.dot(v.normalize());
        let away = arm - along * v.normalize();
        let angle = away.dot(v.normalize().cross(across)).atan2(away.dot(across));
        let shares = [
            (away.length() / radius).powi(2),
            (angle / std::f64::consts::TAU + 1.0).fract(),
            along / (f64::from(step) * v.length()),
        ];
        for (bins, share) in bins.iter_mut().zip(shares) {
            assert!((-1e-9..1.0 + 1e-9).contains(&share), "{shares:?}");
            bins[((10.0 * share).max(0.0) as usize).min(9)] += 1;
        }
    }
    let expected = f64::from(each * parents) / 10.0;
    for bins in bins {
        let square = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
        let chi2: f64 = bins.iter().map(square).sum();
        assert!(chi2 < 27.9, "χ² = {chi2} of {bins:?}");
    }
}

/// A simulation of still water with one particle of foam, at a world position, at 0.5 s.
fn with_one(
    gpu: &Gpu,
    scene: &Scene,
    kind: u32,
    place: [f64; 3],
    velocity: [f32; 3],
) -> Simulation {
    let mut simulation = start(gpu, scene);
    // The water comes to rest.
    block_on(gpu, simulation.run_until(0.5)).unwrap();
    let mut state = state(gpu, &simulation);
    let local = std::array::from_fn::<_, 3, _>(|k| (place[k] - state.center[k]) as f32);
    let bits = |v: [f32; 3], w: f32| [v[0], v[1], v[2], w].map(f32::to_bits);
    let mut put = |name: &str, words: &[u32]| {
        state.arrays.get_mut(name).unwrap()[..words.len()].copy_from_slice(words);
    };
    put("foam_position", &bits(local, 1e3));
    put("foam_velocity", &bits(velocity, 0.0));
    put("foam_identity", &[0, kind]);
    let words = state.arrays.get_mut("foam_state").unwrap();
    words[FOAM_COUNT as usize] = 1;
    words[FOAM_BORN as usize] = 1;
    block_on(gpu, Simulation::resume(gpu, scene, &state)).unwrap()
}

#[test]
fn spray_flies_freely() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = with_one(gpu, &still(), FOAM_SPRAY, [0.1, 1.0, 0.0], [1.0, 2.0, 0.0]);
    block_on(gpu, simulation.run_until(0.9)).unwrap();
    let state = state(gpu, &simulation);
    let one = state.foam().next().expect("it lives on");
    let t = 0.4;
    let expected = [0.1 + t, 1.0 + 2.0 * t - 0.5 * 9.81 * t * t, 0.0];
    for axis in 0..3 {
        assert!((one.position[axis] - expected[axis]).abs() < 1e-5, "{one:?}, not {expected:?}");
    }
    assert_eq!(one.kind, FoamKind::Spray);
    assert!(
        (f64::from(one.age) - t).abs() < 1e-5 && f64::from(one.velocity[1] + 1.924).abs() < 1e-5
    );
}

/// 0.02 √(g L) times `k_b/k_d`, whatever the length of the updates.
#[test]
fn a_bubble_in_still_water_rises_at_its_terminal_speed() {
    let mut replica = replica(&still());
    let world = &mut replica.world;
    let expected = 0.02 * 2.0 / 0.8 * (9.81_f64 * 0.6).sqrt();
    for step in [0.001_f32, 0.01] {
        let count = world.number("foam.neighbours");
        world.floats_mut("foam_carrier")[..4].copy_from_slice(&[0.0, 0.0, 0.0, count]);
        world.floats_mut("foam_velocity")[..4].fill(0.0);
        world.words_mut("foam_identity")[1] = FOAM_BUBBLE;
        let state = world.words_mut("foam_state");
        state[FOAM_STEP as usize] = step.to_bits();
        (state[FOAM_FIRST as usize], state[FOAM_END as usize]) = (1, 1);
        for _ in 0..(0.4 / step) as u32 {
            run(world, "foam/move");
            let moved = world.floats("foam_moved_velocity")[..4].to_vec();
            world.floats_mut("foam_velocity")[..4].copy_from_slice(&moved);
        }
        let speed = world.floats("foam_velocity")[1];
        assert!((speed / expected - 1.0).abs() < 1e-6, "{speed}, not {expected}");
    }
}

#[test]
fn a_bubble_becomes_foam_at_the_surface() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = with_one(gpu, &still(), FOAM_BUBBLE, [0.3, 0.3, 0.0], [0.0; 3]);
    block_on(gpu, simulation.run_until(0.7)).unwrap();
    let middle = state(gpu, &simulation);
    let one = middle.foam().next().expect("it lives on");
    assert!(one.kind == FoamKind::Bubble && one.velocity[1] > 0.05, "{one:?}");
    block_on(gpu, simulation.run_until(4.0)).unwrap();
    let state = state(gpu, &simulation);
    let one = state.foam().next().expect("it lives on");
    assert_eq!(one.kind, FoamKind::Foam, "{one:?}");
    // Within the support radius of the surface.
    assert!((one.position[1] - 0.6).abs() < 0.08, "{one:?}");
}

#[test]
fn foam_is_the_same_however_it_is_submitted_or_resumed() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in ["wcsph", "dfsph"] {
        let mut scene = fall();
        scene.solver = solver.into();
        let mut resumed = same_bits(gpu, &scene, 0.06, 1, 10);
        let whole = state(gpu, &resumed);
        assert!(whole.foam().count() > 20, "{solver}: {} at the end", whole.foam().count());
        let report = block_on(gpu, resumed.report()).unwrap().foam.expect("foam");
        let all = report.spray + report.foam + report.bubbles;
        assert_eq!((all, report.born - report.died), (whole.foam().count() as u32, all));
        assert!(report.died > 0, "{solver}: nothing died");
    }
}

/// The fluid's arrays of a state.
fn of_fluid(state: &State) -> Vec<(&String, &Vec<u32>)> {
    state.arrays.iter().filter(|(name, _)| !name.starts_with("foam_")).collect()
}

#[test]
fn foam_does_not_act_on_the_fluid_and_is_not_computed_without_its_table() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let with = fall();
    let mut without = fall();
    without.settings = Default::default();
    let end = |scene: &Scene| {
        let mut simulation = start(gpu, scene);
        block_on(gpu, simulation.run_until(0.1)).unwrap();
        let stages =
            simulation.machine().stages("step").filter(|(label, _)| label.contains("foam"));
        (stages.count(), state(gpu, &simulation))
    };
    let [(stages, first), (none, second)] = [end(&with), end(&without)];
    assert!(stages > 10 && none == 0, "{stages} and {none} stages");
    assert!(first.foam().count() > 20 && second.foam().count() == 0);
    assert!(of_fluid(&first) == of_fluid(&second), "the fluid differs");
}

#[test]
fn full_room_thins_births_and_ends_nothing() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = fall();
    scene.settings.set("foam.max", 50_i64);
    scene.settings.set("foam.lifetime", 10.0);
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.run_until(0.12)).unwrap();
    let report = block_on(gpu, simulation.report()).unwrap().foam.expect("foam");
    assert_eq!(report.spray + report.foam + report.bubbles, 50);
    assert!(report.thinned > 0);
    // Spread over the fluid rather than in the first cells.
    let state = state(gpu, &simulation);
    let places: Vec<_> = state.foam().map(|one| one.position[0]).collect();
    let [low, high] = [f64::min, f64::max].map(|f| places.iter().copied().reduce(f).unwrap());
    assert!(high - low > 0.1, "all foam is between {low} and {high}");
}
