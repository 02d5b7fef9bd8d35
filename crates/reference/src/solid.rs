//! Collisions with solids (`wgsl/solid/`).

use glam::{DVec2, DVec3};
use meniscus_methods::space::STOP_BLOCK;
use meniscus_model::Params;
use meniscus_model::params::{
    Collider, KIND_BOUNDARY, RESPONSE_REFLECT, RESPONSE_SPRING, SHAPE_BOX, SHAPE_CAPSULE,
    SHAPE_CYLINDER, SHAPE_MESH, SHAPE_PLANE, SHAPE_POLYGON, SHAPE_SPHERE,
};

use crate::World;
use crate::body::{Posed, posed};
use crate::check;
use crate::space::{displacement, driven_of, with_w, xyz};
use crate::world::is_kind;

/// Position of a point relative to a wall.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    /// Distance from the wall in m, positive on the fluid's side.
    pub(crate) distance: f64,
    /// Unit normal into the fluid.
    pub(crate) normal: DVec3,
}

/// Collides every particle with every collider, one contact after another; then the check at the end of a step.
pub(crate) fn collide(world: &mut World) {
    let dt = f64::from(world.control.dt);
    let driven = world.params.counts.driven as usize;
    let solids: Vec<_> = (0..driven).map(|number| posed(world, number)).collect();
    for i in world.handled() {
        if is_kind(world.identity[i], KIND_BOUNDARY) {
            continue;
        }
        let own = driven_of(&world.params, world.params.world_of(world.identity[i]));
        let mut x = xyz(world.position[i]);
        let mut v = xyz(world.velocity[i]);
        let mass = f64::from(world.material(world.identity[i]).mass);
        let mut stopped = [0.0; 4];
        for (number, solid) in solids.iter().enumerate().filter(|(number, _)| own.contains(number))
        {
            for wall in 0..walls(&solid.collider) {
                let contact = contact(world, solid, wall, x);
                // A mesh's nearest wall is queried several times, but its spring pushes only once.
                let pushes = wall == 0 || !is_meshed(solid.collider.shape);
                if solid.collider.response == RESPONSE_SPRING && pushes {
                    v = spring(world, solid, contact, dt, x, v);
                }
                let before = v;
                if pushes {
                    let density = f64::from(world.material(world.identity[i]).rest_density);
                    v = held(world, solid, contact, dt / density, x, v);
                }
                (x, v) = stop(world, solid, contact, x, v);
                if v != before && (solid.collider.particle_count > 0 || solid.collider.is_body == 2)
                {
                    let own = (number + 1) as f64;
                    let earlier = if stopped[3] == own { xyz(stopped) } else { DVec3::ZERO };
                    stopped = with_w(earlier + mass * (v - before), own);
                }
            }
        }
        // There is one slot where nothing is measured.
        if world.params.counts.driven > 0
            && let Some(own) = world.stops.get_mut(i)
        {
            *own = stopped;
        }
        world.position[i] = with_w(x, world.position[i][3]);
        world.velocity[i] = with_w(v, world.velocity[i][3]);
    }
    check::limits(world);
}

/// Sums of what each solid took from the particles of a block, and about the solid's centre (`wgsl/solid/stop`).
pub(crate) fn sum_stops(world: &mut World) {
    let driven = world.params.counts.driven as usize;
    for element in 0..world.stage.element_count as usize {
        let worlds = world.params.counts.worlds as usize;
        let (solids, blocks) = (driven / worlds, world.stop_sums.len() / driven);
        let (block, own) = (element / solids, element / (solids * blocks));
        let number = own * solids + element % solids;
        let room = world.stops.len() / worlds;
        let center = posed(world, number).position;
        let (mut impulse, mut twist) = (DVec3::ZERO, DVec3::ZERO);
        let first = own * room + block % blocks * STOP_BLOCK as usize;
        let slots = first..(first + STOP_BLOCK as usize).min((own + 1) * room);
        for i in
            slots.filter(|i| *i < world.stops.len() && *i < world.control.particle_count as usize)
        {
            let stop = world.stops[i];
            if stop[3] == (number + 1) as f64 && !is_kind(world.identity[i], KIND_BOUNDARY) {
                impulse -= xyz(stop);
                twist -=
                    displacement(&world.params, xyz(world.position[i]), center).cross(xyz(stop));
            }
        }
        let sums = &mut world.stop_sums[element];
        sums[..4].copy_from_slice(&with_w(impulse, 0.0));
        sums[4..].copy_from_slice(&with_w(twist, 0.0));
    }
}

