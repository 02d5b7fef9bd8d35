//! The material point method (`wgsl/mpm/`, `wgsl/mls_mpm/`), with sums over all particles and nodes.

use glam::{DMat3, DVec3};
use meniscus_model::{Params, params::KIND_BOUNDARY};

use crate::World;
use crate::grid::{busy_cells, center, coordinates, edge, volume};
use crate::integrate::{by_fields, too_far};
use crate::materials::{Response, Strain};
use crate::space::{displacement, with_w, wrap, xyz};
use crate::time::now;
use crate::world::is_kind;

/// Least mass of a node that has a velocity, relative to that of a full cell.
const LEAST: f64 = 1e-7;
/// Arrays of the field of momentum around a particle.
pub(crate) const FIELD: [&str; 3] = ["point_x", "point_y", "point_z"];

/// A row of an element of a method's array.
pub(crate) fn row(world: &World, name: &str, element: usize, row: usize) -> [f64; 4] {
    let data = world.floats(name);
    let rows = match name {
        "stress" | "body_partial" | "implicit_mass" | "implicit_p" => 2,

        "hold" => 4,
        "push" | "tangent" => 6,
        "node" | "node_before" | "closing" | "point_place" | "point_x" | "point_y" | "point_z"
        | "implicit_q" | "implicit_w" | "implicit_r" | "implicit_u" => 1,

        _ => 3,
    };
    let at = 4 * (rows * element + row);
    [data[at], data[at + 1], data[at + 2], data[at + 3]]
}

pub(crate) fn set_element(world: &mut World, name: &str, element: usize, rows: &[[f64; 4]]) {
    let at = 4 * rows.len() * element;
    world.floats_mut(name)[at..at + 4 * rows.len()].copy_from_slice(rows.as_flattened());
}

/// Matrix whose rows are those of an element.
pub(crate) fn matrix(world: &World, name: &str, element: usize) -> DMat3 {
    let of = |k| xyz(row(world, name, element, k));
    DMat3::from_cols(of(0), of(1), of(2)).transpose()
}

/// Rows of a matrix, with these w lanes.
pub(crate) fn rows(m: DMat3, w: [f64; 3]) -> [[f64; 4]; 3] {
    let t = m.transpose();
    [with_w(t.x_axis, w[0]), with_w(t.y_axis, w[1]), with_w(t.z_axis, w[2])]
}

/// Places with masses, and deformations, in cell order.
pub(crate) fn carry(world: &mut World) {
    for s in world.handled() {
        let from = world.order[s] as usize;
        let element: Vec<_> = (0..3).map(|k| row(world, "deformation", from, k)).collect();
        set_element(world, "sorted_deformation", s, &element);
        let mass = f64::from(world.material(world.sorted_identity[s]).mass);
        let place = with_w(xyz(world.sorted_position[s]), mass);
        set_element(world, "point_place", s, &[place]);
    }
}

