//! Implicit viscosity: Weiler, Koschier, Brand, Bender 2018 (`wgsl/viscosity/`), with vectors divided by the
//! mass of the first material.

use glam::{DMat3, DVec3};
use meniscus_model::params::{KIND_BOUNDARY, KIND_FLUID};

use crate::World;
use crate::body::{members, posed};
use crate::incompressible::{group_count, group_of, velocity};
use crate::kernels::Kernels;
use crate::materials::flow;
use crate::pairs::Pair;
use crate::poisson::next_scalars;
use crate::repeat::end_iteration;
use crate::space::xyz;
use crate::world::is_kind;

/// Particles of a workgroup of `viscosity/spread`.
const GROUP: usize = 64;
/// Least scale of the residual, relative to the expected speed.
const LEAST: f64 = 0.01;
/// Least determinant of the correction of a gradient.
const LEAST_DETERMINANT: f64 = 0.05;

/// Vector of a method's array at a slot.
fn vector(world: &World, name: &str, s: usize) -> DVec3 {
    DVec3::from_slice(&world.floats(name)[4 * s..])
}

fn set(world: &mut World, name: &str, s: usize, v: DVec3, w: f64) {
    world.floats_mut(name)[4 * s..4 * s + 4].copy_from_slice(&v.extend(w).to_array());
}

/// `m_i/m_0`.
fn mass(world: &World, s: usize) -> f64 {
    let of = |mass: f32| f64::from(mass);
    of(world.material(world.sorted_identity[s]).mass) / of(world.params.materials[0].mass)
}

/// v + Δt (a + g).
fn kicked(world: &World, s: usize) -> DVec3 {
    let gravity = world.gravity_of(world.sorted_identity[s]);
    velocity(world, s) + f64::from(world.control.dt) * (xyz(world.acceleration[s]) + gravity)
}

/// v* = v + Δt (a + g + `a_p`).
fn predicted(world: &World, s: usize) -> DVec3 {
    let push = vector(world, "viscosity_last", 2 * world.order[s] as usize + 1);
    kicked(world, s) + f64::from(world.control.dt) * push
}

/// Largest acceleration by pressure that viscosity counts on, in that of gravity.
const MOST_PUSH: f64 = 10.0;

/// `a`, or the part of it that is as long as that.
fn lasting(gravity: DVec3, a: DVec3) -> DVec3 {
    a.clamp_length_max(MOST_PUSH * gravity.length())
}

/// Of a step in the mean `a_p`.
fn share(world: &World) -> f64 {
    world.number("viscosity_implicit.share")
}

/// Change over the step, 0 if it has no length.
fn rate(world: &World, change: DVec3) -> DVec3 {
    let dt = f64::from(world.control.dt);
    if dt > 0.0 { change / dt } else { DVec3::ZERO }
}

/// x, r and u at the start.
pub(crate) fn guess(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let v = predicted(world, s);
        let friction = world.sorted_velocity[s][3];
        let viscosity = f64::from(world.material(world.sorted_identity[s]).viscosity);
        if is_kind(world.sorted_identity[s], KIND_FLUID) {
            let last = vector(world, "viscosity_last", 2 * world.order[s] as usize);
            let momentum = mass(world, s) * v;
            set(world, "viscosity_x", s, v + dt * last, viscosity);
            set(world, "viscosity_r", s, momentum, 1.0);
            set(world, "viscosity_u", s, DVec3::ZERO, viscosity);
        } else {
            set(world, "viscosity_x", s, velocity(world, s), friction);
            set(world, "viscosity_r", s, DVec3::ZERO, 0.0);
            set(world, "viscosity_u", s, DVec3::ZERO, friction);
        }
    }
}