/// Whether contacts have restitution and friction: walls that act on the density or on nodes have none.
fn is_elastic(collider: &Collider) -> bool {
    [RESPONSE_REFLECT, RESPONSE_SPRING].contains(&collider.response)
}

/// Distance in m that particle centres keep from a wall.
fn least(params: &Params, solid: &Posed) -> f64 {
    let gentle = params.sph.incompressible == 1 && params.counts.driven == params.counts.colliders;
    let left = gentle && !is_elastic(&solid.collider);
    let radii = if left || solid.collider.is_body == 1 { 0.25 } else { 1.0 };
    radii * f64::from(params.world.particle_radius)
}

/// Velocity after spring and damper (T 4), which look one step ahead.
fn spring(world: &World, solid: &Posed, contact: Contact, dt: f64, x: DVec3, v: DVec3) -> DVec3 {
    let approach = relative_velocity(world, solid, x, v).dot(contact.normal);
    let penetration = least(&world.params, solid) - contact.distance - dt * approach;
    if penetration <= 0.0 {
        return v;
    }
    let collider = &solid.collider;
    let push = f64::from(collider.stiffness) * penetration - f64::from(collider.damping) * approach;
    v + dt * push * contact.normal
}

/// Velocity after suction, which takes up to Δt p/(ρ0 l) of the part that leaves the wall, within l of two spacings. The time
/// is Δt/ρ0.
fn held(world: &World, solid: &Posed, contact: Contact, time: f64, x: DVec3, v: DVec3) -> DVec3 {
    let reach = 4.0 * f64::from(world.params.world.particle_radius);
    if contact.distance >= reach {
        return v;
    }
    let leaving = relative_velocity(world, solid, x, v).dot(contact.normal);
    let most = time * f64::from(solid.collider.suction) / reach;
    v - leaving.clamp(0.0, most) * contact.normal
}

/// Position and velocity after an inelastic contact (M §3.4): `v_n` ← −e `v_n`, and Coulomb's friction takes up to μ |Δ`v_n`|
/// of the part along the wall. Springs give way by a radius first.
fn stop(
    world: &World,
    solid: &Posed,
    contact: Contact,
    mut x: DVec3,
    mut v: DVec3,
) -> (DVec3, DVec3) {
    let (n, collider) = (contact.normal, &solid.collider);
    let spring = collider.response == RESPONSE_SPRING;
    let penetration = if spring { 0.0 } else { least(&world.params, solid) } - contact.distance;
    if penetration > 0.0 {
        let relative = relative_velocity(world, solid, x, v);
        let approach = relative.dot(n);
        x += penetration * n;
        if approach < 0.0 {
            let elastic = is_elastic(collider);
            let share = |value: f32| if elastic { f64::from(value) } else { 0.0 };
            let impulse = -(1.0 + share(collider.restitution)) * approach;
            let tangential = relative - approach * n;
            let slip = tangential.length();
            v += impulse * n;
            v -= (share(collider.friction) * impulse).min(slip) * tangential.normalize_or_zero();
        }
    }
    (x, v)
}

/// Velocity relative to the wall's at x.
pub(crate) fn relative_velocity(world: &World, solid: &Posed, x: DVec3, v: DVec3) -> DVec3 {
    v - wall_velocity(world, solid, x, displacement(&world.params, x, solid.position))
}

/// Velocity of a solid's surface near x, at `arm` from its centre: with that by which it changes its shape, −∂d/∂t along the
/// normal.
pub(crate) fn wall_velocity(world: &World, solid: &Posed, x: DVec3, arm: DVec3) -> DVec3 {
    let rigid = solid.velocity + solid.angular_velocity.cross(arm);
    let collider = &solid.collider;
    if collider.changes == 0 {
        return rigid;
    }
    let p = to_local(&world.params, solid, x);
    let [a, b] = [collider.field, collider.field + collider.changes]
        .map(|first| on_grid(&world.distances, first, collider.radius, p));
    let normal = unit(a.1.lerp(b.1, solid.share));
    rigid - solid.rotation * (solid.rate * (b.0 - a.0) * normal)
}

