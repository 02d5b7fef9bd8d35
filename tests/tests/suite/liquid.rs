//! Liquids on a grid (HYBRIDS 5a; numbers of its rows in brackets).

mod transfers;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start, state},
};
use glam::DVec3;
use meniscus::{Gpu, Simulation, model::State};
use meniscus_methods::{Family, Registry};

fn solvers() -> Vec<&'static str> {
    let registry = Registry::standard();
    registry.solvers(Family::Liquid).map(|method| method.name).collect()
}

fn steps(gpu: &Gpu, simulation: &mut Simulation, count: u32) -> State {
    block_on(gpu, simulation.step(count)).unwrap_or_else(|error| panic!("{error}"));
    state(gpu, simulation)
}

/// Mean of the particles' places or velocities, and the largest distance from it.
fn mean(all: &[DVec3]) -> (DVec3, f64) {
    let mean = all.iter().sum::<DVec3>() / all.len() as f64;
    (mean, all.iter().map(|x| x.distance(mean)).fold(0.0, f64::max))
}

fn velocities(state: &State) -> Vec<DVec3> {
    let count = state.particle_count();
    (0..count).map(|i| DVec3::from_slice(&state.velocity()[i].map(f64::from))).collect()
}

fn places(state: &State) -> Vec<DVec3> {
    (0..state.particle_count()).map(|i| DVec3::from(state.world_position(i))).collect()
}

/// [10] A thrown block of jittered particles flies on the parabola of the time steps, all with one velocity.
#[test]
fn a_block_flies_on_a_parabola() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in solvers() {
        let scene = parse(&format!(
            r#"
solver = "{solver}"
dimensions = 2
particle_radius = 0.0125
[domain]
min = [-1.0, -1.0, 0.0]
max = [1.0, 1.0, 0.0]
[time]
step = 0.002
fps = 50.0
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [-0.2, 0.1, 0.0], max = [0.2, 0.4, 0.0] }}
velocity = [0.7, 1.0, 0.0]
jitter = 0.3
"#
        ));
        let mut simulation = start(gpu, &scene);
        let begin = state(gpu, &simulation);
        let end = steps(gpu, &mut simulation, 50);
        let (dt, n) = (0.002, 50.0);
        let way = DVec3::new(0.7 * n * dt, n * dt - 9.81 * dt * dt * n * (n + 1.0) / 2.0, 0.0);
        let moved = mean(&places(&end)).0 - mean(&places(&begin)).0;
        assert!(moved.distance(way) < 2e-7, "{solver}: {moved}, not {way}");
        let (_, spread) = mean(&velocities(&end));
        assert!(spread < 1.2e-5, "{solver}: velocities spread by {spread} m/s");
    }
}

/// A dam in a tank.
fn dam(solver: &str) -> meniscus::Scene {
    parse(&format!(
        r#"
solver = "{solver}"
dimensions = 2
particle_radius = 0.0125
[time]
fps = 50.0
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [0.3, 0.5, 0.0] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0, -1.0], max = [1.0, 1.0, 1.0] }}
side = "inside"
"#
    ))
}

/// Water in a dam loses energy and never gains any; with `pic` it loses the most.
#[test]
fn a_dam_loses_energy_and_pic_the_most() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let lost = |solver: &str| {
        let mut simulation = start(gpu, &dam(solver));
        let mut energy = || {
            let report = block_on(gpu, simulation.report()).expect("a report");
            block_on(gpu, simulation.next_frame()).expect("a frame");
            (report.kinetic_energy + report.potential_energy, report.kinetic_energy)
        };
        let begin = energy().0;
        let all: Vec<_> = (0..25).map(|_| energy()).collect();
        let most = all.iter().map(|(total, _)| *total).fold(0.0, f64::max);
        assert!(most < begin * 1.0001, "{solver}: {most} J of {begin} J");
        assert!(all.iter().any(|(_, kinetic)| *kinetic > 0.4 * begin), "{solver}: it runs");
        1.0 - all[24].0 / begin
    };
    let [pic, flip, apic] = ["pic", "flip", "apic"].map(lost);
    assert!(pic > 2.0 * flip && pic > 2.0 * apic, "{pic} with pic, {flip} flip, {apic} apic");
}

/// [25] Two runs, and one that resumes from a state, give the same bits.
#[test]
fn runs_give_the_same_bits() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in solvers() {
        let scene = dam(solver);
        let [mut first, mut second] = [start(gpu, &scene), start(gpu, &scene)];
        let half = steps(gpu, &mut first, 15);
        let whole = steps(gpu, &mut first, 15);
        second.set_steps_per_submission(4);
        assert_eq!(steps(gpu, &mut second, 30), whole, "{solver}");
        let resumed = block_on(gpu, Simulation::resume(gpu, &scene, &half));
        let mut resumed = resumed.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(steps(gpu, &mut resumed, 15), whole, "{solver}, resumed");
    }
}
