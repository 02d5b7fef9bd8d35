//! Particles of liquids on a grid (`wgsl/liquid/`, `wgsl/flip/`, `wgsl/apic/`, `wgsl/polypic/`, `wgsl/eulerian/`), with sums over
//! all of them.

use glam::DVec3;
use meniscus_model::params::EmitterParams;

use crate::World;
use crate::emit::flows;
use crate::faces::{
    LEAST_VOLUME, axes, cells, element, field_at, field_of, hat, hat_along, is_open, middle, next,
    path, rise, set,
};
use crate::grid::{busy_blocks, busy_cells, cells_of_block, center, coordinates, edge, volume};
use crate::integrate::too_far;
use crate::smoke::around;
use crate::space::{displacement, with_w, wrap, xyz};

/// Least weight of the known faces around a place that has a velocity.
const LEAST_KNOWN: f64 = 1e-3;

/// Gradients with velocities, by components (`wgsl/apic/carry`).
pub(crate) fn carry(world: &mut World) {
    for s in world.handled() {
        let rows: [f64; 12] = element(world, "affine", world.order[s] as usize);
        let v = world.sorted_velocity[s];
        for (axis, name) in ["affine_x", "affine_y", "affine_z"].into_iter().enumerate() {
            let row = [rows[4 * axis], rows[4 * axis + 1], rows[4 * axis + 2], v[axis]];
            set(world, name, s, row);
        }
    }
}

/// Terms with velocities (`wgsl/polypic/carry`).
pub(crate) fn carry_terms(world: &mut World) {
    for s in world.handled() {
        let mut terms: [f64; 24] = element(world, "poly", world.order[s] as usize);
        for axis in 0..3 {
            terms[4 * axis + 3] = world.sorted_velocity[s][axis];
        }
        set(world, "sorted_poly", s, terms);
    }
}

/// Field and cover from a component of the field of each particle, at an offset in m from it.
fn gather_with(world: &mut World, field: impl Fn(&World, usize, usize, DVec3) -> f64) {
    let params = world.params;
    let full = volume(&params);
    for c in busy_cells(world) {
        let mut face = [0.0; 4];
        for axis in 0..axes(&params) {
            let (mut all, mut flow) = (0.0, 0.0);
            for s in world.particles() {
                let place = world.sorted_position[s];
                let offset = displacement(&params, middle(&params, c, axis), xyz(place));
                let w = hat(&params, offset) * place[3];
                if w > 0.0 {
                    all += w;
                    flow += w * field(world, s, axis, offset);
                }
            }
            if all > LEAST_VOLUME * full {
                face[axis] = flow / all;
                // Known, and by particles.
                face[3] += f64::from((1 << axis) + (1 << (3 + axis)));
            }
        }
        let x = center(&params, coordinates(&params, c));
        let of = |s: usize| {
            let place = world.sorted_position[s];
            // Particles of bodies have negative volumes.
            place[3].max(0.0) * hat(&params, displacement(&params, x, xyz(place)))
        };
        let sum: f64 = world.particles().map(of).sum();
        set(world, "face", c, face);
        set(world, "cover", c, [sum / full]);
    }
}

/// Cover by the free share of the hat.
pub(crate) fn cover(world: &mut World) {
    for c in busy_cells(world) {
        let [[cover], [share]] = ["cover", "solid_share"].map(|name| element(world, name, c));
        set(world, "cover", c, [cover / share]);
    }
}

/// Fields are 0 in blocks that were busy in the last step and are no longer.
pub(crate) fn clear(world: &mut World) {
    let last: Vec<_> = busy_blocks(world).iter().map(|block| *block as usize).collect();
    let left = last.into_iter().filter(|block| world.words("block_busy")[*block] == 0);
    let cells: Vec<_> = left.flat_map(|block| cells_of_block(&world.params, block)).collect();
    for c in cells {
        for name in ["face", "face_other", "shift", "coefficient"] {
            set(world, name, c, [0.0; 4]);
        }
        set(world, "solution", c, [0.0; 2]);
        set(world, "cover", c, [0.0]);
    }
}

/// Field at the faces and cover of particles that move without gradients: P2G of PIC and FLIP.
pub(crate) fn gather(world: &mut World) {
    gather_with(world, |world, s, axis, _| world.sorted_velocity[s][axis]);
}

/// Field at the faces and cover of particles with gradients: P2G of APIC (`wgsl/apic/gather`).
pub(crate) fn gather_affine(world: &mut World) {
    gather_with(world, |world, s, axis, offset| {
        let row: [f64; 4] = element(world, ["affine_x", "affine_y", "affine_z"][axis], s);
        row[3] + xyz(row).dot(offset)
    });
}

/// Field at the faces and cover of particles with multilinear fields: P2G of `polypic` (`wgsl/polypic/gather`).
pub(crate) fn gather_terms(world: &mut World) {
    gather_with(world, |world, s, axis, offset| {
        let terms: [f64; 24] = element(world, "sorted_poly", s);
        let at = offset / edge(&world.params);
        let product = |set: usize| {
            (0..3).filter(|b| set >> b & 1 == 1).map(|b| at[b]).product::<f64>()
                * terms[lane(axis, set)]
        };
        (0..8).map(product).sum()
    });
}

