// Level set of the liquid: signed distance φ in cells of the surface from each cell's centre, negative in liquid, within ±BAND
// (Osher, Sethian 1988).
//!include common/control
//!include common/beside
//!include common/busy
//!include common/level_band

//!read level_set

fn is_liquid(c: u32) -> bool {
    return level_set[c] < 0.0;
}

// Whether the surface is between a cell and one beside it.
fn is_near(cell: vec3<i32>) -> bool {
    let own = is_liquid(cell_number(cell));
    var near = false;
    for (var axis = 0u; axis < axes(); axis++) {
        near = near || is_liquid(beside(cell, -along(axis))) != own || is_liquid(beside(cell, along(axis))) != own;
    }
    return near;
}
