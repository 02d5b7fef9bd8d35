// Faces that no solid closes.
//!include common/hat

//!read solid_face

// Share of a cell's lower face that solids leave open.
fn open_share(c: u32, axis: u32) -> f32 {
    return solid_face[c][1][axis];
}

// Whether any part of a cell's lower face is open.
fn is_open(c: u32, axis: u32) -> bool {
    return open_share(c, axis) > 0.0;
}

// Velocity along the axis in m/s of the solid that closes a part of a cell's lower face.
fn solid_velocity(c: u32, axis: u32) -> f32 {
    return solid_face[c][0][axis];
}

// Whether a cell's lower face is closed and fluid sticks to it.
fn sticks(c: u32, axis: u32) -> bool {
    return ((u32(solid_face[c][0].w) >> axis) & 1u) == 1u;
}