/// Kirchhoff stress of a particle in Pa.
fn stress(world: &World, i: usize) -> DMat3 {
    let [xx, yy, zz, _] = row(world, "stress", i, 0);
    let [yz, xz, xy, _] = row(world, "stress", i, 1);
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

/// What each particle gives to the nodes (`wgsl/mls_mpm/point`).
pub(crate) fn point(world: &mut World) {
    let share = 4.0 * f64::from(world.control.dt) / edge(&world.params).powi(2);
    for s in world.handled() {
        let i = world.order[s] as usize;
        let mass = f64::from(world.material(world.sorted_identity[s]).mass);
        let tau = stress(world, i);
        let volume = f64::from(world.material(world.sorted_identity[s]).rest_volume);
        let gradient = mass * matrix(world, "affine", i) - share * volume * tau;
        let momentum = mass * xyz(world.sorted_velocity[s]);
        let field = rows(gradient, momentum.to_array());
        for (name, row) in FIELD.iter().zip(field) {
            set_element(world, name, s, &[row]);
        }
    }
}

/// Quadratic B-spline of a distance in cells.
fn spline(s: f64) -> f64 {
    match s.abs() {
        s if s < 0.5 => 0.75 - s * s,
        s if s < 1.5 => 0.5 * (1.5 - s).powi(2),
        _ => 0.0,
    }
}

/// Weight of a node at this offset from a particle.
pub(crate) fn weight(params: &Params, offset: DVec3) -> f64 {
    let axes = params.world.dimensions as usize;
    (0..axes).map(|axis| spline(offset[axis] / edge(params))).product()
}

/// Least mass in kg of a node that has a velocity.
pub(crate) fn least_mass(params: &Params) -> f64 {
    LEAST * f64::from(params.materials[0].rest_density) * volume(params)
}

/// Mass of each node, and its velocity after gravity and fields (`wgsl/mls_mpm/gather`).
pub(crate) fn gather(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for c in busy_cells(world) {
        let x = center(&params, coordinates(&params, c));
        let (mut mass, mut momentum) = (0.0, DVec3::ZERO);
        for s in world.sorted_fluid() {
            let place = row(world, "point_place", s, 0);
            let offset = displacement(&params, x, xyz(place));
            let w = weight(&params, offset);
            if w == 0.0 {
                continue;
            }
            let rows = FIELD.map(|name| row(world, name, s, 0));
            let mean = DVec3::from(rows.map(|row| row[3]));
            let gradient = DMat3::from_cols(xyz(rows[0]), xyz(rows[1]), xyz(rows[2]));
            mass += w * place[3];
            momentum += w * (mean + gradient.transpose() * offset);
        }
        let before = momentum / mass.max(1e-30);
        let pull = dt * (params.world.gravity.as_dvec3() + by_fields(world, x, before));
        let v = if mass > least_mass(&params) { before + pull } else { DVec3::ZERO };
        set_element(world, "node", c, &[with_w(v, mass)]);
    }
}

/// Whether a sorted slot has a particle of a body, which is copied as it is.
fn stays(world: &mut World, s: usize) -> bool {
    let stays = is_kind(world.sorted_identity[s], KIND_BOUNDARY);
    if stays {
        let [x, y, z, w] = world.sorted_position[s];
        world.position[s] = [x, y, z, -w];
        world.velocity[s] = world.sorted_velocity[s];
        world.identity[s] = world.sorted_identity[s];
    }
    stays
}

/// Velocity, its gradient, and motion of each particle (`wgsl/mls_mpm/update`).
pub(crate) fn update(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        if stays(world, s) {
            continue;
        }
        let x = xyz(world.sorted_position[s]);
        let (mut v, mut gradient, mut volume) = (DVec3::ZERO, DMat3::ZERO, 0.0);
        for c in 0..params.grid.cell_count as usize {
            let offset = displacement(&params, center(&params, coordinates(&params, c)), x);
            let w = weight(&params, offset);
            if w > 0.0 {
                let node = row(world, "node", c, 0);
                v += w * xyz(node);
                volume += w * node[3];
                // v offsetᵀ.
                gradient += DMat3::from_cols(
                    w * offset.x * xyz(node),
                    w * offset.y * xyz(node),
                    w * offset.z * xyz(node),
                );
            }
        }
        let c = gradient * (4.0 / edge(&params).powi(2));
        let g = world.gravity_of(world.sorted_identity[s]);
        let back = too_far(world, g, (v - xyz(world.sorted_velocity[s])).dot(g));
        world.position[s] =
            with_w(wrap(&params, x + dt * v - back), (1.0 / volume).max(least_density(&params)));
        world.velocity[s] = with_w(v, 0.0);
        world.identity[s] = world.sorted_identity[s];
        set_element(world, "affine", s, &rows(c, [0.0; 3]));
    }
}

/// What each particle gives to the nodes in the classic method: Δt V0 τ and momentum (`wgsl/classic_mpm/point`).
pub(crate) fn point_classic(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let i = world.order[s] as usize;
        let mass = f64::from(world.material(world.sorted_identity[s]).mass);
        let volume = f64::from(world.material(world.sorted_identity[s]).rest_volume);
        let momentum = mass * xyz(world.sorted_velocity[s]);
        let field = rows(dt * volume * stress(world, i), momentum.to_array());
        for (name, row) in FIELD.iter().zip(field) {
            set_element(world, name, s, &[row]);
        }
    }
}

/// Derivative of the spline.
fn slope(s: f64) -> f64 {
    match s.abs() {
        a if a < 0.5 => -2.0 * s,
        a if a < 1.5 => -(1.5 - a) * s.signum(),
        _ => 0.0,
    }
}

/// Gradient in 1/m of a node's weight by the particle's place, the offset leading from the particle to the node.
fn gradient(params: &Params, offset: DVec3) -> DVec3 {
    let axes = params.world.dimensions as usize;
    let along = |axis: usize| {
        let others = (0..axes).filter(|other| *other != axis);
        let rest: f64 = others.map(|other| spline(offset[other] / edge(params))).product();
        if axis < axes { -slope(offset[axis] / edge(params)) / edge(params) * rest } else { 0.0 }
    };
    DVec3::new(along(0), along(1), along(2))
}

