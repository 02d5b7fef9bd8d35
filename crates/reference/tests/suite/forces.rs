//! Müller's forces: by hand for two particles, and in total for many.

use glam::DVec3;
use meniscus_model::params::MaterialParams;
use meniscus_reference::kernels::Kernels;
use meniscus_reference::{World, run};

use crate::fixture::{Random, assert_close, assert_near, params, world, xyz};

const FORCES: &str = "sph/forces+viscosity_muller+pressure_muller+tension_color_field";

/// Two particles half a support radius apart, of mass 2 and densities 10 and 16: V = 0.2 and
/// 0.125, p = 3 (ρ − 8) = 6 and 24.
fn two() -> World {
    let mut params = params(3, 1);
    let material = &mut params.materials[0];
    (material.mass, material.rest_density, material.stiffness) = (2.0, 8.0, 3.0);
    let mut world = world(params, &[DVec3::ZERO, DVec3::X * 0.5]);
    world.density = vec![10.0, 16.0];
    world
}

#[test]
fn pressure_follows_the_equation_of_state() {
    let mut world = two();
    world.density[1] = 4.0;
    run(&mut world, "muller/pressure");
    assert_eq!([world.sorted_velocity[0][3], world.sorted_velocity[1][3]], [6.0, -12.0]);
    assert_eq!([world.sorted_position[0][3], world.sorted_position[1][3]], [0.2, 0.5]);
    world.params.sph.clamp_pressure = 1;
    run(&mut world, "muller/pressure");
    assert_eq!([world.sorted_velocity[0][3], world.sorted_velocity[1][3]], [6.0, 0.0]);
}

#[test]
fn pressure_pushes_apart() {
    let mut world = two();
    run(&mut world, "muller/pressure");
    run(&mut world, FORCES);
    // −V_j (p_i + p_j) ∇W, ∇W pointing to the neighbour, over ρ_i.
    let slope = 3.580_986_219_6;
    assert_close(world.acceleration[0][0], -0.125 * 30.0 * slope / 10.0, 1e-10);
    assert_close(world.acceleration[1][0], 0.2 * 30.0 * slope / 16.0, 1e-10);
    assert_eq!(world.acceleration[0][1..3], [0.0, 0.0]);
}

#[test]
fn a_linear_pressure_gives_its_gradient() {
    // Lattice of spacing h/2; p = 100 + 40 x. The mean of (10) would give half of it.
    let lattice: Vec<_> = (0..729)
        .map(|i| DVec3::new(f64::from(i % 9), f64::from(i / 9 % 9), f64::from(i / 81)) * 0.5)
        .collect();
    let mut world = world(params(3, 1), &lattice);
    // 1000 kg/m³.
    world.params.materials[0].mass = 125.0;
    for i in 0..729 {
        world.sorted_position[i][3] = 0.125;
        world.sorted_velocity[i][3] = 100.0 + 40.0 * world.sorted_position[i][0];
    }
    // Slope of a linear field of slope 1 by ∇W of spiky over the cubic lattice with h = 2 spacings.
    world.params.kernel.gradient_calibration = 1.0 / 0.95629;
    run(&mut world, FORCES);
    let middle = 4 + 9 * (4 + 9 * 4);
    assert_close(world.acceleration[middle][0], -40.0 / 1000.0, 1e-5);
}

#[test]
fn viscosity_drags_along() {
    let mut world = two();
    world.params.materials[0] =
        MaterialParams { stiffness: 0.0, viscosity: 0.5, ..world.params.materials[0] };
    world.params.materials[1] = MaterialParams { viscosity: 1.5, ..world.params.materials[0] };
    world.sorted_identity[1][1] = 1 << 8;
    world.sorted_velocity[1] = [0.0, 1.0, 0.0, 0.0];
    run(&mut world, "muller/pressure");
    for (mixed, mu) in [(0, [0.5, 1.5]), (1, [1.0, 1.0])] {
        world.params.sph.mixed_viscosity = mixed;
        run(&mut world, FORCES);
        let laplacian = 7.161_972_439_1;
        assert_close(world.acceleration[0][1], mu[0] * 0.125 * laplacian / 10.0, 1e-10);
        assert_close(world.acceleration[1][1], -mu[1] * 0.2 * laplacian / 16.0, 1e-10);
    }
}

