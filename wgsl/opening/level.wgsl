// Height of the water's own surface at an open boundary without a level: that of the lower edge and the depth, the volume of the
// liquid in the second cells in front of the face over their area. One workgroup for each.
//!include common/control
//!include common/opening_faces

//!read cover
//!write opening_flow

var<workgroup> parts: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let o = group.x;
    let exists = o < params.counts.openings;
    let opening = openings[select(0u, o, exists)];
    let axis = opening.axis;
    let size = vec3<i32>(params.grid.size);
    var first = vec3<i32>(floor((opening.low - params.grid.origin) * params.grid.inverse_cell + 1e-3));
    var last = vec3<i32>(ceil((opening.high - params.grid.origin) * params.grid.inverse_cell - 1e-3)) - 1;
    // Of the face's lower cell; in 2-D there is one layer.
    first[axis] = i32(round((opening.low[axis] - params.grid.origin[axis]) * params.grid.inverse_cell[axis]));
    last[axis] = first[axis];
    first = clamp(first, vec3<i32>(0), size - 1);
    last = clamp(last, first, size - 1);
    if (axes() == 2u) {
        first.z = 0;
        last.z = 0;
    }
    let counts = vec3<u32>(last - first + 1);
    var sum = 0.0;
    for (var k = local; k < counts.x * counts.y * counts.z; k += 64u) {
        let cell = first + vec3<i32>(vec3<u32>(k % counts.x, k / counts.x % counts.y, k / (counts.x * counts.y)));
        let share = face_share(opening, face_center(cell, axis), ENDLESS);
        // The hat around the first cell reaches beyond the face, where there is nothing.
        let second = cell_inside(opening, cell) + i32(opening.inward) * along(axis);
        sum += share * cover[cell_number(clamp(second, vec3<i32>(0), size - 1))];
    }
    parts[local] = sum;
    // All parts are there.
    workgroupBarrier();
    if (local > 0u || !exists || opening.kind != OPENING_FREE) { return; }
    var all = 0.0;
    for (var k = 0u; k < 64u; k++) { all += parts[k]; }
    // Area of the face across gravity, and the height of its lower edge.
    let up = upward();
    let edge = params.grid.cell;
    var width = 1.0;
    for (var other = 0u; other < axes(); other++) {
        if (other == axis || abs(up[other]) > 0.9) { continue; }
        width *= opening.high[other] - opening.low[other];
    }
    let area = all * edge * select(1.0, edge, axes() == 3u);
    let low = min(dot(opening.low, up), dot(opening.high, up));
    // A face that lies level has no depth.
    let is_level = abs(up[axis]) > 0.9 || length(up) < 0.5;
    opening_flow[o].y = select(low + area / width, -ENDLESS, is_level);
}
