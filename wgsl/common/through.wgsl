// Flux through faces per area, the mean velocity A u + (1 − A) v_s: through their closed parts that of the solid (Batty,
// Bertails, Bridson 2007), so that pistons push.
//!include common/open_faces

//!read face

// Through a cell's lower face.
fn through(c: u32, axis: u32) -> f32 {
    let open = open_share(c, axis);
    return open * face[c][axis] + (1.0 - open) * solid_velocity(c, axis);
}
