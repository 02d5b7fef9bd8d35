//! Open boundaries (`wgsl/opening/`).

use glam::DVec3;
use meniscus_model::Params;
use meniscus_model::params::{
    KIND_FLUID, KIND_REMOVED, OPENING_FREE, OPENING_LEVEL, OPENING_PRESSURE, OPENING_VELOCITY,
    OpeningParams,
};

use crate::World;
use crate::faces::{axes, cells, element, field_at, middle, next, open_share, set};
use crate::grid::{busy_cells, edge};
use crate::poisson::{diagonal, part};
use crate::space::{key, with_w, xyz};
use crate::time;
use crate::world::is_kind;

/// Most particles that come in at a point in a step.
const MOST: u32 = 8;
/// Share of a face of a cell that does not count, beyond rounding.
const LEAST_SHARE: f64 = 0.01;

/// Direction into the fluid.
fn way_in(opening: &OpeningParams) -> DVec3 {
    f64::from(opening.inward) * DVec3::AXES[opening.axis as usize]
}

/// Axes along the face.
fn across(params: &Params, opening: &OpeningParams) -> impl Iterator<Item = usize> {
    let own = opening.axis as usize;
    (0..axes(params)).filter(move |axis| *axis != own)
}

/// Velocity at a place over its mean.
fn profile(params: &Params, opening: &OpeningParams, x: DVec3) -> f64 {
    if opening.parabolic == 0 {
        return 1.0;
    }
    let parabola = |axis: usize| {
        let [low, high] = [opening.low, opening.high].map(|corner| f64::from(corner[axis]));
        let s = ((x[axis] - low) / (high - low)).clamp(0.0, 1.0);
        6.0 * s * (1.0 - s)
    };
    across(params, opening).map(parabola).product()
}

/// Direction against gravity.
fn upward(params: &Params) -> DVec3 {
    -params.world.gravity.as_dvec3().normalize_or_zero()
}

/// Velocities of what comes in, and levels.
pub(crate) fn flow(world: &mut World) {
    let now = time::now(world);
    for (o, opening) in world.openings.iter().enumerate() {
        let first = opening.first_row as usize;
        let rows = &world.opening_rows[first..first + opening.row_count as usize];
        let after = rows.partition_point(|row| row[0] <= now);
        let speed = match (rows.get(after.wrapping_sub(1)), rows.get(after)) {
            (Some([from, a]), Some([to, b])) => a + (b - a) * (now - from) / (to - from),
            (Some(row), None) | (None, Some(row)) => row[1],
            (None, None) => 0.0,
        };
        world.opening_flow[o] = [speed, f64::from(opening.level)];
    }
}

fn opening_of(world: &World, k: usize) -> OpeningParams {
    world.openings[world.opening_points[k][3] as usize]
}

/// Particles that are due at each point.
pub(crate) fn due(world: &mut World) {
    let count = world.params.counts.opening_points as usize;
    for k in 0..count {
        let gaps = world.opening_state[k][0] / f64::from(opening_of(world, k).gap);
        let primed = world.control.primed == 1;
        world.opening_due[k] = if primed { (gaps as u32).min(MOST) } else { 0 };
    }
    world.opening_due[count] = 0;
}

/// Slots, from that of the first on, and how many there are after it, of the particles that come in at a point.
fn coming(world: &World, k: usize) -> impl Iterator<Item = (usize, u32)> + use<> {
    let numbers = world.opening_start[k]..world.opening_start[k + 1];
    let (first, capacity) = (world.control.particle_count, world.params.counts.capacity);
    numbers
        .map(move |number| ((first + number) as usize, number))
        .filter(move |(slot, _)| *slot < capacity as usize)
}

/// Places them.
pub(crate) fn points(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for k in 0..params.counts.opening_points as usize {
        let opening = opening_of(world, k);
        let point = xyz(world.opening_points[k]);
        let gap = f64::from(opening.gap);
        let [way, measured] = world.opening_state[k];
        let given = world.opening_flow[world.opening_points[k][3] as usize][0];
        let speed = match opening.kind {
            OPENING_VELOCITY => given * profile(&params, &opening, point),
            _ => measured,
        };
        for (slot, number) in coming(world, k) {
            let behind = f64::from(number - world.opening_start[k] + 1);
            let x = point + (way - behind * gap).max(1e-3 * gap) * way_in(&opening);
            let who = [world.control.next_id + number, opening.identity];
            world.position[slot] = with_w(x, f64::from(world.material(who).rest_density));
            world.velocity[slot] = with_w(speed * way_in(&opening), 0.0);
            world.identity[slot] = who;
        }
        let due = f64::from(world.opening_start[k + 1] - world.opening_start[k]);
        world.opening_state[k][0] = (way - due * gap + speed * dt).clamp(0.0, 9.0 * gap);
    }
}

