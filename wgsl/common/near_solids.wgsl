// Cells that solids may reach into.
//!include common/cubic

//!gather solid_distance

// Length in cells of a cell's diagonal, and a little more.
const DIAGONAL = 1.8;

// Whether a place may be in a solid: its cell's lower corner is not further from one than that.
fn is_near_solids(x: vec3<f32>) -> bool {
    let cell = vec3<i32>(floor((x - params.grid.origin) * params.grid.inverse_cell));
    return solid_distance_at(value_cell(cell, vec3<i32>(0))) < DIAGONAL;
}
