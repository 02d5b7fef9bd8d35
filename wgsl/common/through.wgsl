// Mean velocity through faces, through their closed parts that of the solid (HYBRIDS 1.4).
//!include common/open_faces

//!read face

// Through a cell's lower face.
fn through(c: u32, axis: u32) -> f32 {
    let open = open_share(c, axis);
    return open * face[c][axis] + (1.0 - open) * solid_velocity(c, axis);
}