/// Clears all scalars that a method keeps of each.
pub(crate) fn clear(world: &mut World) {
    let width = world.kept.len() / world.position.len();
    for k in 0..world.params.counts.opening_points as usize {
        for (slot, _) in coming(world, k) {
            world.kept[width * slot..width * (slot + 1)].fill(0.0);
        }
    }
}

/// Counts them.
pub(crate) fn count(world: &mut World) {
    let free = world.params.counts.capacity.saturating_sub(world.control.particle_count);
    let before = |k: u32| world.opening_start[k as usize].min(free);
    let all = before(world.params.counts.opening_points);
    let of = |opening: &OpeningParams| {
        before(opening.first_point + opening.point_count) - before(opening.first_point)
    };
    let counts: Vec<_> = world.openings.iter().map(of).collect();
    for (o, count) in counts.into_iter().enumerate() {
        world.opening_counts[2 * o] += count;
    }
    world.control.next_id += all;
    world.control.particle_count += all;
}

/// Removes what is behind them.
pub(crate) fn leave(world: &mut World) {
    let radius = f64::from(world.params.world.particle_radius);
    for i in world.handled() {
        if !is_kind(world.identity[i], KIND_FLUID) {
            continue;
        }
        let x = xyz(world.position[i]);
        let takes = |opening: &OpeningParams| {
            let [low, high] = [opening.low, opening.high].map(|corner| corner.as_dvec3());
            let behind = (low - x).dot(way_in(opening));
            let within = |axis: usize| {
                axis == opening.axis as usize
                    || (low[axis] - 2.0 * radius..=high[axis] + 2.0 * radius).contains(&x[axis])
            };
            behind > f64::from(opening.keep)
                && behind <= f64::from(opening.depth)
                && (0..3).all(within)
        };
        if let Some(o) = world.openings.iter().position(takes) {
            world.identity[i][1] |= KIND_REMOVED;
            world.opening_counts[2 * o + 1] += 1;
        }
    }
}

/// Whether a cell's lower face lies in the plane of an open boundary, and its share that is within it up to a height.
fn share(params: &Params, opening: &OpeningParams, c: usize, level: f64) -> Option<f64> {
    let (axis, edge, up) = (opening.axis as usize, edge(params), upward(params));
    let x = middle(params, c, axis);
    if (x[axis] - f64::from(opening.low[axis])).abs() >= 0.25 * edge {
        return None;
    }
    let along = |axis: usize| {
        let mut low = (x[axis] - 0.5 * edge).max(f64::from(opening.low[axis]));
        let mut high = (x[axis] + 0.5 * edge).min(f64::from(opening.high[axis]));
        if up[axis] > 0.9 {
            high = high.min(level);
        } else if up[axis] < -0.9 {
            low = low.max(-level);
        }
        (high - low).max(0.0) / edge
    };
    Some(across(params, opening).map(along).product())
}

/// Cells whose lower faces belong to an open boundary.
fn faces_of(world: &World, opening: &OpeningParams) -> Vec<usize> {
    let is_part =
        |c: &usize| share(&world.params, opening, *c, 1e30).is_some_and(|part| part >= LEAST_SHARE);
    busy_cells(world).into_iter().filter(is_part).collect()
}

/// The cells in front of a face and behind it.
fn sides(params: &Params, opening: &OpeningParams, c: usize) -> [usize; 2] {
    let below = next(params, c, opening.axis as usize, -1);
    if opening.inward > 0.0 { [c, below] } else { [below, c] }
}

/// Velocities and covers at the faces.
pub(crate) fn faces(world: &mut World) {
    let params = world.params;
    for (o, opening) in world.openings.clone().iter().enumerate() {
        let axis = opening.axis as usize;
        for c in faces_of(world, opening) {
            if opening.kind == OPENING_VELOCITY {
                let [speed, level] = world.opening_flow[o];
                let mut face: [f64; 8] = element(world, "solid_face", c);
                let part = share(&params, opening, c, level).unwrap_or(0.0).min(face[4 + axis]);
                let x = middle(&params, c, axis);
                let u = f64::from(opening.inward) * speed * profile(&params, opening, x);
                let bits = face[3] as u32 & !(72 << axis)
                    | if part >= LEAST_SHARE { 72 } else { 8 } << axis;
                (face[axis], face[3], face[7]) = (u * part, f64::from(bits), u);
                set(world, "solid_face", c, face);
            } else {
                let [inside, outside] = sides(&params, opening, c);
                let [cover] = element::<1>(world, "cover", inside);
                set(world, "cover", outside, [(1.0 - cover).clamp(0.0, 0.4)]);
            }
        }
    }
}

