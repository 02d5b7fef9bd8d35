// Faces that no solid closes.
//!include common/hat

//!read solid_face

// Whether a cell's lower face is open.
fn is_open(c: u32, axis: u32) -> bool {
    return ((u32(solid_face[c].w) >> axis) & 1u) == 1u;
}
