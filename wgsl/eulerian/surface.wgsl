// Field of the level set at the nodes of the surface's mesh, ½ − φ/2, with ½ on the walls. Limits of its splines
// would jump at nodes in the middle of cells.
//!include common/surface_columns
//!include common/level_cubic

//!read solid_distance

// Distance in cells of the walls.
fn wall_at(x: vec3<f32>) -> f32 {
    let corners = corners_around(x, vec3<f32>(0.0));
    var sum = 0.0;
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        sum += w.x * w.y * w.z * solid_distance[corner_cell(corners, k)];
    }
    return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let column = column_of(element(global_id));
    var values = vec4<f32>(0.0);
    for (var k = 0; k < 4; k++) {
        let place = column.place + vec3<i32>(0, 0, k);
        let node = vec3<f32>(column.cell) + vec3<f32>(place) / column.per_cell;
        let x = params.grid.origin + node * params.grid.cell;
        values[k] = 0.5 - 0.5 * max(level_at(x, false), -wall_at(x));
    }
    write_column(column, values);
}