/// Sums of momenta and masses by workgroup.
pub(crate) fn spread(world: &mut World) {
    let groups = world.floats("viscosity_sums").len() / 8;
    let handled = world.handled();
    // The dispatch covers all slots.
    let covered = (world.stage.element_count as usize).div_ceil(GROUP).min(groups);
    for group in 0..covered {
        let (mut momentum, mut energy, mut total, mut count) = (DVec3::ZERO, 0.0, 0.0, 0.0);
        for s in (GROUP * group..GROUP * (group + 1)).filter(|s| handled.contains(s)) {
            let (r, mass) = (vector(world, "viscosity_r", s), mass(world, s));
            if world.floats("viscosity_r")[4 * s + 3] > 0.0 {
                momentum += r;
                energy += r.length_squared() / mass;
                total += mass;
                count += 1.0;
            }
        }
        let sums = &mut world.floats_mut("viscosity_sums")[8 * group..8 * group + 8];
        sums[..4].copy_from_slice(&momentum.extend(energy).to_array());
        sums[4..].copy_from_slice(&[total, count, 0.0, 0.0]);
    }
}

/// Scale of the residual.
pub(crate) fn scale(world: &mut World) {
    let live = (world.control.particle_count as usize).div_ceil(GROUP);
    let mut sums = [0.0; 8];
    for group in world.floats("viscosity_sums").chunks(8).take(live) {
        sums.iter_mut().zip(group).for_each(|(sum, part)| *sum += part);
    }
    let spread = sums[3] - DVec3::from_slice(&sums).length_squared() / sums[4].max(1e-30);
    let least = (LEAST * f64::from(world.params.world.expected_speed)).powi(2) * sums[5];
    let scale = spread.max(least).max(1e-30).sqrt();
    set(world, "viscosity_scalars", 0, DVec3::ZERO, scale);
}

