// A mesh, by its distances on a grid about its centre (wgsl/solid/bake.wgsl), with trilinear
// interpolation: the pass binds `distances`. The collider's radius is the length of the grid's
// cells.
//!include common/colliders

fn mesh_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let half_extents = vec3<f32>(distances[collider.field], distances[collider.field + 1u], distances[collider.field + 2u]);
    let nodes = round(2.0 * half_extents / collider.radius) + 1.0;
    let q = p / collider.radius + 0.5 * (nodes - 1.0);
    let on_grid = clamp(q, vec3<f32>(0.0), nodes - 1.0);
    let cell = min(floor(on_grid), nodes - 2.0);
    let t = on_grid - cell;
    let row = u32(nodes.x);
    let slice = row * u32(nodes.y);
    let at = collider.field + 3u + u32(cell.x) + row * u32(cell.y) + slice * u32(cell.z);
    let d000 = distances[at];
    let d100 = distances[at + 1u];
    let d010 = distances[at + row];
    let d110 = distances[at + row + 1u];
    let d001 = distances[at + slice];
    let d101 = distances[at + slice + 1u];
    let d011 = distances[at + slice + row];
    let d111 = distances[at + slice + row + 1u];
    let low = mix(mix(d000, d100, t.x), mix(d010, d110, t.x), t.y);
    let high = mix(mix(d001, d101, t.x), mix(d011, d111, t.x), t.y);
    let distance = mix(low, high, t.z);
    // Beyond the grid, use its nearest point.
    let beyond = (q - on_grid) * collider.radius;
    if (any(beyond != vec3<f32>(0.0))) {
        return Contact(direction_of(beyond), distance + length(beyond));
    }
    let gradient = vec3<f32>(
        mix(mix(d100 - d000, d110 - d010, t.y), mix(d101 - d001, d111 - d011, t.y), t.z),
        mix(mix(d010 - d000, d110 - d100, t.x), mix(d011 - d001, d111 - d101, t.x), t.z),
        high - low);
    return Contact(direction_of(gradient), distance);
}

// In an edge of a mesh, a step out of one side may end behind the other, so the nearest wall is
// queried several times.
fn mesh_walls(collider: Collider) -> Walls {
    return Walls(3u, 1u);
}

fn mesh_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return facing(collider, mesh_outside(collider, p));
}
