//! Projected conjugate gradients for pressure (`wgsl/pressure/`): κ ≥ 0 with e = b − A κ ≤ 0 where κ is 0, with
//! A κ = −D u(κ), the change of compression that displacements by pressure make.

use glam::DVec3;
use meniscus_model::params::KIND_FLUID;

use crate::World;
use crate::body::{members, posed};
use crate::incompressible::{
    approach, compressed, displacements_by, gradient, group_count, group_of, is_body,
    left_for_later, rest_density, velocity,
};
use crate::kernels::Kernels;
use crate::multigrid;
use crate::pairs::Pair;
use crate::repeat;
use crate::space::xyz;
use crate::world::is_kind;

/// Least speed of [`scale`], relative to the expected one.
const LEAST: f64 = 0.01;
/// Share of the least energy below which a start has no pressures.
const COLD: f64 = 0.01;
/// Share of the last correction by the diagonal.
const SHARE: f64 = 0.5;

/// Four floats of a method's array at a slot.
fn four(world: &World, name: &str, s: usize) -> [f64; 4] {
    world.floats(name)[4 * s..4 * s + 4].try_into().expect("four of them")
}

fn set(world: &mut World, name: &str, s: usize, value: [f64; 4]) {
    world.floats_mut(name)[4 * s..4 * s + 4].copy_from_slice(&value);
}

fn vector(world: &World, s: usize, which: usize) -> DVec3 {
    DVec3::from_slice(&world.floats("pressure_move")[8 * s + 4 * which..])
}

/// Volume of the first material's particles.
fn unit(world: &World) -> f64 {
    let first = world.params.materials[0];
    f64::from(first.mass) / f64::from(first.rest_density)
}

/// Volume of a fluid particle over that of the first material's.
fn volume(world: &World, s: usize) -> f64 {
    world.sorted_position[s][3] / unit(world)
}

/// Whether pressure may act on a particle.
fn is_pressed(kappa: f64, error: f64) -> bool {
    kappa > 0.0 || error > 0.0
}

/// A change of κ along which κ stays positive; none where no pressure may act, which κ = −1 says.
fn permitted(change: f64, kappa: f64) -> f64 {
    match kappa {
        -1.0 => 0.0,
        0.0 => change.max(0.0),
        _ => change,
    }
}

