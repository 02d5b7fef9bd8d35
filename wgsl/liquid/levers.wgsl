// Levers of bodies, and of walls whose forces are measured, at the cells of liquid: what the pressure of a cell gives to each of
// up to three of them beside it, as J =
// Σ ±(1 − A) e over the closed shares of its faces, and Σ (x_f − r_g) × that (Batty, Bertails, Bridson 2007). Through a face
// passes ±(1 − A) v_s·e: the divergence takes the same J·V, so that pressure does no work of its own.
// For walls, whose surface lies anywhere in the cell, also how far beyond its centre their pressure acts, as ½ Σ (1 − A) of the
// two faces along each axis less the share of the cell in the wall: by Gauss's theorem over the wall's part of the cell, ∮ p n over
// its surface is p J for the pressure p of the centre, and Δx times this for its gradient.
//!include common/nearest_wall
//!include common/free_part
//!include common/open_faces
//!include common/busy

//!read coefficient
//!write levers

var<private> found: array<vec4<f32>, 9>;

// Adds what a face of a cell gives to the body that closes a part of it; beyond a third body nothing.
fn add_lever(x: vec3<f32>, push: vec3<f32>) {
    let solid = nearest_wall(x).solid;
    if (colliders[solid].is_body == 0u) { return; }
    let number = f32(solid + 1u);
    let twist = cross(displacement(x, bodies[solid].position.xyz), push);
    for (var at = 0u; at < 6u; at += 2u) {
        if (found[at].w != 0.0 && found[at].w != number) { continue; }
        found[at] = vec4<f32>(found[at].xyz + push, number);
        found[at + 1u] += vec4<f32>(twist, 0.0);
        if (colliders[solid].is_body == 2u) { found[6u + at / 2u] += vec4<f32>(0.5 * abs(push), 0.0); }
        return;
    }
}

// Subtracts the shares of the cell in the walls that have levers: of several the product of what each leaves free.
fn subtract_shares(cell: vec3<i32>) {
    var left = 1.0;
    let block = block_of(cell);
    for (var near = 0u; near < solids_near(block); near++) {
        let solid = solid_near(block, near);
        let collider = posed(colliders[solid], bodies[solid]);
        var taken = 0.0;
        for (var wall = 0u; wall < walls_of(collider).distinct; wall++) {
            let contact = wall_contact(collider, to_local(collider, cell_center(cell)), wall);
            let covered = 1.0 - free_part(rotate(collider.rotation, contact.normal), contact.distance / params.grid.cell);
            taken += covered * left;
            left -= covered * left;
        }
        if (collider.is_body != 2u) { continue; }
        for (var at = 0u; at < 6u; at += 2u) {
            if (found[at].w == f32(solid + 1u)) { found[6u + at / 2u] -= vec4<f32>(vec3<f32>(taken), 0.0); }
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    found = array<vec4<f32>, 9>();
    if (coefficient[c].w > 0.0) {
        for (var axis = 0u; axis < axes(); axis++) {
            let step = along(axis);
            let closed = 1.0 - open_share(c, axis);
            if (closed > 0.0) { add_lever(face_center(cell, axis), -closed * vec3<f32>(step)); }
            let above = wrap_next(cell + step);
            let closed_above = 1.0 - open_share(cell_number(above), axis);
            if (closed_above > 0.0) { add_lever(face_center(cell + step, axis), closed_above * vec3<f32>(step)); }
        }
        if (found[0].w > 0.0) { subtract_shares(cell); }
    }
    levers[c] = found;
}