/// Viscosity by the velocity's gradient.
pub(crate) fn shear(world: &mut World) {
    world.find_pairs();
    let kernels = Kernels::of(&world.params);
    let flat = world.params.world.dimensions == 2;
    let of = |i: usize| {
        let (mut change, mut l) = (DMat3::ZERO, DMat3::ZERO);
        for pair in world.pairs.of(i) {
            let [.., volume] = world.sorted_position[pair.j];
            let [.., friction] = world.sorted_velocity[pair.j];
            if volume < 0.0 && friction == 0.0 {
                continue;
            }
            let gradient = volume.abs() * kernels.density_gradient(pair.offset);
            let apart = velocity(world, pair.j) - velocity(world, i);
            change += DMat3::from_cols(gradient.x * apart, gradient.y * apart, gradient.z * apart);
            let x = -pair.offset;
            l += DMat3::from_cols(gradient.x * x, gradient.y * x, gradient.z * x);
        }
        if flat {
            l.z_axis.z = 1.0;
        }
        let gradient =
            if l.determinant() > LEAST_DETERMINANT { change * l.inverse() } else { change };
        let axes = if flat { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
        let trace: f64 = (0..3).map(|k| gradient.col(k)[k]).sum();
        let mean = DMat3::from_diagonal(axes * trace / f64::from(world.params.world.dimensions));
        let deviator = 0.5 * (gradient + gradient.transpose()) - mean;
        let square: f64 = deviator.to_cols_array().iter().map(|d| d * d).sum();
        let material = world.material(world.sorted_identity[i]);
        let (model, number) = world.model_of(&material);
        let most = f64::from(material.viscosity);
        let found = flow(model, &number, most, (2.0 * square).sqrt());
        (i, found.unwrap_or(most))
    };
    let found: Vec<_> = world.sorted_fluid().into_iter().map(of).collect();
    for (i, viscosity) in found {
        for name in ["viscosity_x", "viscosity_u"] {
            world.floats_mut(name)[4 * i + 3] = viscosity;
        }
    }
}

/// `c_ij` in kg m⁻² s⁻¹, of viscosities and frictions in the w lanes of an array.
fn strength(world: &World, i: usize, pair: &Pair, array: &str) -> f64 {
    let kernels = Kernels::of(&world.params);
    let [own, other] = [i, pair.j].map(|s| world.floats(array)[4 * s + 3]);
    let viscosity = if is_kind(world.sorted_identity[pair.j], KIND_BOUNDARY) {
        own * other
    } else if own + other > 0.0 {
        2.0 * own * other / (own + other)
    } else {
        0.0
    };
    let volume = |s: usize| world.sorted_position[s][3].abs();
    let h2 = f64::from(world.params.kernel.support_radius).powi(2);
    let slope = -kernels.density_gradient(pair.offset).dot(pair.offset);
    // −W'/r is −∇W·x/r²; at r = 0 the pair has no impulse.
    let steepness = if pair.r > 0.0 { slope / pair.r.powi(2) } else { 0.0 };
    world.number("viscosity_implicit.factor") * viscosity * volume(i) * volume(pair.j) * steepness
        / (pair.r.powi(2) + 0.01 * h2)
}

/// `Δt c_ij/m_0`.
fn coupling(world: &World, i: usize, pair: &Pair, array: &str) -> f64 {
    let of_mass = f64::from(world.control.dt) / f64::from(world.params.materials[0].mass);
    of_mass * strength(world, i, pair, array)
}

/// Σ k x (x·(`a_i` − `a_j`)) of the array `a`.
fn impulse(world: &World, i: usize, a: &str) -> DVec3 {
    let own = vector(world, a, i);
    let of = |pair: &Pair| {
        let relative = own - vector(world, a, pair.j);
        coupling(world, i, pair, a) * pair.offset.dot(relative) * pair.offset
    };
    world.pairs.of(i).iter().map(of).sum()
}

/// r = b − K x, D⁻¹, u = D⁻¹ r.
pub(crate) fn begin(world: &mut World) {
    world.find_pairs();
    let of = |i: usize| {
        let (x, mass) = (vector(world, "viscosity_x", i), mass(world, i));
        let r = vector(world, "viscosity_r", i) - mass * x - impulse(world, i, "viscosity_x");
        let mut block = DMat3::from_diagonal(DVec3::splat(mass));
        for pair in world.pairs.of(i) {
            let k = coupling(world, i, pair, "viscosity_x");
            let x = pair.offset;
            block += DMat3::from_cols(k * x.x * x, k * x.y * x, k * x.z * x);
        }
        (i, r, mass, block.inverse())
    };
    let found: Vec<_> = world.sorted_fluid().into_iter().map(of).collect();
    for (i, r, mass, inverse) in found {
        let [x, y, z] = inverse.to_cols_array_2d();
        set(world, "viscosity_r", i, r, 1.0);
        let viscosity = world.floats("viscosity_x")[4 * i + 3];
        set(world, "viscosity_u", i, inverse * r, viscosity);
        let block = &mut world.floats_mut("viscosity_block")[8 * i..8 * i + 8];
        block.copy_from_slice(&[x[0], y[1], z[2], mass, y[2], x[2], x[1], 0.0]);
    }
}

/// w = K u, and the products of each workgroup.
pub(crate) fn apply(world: &mut World) {
    world.find_pairs();
    let of = |i: usize| {
        let u = vector(world, "viscosity_u", i);
        (i, u, mass(world, i) * u + impulse(world, i, "viscosity_u"))
    };
    let found: Vec<_> = world.sorted_fluid().into_iter().map(of).collect();
    let groups = group_count(world).min(world.floats("viscosity_dots").len() / 4);
    world.floats_mut("viscosity_dots")[..4 * groups].fill(0.0);
    for (i, u, w) in found {
        let (r, group) = (vector(world, "viscosity_r", i), group_of(world, i));
        set(world, "viscosity_w", i, w, 0.0);
        let dots = &mut world.floats_mut("viscosity_dots")[4 * group..];
        for (dot, product) in dots.iter_mut().zip([r.dot(u), u.dot(w), r.dot(r)]) {
            *dot += product;
        }
    }
}

/// α, β and the residual in percent, by which the loop ends.
pub(crate) fn total(world: &mut World) {
    let mut sums = [0.0; 4];
    for group in world.floats("viscosity_dots").chunks(4).take(group_count(world)) {
        sums.iter_mut().zip(group).for_each(|(sum, part)| *sum += part);
    }
    let [gamma, delta, square, _] = sums;
    let last = std::array::from_fn(|k| world.floats("viscosity_scalars")[k]);
    let [alpha, beta] = next_scalars(world, last, [gamma, delta]);
    let scale = last[3];
    set(world, "viscosity_scalars", 0, DVec3::new(alpha, beta, gamma), scale);
    let residual = if alpha > 0.0 { 100.0 * square.sqrt() / scale } else { 0.0 };
    world.floats_mut("viscosity_residual")[0] = residual;
    end_iteration(world, residual);
}

/// A step of conjugate gradients.
pub(crate) fn step(world: &mut World) {
    let [alpha, beta] = [0, 1].map(|k| world.floats("viscosity_scalars")[k]);
    for i in world.handled() {
        if world.floats("viscosity_r")[4 * i + 3] == 0.0 {
            continue;
        }
        let old = |name: &str| if beta > 0.0 { beta * vector(world, name, i) } else { DVec3::ZERO };
        let p = vector(world, "viscosity_u", i) + old("viscosity_p");
        let s = vector(world, "viscosity_w", i) + old("viscosity_s");
        let x = vector(world, "viscosity_x", i) + alpha * p;
        let r = vector(world, "viscosity_r", i) - alpha * s;
        let block = &world.floats("viscosity_block")[8 * i..8 * i + 8];
        let [xx, yy, zz, yz, xz, xy] = [0, 1, 2, 4, 5, 6].map(|k| block[k]);
        let inverse = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        set(world, "viscosity_p", i, p, 0.0);
        set(world, "viscosity_s", i, s, 0.0);
        let viscosity = world.floats("viscosity_x")[4 * i + 3];
        set(world, "viscosity_x", i, x, viscosity);
        set(world, "viscosity_r", i, r, 1.0);
        set(world, "viscosity_u", i, inverse * r, viscosity);
    }
}

/// Acceleration (v' − v*)/Δt.
pub(crate) fn end(world: &mut World) {
    let limits = world.params.loops[world.stage.loop_index as usize - 1];
    let good = world.floats("viscosity_residual")[0] <= f64::from(limits.tolerance);
    for s in world.handled() {
        if !is_kind(world.sorted_identity[s], KIND_FLUID) {
            continue;
        }
        let rest = vector(world, "viscosity_r", s) / mass(world, s);
        let rest = if good { rest } else { DVec3::ZERO };
        let change = vector(world, "viscosity_x", s) + rest - predicted(world, s);
        let a = rate(world, change);
        let mean = predicted(world, s) - kicked(world, s);
        let begin = kicked(world, s) + change - (1.0 / share(world) - 1.0) * mean;
        world.acceleration[s] = (xyz(world.acceleration[s]) + a).extend(0.0).to_array();
        set(world, "viscosity_last", 2 * s, a, 0.0);
        set(world, "viscosity_r", s, begin, 0.0);
    }
}

/// Acceleration of the fluid by pressure and walls.
pub(crate) fn push(world: &mut World) {
    for i in world.handled() {
        let fluid = is_kind(world.identity[i], KIND_FLUID);
        let change = xyz(world.velocity[i]) - vector(world, "viscosity_r", i);
        let a = lasting(world.gravity_of(world.identity[i]), share(world) * rate(world, change));
        let a = if fluid { a } else { DVec3::ZERO };
        set(world, "viscosity_last", 2 * i + 1, a, 0.0);
    }
}

/// Accelerations of free bodies by pressure and contacts.
pub(crate) fn push_bodies(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let solid = posed(world, number);
        let heavy = world.gravity_of_solid(number) != DVec3::ZERO;
        let free = heavy && solid.collider.inverse_mass > 0.0;
        for (k, now) in [solid.velocity, solid.angular_velocity].into_iter().enumerate() {
            let change = now - vector(world, "viscosity_before", 2 * number + k);
            let last = vector(world, "viscosity_body_push", 2 * number + k);
            let a = last.lerp(rate(world, change), share(world));
            let a = if free { a } else { DVec3::ZERO };
            set(world, "viscosity_body_push", 2 * number + k, a, 0.0);
        }
    }
}

