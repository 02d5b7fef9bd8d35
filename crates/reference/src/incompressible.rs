//! Shared by PCISPH, IISPH and DFSPH (`wgsl/sph/`, `wgsl/common/incompressible.wgsl`), with rest volumes: s =
//! ρ/ρ0, κ = p Δt².

use glam::DVec3;
use meniscus_model::params::{KIND_BOUNDARY, KIND_FLUID};

use crate::World;
use crate::kernels::Kernels;
use crate::neighbours::GROUP_CLUSTERS;
use crate::pairs::Pair;
use crate::repeat;
use crate::space::{with_w, xyz};
use crate::sph;
use crate::world::is_kind;

/// `c V_j ∇W_ij` with the density's calibration c.
pub(crate) fn gradient(world: &World, pair: &Pair) -> DVec3 {
    let kernels = Kernels::of(&world.params);
    let volume = world.sorted_position[pair.j][3].abs();
    f64::from(world.params.kernel.density_calibration)
        * volume
        * kernels.density_gradient(pair.offset)
}

/// ρ0 in kg/m³ of the particle in a sorted slot.
pub(crate) fn rest_density(world: &World, s: usize) -> f64 {
    f64::from(world.material(world.sorted_identity[s]).rest_density)
}

/// Density as in [`sph::density`], and
/// `α_i = 1 / (|g|² + Σ m_i/m_j |V_j ∇W|² + n m_i/M |b|²)`, with g = Σ `V_j` ∇W in which bodies count twice (Bender,
/// Koschier 2015, 11); the second sum is over fluid, b is the part of free bodies of n particles and mass M. Stores ρ0 α and s − 1.
pub(crate) fn factor(world: &mut World) {
    sph::density(world);
    let h = f64::from(world.params.kernel.support_radius);
    for i in world.sorted_fluid() {
        let mass = |s: usize| f64::from(world.material(world.sorted_identity[s]).mass);
        let (mut sum, mut free, mut squares) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for pair in world.pairs.of(i) {
            let g = gradient(world, pair);
            sum += approach(world, pair.j) * g;
            if is_body(world, pair.j) {
                let body = &world.colliders[(world.sorted_identity[pair.j][1] >> 16) as usize];
                let give = f64::from(body.inverse_mass) * f64::from(body.particle_count);
                free += 2.0 * give.sqrt() * g;
            }
            if is_kind(world.sorted_identity[pair.j], KIND_FLUID) {
                squares += mass(i) / mass(pair.j) * g.length_squared();
            }
        }
        let sum = sum.length_squared() + squares + mass(i) * free.length_squared();
        let alpha = if sum > 1e-6 / (h * h) { 1.0 / sum } else { 0.0 };
        let rest_density = rest_density(world, i);
        let compression = world.density[i] / rest_density - 1.0;
        world.floats_mut("factor")[2 * i..2 * i + 2]
            .copy_from_slice(&[rest_density * alpha, compression]);
    }
}

/// s − 1 of the particle in a sorted slot, at the start of the step.
pub(crate) fn compressed(world: &World, i: usize) -> f64 {
    world.floats("factor")[2 * i + 1]
}

/// `Σ V_j (a_i − a_j)·∇W_ij` of a vector field over sorted slots; the mirror image in bodies approaches twice as fast.
pub(crate) fn divergence(world: &World, i: usize, field: impl Fn(usize) -> DVec3) -> f64 {
    let pairs = world.pairs.of(i).iter();
    let rate = |p: &Pair| approach(world, p.j) * (field(i) - field(p.j)).dot(gradient(world, p));
    pairs.map(rate).sum()
}

/// How fast what the neighbour in a sorted slot stands for approaches, relative to it: the fluid's mirror image in a body
/// twice as fast.
pub(crate) fn approach(world: &World, s: usize) -> f64 {
    if is_body(world, s) { 2.0 } else { 1.0 }
}

