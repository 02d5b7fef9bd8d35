// Faces that solids close, those whose middle is on a wall or beyond it, with the solid's velocity, and whether fluid sticks
// to it; and the share of the hat around each cell's centre that the nearest wall leaves free, 1 − M(φ/Δx) (HYBRIDS 1.4, 1.6).
//!include common/nearest_wall
//!include common/hat

//!write solid_face solid_share

// Distance in cells up to which a wall lies on a face.
const ON_FACE = 1e-3;
const LEAST_SHARE = 0.25;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var closed = vec4<f32>(0.0);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let wall = nearest_wall(face_center(cell, axis));
        if (wall.distance < ON_FACE * params.torus.cell) {
            closed[axis] = wall.velocity[axis];
            if (wall.response == RESPONSE_STICKY) { closed.w += f32(8u << axis); }
        } else {
            closed.w += f32(1u << axis);
        }
    }
    solid_face[c] = closed;
    let d = clamp(nearest_wall(cell_center(cell)).distance / params.torus.cell, -1.0, 1.0);
    let covered = select(1.0 - 0.5 * (1.0 + d) * (1.0 + d), 0.5 * (1.0 - d) * (1.0 - d), d >= 0.0);
    solid_share[c] = max(1.0 - covered, LEAST_SHARE);
}
