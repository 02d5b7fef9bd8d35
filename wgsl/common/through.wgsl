// Velocity through faces, through closed ones with the solid's (HYBRIDS 1.4).
//!include common/open_faces

//!read face

// Through a cell's lower face.
fn through(c: u32, axis: u32) -> f32 {
    return select(solid_face[c][axis], face[c][axis], is_open(c, axis));
}