/// Sums of errors in percent, and numbers of fluid particles, of all groups with clusters; `wrong` is the error
/// of each fluid particle, counted if positive.
pub(crate) fn leave_residuals(world: &mut World, wrong: &[(usize, f64)]) {
    let groups = group_count(world);
    world.floats_mut("residuals")[..2 * groups].fill(0.0);
    for (i, wrong) in wrong {
        let group = group_of(world, *i);
        let residual = &mut world.floats_mut("residuals")[2 * group..2 * group + 2];
        residual[0] += 100.0 * wrong.max(0.0);
        residual[1] += 1.0;
    }
}

/// Workgroup of the cluster of a fluid particle.
pub(crate) fn group_of(world: &World, i: usize) -> usize {
    let slot = i as u32;
    let holds = |cluster: &[u32; 4]| (cluster[0]..cluster[1]).contains(&slot);
    let cluster = world.clusters.iter().position(holds).expect("each particle is in one");
    cluster / GROUP_CLUSTERS
}

/// Workgroups of passes over clusters.
pub(crate) fn group_count(world: &World) -> usize {
    let groups = world.control.cluster_groups;
    (groups.x * groups.y) as usize
}

/// Mean error in percent, and the loop's test (`wgsl/loop/mean`).
pub(crate) fn mean(world: &mut World) {
    let written = &world.floats("residuals")[..2 * group_count(world)];
    let sum = |k: usize| written.iter().skip(k).step_by(2).sum::<f64>();
    world.residual[0] = sum(0) / sum(1).max(1.0);
    repeat::test(world);
}

/// Whether the particle in a sorted slot belongs to a rigid body.
pub(crate) fn is_body(world: &World, s: usize) -> bool {
    let who = world.sorted_identity[s];
    is_kind(who, KIND_BOUNDARY) && world.colliders[(who[1] >> 16) as usize].is_body == 1
}

fn has_bodies(world: &World) -> bool {
    let counts = world.params.counts;
    counts.first_body < counts.first_wall + counts.walls
}

/// `u_i = −1/ρ0_i Σ V_j (κ_i + κ_j) ∇W` of each fluid particle; κ is 0 at boundary particles and
/// `κ_i` at those of bodies.
pub(crate) fn displacements(world: &mut World) -> Vec<(usize, DVec3)> {
    world.find_pairs();
    displacements_by(world, |world, s| world.floats("kappa")[s])
}

/// Displacements by any κ of fluid particles.
pub(crate) fn displacements_by(
    world: &World,
    kappa: impl Fn(&World, usize) -> f64,
) -> Vec<(usize, DVec3)> {
    let displacement = |i: usize| {
        let own = kappa(world, i);
        let stiffness = |s: usize| {
            let fluid = is_kind(world.sorted_identity[s], KIND_FLUID);
            match fluid {
                true => kappa(world, s),
                false if is_body(world, s) => own,
                false => 0.0,
            }
        };
        let push = |p: &Pair| (own + stiffness(p.j)) * gradient(world, p);
        -world.pairs.of(i).iter().map(push).sum::<DVec3>() / rest_density(world, i)
    };
    world.sorted_fluid().into_iter().map(|i| (i, displacement(i))).collect()
}

/// 1/Δt, or 0 in a step of length 0.
pub(crate) fn per_step(world: &World) -> f64 {
    let dt = f64::from(world.control.dt);
    if dt > 0.0 { 1.0 / dt } else { 0.0 }
}

/// Velocity of the particle in a sorted slot.
pub(crate) fn velocity(world: &World, s: usize) -> DVec3 {
    xyz(world.sorted_velocity[s])
}

/// Warm start: a share of the last step's pressures.
pub(crate) fn warm(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let number = world.stage.loop_index as usize - 1;
    let part = f64::from(world.params.loops[number].warm_start) * dt.powi(2);
    for s in world.handled() {
        let fluid = is_kind(world.sorted_identity[s], KIND_FLUID);
        let kappa = if fluid { part * world.warm[world.order[s] as usize] } else { 0.0 };
        world.floats_mut("kappa")[s] = kappa;
    }
}

/// Velocities after the pressures of the warm start.
pub(crate) fn push(world: &mut World) {
    let per_step = per_step(world);
    for (i, u) in displacements(world) {
        let v = velocity(world, i) + per_step * u;
        world.sorted_velocity[i] = with_w(v, world.sorted_velocity[i][3]);
    }
}