/// Velocities of bodies' particles with those.
pub(crate) fn lean(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for (s, k) in members(world) {
        let number = (world.sorted_identity[s][1] >> 16) as usize;
        let arm = posed(world, number).rotation * xyz(world.model_position[k]);
        let of = |k: usize| vector(world, "viscosity_body_push", 2 * number + k);
        let v = xyz(world.sorted_velocity[s]) + dt * (of(0) + of(1).cross(arm));
        world.sorted_velocity[s] = v.extend(world.sorted_velocity[s][3]).to_array();
    }
}

/// Reaction on bodies: the opposite of the forces on the fluid.
pub(crate) fn react(world: &mut World) {
    world.find_pairs();
    for (b, k) in members(world) {
        let own = vector(world, "viscosity_x", b);
        let mut force = DVec3::ZERO;
        for pair in world.pairs.of(b) {
            let i = pair.j;
            if is_kind(world.sorted_identity[i], KIND_FLUID) {
                let back = Pair { j: b, offset: -pair.offset, r: pair.r };
                let c = strength(world, i, &back, "viscosity_x");
                let relative = vector(world, "viscosity_x", i) - own;
                force += c * pair.offset.dot(relative) * pair.offset;
            }
        }
        world.reaction[k] = force.extend(0.0).to_array();
    }
}

