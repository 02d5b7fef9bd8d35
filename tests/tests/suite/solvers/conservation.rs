//! Conservation of momentum, energy and position under pair forces, gravity and tension.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{block, free_cube, momentum, parse, start, state, tank},
};
use meniscus::State;
use meniscus_model::{
    Scene, kernel,
    params::{KIND_FLUID, pack_identity},
    probes,
    scene::{Fluid, Force, Kernel, Material, Probe, Value},
};

#[test]
fn tension_alone_moves_no_symmetric_cube() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = free_cube();
    scene.fluids[0].jitter = 0.0;
    scene.materials[0].surface_tension = 1.0;
    scene.materials[0].viscosity = Some(0.0);
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.step(1)).unwrap();
    let mass = f64::from(simulation.setup().params.materials[0].mass);
    let (sum, size) = momentum(&state(gpu, &simulation), mass);
    assert!(size > 0.0, "tension acts");
    assert!(sum.length() <= 1e-5 * size, "{:e} of {size:e}", sum.length());
}

#[test]
fn a_cube_in_zero_gravity_becomes_round() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = free_cube();
    scene.fluids[0].jitter = 0.0;
    scene.settings.remove("muller.sound_speed");
    scene.materials[0].surface_tension = 1.0;
    scene.materials[0].viscosity = Some(10.0);
    let places = |state: &State| -> Vec<glam::Vec3> {
        state.position().iter().map(|p| glam::Vec4::from_array(*p).truncate()).collect()
    };
    // Distance of the corners from the centre, relative to the mean distance of the fluid.
    let roundness = |state: &State| {
        let mut distances: Vec<f32> = places(state).iter().map(|p| p.length()).collect();
        distances.sort_by(f32::total_cmp);
        let n = distances.len();
        distances[n - 1 - n / 100] / distances[n / 2]
    };
    // Ratio of the extents along the cube's diagonals and along its edges: √3, and 1 for a ball.
    let corners = |state: &State| {
        let places = places(state);
        let reach = |x: f32, y: f32, z: f32| {
            let direction = glam::Vec3::new(x, y, z).normalize();
            places.iter().map(|p| p.dot(direction).abs()).fold(0.0, f32::max)
        };
        let diagonals = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let diagonal = diagonals.map(|(y, z)| reach(1.0, y, z)).iter().sum::<f32>() / 4.0;
        3.0 * diagonal / (reach(1.0, 0.0, 0.0) + reach(0.0, 1.0, 0.0) + reach(0.0, 0.0, 1.0))
    };
    let mut simulation = start(gpu, &scene);
    let cube = state(gpu, &simulation);
    assert!(roundness(&cube) > 1.5 && corners(&cube) > 1.7, "a cube at first");
    block_on(gpu, simulation.run_until(4.0)).unwrap();
    let drop = state(gpu, &simulation);
    // A uniform ball has (0.99)^⅓ / (0.5)^⅓ = 1.256. The drop is at 1.22 to 1.24 from 2 s on,
    // below that of the ball: its surface layer, which lacks neighbours, is denser than its inside.
    assert!(roundness(&drop) < 1.256, "from {} to {}", roundness(&cube), roundness(&drop));
    // The ratio falls to 1: 1.21 at 1 s, 1.15 at 2 s, 1.08 at 4 s, 1.03 at 8 s.
    assert!((corners(&drop) - 1.0).abs() < 0.12, "corners at {}", corners(&drop));
    let report = block_on(gpu, simulation.report()).unwrap();
    let drift = glam::DVec3::from(report.center_of_mass).length();
    assert!(drift < 0.002, "it drifts by {drift} m");
}

#[test]
fn the_heavier_of_two_fluids_sinks() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = Scene::default();
    scene.dimensions = 2;
    scene.particle_radius = 0.0125;
    let material = |name: &str, rest_density| Material { rest_density, ..Material::new(name) };
    scene.materials = vec![material("heavy", 1000.0), material("light", 400.0)];
    scene.fluids = vec![
        block([0.0, 0.0, -1.0], [0.25, 0.5, 1.0]),
        Fluid { material: Some("light".into()), ..block([0.25, 0.0, -1.0], [0.5, 0.5, 1.0]) },
    ];
    scene.boundaries = vec![tank([0.0, 0.0, -1.0], [0.5, 1.0, 1.0])];
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.run_until(3.0)).unwrap();
    let state = state(gpu, &simulation);
    let mean = |material: u32| {
        let of =
            |i: &usize| state.identity()[*i][1] & 0xffff == pack_identity(KIND_FLUID, material, 0);
        let heights: Vec<f64> =
            (0..state.particle_count()).filter(of).map(|i| state.world_position(i)[1]).collect();
        heights.iter().sum::<f64>() / heights.len() as f64
    };
    // Side by side, both have their centre at 0.25 m; settled, at 0.125 and 0.375 m.
    let (heavy, light) = (mean(0), mean(1));
    println!("heavy at {heavy} m, light at {light} m");
    assert!(heavy < 0.15 && light > 0.3, "heavy at {heavy} m, light at {light} m");
}

