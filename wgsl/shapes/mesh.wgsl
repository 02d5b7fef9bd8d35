// A mesh, by its distances on a grid about its centre (wgsl/solid/bake.wgsl), with trilinear
// interpolation: the pass binds `distances`. The collider's radius is the length of the grid's
// cells.
//!include common/colliders

// In a cell's slice: the distance's differences along x and y, and the distance. A slice at a time
// takes fewer registers than all eight nodes.
fn mesh_slice(at: u32, row: u32, t: vec2<f32>) -> vec3<f32> {
    let d00 = distances[at];
    let d10 = distances[at + 1u];
    let d01 = distances[at + row];
    let d11 = distances[at + row + 1u];
    let distance = mix(mix(d00, d10, t.x), mix(d01, d11, t.x), t.y);
    return vec3<f32>(mix(d10 - d00, d11 - d01, t.y), mix(d01 - d00, d11 - d10, t.x), distance);
}

fn mesh_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let half_extents = vec3<f32>(distances[collider.field], distances[collider.field + 1u], distances[collider.field + 2u]);
    let nodes = round(2.0 * half_extents / collider.radius) + 1.0;
    let q = p / collider.radius + 0.5 * (nodes - 1.0);
    let on_grid = clamp(q, vec3<f32>(0.0), nodes - 1.0);
    // Beyond the grid, use its nearest point.
    let beyond = (q - on_grid) * collider.radius;
    let cell = min(floor(on_grid), nodes - 2.0);
    let t = on_grid - cell;
    let row = u32(nodes.x);
    let slice = row * u32(nodes.y);
    let at = collider.field + 3u + u32(cell.x) + row * u32(cell.y) + slice * u32(cell.z);
    let low = mesh_slice(at, row, t.xy);
    let high = mesh_slice(at + slice, row, t.xy);
    let distance = mix(low.z, high.z, t.z);
    if (any(beyond != vec3<f32>(0.0))) {
        return Contact(direction_of(beyond), distance + length(beyond));
    }
    let gradient = vec3<f32>(mix(low.xy, high.xy, t.z), high.z - low.z);
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