#[test]
fn surface_tension_pulls_in_where_the_normal_is_long_enough() {
    let mut world = two();
    world.params.materials[0].stiffness = 0.0;
    world.params.materials[0].surface_tension = 0.25;
    // |n| is 0.125 · 2.643_774_982_4 = 0.330.
    let laplacian = -(0.2 * 28.200_266_479_1 + 0.125 * 8.812_583_274_7);
    for (threshold, force) in [(0.33, -0.25 * laplacian), (0.34, 0.0)] {
        world.params.sph.surface_threshold = threshold;
        run(&mut world, "muller/pressure");
        run(&mut world, FORCES);
        assert_close(world.acceleration[0][0], force / 10.0, 1e-10);
    }
}

#[test]
fn coincident_particles_do_not_push_each_other() {
    let mut world = two();
    world.sorted_position[1] = world.sorted_position[0];
    world.params.sph.surface_threshold = 0.0;
    run(&mut world, "muller/pressure");
    run(&mut world, FORCES);
    assert_eq!(world.acceleration[..2], [[0.0; 4]; 2]);
}

/// Random particles of two materials with random velocities, σ = 0, forces computed.
fn crowd(dimensions: u32, viscosity: f32) -> World {
    let mut params = params(dimensions, 1);
    params.sph.mixed_viscosity = 1;
    for (k, material) in params.materials.iter_mut().enumerate() {
        (material.mass, material.rest_density) = (1.0 + k as f32, 3.0);
        (material.stiffness, material.viscosity) = (2.0, viscosity * (1.0 + k as f32));
    }
    let mut random = Random::new(7);
    let positions: Vec<DVec3> = (0..60).map(|_| random.vector(0.8, dimensions)).collect();
    let mut world = world(params, &positions);
    for i in 0..60 {
        world.sorted_identity[i][1] = (i as u32 % 2) << 8;
        world.sorted_velocity[i] = random.vector(1.0, dimensions).extend(0.0).to_array();
    }
    for pass in ["sph/density", "muller/pressure", FORCES] {
        run(&mut world, pass);
    }
    world
}

/// |ΣF| / Σ|F|.
fn imbalance(forces: &[DVec3]) -> f64 {
    forces.iter().sum::<DVec3>().length() / forces.iter().map(|f| f.length()).sum::<f64>()
}

fn mass(world: &World, i: usize) -> f64 {
    f64::from(world.params.materials[(world.sorted_identity[i][1] >> 8) as usize].mass)
}

#[test]
fn pair_forces_are_antisymmetric() {
    for dimensions in [2, 3] {
        for viscosity in [0.0, 5.0] {
            let world = crowd(dimensions, viscosity);
            let force = |i| mass(&world, i) * xyz(world.acceleration[i]);
            let forces: Vec<DVec3> = (0..60).map(force).collect();
            assert!(imbalance(&forces) < 1e-12, "{:e}", imbalance(&forces));
        }
    }
}

#[test]
fn the_misprint_of_equation_10_is_not_antisymmetric() {
    for dimensions in [2, 3] {
        let world = crowd(dimensions, 0.0);
        let kernels = Kernels::new(1.0, dimensions);
        // Force on i when pairs are divided by 2ρ of `divisor(i, j)`.
        let forces = |divisor: fn(usize, usize) -> usize| -> Vec<DVec3> {
            let force = |i: usize| {
                let density: DVec3 = (0..60)
                    .map(|j| {
                        let r = xyz(world.sorted_position[i]) - xyz(world.sorted_position[j]);
                        let p = world.sorted_velocity[i][3] + world.sorted_velocity[j][3];
                        let rho = world.density[divisor(i, j)];
                        -mass(&world, j) * p / (2.0 * rho) * kernels.spiky_gradient(r)
                    })
                    .sum();
                mass(&world, i) * density / world.density[i]
            };
            (0..60).map(force).collect()
        };
        let (right, misprint) = (forces(|_, j| j), forces(|i, _| i));
        for (i, force) in right.iter().enumerate() {
            // Twice (10), whose mean pressure gives half the gradient.
            assert_near(
                mass(&world, i) * xyz(world.acceleration[i]) / force.length(),
                2.0 * *force / force.length(),
            );
        }
        assert!(imbalance(&right) < 1e-12);
        assert!(imbalance(&misprint) > 1e-3, "{:e}", imbalance(&misprint));
    }
}