/// Fluid around a body's particle b: slot, `x_bi` and `Δt c_ib/m_0`.
fn around(world: &World, b: usize, array: &str) -> Vec<(usize, DVec3, f64)> {
    let of = |pair: &Pair| {
        let back = Pair { j: b, offset: -pair.offset, r: pair.r };
        (pair.j, pair.offset, coupling(world, pair.j, &back, array))
    };
    let is_fluid = |pair: &&Pair| is_kind(world.sorted_identity[pair.j], KIND_FLUID);
    world.pairs.of(b).iter().filter(is_fluid).map(of).collect()
}

/// Resistance of the fluid to each particle of a body.
pub(crate) fn grip(world: &mut World) {
    world.find_pairs();
    for (b, k) in members(world) {
        let mut sum = DMat3::ZERO;
        for (_, x, strength) in around(world, b, "viscosity_x") {
            sum += strength * DMat3::from_cols(x.x * x, x.y * x, x.z * x);
        }
        let [x, y, z] = sum.to_cols_array_2d();
        let to = &mut world.floats_mut("viscosity_grip")[8 * k..8 * k + 8];
        to.copy_from_slice(&[x[0], y[1], z[2], 0.0, y[2], x[2], x[1], 0.0]);
    }
}

/// What a free body can do: by each of six pushes, a velocity and a spin, whose squares sum to the inverse of its inertia times
/// `m_0`.
fn freedom(world: &World, number: usize) -> [[f64; 6]; 6] {
    let solid = posed(world, number);
    let scale = f64::from(world.params.materials[0].mass);
    let mut found = [[0.0; 6]; 6];
    for axis in 0..3 {
        found[axis][axis] = (scale * f64::from(solid.collider.inverse_mass)).sqrt();
        let inertia = f64::from(solid.collider.inverse_inertia[axis]);
        let spin = solid.rotation * ((scale * inertia).sqrt() * DVec3::AXES[axis]);
        found[3 + axis][3..].copy_from_slice(&spin.to_array());
    }
    found
}