/// The drop with the solver wcsph, a fixed step, no viscosity and these settings.
fn weakly_compressible(settings: &[(&str, Value)]) -> Scene {
    let mut scene = free_cube();
    scene.solver = "wcsph".into();
    scene.settings.set("wcsph.sound_speed", 5.0);
    scene.materials[0].viscosity = Some(0.0);
    scene.time.step = Some(0.0005);
    for (path, value) in settings {
        scene.settings.set(path, value.clone());
    }
    scene
}

#[test]
fn artificial_viscosity_and_xsph_calm_and_keep_momentum() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let settle = |scene: &Scene| {
        let mut simulation = start(gpu, scene);
        let mass = f64::from(simulation.setup().params.materials[0].mass);
        block_on(gpu, simulation.step(20)).unwrap();
        let before = momentum(&state(gpu, &simulation), mass);
        block_on(gpu, simulation.step(1)).unwrap();
        let after = momentum(&state(gpu, &simulation), mass);
        let change = (after.0 - before.0).length();
        assert!(before.1 > 0.0 && change <= 2e-6 * after.1, "{change:e} of {:e}", after.1);
        block_on(gpu, simulation.report()).unwrap().kinetic_energy
    };
    let free = settle(&weakly_compressible(&[]));
    let artificial = settle(&weakly_compressible(&[
        ("viscosity.model", "artificial".into()),
        ("viscosity.alpha", 0.3.into()),
    ]));
    let filtered = settle(&weakly_compressible(&[("viscosity.model", "xsph".into())]));
    println!(
        "{free:.3e} J without, {artificial:.3e} J with α = 0.3, {filtered:.3e} J with ε = 0.05"
    );
    assert!(artificial < 0.9 * free && filtered < 0.9 * free);
}

#[test]
fn the_continuity_equation_follows_the_sum_of_densities() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = weakly_compressible(&[("wcsph.density", "continuity".into())]);
    // At rest density nothing moves by itself: pull the drop together.
    scene.forces = vec![Force::Attract { center: [0.0; 3], strength: 20.0, radius: 0.5 }];
    let mut simulation = start(gpu, &scene);
    let (h, spacing) = (conformance::scenes::support_radius(&scene), scene.spacing());
    let scale = 1000.0 * spacing.powi(3) / kernel::lattice_sum(Kernel::CubicSpline, h, spacing, 3);
    // Densities by id: those of the solver, and sums over the current positions in f64.
    let densities = |state: &State| {
        let mut slots: Vec<_> = (0..state.particle_count()).collect();
        slots.sort_by_key(|i| state.identity()[*i][0]);
        let place = |i: usize| glam::DVec3::from(state.world_position(i));
        let sum = |i: usize| -> f64 {
            let weight =
                |j: usize| kernel::density(Kernel::CubicSpline, h, 3, place(i).distance(place(j)));
            (0..state.particle_count()).map(weight).sum::<f64>() * scale
        };
        let pair = |i: usize| (f64::from(state.density(i)), sum(i));
        slots.into_iter().map(pair).collect::<Vec<_>>()
    };
    let first = densities(&state(gpu, &simulation));
    // Within a unit in the last place, due to the intermediate m/V.
    let starts = first.iter().all(|(own, _)| (own - 1000.0).abs() < 1e-3);
    assert!(starts, "fluid starts at rest density");
    block_on(gpu, simulation.step(20)).unwrap();
    let last = densities(&state(gpu, &simulation));
    let (mut most, mut worst) = (0.0_f64, 0.0_f64);
    for ((own, sum), (_, start)) in last.iter().zip(&first) {
        most = most.max((sum - start).abs());
        worst = worst.max(((own - 1000.0) - (sum - start)).abs());
    }
    println!("sums change by up to {most} kg/m³, the solver's densities differ by {worst}");
    // Densities are those in the middle of the last step, with the velocities at its beginning.
    assert!(most > 10.0 && worst < 0.1 * most, "{worst} of {most}");
}