/// Lane of the coefficient of a component for the axes whose bits are set; without any, of the component itself.
fn lane(axis: usize, set: usize) -> usize {
    match set {
        0 => 4 * axis + 3,
        1..=3 => 4 * axis + set - 1,
        4 => 12 + 4 * axis + 3,
        _ => 12 + 4 * axis + set - 5,
    }
}

/// Velocities of the particles.
pub(crate) fn update(world: &mut World) {
    for s in world.handled() {
        let v = field_at(world, xyz(world.sorted_position[s]));
        world.velocity[s] = with_w(v, change_along(world, s, v));
        world.identity[s] = world.sorted_identity[s];
    }
}

/// Change of v·g of a particle in the step, to v.
fn change_along(world: &World, s: usize, v: DVec3) -> f64 {
    (v - xyz(world.sorted_velocity[s])).dot(world.gravity_of(world.sorted_identity[s]))
}

/// Whether a face of a field is known.
fn is_known(world: &World, name: &str, c: usize, axis: usize) -> bool {
    element::<4>(world, name, c)[3] as u32 >> axis & 1 == 1
}

/// Share of a mouth's points in the hat around a place, at most 1.
fn mouth_share(world: &World, emitter: &EmitterParams, x: DVec3) -> f64 {
    let params = &world.params;
    let direction = emitter.direction.as_dvec3();
    let ahead = displacement(params, x, emitter.center.as_dvec3()).dot(direction);
    let near = (1.0 - ahead.abs() / edge(params)).max(0.0);
    let points = &world.emitter_points[emitter.first_point as usize..];
    let points = points.iter().take(emitter.point_count as usize);
    let weight =
        |point: &[f64; 4]| hat(params, displacement(params, x - ahead * direction, xyz(*point)));
    let cells = 2.0 * f64::from(params.world.particle_radius) / edge(params);
    let full = cells.powi(1 - axes(params) as i32);
    near * f64::min(points.map(weight).sum::<f64>() / full, 1.0)
}

/// The carried field, else the gathered one; at mouths that of the emitters (`wgsl/eulerian/gather`).
pub(crate) fn gather_carried(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world) {
        let mut u = [0.0; 4];
        for axis in 0..axes(&params) {
            let names = ["face_carried", "face_gathered"];
            if let Some(name) = names.into_iter().find(|name| is_known(world, name, c, axis)) {
                u[axis] = element::<4>(world, name, c)[axis];
                u[3] += f64::from(1 << axis);
            }
            // Whether markers are there as well.
            let gathered = element::<4>(world, "face_gathered", c)[3] as u32;
            u[3] += f64::from(gathered & 8 << axis);
            for (e, emitter) in world.emitters.iter().enumerate() {
                if flows(world, e) {
                    let share = mouth_share(world, emitter, middle(&params, c, axis));
                    u[axis] += share * (f64::from(emitter.velocity[axis]) - u[axis]);
                }
            }
        }
        set(world, "face", c, u);
    }
}

/// The field that the next step starts from (`wgsl/eulerian/advect`).
pub(crate) fn advect(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for c in busy_cells(world) {
        let mut u = [0.0; 4];
        for axis in (0..axes(&params)).filter(|axis| is_known(world, "face", c, *axis)) {
            let from = path(world, middle(&params, c, axis), -dt, field_at);
            let (mut all, mut sum) = (0.0, 0.0);
            for (other, offset) in around(&params, middle(&params, 0, axis), from) {
                if is_known(world, "face", other, axis) {
                    let w = hat(&params, edge(&params) * offset);
                    all += w;
                    sum += w * element::<4>(world, "face", other)[axis];
                }
            }
            if all > LEAST_KNOWN {
                u[axis] = sum / all;
                u[3] += f64::from(1 << axis);
            }
        }
        set(world, "face_carried", c, u);
    }
}

/// Velocities of the particles by the change of the field (`wgsl/flip/update`).
pub(crate) fn update_by_change(world: &mut World) {
    let blend = world.number("flip.blend");
    for s in world.handled() {
        let x = xyz(world.sorted_position[s]);
        let mean = field_at(world, x);
        let own = xyz(world.sorted_velocity[s]) + mean - field_of(world, "face_before", x, 0);
        let v = blend * own + (1.0 - blend) * mean;
        world.velocity[s] = with_w(v, change_along(world, s, v));
        world.identity[s] = world.sorted_identity[s];
    }
}

/// Velocities of the particles and their gradients (`wgsl/apic/update`).
pub(crate) fn update_affine(world: &mut World) {
    let axes = axes(&world.params);
    for s in world.handled() {
        let x = xyz(world.sorted_position[s]);
        let mut rows = [0.0; 12];
        for way in 0..axes {
            let slope = field_of(world, "face", x, 1 << way) / edge(&world.params);
            (0..axes).for_each(|axis| rows[4 * axis + way] = slope[axis]);
        }
        let v = field_at(world, x);
        world.velocity[s] = with_w(v, change_along(world, s, v));
        world.identity[s] = world.sorted_identity[s];
        set(world, "affine", s, rows);
    }
}