/// Keeps the pressure in Pa that a loop found for the next step; the particle's pressure is the sum
/// over the loops.
pub(crate) fn keep(world: &mut World) {
    let per_step = per_step(world);
    for s in world.handled() {
        let pressure = world.floats("kappa")[s] * per_step.powi(2);
        world.warm[s] = pressure;
        world.sorted_velocity[s][3] += pressure;
    }
}

/// Members of a workgroup.
const GROUP: usize = 64;

/// The same of the step's last loop, and the largest mean of p/ρ over a workgroup's fluid, as the speed of a signal.
pub(crate) fn stiffness(world: &mut World) {
    keep(world);
    let slots: Vec<usize> = world.handled().collect();
    let mut largest: f64 = 0.0;
    for group in slots.chunks(GROUP) {
        let fluid =
            || group.iter().copied().filter(|s| is_kind(world.sorted_identity[*s], KIND_FLUID));
        let part = |s: usize| {
            let material = world.material(world.sorted_identity[s]);
            world.sorted_velocity[s][3].max(0.0) / f64::from(material.rest_density)
        };
        largest = largest.max(fluid().map(part).sum::<f64>() / fluid().count().max(1) as f64);
    }
    let signal = (f64::from(world.params.sph.stiffness) * largest).sqrt() as f32;
    world.control.max_signal_bits = world.control.max_signal_bits.max(signal.to_bits());
}

/// Share of the last iteration's κ, in the limit of many iterations.
const MOMENTUM: f64 = 0.8;

/// Errors and their κ, which takes back at most what earlier iterations pushed, with a share of the last κ (Nesterov's
/// momentum with a restart for each particle; O'Donoghue, Candès 2015); `too_much(world, i,
/// change)` is the excess compression.
pub(crate) fn errors(world: &mut World, too_much: impl Fn(&World, usize, f64) -> f64) {
    world.find_pairs();
    let dt = f64::from(world.control.dt);
    let wrong = |i: usize| {
        let change = dt * divergence(world, i, |s| velocity(world, s));
        if dt > 0.0 { too_much(world, i, change) } else { 0.0 }
    };
    let omega = f64::from(world.params.sph.relaxation);
    let mut wrong: Vec<_> = world.sorted_fluid().into_iter().map(|i| (i, wrong(i))).collect();
    let n = f64::from(world.control.iteration);
    let alone = !has_bodies(world);
    let share = if alone { MOMENTUM * n / (n + 3.0) } else { 0.0 };
    for (i, wrong) in &mut wrong {
        let (gain, sum) = (omega * world.floats("factor")[2 * *i], world.floats("kappa_sum")[*i]);
        let last = world.floats("kappa")[*i];
        let carried = if *wrong * last > 0.0 { share * last } else { 0.0 };
        world.floats_mut("kappa")[*i] = (gain * *wrong + carried).max(-sum);
        // What pressures can still correct.
        if alone && *wrong < 0.0 && gain > 0.0 {
            *wrong = (-*wrong).min(sum / gain);
        }
    }
    leave_residuals(world, &wrong);
}

/// Part of a compression left for later steps: what longer steps compressed is corrected over an
/// equal time.
pub(crate) fn left_for_later(world: &World, excess: f64) -> f64 {
    let (dt, longest) = (world.control.dt, world.control.longest_dt);
    excess.max(0.0) * (1.0 - f64::from(dt) / f64::from(longest.max(dt)))
}

/// Compression at the end of the step (Ihmsen et al. 2014, 4; Bender, Koschier 2015, 10, 12).
pub(crate) fn compression(world: &mut World) {
    errors(world, |world, i, change| {
        let excess = compressed(world, i);
        excess - left_for_later(world, excess) + change
    });
}

/// `v_i −= 1/(ρ0_i Δt) Σ V_j (κ_i + κ_j) ∇W` (Algorithms 2 and 3).
pub(crate) fn correct(world: &mut World) {
    let per_step = per_step(world);
    for (i, u) in displacements(world) {
        let v = velocity(world, i) + per_step * u;
        world.sorted_velocity[i] = with_w(v, world.sorted_velocity[i][3]);
        let last = world.floats("kappa")[i];
        world.floats_mut("kappa_sum")[i] += last;
    }
}