/// (M + S)⁻¹ of each free body.
pub(crate) fn resist(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let solid = posed(world, number);
        let first = solid.collider.first_particle as usize;
        let mut s = [[0.0; 6]; 6];
        for k in first..first + solid.collider.particle_count as usize {
            let arm = solid.rotation * xyz(world.model_position[k]);
            let g = &world.floats("viscosity_grip")[8 * k..8 * k + 8];
            let grip =
                DMat3::from_cols_array(&[g[0], g[6], g[5], g[6], g[1], g[4], g[5], g[4], g[2]]);
            // Velocities of the particle by each of the six motions.
            let motions: [DVec3; 6] = std::array::from_fn(|m| match m {
                0..3 => DVec3::AXES[m],
                _ => DVec3::AXES[m - 3].cross(arm),
            });
            for (row, a) in s.iter_mut().zip(motions) {
                row.iter_mut().zip(motions).for_each(|(s, b)| *s += a.dot(grip * b));
            }
        }
        let l = freedom(world, number);
        let product = |a: &[f64; 6], b: &[f64; 6]| -> f64 {
            let of = |i: usize| (0..6).map(|j| a[i] * s[i][j] * b[j]).sum::<f64>();
            (0..6).map(of).sum()
        };
        let inner = std::array::from_fn(|i| {
            std::array::from_fn(|j| f64::from(u8::from(i == j)) + product(&l[i], &l[j]))
        });
        let inner = inverse(inner);
        let is_free = solid.collider.inverse_mass > 0.0;
        let element = |i: usize, j: usize| -> f64 {
            let of = |a: usize| (0..6).map(|b| l[a][i] * inner[a][b] * l[b][j]).sum::<f64>();
            if is_free { (0..6).map(of).sum() } else { 0.0 }
        };
        let mut found = [0.0; 36];
        for (column, [i, j]) in [[0, 0], [0, 3], [3, 3]].into_iter().enumerate() {
            for k in 0..9 {
                found[4 * (3 * column + k / 3) + k % 3] = element(i + k % 3, j + k / 3);
            }
        }
        world.floats_mut("viscosity_inverse")[36 * number..36 * number + 36]
            .copy_from_slice(&found);
    }
}

/// Inverse of a positive matrix, by Gauss and Jordan.
fn inverse(mut m: [[f64; 6]; 6]) -> [[f64; 6]; 6] {
    let mut found: [[f64; 6]; 6] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for k in 0..6 {
        let pivot = m[k][k];
        for j in 0..6 {
            m[k][j] /= pivot;
            found[k][j] /= pivot;
        }
        for i in (0..6).filter(|i| *i != k) {
            let share = m[i][k];
            for j in 0..6 {
                m[i][j] -= share * m[k][j];
                found[i][j] -= share * found[k][j];
            }
        }
    }
    found
}

/// Impulses on bodies' particles by a field of the fluid.
pub(crate) fn press(world: &mut World) {
    world.find_pairs();
    for (b, k) in members(world) {
        let own = xyz(world.own[b]);
        let mut sum = DVec3::ZERO;
        for (i, x, strength) in around(world, b, "viscosity_u") {
            sum += strength * x.dot(vector(world, "viscosity_u", i) - own) * x;
        }
        set(world, "viscosity_reaction", k, sum, 0.0);
    }
}

/// Changes of velocity and spin of bodies.
pub(crate) fn answer(world: &mut World) {
    for number in 0..world.params.counts.colliders as usize {
        let solid = posed(world, number);
        let first = solid.collider.first_particle as usize;
        let (mut impulse, mut twist) = (DVec3::ZERO, DVec3::ZERO);
        for k in first..first + solid.collider.particle_count as usize {
            let f = vector(world, "viscosity_reaction", k);
            impulse += f;
            twist += (solid.rotation * xyz(world.model_position[k])).cross(f);
        }
        let inverse = &world.floats("viscosity_inverse")[36 * number..36 * number + 36];
        let [v, m, w] = [0, 1, 2].map(|block: usize| {
            let column = |k: usize| DVec3::from_slice(&inverse[4 * (3 * block + k)..]);
            DMat3::from_cols(column(0), column(1), column(2))
        });
        let (way, turn) = (v * impulse + m * twist, m.transpose() * impulse + w * twist);
        set(world, "viscosity_answer", 2 * number, way, 0.0);
        set(world, "viscosity_answer", 2 * number + 1, turn, 0.0);
        set(world, "viscosity_before", 2 * number, solid.velocity + way, 0.0);
        set(world, "viscosity_before", 2 * number + 1, solid.angular_velocity + turn, 0.0);
    }
}

/// Velocities of bodies' particles with these.
pub(crate) fn carry(world: &mut World) {
    for (s, k) in members(world) {
        let number = (world.sorted_identity[s][1] >> 16) as usize;
        let arm = posed(world, number).rotation * xyz(world.model_position[k]);
        let of = |k: usize| vector(world, "viscosity_answer", 2 * number + k);
        let v = xyz(world.own[s]) + of(0) + of(1).cross(arm);
        set(world, "viscosity_u", s, v, world.sorted_velocity[s][3]);
    }
}