/// Velocities of the particles and the terms of their fields (`wgsl/polypic/update`).
pub(crate) fn update_terms(world: &mut World) {
    let axes = axes(&world.params);
    for s in world.handled() {
        let x = xyz(world.sorted_position[s]);
        let mut terms = [0.0; 24];
        for along in 1..1 << axes {
            let slope = field_of(world, "face", x, along);
            (0..axes).for_each(|axis| terms[lane(axis, along)] = slope[axis]);
        }
        let v = field_at(world, x);
        world.velocity[s] = with_w(v, change_along(world, s, v));
        world.identity[s] = world.sorted_identity[s];
        set(world, "poly", s, terms);
    }
}

/// Velocity at the faces that keeps the volume.
pub(crate) fn shift(world: &mut World) {
    let params = world.params;
    let most = 0.5 * edge(&params) / f64::from(world.control.dt).max(1e-30);
    for c in busy_cells(world) {
        let mut u = [0.0; 4];
        for axis in 0..axes(&params) {
            let Some(rise) = rise(world, c, next(&params, c, axis, -1), 0.0) else { continue };
            u[3] += f64::from(1 << axis);
            if is_open(world, c, axis) {
                u[axis] = (-rise / edge(&params)).clamp(-most, most);
            }
        }
        set(world, "shift", c, u);
    }
}

/// Motion of the particles that keeps the volume.
pub(crate) fn push(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled().filter(|s| !of_body(world, *s)).collect::<Vec<_>>() {
        let way = dt * field_at(world, xyz(world.sorted_position[s]));
        let [.., w] = world.position[s];
        world.position[s] = with_w(wrap(&world.params, xyz(world.position[s]) + way), w);
    }
}

/// Whether a particle is one of a body, which stays: its volume is negative.
fn of_body(world: &World, s: usize) -> bool {
    world.sorted_position[s][3] < 0.0
}

/// Where the field takes a particle, by parts of about a cell if steps may be longer, out of solids after each.
fn travelled(world: &World, x: DVec3, dt: f64) -> DVec3 {
    let cfl = f64::from(world.params.time.cfl);
    let counts = world.params.counts;
    let with_bodies = counts.driven < counts.colliders;
    if cfl <= 1.0 && !with_bodies {
        return path(world, x, dt, field_at);
    }
    let cells = field_at(world, x).length() * dt / edge(&world.params);
    let parts = cells.ceil().clamp(1.0, cfl.ceil());
    (0..parts as usize).fold(x, |at, _| outside(world, path(world, at, dt / parts, field_at)))
}

/// The nearest place outside of the solid that a place is in, by distances between the corners of cells.
fn outside(world: &World, x: DVec3) -> DVec3 {
    let params = &world.params;
    let half = (0..axes(params)).map(|axis| DVec3::AXES[axis]).sum::<DVec3>() / 2.0;
    let (mut distance, mut gradient) = (0.0, DVec3::ZERO);
    for c in 0..cells(world) {
        let corner = center(params, coordinates(params, c)) - edge(params) * half;
        let offset = displacement(params, corner, x);
        let [value]: [f64; 1] = element(world, "solid_distance", c);
        distance += value * hat(params, offset);
        for axis in 0..axes(params) {
            gradient[axis] += value * hat_along(params, offset, 1 << axis);
        }
    }
    x - distance.min(0.0) * edge(params) * gradient / gradient.length().max(1e-6)
}

/// Motion of the particles, with their densities and pressures (`wgsl/liquid/move`).
pub(crate) fn moves(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let x = xyz(world.sorted_position[s]);
        if of_body(world, s) {
            world.position[s] = with_w(x, -world.sorted_position[s][3]);
            continue;
        }
        let (mut cover, mut pressure, mut all) = (0.0, 0.0, 0.0);
        // From x to where the values are.
        let mut arm = DVec3::ZERO;
        for c in 0..cells(world) {
            let middle = center(&params, coordinates(&params, c));
            let offset = displacement(&params, middle, x);
            let w = hat(&params, offset);
            if w > 0.0 && element::<1>(world, "solid_share", c)[0] >= 0.5 {
                cover += w * element::<1>(world, "cover", c)[0];
                pressure += w * element::<2>(world, "solution", c)[0];
                all += w;
                arm += w * offset;
            }
        }
        let scale = f64::from(params.materials[0].rest_density) / all.max(1e-6);
        let g = params.world.gravity.as_dvec3();
        let deeper = if pressure > 0.0 { -scale * g.dot(arm) } else { 0.0 };
        let end = travelled(world, x, dt) - too_far(world, g, world.velocity[s][3]);
        world.position[s] = with_w(wrap(&params, end), scale * cover);
        world.velocity[s][3] = if dt > 0.0 { scale * pressure / dt + deeper } else { 0.0 };
    }
}
