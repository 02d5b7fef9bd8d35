// Values of cells in solids, as they are at their mirror images beyond the wall (liquid/mirror).
//!include common/hat
//!include common/no_image

//!read mirror

// Parts of a cell to which images are rounded: many are at the middle of a cell, where weights would be rounding alone.
const PARTS = 4096.0;

// Whether a cell has an image.
fn has_image(c: u32) -> bool {
    return any(mirror[c].xyz != vec3<f32>(0.0));
}

fn image_weight(corners: Corners, k: u32) -> f32 {
    let w = corner_weights(corners, k);
    return w.x * w.y * w.z;
}

// The values around a cell's image.
fn image_corners(cell: vec3<i32>) -> Corners {
    let way = floor(PARTS * mirror[cell_number(cell)].xyz + 0.5) / PARTS;
    let base = floor(way);
    return Corners(cell + vec3<i32>(base), way - base);
}