/// Heights of the water's own surface.
pub(crate) fn level(world: &mut World) {
    let params = world.params;
    let (up, edge) = (upward(&params), edge(&params));
    for (o, opening) in world.openings.clone().iter().enumerate() {
        if opening.kind != OPENING_FREE {
            continue;
        }
        let axis = opening.axis as usize;
        if up.length() < 0.5 || up[axis].abs() > 0.9 {
            world.opening_flow[o][1] = -1e30;
            continue;
        }
        let mut volume = 0.0;
        for c in 0..cells(world) {
            if let Some(part) = share(&params, opening, c, 1e30) {
                let [first, _] = sides(&params, opening, c);
                let second = next(&params, first, axis, opening.inward as i64);
                volume += part * element::<1>(world, "cover", second)[0];
            }
        }
        let size = (opening.high - opening.low).as_dvec3();
        let flat = across(&params, opening).filter(|axis| up[*axis].abs() < 0.9);
        let width: f64 = flat.map(|axis| size[axis]).product();
        let corners = [opening.low, opening.high].map(|corner| up.dot(corner.as_dvec3()));
        let depth = volume * edge.powi(axes(&params) as i32 - 1) / width;
        world.opening_flow[o][1] = corners[0].min(corners[1]) + depth;
    }
}

/// Pressure over density behind an open boundary at a place.
fn head_behind(world: &World, o: usize, x: DVec3, v: DVec3) -> f64 {
    let (opening, params) = (&world.openings[o], &world.params);
    let (up, g) = (upward(params), params.world.gravity.as_dvec3().length());
    let center = up.dot((opening.low + opening.high).as_dvec3()) / 2.0;
    if opening.kind == OPENING_PRESSURE {
        return f64::from(opening.head) + g * (center - up.dot(x));
    }
    let [rise, surface] = world.opening_flow[o];
    let z = up.dot(x) - surface;
    let mut head = -g * z;
    if opening.celerity > 0.0 {
        let half = f64::from(params.grid.cell) / 2.0;
        let most = half / f64::from(world.control.dt).max(1e-30);
        let c =
            if half > 0.0 { most.min(opening.celerity.into()) } else { opening.celerity.into() };
        let (k, d) = (f64::from(opening.wave_number), f64::from(opening.water));
        let share = (k * (z.min(0.0) + d)).cosh() / (k * d).cosh();
        let leaves = -v.dot(way_in(opening)) - f64::from(opening.steady);
        head += 2.0 * g * rise * share + c * leaves;
    }
    head.max(0.0)
}

/// Pressure in Pa of the particle in a sorted slot behind an open boundary with a level or pressure.
fn pressure_behind(world: &World, o: usize, s: usize) -> Option<f64> {
    let density = f64::from(world.material(world.sorted_identity[s]).rest_density);
    let v = xyz(world.sorted_velocity[s]);
    let head = head_behind(world, o, xyz(world.sorted_position[s]), v).max(0.0);
    [OPENING_PRESSURE, OPENING_LEVEL].contains(&world.openings[o].kind).then_some(density * head)
}

/// Pressures behind them.
pub(crate) fn press(world: &mut World) {
    let params = world.params;
    let dt = f64::from(world.control.dt);
    for (o, opening) in world.openings.clone().iter().enumerate() {
        if opening.kind == OPENING_VELOCITY {
            continue;
        }
        for c in faces_of(world, opening) {
            let x = middle(&params, c, opening.axis as usize);
            let axis = opening.axis as usize;
            let u = element::<4>(world, "face", c)[axis];
            let head = head_behind(world, o, x, u * DVec3::AXES[axis]);
            let [_, outside] = sides(&params, opening, c);
            let speed = (f64::from(opening.inward) * u).max(0.0);
            let due = if opening.celerity > 0.0 { 0.0 } else { speed.powi(2) / 2.0 };
            set(world, "solution", outside, [dt * (head - due), 0.0]);
        }
    }
}

