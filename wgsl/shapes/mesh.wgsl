// A mesh, by its distances on a grid about its centre (wgsl/solid/bake.wgsl), with trilinear
// interpolation: the pass binds `distances`. The collider's radius is the length of the grid's
// cells. One that changes its shape has two grids alike, with distances at the ends of a frame, and
// between them the weighted mean of both.
//!include common/colliders
//!include shared/scene

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

// Along the normal, of any length, and in w the distance, by the grid whose data begin at `field`.
fn mesh_field(field: u32, edge: f32, p: vec3<f32>) -> vec4<f32> {
    let half_extents = vec3<f32>(distances[field], distances[field + 1u], distances[field + 2u]);
    let nodes = round(2.0 * half_extents / edge) + 1.0;
    let q = p / edge + 0.5 * (nodes - 1.0);
    let on_grid = clamp(q, vec3<f32>(0.0), nodes - 1.0);
    // Beyond the grid, use its nearest point.
    let beyond = (q - on_grid) * edge;
    let cell = min(floor(on_grid), nodes - 2.0);
    let t = on_grid - cell;
    let row = u32(nodes.x);
    let slice = row * u32(nodes.y);
    let at = field + 3u + u32(cell.x) + row * u32(cell.y) + slice * u32(cell.z);
    let low = mesh_slice(at, row, t.xy);
    let high = mesh_slice(at + slice, row, t.xy);
    let distance = mix(low.z, high.z, t.z);
    if (any(beyond != vec3<f32>(0.0))) {
        return vec4<f32>(beyond, distance + length(beyond));
    }
    return vec4<f32>(mix(low.xy, high.xy, t.z), high.z - low.z, distance);
}

// Along the normal, of any length, and in w the distance.
fn mesh_found(collider: Collider, p: vec3<f32>) -> vec4<f32> {
    var found = mesh_field(collider.field, collider.radius, p);
    if (HAS_DEFORMING && collider.changes > 0u) {
        found = mix(found, mesh_field(collider.field + collider.changes, collider.radius, p), collider.share);
    }
    return found;
}

fn mesh_outside(collider: Collider, p: vec3<f32>) -> Contact {
    let found = mesh_found(collider, p);
    return Contact(direction_of(found.xyz), found.w);
}

// Velocity in the collider's own axes by which its surface near p moves when it changes its shape: along the normal n, and
// against the growth of the distances d, v = -(∂d/∂t) n.
fn change_of_shape(collider: Collider, p: vec3<f32>) -> vec3<f32> {
    if (!HAS_DEFORMING || collider.changes == 0u) { return vec3<f32>(0.0); }
    let a = mesh_field(collider.field, collider.radius, p);
    let b = mesh_field(collider.field + collider.changes, collider.radius, p);
    return -collider.rate * (b.w - a.w) * direction_of(mix(a.xyz, b.xyz, collider.share));
}

// Velocity of a collider's surface near x, of which `arm` leads from its centre.
fn velocity_of_wall(collider: Collider, x: vec3<f32>, arm: vec3<f32>) -> vec3<f32> {
    let rigid = collider.velocity + cross(collider.angular_velocity, arm);
    if (!HAS_DEFORMING || collider.changes == 0u) { return rigid; }
    return rigid + rotate(collider.rotation, change_of_shape(collider, to_local(collider, x)));
}

// In an edge of a mesh, a step out of one side may end behind the other, so the nearest wall is
// queried several times.
fn mesh_walls(collider: Collider) -> Walls {
    return Walls(3u, 1u);
}

fn mesh_wall(collider: Collider, p: vec3<f32>, k: u32) -> Contact {
    return facing(collider, mesh_outside(collider, p));
}
