// Walls near each node: those that may hold it (common/held), and whether they may hold nodes around it.
//!include common/held
//!include common/bodies
//!include common/block_solids
//!include shared/walls

//!read distances bodies
//!write hold

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let x = cell_center(cell);
    let edge = params.grid.cell;
    var found = array<vec4<f32>, 3>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    var solids = vec3<f32>(0.0);
    var count = 0u;
    var near = 0u;
    let block = block_of(cell);
    for (var at = 0u; at < solids_near(block); at++) {
        let k = solid_near(block, at);
        let collider = posed(colliders[k], bodies[k]);
        let walls = walls_of(collider);
        for (var wall = 0u; wall < walls.distinct; wall++) {
            let contact = wall_contact(collider, to_local(collider, x), wall);
            let d = contact.distance;
            let n = rotate(collider.rotation, contact.normal);
            if (d < (HELD + 1.0) * edge) { near |= sides_of(-n) | 64u; }
            if (d >= HELD * edge || d < DEEP * edge) { continue; }
            // Of walls that face the same way the one further ahead.
            var twin = 3u;
            for (var w = 0u; w < count; w++) {
                if (dot(n, found[w].xyz) > 0.9) { twin = w; }
            }
            if (twin == 3u) {
                if (count == 3u) { continue; }
                twin = count;
                count++;
            } else if (found[twin].w <= d) {
                continue;
            }
            found[twin] = vec4<f32>(n, d);
            solids[twin] = f32(k + 1u);
        }
    }
    hold[cell_number(cell)] = array<vec4<f32>, 4>(found[0], found[1], found[2], vec4<f32>(solids, f32(near)));
}
