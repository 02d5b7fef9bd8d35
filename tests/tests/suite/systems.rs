//! The linear systems of the incompressible solvers: their factors compared with published numbers,
//! their iterations with dense solutions in f64.

use conformance::{
    compare::check,
    device::{Flavour, block_on, gpu},
    lattice::lattice,
    moment::Moment,
    single::Side,
};
use glam::DVec2;
use meniscus::{Gpu, Shaders, Simulation, State, methods::stage::stage};
use meniscus_model::{
    Scene,
    kernel::{density, pressure_slope},
    scene::{Cuboid, Fluid, Kernel, Material, Shape},
};
use meniscus_reference::{World, run};

/// Checks that a pass on the GPU agrees with its reference.
fn same(gpu: &Gpu, kernel: Kernel, pass: &str, world: &World) {
    let moment = Moment::alone(stage(pass), &mut world.clone()).expect("a twin");
    let side = Side::new(gpu, Shaders::standard().with_kernel(kernel));
    check(&side, &moment).unwrap_or_else(|stop| panic!("{stop}"));
}

#[test]
fn factors_on_the_lattice_are_those_of_validation_2_15() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (kernel, alpha, delta) in [
        (Kernel::CubicSpline, 5.884_568_94e-6, 2_942.284_47),
        (Kernel::WendlandC2, 5.254_271_85e-6, 2_627.135_93),
    ] {
        let (mut world, middle) = lattice(kernel);
        world.round_to_f32();
        same(gpu, kernel, "sph/factor", &world);
        run(&mut world, "sph/factor");
        // Ours is written with volumes and for κ: it is the paper's times ρ0².
        let found = world.floats("factor")[2 * middle] / 1e6;
        assert!((found / alpha - 1.0).abs() < 1e-6, "{kernel:?}: α = {found}");

        // PCISPH's first pressures are δ (ρ* − ρ0), scaled by ω. All particles move towards the
        // centre.
        for s in 0..world.control.particle_count as usize {
            let [x, y, z, _] = world.sorted_position[s];
            world.sorted_velocity[s] = [-20.0 * x, -20.0 * y, -20.0 * z, 0.0];
            world.floats_mut("kappa")[s] = 0.0;
        }
        world.round_to_f32();
        same(gpu, kernel, "pcisph/compression", &world);
        // Predicted density at the centre, from its 27 neighbours.
        let shrunk = 1.0 - 20.0 * f64::from(world.control.dt);
        let mut sum = 0.0;
        for (x, y, z) in
            (-2..=2).flat_map(|x| (-2..=2).flat_map(move |y| (-2..=2).map(move |z| (x, y, z))))
        {
            // Neighbours are those at the start of the step.
            if x * x + y * y + z * z >= 4 {
                continue;
            }
            let r = f64::from(x * x + y * y + z * z).sqrt() * 0.05 * shrunk;
            sum += 0.125 * density(kernel, 0.1, 3, r);
        }
        run(&mut world, "pcisph/compression");
        // κ = ω p Δt².
        let pressure =
            world.floats("kappa")[middle] / 1e-6 / f64::from(world.params.sph.relaxation);
        let found = pressure / (sum - 1000.0);
        assert!((found / delta - 1.0).abs() < 1e-5, "{kernel:?}: δ = {found}");
    }
}

const SPACING: f64 = 0.1;
const STEP: f64 = 1e-3;

/// 4 × 4 particles in the plane, compressed to 0.6 spacings and slightly disordered: all of them
/// are too dense, and all pressures of the exact solution are positive.
fn pressed(solver: &'static str) -> Scene {
    let mut scene = Scene::default();
    scene.dimensions = 2;
    scene.solver = solver.into();
    scene.particle_radius = SPACING / 2.0;
    scene.gravity = [0.0; 3];
    scene.calibrate_density = false;
    // Whole steps of this length fill a frame.
    (scene.time.fps, scene.time.step) = (50.0, Some(STEP));
    scene.materials = vec![Material { viscosity: Some(0.0), ..Material::new("water") }];
    let block = Shape::Box(Cuboid { min: [-2.0 * SPACING; 3], max: [2.0 * SPACING; 3] });
    scene.fluids = vec![Fluid { jitter: 0.04, ..Fluid::new(block) }];
    // Errors count only where the fluid is compressed, and the first iterations overshoot:
    // continue.
    for key in ["min_iterations", "max_iterations"] {
        scene.settings.set(&format!("{solver}.{key}"), 1000);
    }
    scene
}

/// Particles in the order of ids.
fn by_id(state: &State) -> Vec<usize> {
    let mut slots: Vec<_> = (0..state.particle_count()).collect();
    slots.sort_by_key(|i| state.identity()[*i][0]);
    slots
}

/// κ/ρ0 of each particle.
fn stiffness(state: &State, name: &str) -> Vec<f64> {
    let words = &state.arrays[name];
    by_id(state)
        .into_iter()
        .map(|i| f64::from(f32::from_bits(words[i])) * STEP.powi(2) / 1e3)
        .collect()
}

fn velocities(state: &State) -> Vec<DVec2> {
    let v = |i: usize| DVec2::new(state.velocity()[i][0].into(), state.velocity()[i][1].into());
    by_id(state).into_iter().map(v).collect()
}

/// Dense matrices in f64: for k = κ/ρ0, displacements u = U k in m, changes of compression A k, and
/// the compressions.
struct Dense {
    displace: Vec<Vec<DVec2>>,
    change: Vec<Vec<f64>>,
    compression: Vec<f64>,
}

