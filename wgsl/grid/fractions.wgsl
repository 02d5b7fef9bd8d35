// Area fractions of cut cells: share of each lower face that solids leave open to the flux, where the signed distance
// interpolated between its corners is positive; the velocity of the solid nearest to the middle of those that are closed in
// part, and the sum of 1, 2, 4 for closed ones that fluid sticks to (Batty, Bertails, Bridson 2007). In 3-D a face is four
// triangles around its middle, which has the mean of the corners.
// Beside bodies the share is that of the cube around the face's middle: a body's surface between the centres of two cells then
// takes the mean of their pressures, weighed by how near they are, which is exact for water at rest.
//!include common/nearest_wall
//!include common/hat
//!include common/free_part

//!read solid_distance
//!write solid_face

// Distance in cells up to which a wall lies on a corner.
const ON_CORNER = 1e-3;
// Less than this is closed.
const LEAST_OPEN = 0.02;
// Distance in cells of a wall from a corner within which it may reach into the cube around the middle of a face there,
// (√2 + √3)/2.
const NEAR = 1.58;

fn corner_distance(corner: vec3<i32>) -> f32 {
    let d = solid_distance[cell_number(wrap_next(corner))];
    return select(min(d, 0.0), d, d >= ON_CORNER);
}

// Positive part of an edge.
fn open_edge(a: f32, b: f32) -> f32 {
    let most = max(a, b);
    return select(0.0, most / (most - min(min(a, b), 0.0)), most > 0.0);
}

// Positive part of a triangle.
fn open_triangle(a: f32, b: f32, c: f32) -> f32 {
    let v = vec3<f32>(a, b, c);
    let positive = v > vec3<f32>(0.0);
    let count = dot(select(vec3<f32>(0.0), vec3<f32>(1.0), positive), vec3<f32>(1.0));
    if (count == 0.0 || count == 3.0) { return count / 3.0; }
    // The corner of another sign than the other two.
    let is_positive = count == 1.0;
    var odd = v.zxy;
    if (positive.x == is_positive) { odd = v.xyz; } else if (positive.y == is_positive) { odd = v.yxz; }
    let part = odd.x * odd.x / ((odd.x - odd.y) * (odd.x - odd.z));
    return select(1.0 - part, part, is_positive);
}

fn open_face(cell: vec3<i32>, axis: u32) -> f32 {
    let a = along((axis + 1u) % 3u);
    let b = along((axis + 2u) % 3u);
    let first = corner_distance(cell);
    if (axes() == 2u) { return open_edge(first, corner_distance(cell + along(1u - axis))); }
    let second = corner_distance(cell + a);
    let third = corner_distance(cell + a + b);
    let fourth = corner_distance(cell + b);
    let middle = 0.25 * (first + second + third + fourth);
    return 0.25 * (open_triangle(first, second, middle) + open_triangle(second, third, middle)
        + open_triangle(third, fourth, middle) + open_triangle(fourth, first, middle));
}

// Share of the cube of a cell's edge around a point that a body leaves free: the mean of its halves along each axis, each cut by
// a plane, so that corners of bodies count.
fn free_share(solid: u32, x: vec3<f32>) -> f32 {
    let collider = posed(colliders[solid], bodies[solid]);
    let parts = select(4u, 8u, axes() == 3u);
    let in_z = select(0.0, 1.0, axes() == 3u);
    var sum = 0.0;
    for (var k = 0u; k < parts; k++) {
        let side = vec3<f32>(vec3<u32>(k & 1u, (k >> 1u) & 1u, k >> 2u)) - 0.5;
        let at = x + 0.5 * params.grid.cell * side * vec3<f32>(1.0, 1.0, in_z);
        let contact = wall_contact(collider, to_local(collider, at), 0u);
        sum += free_part(rotate(collider.rotation, contact.normal), 2.0 * contact.distance / params.grid.cell);
    }
    return sum / f32(parts);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var moving = vec4<f32>(0.0);
    var open = vec4<f32>(0.0);
    let near_body = HAS_BODIES && abs(solid_distance[c]) < NEAR;
    for (var axis = 0u; axis < axes(); axis++) {
        var share = open_face(cell, axis);
        if (share == 1.0 && !near_body) {
            open[axis] = 1.0;
            continue;
        }
        let wall = nearest_wall(face_center(cell, axis));
        if (near_body && colliders[wall.solid].is_body == 1u) {
            share = free_share(wall.solid, face_center(cell, axis));
        }
        open[axis] = select(0.0, share, share >= LEAST_OPEN);
        if (share == 1.0) { continue; }
        moving[axis] = wall.velocity[axis];
        if (open[axis] == 0.0 && wall.response == RESPONSE_STICKY) { moving.w += f32(1u << axis); }
    }
    solid_face[c] = array<vec4<f32>, 2>(moving, open);
}