/// What these pressures add to the equations of the cells in front.
pub(crate) fn push(world: &mut World) {
    let params = world.params;
    for c in busy_cells(world).into_iter().filter(|c| diagonal(world, *c) > 0.0).collect::<Vec<_>>()
    {
        let mut sum = 0.0;
        for axis in 0..axes(&params) {
            let (below, above) = (next(&params, c, axis, -1), next(&params, c, axis, 1));
            for (face, other) in [(c, below), (above, above)] {
                let [pressure, _] = element(world, "solution", other);
                if diagonal(world, other) <= 0.0 && pressure != 0.0 {
                    sum += open_share(world, face, axis) * pressure / part(world, c, other);
                }
            }
        }
        let [r, w] = element(world, "remainder", c);
        set(world, "remainder", c, [r + sum, w]);
    }
}

/// Velocities with which fluid comes in.
pub(crate) fn measure(world: &mut World) {
    let params = world.params;
    for k in 0..params.counts.opening_points as usize {
        let opening = opening_of(world, k);
        let x = xyz(world.opening_points[k]);
        let inside = key(&params, x + 0.5 * edge(&params) * way_in(&opening)) as usize;
        let wet = element::<1>(world, "cover", inside)[0] >= 0.5;
        let speed = field_at(world, x).dot(way_in(&opening)).max(0.0);
        let counts = wet && opening.kind != OPENING_VELOCITY;
        world.opening_state[k][1] = if counts { speed } else { 0.0 };
    }
}

/// Number of the open boundary that a sorted slot's particle is behind.
fn buffer_of(world: &World, s: usize) -> Option<usize> {
    let radius = f64::from(world.params.world.particle_radius);
    let x = xyz(world.sorted_position[s]);
    let holds = |opening: &OpeningParams| {
        let [low, high] = [opening.low, opening.high].map(|corner| corner.as_dvec3());
        let behind = (low - x).dot(way_in(opening));
        let within = |axis: usize| {
            axis == opening.axis as usize
                || (low[axis] - 2.0 * radius..=high[axis] + 2.0 * radius).contains(&x[axis])
        };
        behind > 0.0 && behind <= f64::from(opening.depth) && (0..3).all(within)
    };
    let is_fluid = is_kind(world.sorted_identity[s], KIND_FLUID);
    world.openings.iter().position(holds).filter(|_| is_fluid)
}

/// Velocity of a particle behind an open boundary, if that is given.
fn given_behind(world: &World, o: usize, s: usize) -> Option<DVec3> {
    let opening = &world.openings[o];
    let x = xyz(world.sorted_position[s]);
    let speed = world.opening_flow[o][0] * profile(&world.params, opening, x);
    (opening.kind == OPENING_VELOCITY).then(|| speed * way_in(opening))
}

/// No compression to correct.
pub(crate) fn still(world: &mut World) {
    for s in world.handled() {
        if buffer_of(world, s).is_some() {
            set(world, "factor", s, [0.0, -1.0]);
        }
    }
}

/// No pressure of the last step.
pub(crate) fn calm(world: &mut World) {
    for s in world.handled() {
        if buffer_of(world, s).is_some() {
            set(world, "kappa", s, [0.0]);
        }
    }
}

/// Pressures beyond in place of those of the last step, times Δt².
pub(crate) fn back_pressure(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        if let Some(o) = buffer_of(world, s) {
            let pressure = pressure_behind(world, o, s).unwrap_or(0.0);
            set(world, "kappa", s, [dt * dt * pressure]);
        }
    }
}

/// Pressures beyond in place of those of the equation of state.
pub(crate) fn head(world: &mut World) {
    for s in world.handled() {
        let pressure = buffer_of(world, s).and_then(|o| pressure_behind(world, o, s));
        world.sorted_velocity[s][3] = pressure.unwrap_or(world.sorted_velocity[s][3]);
    }
}

/// Accelerations that keep velocities.
pub(crate) fn drive(world: &mut World) {
    let dt = f64::from(world.control.dt);
    for s in world.handled() {
        let Some(o) = buffer_of(world, s).filter(|_| dt > 0.0) else { continue };
        let own = xyz(world.sorted_velocity[s]);
        let change = given_behind(world, o, s).map_or(DVec3::ZERO, |given| (given - own) / dt);
        world.acceleration[s] = with_w(change - world.params.world.gravity.as_dvec3(), 0.0);
    }
}

/// Velocities.
pub(crate) fn hold(world: &mut World) {
    for s in world.handled() {
        let Some(o) = buffer_of(world, s) else { continue };
        let before = xyz(world.velocity[world.order[s] as usize]);
        let v = given_behind(world, o, s).unwrap_or(before);
        world.sorted_velocity[s] = with_w(v, world.sorted_velocity[s][3]);
    }
}
