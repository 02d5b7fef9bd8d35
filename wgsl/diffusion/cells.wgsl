// Links of smoke and temperature in air for their diffusion, c = κ Δt/Δx², and the walls' part of the temperature's, by the open
// shares of faces. The volume V of a cell that a wall cuts is that of its faces' flux of the place from a point of the wall,
// ∮ (x − x_w)·n/d; along an axis its air is V/a deep from the more open face, a of which is open, and its value lies in the middle
// of that: the link through a face is the open share over the distance of those. The wall's area along an axis is the difference
// of the two faces' closed shares, exact for planes along the axes; of oblique ones, whose normals at the faces agree, the area's
// parts add up to the length of the vector of differences. Where both faces are closed, walls on both sides count.
// A wall with a temperature T_w is half that depth away; another one gives its flux q, q Δx/(ρ c_p κ). Neither flows through
// other solids and the sides of the domain.
//!include common/control
//!include common/all_solids
//!include common/nearest_of
//!include common/open_faces

//!read coefficient
//!write diffusion_links diffusion_r diffusion_scalars

// Bits of the links of both values, smoke and temperature.
const BOTH = 3u;
// Heat that warms a cubic metre of air by 1 K in J, of 1.204 kg/m³ and 1,005 J/(kg K).
const HEAT_OF_AIR = 1210.0;
// Least volume of a cell of air: faces less open are closed.
const LEAST_VOLUME = 0.02;
// Least distance of two values, of which one is in a whole cell.
const LEAST_DISTANCE = 0.5;

// Share of a cell's lower face that solids leave open.
fn free_of_walls(cell: vec3<i32>, axis: u32) -> f32 {
    return solid_face[cell_number(cell)][1][axis];
}

fn upper(cell: vec3<i32>, axis: u32) -> vec3<i32> {
    return wrap_next(cell + along(axis));
}

fn open_volume(cell: vec3<i32>) -> f32 {
    var closed = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        closed += 2.0 - free_of_walls(cell, axis) - free_of_walls(upper(cell, axis), axis);
    }
    if (closed == 0.0) { return 1.0; }
    let wall = nearest_wall(cell_center(cell));
    let point = 0.5 - wall.distance / params.grid.cell * wall.normal;
    var flux = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        flux += free_of_walls(cell, axis) * point[axis];
        flux += free_of_walls(upper(cell, axis), axis) * (1.0 - point[axis]);
    }
    return clamp(flux / f32(params.world.dimensions), LEAST_VOLUME, 1.0);
}

// Depth of a cell's air of this volume along an axis.
fn depth(cell: vec3<i32>, axis: u32, volume: f32) -> f32 {
    let a = max(free_of_walls(cell, axis), free_of_walls(upper(cell, axis), axis));
    return select(volume, min(volume / a, 1.0), a > 0.0);
}

// Distance of a cell's value from its face on a side of an axis.
fn reach(cell: vec3<i32>, axis: u32, is_upper: bool, volume: f32) -> f32 {
    let half = 0.5 * depth(cell, axis, volume);
    let below = free_of_walls(cell, axis);
    let above = free_of_walls(upper(cell, axis), axis);
    return select(1.0 - half, half, select(below >= above, above >= below, is_upper));
}

// Share of the link through a cell's lower face, of which the volumes on both sides are given.
fn link_share(cell: vec3<i32>, axis: u32, volume: f32, below: f32) -> f32 {
    let c = cell_number(cell);
    if (coefficient[c][axis] == 0.0) { return 0.0; }
    let from_below = reach(wrap_next(cell - along(axis)), axis, true, below);
    return open_share(c, axis) / max(from_below + reach(cell, axis, false, volume), LEAST_DISTANCE);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let edge = params.grid.cell;
    let own = params.methods.stable_fluids;
    let rates = vec4<f32>(own.diffusivity, own.thermal_diffusivity, 0.0, 0.0);
    if (c == 0u) { diffusion_scalars[0][1] = control.dt * own.share / (edge * edge) * rates; }
    let cell = cell_at(c);
    let volume = open_volume(cell);
    var links = 0u;
    var shares = vec3<f32>(0.0);
    var sum = 0.0;
    // Closed part of the faces that is a wall's, the heat of those walls, and their normals.
    var areas = vec3<f32>(0.0);
    var flux = vec3<f32>(0.0);
    var weights = vec3<f32>(0.0);
    var kept = vec3<f32>(0.0);
    var normals: array<vec3<f32>, 3>;
    let is_heated = HAS_HEAT && own.thermal_diffusivity > 0.0 && coefficient[c].w > 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        shares[axis] = link_share(cell, axis, volume, open_volume(wrap_next(cell - along(axis))));
        let on = upper(cell, axis);
        let above = link_share(on, axis, open_volume(on), volume);
        sum += shares[axis] + above;
        links |= select(0u, BOTH << (8u * axis), shares[axis] > 0.0);
        links |= select(0u, BOTH << (8u * axis + 4u), above > 0.0);
        let closed = 1.0 - vec2<f32>(free_of_walls(cell, axis), free_of_walls(on, axis));
        if (!is_heated || max(closed.x, closed.y) == 0.0) { continue; }
        let between = min(closed.x, closed.y) == 1.0;
        for (var way = 0u; way < 2u; way++) {
            let wall = nearest_wall(face_center(select(cell, on, way == 1u), axis));
            let into = select(1.0, -1.0, way == 1u) * wall.normal[axis];
            let area = select(max(closed[way] - closed[1u - way], 0.0), max(into, 0.0), between);
            if (area == 0.0) { continue; }
            let heat = colliders[wall.solid].heat;
            areas[axis] += area;
            weights[axis] += area * heat.x;
            kept[axis] += area * heat.y;
            flux[axis] += area * heat.z;
            normals[axis] = wall.normal;
        }
    }
    var weight = 0.0;
    var push = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        if (areas[axis] == 0.0) { continue; }
        var squares = 0.0;
        for (var other = 0u; other < params.world.dimensions; other++) {
            let agree = dot(normals[axis], normals[other]);
            squares += select(agree * agree, 1.0, other == axis) * areas[other] * areas[other];
        }
        let part = areas[axis] / sqrt(squares);
        let to_wall = 2.0 / depth(cell, axis, volume);
        weight += part * weights[axis] * to_wall;
        push += part * (kept[axis] * to_wall + flux[axis] * edge / (HEAT_OF_AIR * own.thermal_diffusivity));
    }
    diffusion_links[c] = array<vec4<f32>, 2>(vec4<f32>(shares, volume), vec4<f32>(sum, sum + weight, 0.0, f32(links)));
    diffusion_r[c] = vec4<f32>(0.0, push, 0.0, 0.0);
}
