//! The free surface: normals, classes and distances (`wgsl/tension/`; Marrone et al. 2010).

use std::f64::consts::FRAC_1_SQRT_2;

use glam::{DMat3, DVec3};
use meniscus_model::{
    geometry::principal_axes,
    params::{KIND_BOUNDARY, KIND_FLUID},
};

use crate::World;
use crate::incompressible::compressed;
use crate::kernels::{COINCIDENT, Kernels};
use crate::pairs::Pair;
use crate::world::is_kind;

/// Largest λ of particles that may be at the surface.
const INSIDE: f64 = 0.75;
/// λ below which particles are in a splash.
const SPLASH: f64 = 0.2;

/// Vector of a method's array at a slot.
pub(crate) fn vector(world: &World, name: &str, s: usize) -> DVec3 {
    DVec3::from_slice(&world.floats(name)[4 * s..])
}

fn set(world: &mut World, name: &str, s: usize, v: DVec3, w: f64) {
    world.floats_mut(name)[4 * s..4 * s + 4].copy_from_slice(&v.extend(w).to_array());
}

fn support_radius(world: &World) -> f64 {
    f64::from(world.params.kernel.support_radius)
}

/// Weight of a neighbour in the area's gradient: of walls 1 + cos θ/(1 − β), between 0 and 1.
fn wall_weight(world: &World, s: usize) -> f64 {
    let area = (1.0 - world.number("tension_free_surface.share")).max(1e-6);
    (1.0 + wetting(world, s) / area).clamp(0.0, 1.0)
}

/// cos θ of a wall; 0 of what is no boundary particle.
pub(crate) fn wetting(world: &World, s: usize) -> f64 {
    let identity = world.sorted_identity[s];
    match is_kind(identity, KIND_BOUNDARY) {
        true => f64::from(world.colliders[(identity[1] >> 16) as usize].wetting),
        false => 0.0,
    }
}

/// λ, n and h ν'.
pub(crate) fn normals(world: &mut World) {
    world.find_pairs();
    let (kernels, h) = (Kernels::of(&world.params), support_radius(world));
    let calibration = world.number("tension_free_surface.gradient");
    for i in world.sorted_fluid() {
        let (mut a, mut inward, mut weighed) = (DMat3::ZERO, DVec3::ZERO, DVec3::ZERO);
        for pair in world.pairs.of(i).iter().filter(|pair| pair.r > COINCIDENT * h) {
            let volume = calibration * world.sorted_position[pair.j][3].abs();
            let gradient = kernels.pressure_gradient(pair.offset);
            inward += volume * gradient;
            weighed += wall_weight(world, pair.j) * volume * gradient;
            // The gradient is along the offset.
            let x = pair.offset;
            a += DMat3::from_cols(gradient * x.x, gradient * x.y, gradient * x.z) * -volume;
        }
        if world.params.world.dimensions == 2 {
            a.z_axis.z = 1.0;
        }
        let lambda = principal_axes(a).0.min_element();
        let normal = if (SPLASH..=INSIDE).contains(&lambda) {
            let outward = -(a.inverse() * inward);
            if outward.length() * h >= 0.05 { outward.normalize() } else { DVec3::ZERO }
        } else {
            DVec3::ZERO
        };
        set(world, "tension_normal", i, normal, lambda);
        let unit = world.number("tension_free_surface.unit") > 0.0;
        set(world, "tension_gradient", i, if unit { -normal } else { h * weighed }, h);
    }
}

/// Whether a neighbour of particle i, of fluid or wall, covers it.
fn covers(world: &World, normal: DVec3, pair: &Pair) -> bool {
    let (d, half) = (-pair.offset, 0.5 * support_radius(world));
    if d.length_squared() >= 2.0 * half * half {
        (d - half * normal).length() < half
    } else {
        d.dot(normal) > FRAC_1_SQRT_2 * d.length()
    }
}