/// Writes the workgroups' sums of what particles contribute.
fn leave(world: &mut World, parts: &[(usize, [f64; 4])]) {
    let groups = group_count(world);
    world.floats_mut("pressure_dots")[..4 * groups].fill(0.0);
    for (i, part) in parts {
        let group = group_of(world, *i);
        let sums = &mut world.floats_mut("pressure_dots")[4 * group..4 * group + 4];
        sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
}

fn all_parts(world: &World) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for part in world.floats("pressure_dots")[..4 * group_count(world)].chunks(4) {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// κ, what the limit at 0 added, and e after a step of α along p.
fn after_step(world: &World, s: usize) -> [f64; 3] {
    let [alpha, ..] = four(world, "pressure_scalars", 0);
    let [kappa, error, p, w] = four(world, "pressure_state", s);
    let wanted = kappa + alpha * p;
    [wanted.max(0.0), wanted.max(0.0) - wanted, error - alpha * w]
}

/// Start from the last step's pressures.
pub(crate) fn warm(world: &mut World) {
    let per_pressure = f64::from(world.control.dt).powi(2);
    set(world, "pressure_scalars", 0, [0.0; 4]);
    for s in world.handled() {
        let who = world.sorted_identity[s];
        let fluid = is_kind(who, KIND_FLUID);
        let kappa = if fluid { per_pressure * world.warm[world.order[s] as usize] } else { 0.0 };
        let mass = f64::from(world.material(who).mass) / unit(world);
        set(world, "pressure_state", s, [kappa, 0.0, 0.0, mass]);
        set(world, "pressure_search", s, [kappa, 0.0, 0.0, kappa]);
        world.floats_mut("pressure_start")[s] = kappa;
    }
}

/// p = z + β p, and the displacements by p and by what the limit added.
pub(crate) fn push(world: &mut World) {
    world.find_pairs();
    let [_, beta, ..] = four(world, "pressure_scalars", 0);
    let direction = |world: &World, s: usize| {
        let [z, last, _, kappa] = four(world, "pressure_search", s);
        permitted(z + beta * last, kappa)
    };
    let along = displacements_by(world, |world, s| direction(world, s));
    let added = displacements_by(world, |world, s| four(world, "pressure_search", s)[2]);
    for ((i, along), (_, added)) in along.into_iter().zip(added) {
        let p = direction(world, i);
        world.floats_mut("pressure_state")[4 * i + 2] = p;
        let both = [along.x, along.y, along.z, 0.0, added.x, added.y, added.z, 0.0];
        world.floats_mut("pressure_move")[8 * i..8 * i + 8].copy_from_slice(&both);
    }
}

/// Forces of p and of what the limit added on bodies' particles, times Δt²: of a displacement `u_i` the force `m_i` `u_i`.
pub(crate) fn press(world: &mut World) {
    world.find_pairs();
    let kernels = Kernels::of(&world.params);
    let calibration = f64::from(world.params.kernel.density_calibration);
    for (s, k) in members(world) {
        let volume = approach(world, s) * -world.sorted_position[s][3];
        let mut both = [DVec3::ZERO; 2];
        for pair in world.pairs.of(s) {
            if !is_kind(world.sorted_identity[pair.j], KIND_FLUID) {
                continue;
            }
            let mass = f64::from(world.material(world.sorted_identity[pair.j]).mass);
            let gradient = calibration * volume * kernels.density_gradient(-pair.offset);
            let [_, _, p, _] = four(world, "pressure_state", pair.j);
            let [_, _, added, _] = four(world, "pressure_search", pair.j);
            for (force, kappa) in both.iter_mut().zip([p, added]) {
                *force += mass * kappa / rest_density(world, pair.j) * gradient;
            }
        }
        for (which, force) in both.into_iter().enumerate() {
            let at = 8 * k + 4 * which;
            world.floats_mut("pressure_reaction")[at..at + 4]
                .copy_from_slice(&force.extend(0.0).to_array());
        }
    }
}

/// Displacements and turns of free bodies by these forces.
pub(crate) fn answer(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let solid = posed(world, number);
        let first = solid.collider.first_particle as usize;
        for which in 0..2 {
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for k in first..first + solid.collider.particle_count as usize {
                let f = DVec3::from_slice(&world.floats("pressure_reaction")[8 * k + 4 * which..]);
                force += f;
                torque += (solid.rotation * xyz(world.model_position[k])).cross(f);
            }
            let way = f64::from(solid.collider.inverse_mass) * force;
            let local = solid.rotation.inverse() * torque;
            let free = solid.collider.inverse_mass > 0.0;
            let turn = match free {
                true => solid.rotation * (solid.collider.inverse_inertia.as_dvec3() * local),
                false => DVec3::ZERO,
            };
            let at = 16 * number + 8 * which;
            let found = [way.x, way.y, way.z, 0.0, turn.x, turn.y, turn.z, 0.0];
            world.floats_mut("pressure_answer")[at..at + 8].copy_from_slice(&found);
        }
    }
}

/// Displacements of bodies' particles.
pub(crate) fn carry(world: &mut World) {
    for (s, k) in members(world) {
        let number = (world.sorted_identity[s][1] >> 16) as usize;
        let arm = posed(world, number).rotation * xyz(world.model_position[k]);
        for which in 0..2 {
            let at = 16 * number + 8 * which;
            let part = |k: usize| DVec3::from_slice(&world.floats("pressure_answer")[at + k..]);
            let way = part(0) + part(4).cross(arm);
            let to = 8 * s + 4 * which;
            world.floats_mut("pressure_move")[to..to + 4]
                .copy_from_slice(&way.extend(0.0).to_array());
        }
    }
}

/// Change of the compression of a particle by displacements of fluid and bodies.
fn change(world: &World, i: usize, of: impl Fn(usize) -> DVec3) -> f64 {
    let moves = |s: usize| is_kind(world.sorted_identity[s], KIND_FLUID) || is_body(world, s);
    let field = |s: usize| match moves(s) {
        true => of(s),
        false => DVec3::ZERO,
    };
    let term = |p: &Pair| approach(world, p.j) * (field(i) - field(p.j)).dot(gradient(world, p));
    world.pairs.of(i).iter().map(term).sum()
}

/// Compression that the step would leave, Σ V κ A κ, and the mass.
pub(crate) fn begin(world: &mut World) {
    world.find_pairs();
    let dt = f64::from(world.control.dt);
    let mut found = Vec::new();
    for i in world.sorted_fluid() {
        let excess = compressed(world, i);
        let by_pressure = change(world, i, |s| vector(world, s, 0));
        let by_motion = dt * crate::incompressible::divergence(world, i, |s| velocity(world, s));
        let error = excess - left_for_later(world, excess) + by_motion + by_pressure;
        let [kappa, _, _, mass] = four(world, "pressure_state", i);
        found.push((i, kappa, if dt > 0.0 { error } else { 0.0 }, mass, by_pressure));
    }
    let mut parts = Vec::new();
    for (i, kappa, error, mass, by_pressure) in found {
        set(world, "pressure_state", i, [kappa, error, 0.0, 0.0]);
        parts.push((i, [-volume(world, i) * kappa * by_pressure, mass, 0.0, 0.0]));
    }
    leave(world, &parts);
}

/// Energy that those of iterations are compared with.
pub(crate) fn scale(world: &mut World) {
    let [by_pressure, mass, ..] = all_parts(world);
    let dt = f64::from(world.control.dt);
    let fall = world.params.world.gravity.as_dvec3().length() * dt.powi(2);
    let least = fall.max(LEAST * f64::from(world.params.world.expected_speed) * dt);
    let falling = mass * least.powi(2);
    let share = if by_pressure < COLD * falling { 0.05 } else { 0.5 };
    let energy = share * by_pressure.max(falling);
    set(world, "pressure_scalars", 0, [0.0, 0.0, 0.0, energy]);
}

/// A step along p, and z = e over the diagonal and what cells add.
pub(crate) fn step(world: &mut World) {
    let mut parts = Vec::new();
    for i in world.sorted_fluid() {
        let [_, last, p, w] = four(world, "pressure_state", i);
        let [kappa, added, error] = after_step(world, i);
        let diagonal = world.floats("factor")[2 * i] * error;
        let marked = if is_pressed(kappa, error) { kappa } else { -1.0 };
        let z = permitted(diagonal + world.floats("pressure_coarse")[i], marked);
        let weighed = z * volume(world, i);
        parts.push((i, [weighed * error, weighed * last, 0.0, 0.0]));
        set(world, "pressure_state", i, [kappa, error, p, w]);
        set(world, "pressure_search", i, [z, p, added, marked]);
    }
    leave(world, &parts);
}

/// β (Polak, Ribière 1969).
pub(crate) fn turn(world: &mut World) {
    let [now, before, ..] = all_parts(world);
    let [alpha, _, last, energy] = four(world, "pressure_scalars", 0);
    let goes_on = world.control.iteration > 0 && last > 0.0;
    let beta = if goes_on { (now - before).max(0.0) / last } else { 0.0 };
    set(world, "pressure_scalars", 0, [alpha, beta, now, energy]);
}

/// A p, and e less the effect of what the limit added.
pub(crate) fn apply(world: &mut World) {
    world.find_pairs();
    let of = |i: usize| {
        let by = |which: usize| change(world, i, |s| vector(world, s, which));
        (i, -by(0), by(1))
    };
    let found: Vec<_> = world.sorted_fluid().into_iter().map(of).collect();
    let mut parts = Vec::new();
    for (i, w, added) in found {
        let [kappa, error, p, _] = four(world, "pressure_state", i);
        let error = error + added;
        set(world, "pressure_state", i, [kappa, error, p, w]);
        let gain = world.floats("factor")[2 * i];
        let wrong = match error < 0.0 && gain > 0.0 {
            true => (-error).min(kappa / gain),
            false => error.max(0.0),
        };
        let along = volume(world, i) * p;
        parts.push((i, [along * error, along * w, 100.0 * wrong, 1.0]));
    }
    leave(world, &parts);
}

/// α and the residual, and the loop's test.
pub(crate) fn total(world: &mut World) {
    let [descent, curvature, errors, count] = all_parts(world);
    let [_, beta, last, energy] = four(world, "pressure_scalars", 0);
    let solvable = descent > 0.0 && curvature > 0.0;
    let alpha = if solvable { descent / curvature } else { 0.0 };
    let last = if solvable { last } else { 0.0 };
    set(world, "pressure_scalars", 0, [alpha, beta, last, energy]);
    let limits = world.params.loops[world.stage.loop_index as usize - 1];
    let (change, most) = (0.5 * alpha * descent, f64::from(limits.energy) * energy);
    let above = match change > most {
        true => f64::from(limits.tolerance) * change / most.max(1e-37),
        false => 0.0,
    };
    world.residual[0] = above.max(errors / count.max(1.0));
    repeat::test(world);
}

/// Slots of the fluid of a coarse cell.
fn fluid_of(world: &World, cell: usize) -> Vec<usize> {
    let slots = |c: usize| world.cell_start[c] as usize..world.cell_start[c + 1] as usize;
    multigrid::children(&world.params, cell).into_iter().flat_map(slots).collect()
}

fn set_remainder(world: &mut World, cell: usize, value: [f64; 2]) {
    world.floats_mut("odd_remainder")[2 * cell..2 * cell + 2].copy_from_slice(&value);
}

/// N = Σ V κ²/ρ0 and S = Σ ρ0 V |u|² of each coarse cell.
pub(crate) fn cells(world: &mut World) {
    for c in 0..multigrid::coarse_cells(&world.params) {
        let mut sums = [0.0; 2];
        for s in fluid_of(world, c) {
            let (volume, rest_density) = (volume(world, s), rest_density(world, s));
            sums[0] += volume * world.floats("pressure_start")[s].powi(2) / rest_density;
            sums[1] += volume * rest_density * vector(world, s, 0).length_squared();
        }
        set_remainder(world, c, sums);
    }
}

/// Σ κ V e of each coarse cell.
pub(crate) fn restrict(world: &mut World) {
    for c in 0..multigrid::coarse_cells(&world.params) {
        let of = |s: usize| {
            let [kappa, _, error] = after_step(world, s);
            let error = if is_pressed(kappa, error) { error } else { 0.0 };
            world.floats("pressure_start")[s] * volume(world, s) * error
        };
        let sum = fluid_of(world, c).into_iter().map(of).sum();
        set_remainder(world, c, [sum, 0.0]);
    }
}

/// What coarse cells add to z.
pub(crate) fn spread(world: &mut World) {
    for (c, found) in multigrid::coarse_sweep(world).into_iter().enumerate() {
        for s in fluid_of(world, c) {
            world.floats_mut("pressure_coarse")[s] = found * world.floats("pressure_start")[s];
        }
    }
}

/// The last step, and half of what the diagonal would still correct.
pub(crate) fn end(world: &mut World) {
    for s in world.handled() {
        let kappa = match is_kind(world.sorted_identity[s], KIND_FLUID) {
            true => {
                let [kappa, _, error] = after_step(world, s);
                (kappa + SHARE * world.floats("factor")[2 * s] * error).max(0.0)
            }
            false => 0.0,
        };
        world.floats_mut("kappa")[s] = kappa;
    }
}