/// Mass and velocity of each node before and after its forces, by gradients of the weights (`wgsl/classic_mpm/gather`).
pub(crate) fn gather_classic(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for c in busy_cells(world) {
        let x = center(&params, coordinates(&params, c));
        let (mut mass, mut momentum, mut impulse) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for s in world.sorted_fluid() {
            let place = row(world, "point_place", s, 0);
            let offset = displacement(&params, x, xyz(place));
            let w = weight(&params, offset);
            if w == 0.0 {
                continue;
            }
            let rows = FIELD.map(|name| row(world, name, s, 0));
            let stress = DMat3::from_cols(xyz(rows[0]), xyz(rows[1]), xyz(rows[2])).transpose();
            mass += w * place[3];
            momentum += w * DVec3::from(rows.map(|row| row[3]));
            impulse -= stress * gradient(&params, offset);
        }
        let heavy = mass > least_mass(&params);
        let before = if heavy { momentum / mass } else { DVec3::ZERO };
        let pull = dt * (params.world.gravity.as_dvec3() + by_fields(world, x, before));
        let after = if heavy { before + impulse / mass + pull } else { DVec3::ZERO };
        set_element(world, "node_before", c, &[with_w(before, mass)]);
        set_element(world, "node", c, &[with_w(after, mass)]);
    }
}

/// What particles keep of their own velocities, which are along gravity in w (`wgsl/classic_mpm/keep`).
pub(crate) fn keep(world: &mut World) {
    let params = world.params;
    let blend = world.number("classic_mpm.blend");
    for s in world.handled() {
        if is_kind(world.sorted_identity[s], KIND_BOUNDARY) {
            continue;
        }
        let x = xyz(world.sorted_position[s]);
        let mut before = DVec3::ZERO;
        for c in 0..params.grid.cell_count as usize {
            let offset = displacement(&params, center(&params, coordinates(&params, c)), x);
            before += weight(&params, offset) * xyz(row(world, "node_before", c, 0));
        }
        let own = xyz(world.sorted_velocity[s]);
        let along = own.dot(world.gravity_of(world.sorted_identity[s]));
        world.sorted_velocity[s] = with_w(blend * (own - before), along);
    }
}

/// Density of particles beyond the surface and beside bodies.
fn least_density(params: &Params) -> f64 {
    0.25 * f64::from(params.materials[0].rest_density)
}

/// Velocity, gradient by the weights' slopes, and motion of each particle (`wgsl/classic_mpm/update`).
pub(crate) fn update_classic(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        if stays(world, s) {
            continue;
        }
        let x = xyz(world.sorted_position[s]);
        let (mut v, mut slopes, mut volume) = (DVec3::ZERO, DMat3::ZERO, 0.0);
        for c in 0..params.grid.cell_count as usize {
            let offset = displacement(&params, center(&params, coordinates(&params, c)), x);
            let w = weight(&params, offset);
            if w > 0.0 {
                let node = row(world, "node", c, 0);
                v += w * xyz(node);
                volume += w * node[3];
                let by = gradient(&params, offset);
                slopes += DMat3::from_cols(by.x * xyz(node), by.y * xyz(node), by.z * xyz(node));
            }
        }
        let new = v + xyz(world.sorted_velocity[s]);
        let g = world.gravity_of(world.sorted_identity[s]);
        let back = too_far(world, g, new.dot(g) - world.sorted_velocity[s][3]);
        world.position[s] =
            with_w(wrap(&params, x + dt * v - back), (1.0 / volume).max(least_density(&params)));
        world.velocity[s] = with_w(new, 0.0);
        world.identity[s] = world.sorted_identity[s];
        set_element(world, "affine", s, &rows(slopes, [0.0; 3]));
    }
}

/// Singular values and vectors, F = Σ σ u vᵀ, the last one negative if det F is; in 2-D of the plane, with σ = 1 in z.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests read it")]
pub struct Singular {
    /// Columns of U.
    pub u: [DVec3; 3],
    /// The values, in descending order of size.
    pub sigma: [f64; 3],
    /// Columns of V.
    pub v: [DVec3; 3],
}

