// Area fractions of cut cells: share of each lower face that solids leave open to the flux, where the signed distance
// interpolated between its corners is positive; the velocity of the solid nearest to the middle of those that are closed in
// part, and the sum of 1, 2, 4 for closed ones that fluid sticks to (Batty, Bertails, Bridson 2007). In 3-D a face is four
// triangles around its middle, which has the mean of the corners.
//!include common/nearest_wall
//!include common/hat

//!read solid_distance
//!write solid_face

// Distance in cells up to which a wall lies on a corner.
const ON_CORNER = 1e-3;
// Less than this is closed.
const LEAST_OPEN = 0.02;

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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var moving = vec4<f32>(0.0);
    var open = vec4<f32>(0.0);
    for (var axis = 0u; axis < axes(); axis++) {
        let share = open_face(cell, axis);
        open[axis] = select(0.0, share, share >= LEAST_OPEN);
        if (share == 1.0) { continue; }
        let wall = nearest_wall(face_center(cell, axis));
        moving[axis] = wall.velocity[axis];
        if (open[axis] == 0.0 && wall.response == RESPONSE_STICKY) { moving.w += f32(1u << axis); }
    }
    solid_face[c] = array<vec4<f32>, 2>(moving, open);
}