/// Depth of x inside a solid in m; negative outside. Whether the fluid should be inside is ignored.
pub(crate) fn depth(world: &World, solid: &Posed, x: DVec3) -> f64 {
    let (p, collider) = (to_local(&world.params, solid, x), &solid.collider);
    let contact = match collider.shape {
        SHAPE_MESH | SHAPE_POLYGON => meshed(&world.distances, solid, p),
        _ => outside(collider, p),
    };
    -contact.distance
}

/// Depth of x beyond the nearest wall of a collider in m; negative on the fluid's side.
pub(crate) fn beyond(world: &World, solid: &Posed, x: DVec3) -> f64 {
    let distance = |wall| contact(world, solid, wall, x).distance;
    -(0..walls(&solid.collider)).map(distance).fold(f64::INFINITY, f64::min)
}

/// Number of walls of a collider that a particle is tested against in turn.
pub(crate) fn walls(collider: &Collider) -> usize {
    match (collider.shape, collider.inside) {
        (SHAPE_MESH | SHAPE_POLYGON, _) | (SHAPE_BOX, 1) => 3,
        (SHAPE_CYLINDER, 1) => 2,
        _ => 1,
    }
}

/// Whether a shape is a grid of distances.
fn is_meshed(shape: u32) -> bool {
    matches!(shape, SHAPE_MESH | SHAPE_POLYGON)
}

/// Number of different walls: a mesh's nearest one is asked for several times.
pub(crate) fn distinct_walls(collider: &Collider) -> usize {
    if is_meshed(collider.shape) { 1 } else { walls(collider) }
}

/// Contact with one wall of a collider at its current place.
pub(crate) fn contact(world: &World, solid: &Posed, wall: usize, x: DVec3) -> Contact {
    let (p, collider) = (to_local(&world.params, solid, x), &solid.collider);
    // A plane has fluid on one side only.
    let local = match (collider.shape, collider.inside) {
        (SHAPE_MESH | SHAPE_POLYGON, 1) => {
            let outer = meshed(&world.distances, solid, p);
            Contact { distance: -outer.distance, normal: -outer.normal }
        }
        (SHAPE_MESH | SHAPE_POLYGON, _) => meshed(&world.distances, solid, p),
        (SHAPE_PLANE, _) | (_, 0) => outside(collider, p),
        _ => inside(collider, wall, p),
    };
    Contact { normal: solid.rotation * local.normal, ..local }
}

fn to_local(params: &Params, solid: &Posed, x: DVec3) -> DVec3 {
    solid.rotation.inverse() * displacement(params, x, solid.position)
}

/// Signed distance outside a solid and outward normal, in local axes.
fn outside(solid: &Collider, p: DVec3) -> Contact {
    let half = solid.half_extents.as_dvec3();
    let radius = f64::from(solid.radius);
    match solid.shape {
        SHAPE_BOX => {
            let beyond = p.abs() - half;
            if beyond.max_element() > 0.0 {
                let nearest = p.clamp(-half, half);
                return Contact { distance: (p - nearest).length(), normal: unit(p - nearest) };
            }
            let axis = beyond.max_position();
            Contact { distance: beyond[axis], normal: DVec3::AXES[axis] * sign(p[axis]) }
        }
        SHAPE_SPHERE => round(p, radius),
        SHAPE_PLANE => Contact { distance: p.y, normal: DVec3::Y },
        SHAPE_CYLINDER => {
            let radial = DVec3::new(p.x, 0.0, p.z);
            let beyond = DVec2::new(radial.length() - radius, p.y.abs() - half.y);
            // On the axis every direction is outward.
            let side = radial.try_normalize().unwrap_or(DVec3::X);
            let cap = DVec3::Y * sign(p.y);
            if beyond.x > 0.0 && beyond.y > 0.0 {
                let rim = beyond.x * side + beyond.y * cap;
                return Contact { distance: rim.length(), normal: unit(rim) };
            }
            if beyond.x >= beyond.y {
                Contact { distance: beyond.x, normal: side }
            } else {
                Contact { distance: beyond.y, normal: cap }
            }
        }
        SHAPE_CAPSULE => round(from_segment(p, half.y), radius),
        shape => panic!("no collider has shape {shape}"),
    }
}