/// Singular values of a matrix, in 2-D of its upper block.
#[must_use]
pub fn singular(f: DMat3, dimensions: u32) -> Singular {
    let axes = dimensions as usize;
    let mut s = (f.transpose() * f).to_cols_array_2d();
    let mut vectors = DMat3::IDENTITY.to_cols_array_2d();
    // Cyclic Jacobi on FᵀF, accurate enough in f64.
    for _ in 0..30 {
        for p in 0..axes {
            for q in p + 1..axes {
                if s[p][q] == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * s[p][q]).atan2(s[q][q] - s[p][p]);
                let (sine, cosine) = angle.sin_cos();
                let turn = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
                let (a, b) = (s[p], s[q]);
                s[p] = [0, 1, 2].map(|k| turn(a[k], b[k]).0);
                s[q] = [0, 1, 2].map(|k| turn(a[k], b[k]).1);
                for column in &mut s {
                    (column[p], column[q]) = turn(column[p], column[q]);
                }
                let (a, b) = (vectors[p], vectors[q]);
                vectors[p] = [0, 1, 2].map(|k| turn(a[k], b[k]).0);
                vectors[q] = [0, 1, 2].map(|k| turn(a[k], b[k]).1);
            }
        }
    }
    let mut order: Vec<usize> = (0..axes).collect();
    order.sort_by(|a, b| s[*b][*b].total_cmp(&s[*a][*a]));
    order.extend(axes..3);
    let mut v = [0, 1, 2].map(|k| DVec3::from(vectors[order[k]]));
    let last = axes - 1;
    if DMat3::from_cols(v[0], v[1], v[2]).determinant() < 0.0 {
        v[last] = -v[last];
    }
    let mut u = v.map(|v| (f * v).normalize_or_zero());
    u[last] = match axes {
        2 => DVec3::new(-u[0].y, u[0].x, 0.0),
        _ => u[0].cross(u[1]),
    };
    let sigma = [0, 1, 2].map(|k| u[k].dot(f * v[k]));
    Singular { u, sigma, v }
}

/// Deformation, return mapping and stress of each particle; records the fastest signal.
pub(crate) fn deform(world: &mut World) {
    let params = world.params;
    let (dt, axes) = (f64::from(world.control.dt), params.world.dimensions as usize);
    for s in world.handled() {
        if is_kind(world.identity[s], KIND_BOUNDARY) {
            continue;
        }
        let material = world.material(world.identity[s]);
        let c = matrix(world, "affine", s);
        let f =
            (DMat3::IDENTITY + dt * c) * (DMat3::IDENTITY + matrix(world, "sorted_deformation", s));
        let state = [0, 1, 2].map(|k| row(world, "sorted_deformation", s, k)[3]);
        let (model, number) = world.model_of(&material);
        let found = world.materials.iter().find(|(name, _)| name == model);
        let (_, respond) = found.unwrap_or_else(|| panic!("no twin of {model}"));
        let Response { f, tau, volume, energy, sound, state } = respond(&Strain {
            gradient: c,
            f,
            state,
            dt,
            time: now(world) + dt,
            density: world.position[s][3],
            cell: edge(&params),
            dimensions: params.world.dimensions,
            rest_density: f64::from(material.rest_density),
            viscosity: f64::from(material.viscosity),
            number: &number,
        });
        set_element(world, "deformation", s, &rows(f - DMat3::IDENTITY, state));
        let deviator = tau - DMat3::IDENTITY * ((0..3).map(|k| tau.col(k)[k]).sum::<f64>() / 3.0);
        let norm = deviator.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        let von_mises = 1.5f64.sqrt() * norm;
        let stress = [
            [tau.x_axis.x, tau.y_axis.y, tau.z_axis.z, von_mises],
            [tau.y_axis.z, tau.x_axis.z, tau.x_axis.y, f64::from(material.rest_volume) * energy],
        ];
        set_element(world, "stress", s, &stress);
        let trace: f64 = (0..axes).map(|k| tau.col(k)[k]).sum();
        world.velocity[s][3] = -trace / (axes as f64 * volume.abs().max(1e-3));
        let speed = xyz(world.velocity[s]).length();
        let steep = c.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
        let share = f64::from(params.time.step_share) * f64::from(params.time.cfl);
        let heard = f64::from(material.sound_share) * sound;
        let signal = (heard + speed).max(2.0 * share * edge(&params) * steep);
        let bits = (signal as f32).to_bits();
        world.control.max_signal_bits = world.control.max_signal_bits.max(bits);
    }
}
