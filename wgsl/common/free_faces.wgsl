// Faces whose velocities viscosity changes: open ones beside a cell that has an equation of pressure.
//!include common/open_faces

//!read coefficient

fn is_wet(cell: vec3<i32>) -> bool {
    return coefficient[cell_number(cell)].w > 0.0;
}

fn is_free(cell: vec3<i32>, axis: u32) -> bool {
    return is_open(cell_number(cell), axis) && (is_wet(cell) || is_wet(wrap_next(cell - along(axis))));
}

// Twice the velocity of the solid at a cell's lower face, if it is closed.
fn pushed(cell: vec3<i32>, axis: u32) -> f32 {
    let c = cell_number(cell);
    return select(2.0 * solid_velocity(c, axis), 0.0, is_open(c, axis));
}
