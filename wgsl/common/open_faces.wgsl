// Faces that neither a solid nor an open boundary with a given velocity closes to pressure.
//!include common/hat

//!read solid_face

// Share of a cell's lower face that is open.
fn open_share(c: u32, axis: u32) -> f32 {
    return select(solid_face[c][1][axis], 0.0, is_given(c, axis));
}

// Whether an open boundary gives the velocity of a cell's lower face, and whether what comes in there is wet.
fn is_given(c: u32, axis: u32) -> bool {
    return HAS_OPENINGS && ((u32(solid_face[c][0].w) >> axis) & 8u) == 8u;
}

fn is_given_wet(c: u32, axis: u32) -> bool {
    return ((u32(solid_face[c][0].w) >> axis) & 64u) == 64u;
}

// That velocity.
fn given_velocity(c: u32) -> f32 {
    return solid_face[c][1].w;
}

// Whether any part of a cell's lower face is open.
fn is_open(c: u32, axis: u32) -> bool {
    return open_share(c, axis) > 0.0;
}

// Velocity along the axis in m/s of the solid that closes a part of a cell's lower face, or the flux over its area that an open
// boundary gives.
fn solid_velocity(c: u32, axis: u32) -> f32 {
    return solid_face[c][0][axis];
}

// Whether a cell's lower face is closed and fluid sticks to it.
fn sticks(c: u32, axis: u32) -> bool {
    return ((u32(solid_face[c][0].w) >> axis) & 1u) == 1u;
}