/// The change of densities by diffusion sums up to 0, in the first step from rest in which there is some; later ones also move
/// differently. Densities are even until the second step, but not as in still water, which a cube that falls is not.
#[test]
fn diffusion_of_density_gives_to_one_what_it_takes_from_another() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let densities = |delta: f64, model: &str, gravity: f64, steps: u32| {
        let mut scene = weakly_compressible(&[
            ("wcsph.density", "continuity".into()),
            ("wcsph.diffusion", delta.into()),
            ("wcsph.diffusion_model", model.into()),
        ]);
        scene.gravity = [0.0, gravity, 0.0];
        scene.forces = vec![Force::Attract { center: [0.0; 3], strength: 20.0, radius: 0.5 }];
        let mut simulation = start(gpu, &scene);
        block_on(gpu, simulation.step(steps)).unwrap();
        let state = state(gpu, &simulation);
        let mut all: Vec<_> = (0..state.particle_count())
            .map(|i| (state.identity()[i][0], f64::from(state.density(i))))
            .collect();
        all.sort_by_key(|(id, _)| *id);
        all
    };
    for (model, gravity, steps) in [("antuono", 0.0, 3), ("fourtakas", -9.81, 1)] {
        let [still, spread] = [0.0, 0.1].map(|delta| densities(delta, model, gravity, steps));
        let changes: Vec<f64> = still.iter().zip(&spread).map(|(a, b)| b.1 - a.1).collect();
        let sum: f64 = changes.iter().sum();
        let size: f64 = changes.iter().map(|change| change.abs()).sum();
        println!("{model}: {sum:e} of {size:e} kg/m³");
        // Densities are rounded to 6e-5 kg/m³, which makes 2.5e-3 of the 1728.
        assert!(size > 0.2 && sum.abs() < 5e-3, "{model}: {sum} of {size}");
    }
}

/// Water in a tank, with next to no viscosity, by densities that diffuse: it never moves with more than what its fall into
/// compression sets free, ρ g² d³/6c² per area, and once it has settled its pressures scatter by at most 3 %, with either kind of
/// wall. Walls of particles that push with more than their work stores feed sound: 0.34 J/m, and 9 %.
#[test]
fn still_water_is_still_beside_either_kind_of_wall() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (wide, deep, speed) = (0.4_f64, 0.5_f64, 30.0_f64);
    let walls = ["", "response.volume = {}"];
    for (model, response) in
        ["antuono", "fourtakas"].into_iter().flat_map(|model| walls.map(|wall| (model, wall)))
    {
        for settle in [0.0, 0.4] {
            let mut scene = parse(&format!(
                r#"
dimensions = 2
solver = "wcsph"
particle_radius = 0.0125
time = {{ fps = 100.0, settle = {settle:?} }}
wcsph = {{ density = "continuity", diffusion = 0.1, diffusion_model = {model:?}, sound_speed = {speed:?} }}
[[material]]
name = "water"
viscosity = 0.001
[[fluid]]
shape.box = {{ min = [0.0, 0.0], max = [{wide:?}, {deep:?}] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0], max = [{wide:?}, 0.6] }}
{response}
"#
            ));
            scene.probes = [0.1, 0.25]
                .map(|y| Probe::Point {
                    name: format!("at {y} m"),
                    at: [0.5 * wide, y, 0.0],
                    size: [0.0; 3],
                    average: 0.0,
                })
                .into();
            let mut simulation = start(gpu, &scene);
            block_on(gpu, simulation.run_until(1.0)).unwrap();
            if settle == 0.0 {
                let energy = block_on(gpu, simulation.report()).unwrap().kinetic_energy;
                let most = 1000.0 * 9.81f64.powi(2) * deep.powi(3) / (6.0 * speed * speed) * wide;
                println!("{model} {response} {energy} of {most} J/m");
                assert!(energy < most, "{model} {response} {energy} of {most} J/m");
                continue;
            }
            let mut sums = [[0.0; 3]; 2];
            for _ in 0..100 {
                block_on(gpu, simulation.next_frame()).unwrap();
                let state = state(gpu, &simulation);
                let found = probes::values(&scene, simulation.setup(), &state);
                for (sum, values) in sums.iter_mut().zip(found.chunks(4)) {
                    *sum = [sum[0] + 1.0, sum[1] + values[0], sum[2] + values[0] * values[0]];
                }
            }
            for [count, sum, squares] in sums {
                let mean = sum / count;
                let scatter = (squares / count / (mean * mean) - 1.0).sqrt();
                println!("{model} {response} {mean} Pa, {scatter}");
                assert!(scatter < 0.03, "{model} {response} {mean} Pa, {scatter}");
            }
        }
    }
}