impl Dense {
    fn of(state: &State) -> Self {
        let (h, volume) = (2.0 * SPACING, SPACING * SPACING);
        let place =
            |i: usize| DVec2::new(state.position()[i][0].into(), state.position()[i][1].into());
        let places: Vec<_> = by_id(state).into_iter().map(place).collect();
        let n = places.len();
        let gradient = |i: usize, j: usize| {
            let offset = places[i] - places[j];
            let slope = pressure_slope(Kernel::CubicSpline, h, 2, offset.length());
            volume * slope * offset.normalize_or_zero()
        };
        let mut displace = vec![vec![DVec2::ZERO; n]; n];
        for (i, row) in displace.iter_mut().enumerate() {
            for j in 0..n {
                row[i] -= gradient(i, j);
                row[j] -= gradient(i, j);
            }
        }
        let change = |i: usize, k: usize| -> f64 {
            (0..n).map(|j| (displace[i][k] - displace[j][k]).dot(gradient(i, j))).sum()
        };
        let change = (0..n).map(|i| (0..n).map(|k| change(i, k)).collect()).collect();
        let weight =
            |i: usize, j: usize| density(Kernel::CubicSpline, h, 2, places[i].distance(places[j]));
        let compression = (0..n).map(|i| (0..n).map(|j| volume * weight(i, j)).sum::<f64>() - 1.0);
        let compression = compression.collect();
        Self { displace, change, compression }
    }

    /// Compressions that remain after k.
    fn left(&self, k: &[f64]) -> Vec<f64> {
        let sum = |row: &Vec<f64>| row.iter().zip(k).map(|(a, k)| a * k).sum::<f64>();
        self.change.iter().zip(&self.compression).map(|(row, s)| s + sum(row)).collect()
    }

    /// Velocities due to k of particles at rest.
    fn velocities(&self, k: &[f64]) -> Vec<DVec2> {
        let sum = |row: &Vec<DVec2>| row.iter().zip(k).map(|(u, k)| *u * *k).sum::<DVec2>() / STEP;
        self.displace.iter().map(sum).collect()
    }

    /// The k that leave no compression: A k = −(s − 1), by elimination with pivoting.
    fn solve(&self) -> Vec<f64> {
        let n = self.compression.len();
        let mut rows: Vec<Vec<f64>> = self.change.clone();
        for (row, s) in rows.iter_mut().zip(&self.compression) {
            row.push(-s);
        }
        for k in 0..n {
            let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()));
            rows.swap(k, pivot.expect("a row"));
            let top = rows[k].clone();
            for row in rows.iter_mut().skip(k + 1) {
                let share = row[k] / top[k];
                row.iter_mut().zip(&top).for_each(|(a, b)| *a -= share * b);
            }
        }
        let mut solution = vec![0.0; n];
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| rows[k][j] * solution[j]).sum();
            solution[k] = (rows[k][n] - known) / rows[k][k];
        }
        solution
    }
}

/// State before and after the first step.
fn first_step(gpu: &Gpu, scene: &Scene) -> (State, State) {
    let mut simulation = block_on(gpu, Simulation::new(gpu, scene)).unwrap();
    let mut before = block_on(gpu, simulation.read()).unwrap();
    // Compressed: the scene's lattice is a spacing wide.
    let words = before.arrays.get_mut("position").expect("positions");
    for place in words.chunks_exact_mut(4) {
        for x in &mut place[..2] {
            *x = (0.6 * f32::from_bits(*x)).to_bits();
        }
    }
    simulation = block_on(gpu, Simulation::resume(gpu, scene, &before)).unwrap();
    block_on(gpu, simulation.step(1)).unwrap();
    (before, block_on(gpu, simulation.read()).unwrap())
}

/// Largest difference relative to the largest value.
fn error<T: Copy>(found: &[T], expected: &[T], size: impl Fn(T, Option<T>) -> f64) -> f64 {
    let most = expected.iter().map(|x| size(*x, None)).fold(0.0, f64::max);
    let worst = found.iter().zip(expected).map(|(a, b)| size(*a, Some(*b))).fold(0.0, f64::max);
    worst / most
}

fn scalars(found: &[f64], expected: &[f64]) -> f64 {
    error(found, expected, |a, b| (a - b.unwrap_or(0.0)).abs())
}

fn vectors(found: &[DVec2], expected: &[DVec2]) -> f64 {
    error(found, expected, |a, b| (a - b.unwrap_or(DVec2::ZERO)).length())
}

/// The system's condition number is 30, and f32 rounds its entries, sums of 15 terms, to 1e-6 of
/// the largest.
const ROUNDING: f64 = 3e-5;

/// Checks that one step of a solver finds pressures, in this buffer, that leave no compression.
fn finds_the_pressures(solver: &'static str, name: &str) {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (before, after) = first_step(gpu, &pressed(solver));
    let dense = Dense::of(&before);
    let exact = dense.solve();
    assert!(exact.iter().all(|k| *k > 0.0), "{exact:?}");
    assert!(dense.left(&exact).iter().all(|s| s.abs() < 1e-12));
    let found = stiffness(&after, name);
    let wrong = [scalars(&found, &exact), vectors(&velocities(&after), &dense.velocities(&exact))];
    println!(
        "pressures and velocities are wrong by {wrong:?}, after {} iterations",
        after.control.iteration
    );
    assert!(wrong.iter().all(|wrong| *wrong < ROUNDING), "{wrong:?}");
}

#[test]
fn iisph_finds_the_pressures_of_the_dense_system() {
    finds_the_pressures("iisph", "warm_pressure");
}

#[test]
fn dfsph_finds_the_pressures_of_the_dense_system() {
    finds_the_pressures("dfsph", "warm_density");
}