/// Signed distance inside one wall of a container and inward normal, in local axes.
fn inside(container: &Collider, wall: usize, p: DVec3) -> Contact {
    let half = container.half_extents.as_dvec3();
    let radius = f64::from(container.radius);
    let flat = |axis: usize| Contact {
        distance: half[axis] - p[axis].abs(),
        normal: -sign(p[axis]) * DVec3::AXES[axis],
    };
    match (container.shape, wall) {
        (SHAPE_BOX, axis) => flat(axis),
        (SHAPE_SPHERE, _) => hollow(p, radius),
        (SHAPE_CYLINDER, 0) => {
            let radial = DVec3::new(p.x, 0.0, p.z);
            let side = radial.try_normalize().unwrap_or(DVec3::X);
            Contact { distance: radius - radial.length(), normal: -side }
        }
        (SHAPE_CYLINDER, _) => flat(1),
        (SHAPE_CAPSULE, _) => hollow(from_segment(p, half.y), radius),
        (shape, _) => panic!("no container has shape {shape}"),
    }
}

/// Distance outside a mesh centred at p = 0, from its distances on a grid, or the mean of those on two of one that changes its
/// shape.
fn meshed(distances: &[f64], solid: &Posed, p: DVec3) -> Contact {
    let mesh = &solid.collider;
    let (mut distance, mut along) = on_grid(distances, mesh.field, mesh.radius, p);
    if mesh.changes > 0 {
        let second = on_grid(distances, mesh.field + mesh.changes, mesh.radius, p);
        distance += solid.share * (second.0 - distance);
        along = along.lerp(second.1, solid.share);
    }
    // The distances of a polygon do not change along z, but for rounding.
    let flat = if mesh.shape == SHAPE_POLYGON { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
    Contact { distance, normal: unit(along * flat) }
}

/// Distance on a grid of cells of this edge, whose data begin at `first`: the weighted mean of the eight nodes around p; and
/// its gradient, of any length.
fn on_grid(distances: &[f64], first: u32, edge: f32, p: DVec3) -> (f64, DVec3) {
    let (first, length) = (first as usize, f64::from(edge));
    let nodes = (2.0 * DVec3::from_slice(&distances[first..]) / length).round() + 1.0;
    let place = p / length + (nodes - 1.0) / 2.0;
    let nearest = place.clamp(DVec3::ZERO, nodes - 1.0);
    let cell = nearest.floor().min(nodes - 2.0);
    let share = nearest - cell;
    let (mut distance, mut gradient) = (0.0, DVec3::ZERO);
    for corner in 0..8 {
        let bit = DVec3::from_array([1, 2, 4].map(|b| f64::from(u8::from(corner & b != 0))));
        let node = cell + bit;
        let at = node.x + nodes.x * (node.y + nodes.y * node.z);
        let value = distances[first + 3 + at as usize];
        let weight = bit * share + (1.0 - bit) * (1.0 - share);
        distance += value * weight.element_product();
        let slope = 2.0 * bit - 1.0;
        gradient += value
            * slope
            * DVec3::new(weight.y * weight.z, weight.x * weight.z, weight.x * weight.y);
    }
    let beyond = (place - nearest) * length;
    match beyond == DVec3::ZERO {
        true => (distance, gradient),
        false => (distance + beyond.length(), beyond),
    }
}

/// Distance outside a ball around p = 0, and normal.
fn round(p: DVec3, radius: f64) -> Contact {
    Contact { distance: p.length() - radius, normal: unit(p) }
}

/// Distance inside a ball around p = 0, and normal.
fn hollow(p: DVec3, radius: f64) -> Contact {
    Contact { distance: radius - p.length(), normal: unit(-p) }
}

/// p relative to the nearest point of the segment from −half to half on the local y axis.
fn from_segment(p: DVec3, half: f64) -> DVec3 {
    p - DVec3::Y * p.y.clamp(-half, half)
}

/// Direction of v; +y if it has none.
fn unit(v: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(DVec3::Y)
}

/// Sign of s; + for 0.
fn sign(s: f64) -> f64 {
    if s < 0.0 { -1.0 } else { 1.0 }
}