/// 0 inside, 2 at the surface, 3 in a splash.
pub(crate) fn class(world: &mut World) {
    world.find_pairs();
    let h = support_radius(world);
    for i in world.sorted_fluid() {
        let (normal, lambda) =
            (vector(world, "tension_normal", i), world.floats("tension_normal")[4 * i + 3]);
        let near = |pair: &&Pair| pair.r < h && world.sorted_position[pair.j][3] != 0.0;
        let covered = world.pairs.of(i).iter().filter(near).any(|pair| covers(world, normal, pair));
        let at_surface = lambda <= INSIDE && normal != DVec3::ZERO && !covered;
        let class = if lambda < SPLASH { 3 } else { 2 * u32::from(at_surface) };
        world.words_mut("tension_class")[i] = class;
    }
}

/// Distance from the surface, a splash or another material.
pub(crate) fn near(world: &mut World) {
    world.find_pairs();
    let h = support_radius(world);
    let matter = |i: usize| world.sorted_identity[i][1] & 0xffff;
    let mut distances = Vec::new();
    for i in world.sorted_fluid() {
        let fluid = |pair: &&Pair| world.sorted_position[pair.j][3] > 0.0;
        let counts =
            |pair: &&Pair| world.words("tension_class")[pair.j] >= 2 || matter(pair.j) != matter(i);
        let all = world.pairs.of(i).iter().filter(fluid).filter(counts);
        distances.push((i, all.map(|pair| pair.r).fold(h, f64::min)));
    }
    for (i, distance) in distances {
        world.floats_mut("tension_gradient")[4 * i + 3] = distance;
    }
}

/// n = h Σ m/ρ ∇W over fluid, and ρ.
pub(crate) fn akinci_normals(world: &mut World) {
    world.find_pairs();
    let (kernels, h) = (Kernels::of(&world.params), support_radius(world));
    for i in world.sorted_fluid() {
        let fluid = |pair: &&Pair| is_kind(world.sorted_identity[pair.j], KIND_FLUID);
        let of = |pair: &Pair| {
            let mass = f64::from(world.material(world.sorted_identity[pair.j]).mass);
            mass / world.density[pair.j] * kernels.density_gradient(pair.offset)
        };
        let sum: DVec3 = world.pairs.of(i).iter().filter(fluid).map(of).sum();
        set(world, "akinci_normal", i, h * sum, world.density[i]);
    }
}

/// Ψ of the particle in a sorted slot.
fn fill(world: &World, i: usize) -> f64 {
    world.floats("tension_fill")[2 * i]
}

/// s − 1 of the full share: e = min(s − Ψ, max(s − 1, ε)).
pub(crate) fn excess(world: &World, i: usize, s: f64) -> f64 {
    (s - fill(world, i)).min((s - 1.0).max(world.number("tension_free_surface.limit")))
}

/// The part of it that a step corrects: max(s − 1, 0), and of what e is more, Δt times the rate.
fn corrected_excess(world: &World, i: usize, s: f64) -> f64 {
    let (all, base) = (excess(world, i, s), (s - 1.0).max(0.0));
    let share = world.number("tension_free_surface.rate") * f64::from(world.control.dt);
    if all > base { base + share.min(1.0) * (all - base) } else { all }
}

/// ρ' = min(ρ/Ψ, max(ρ, (1 + ε) ρ0)).
pub(crate) fn correct(world: &mut World) {
    let limit = world.number("tension_free_surface.limit");
    for i in world.handled() {
        let own = world.density[i];
        let rest = world.floats("tension_fill")[2 * i + 1];
        let filled = (own / fill(world, i)).min(own.max((1.0 + limit) * rest));
        world.floats_mut("density_filled")[i] = filled;
    }
}

/// The excess of IISPH and DFSPH.
pub(crate) fn correct_excess(world: &mut World) {
    for i in world.handled() {
        let filled = corrected_excess(world, i, compressed(world, i) + 1.0);
        world.floats_mut("factor")[2 * i + 1] = filled;
    }
}

/// The share below which PCISPH holds s.
pub(crate) fn correct_fill(world: &mut World) {
    for i in world.handled() {
        let s = world.density[i] / world.floats("tension_fill")[2 * i + 1];
        let held = s - corrected_excess(world, i, s);
        if held > fill(world, i) {
            world.floats_mut("tension_fill")[2 * i] = held;
        }
    }
}

/// Densities as without the correction.
pub(crate) fn restore(world: &mut World) {
    for s in world.handled() {
        if is_kind(world.identity[s], KIND_FLUID) {
            world.position[s][3] = world.density[s];
        }
    }
}
