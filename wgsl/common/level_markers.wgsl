// Markers of the level set: up to 16 a cell on either side of the surface, each with its place and, in w, its radius in cells, that
// of the largest ball around it on its side of the surface; negative in liquid, 0 if there is none (Enright, Marschner, Fedkiw 2002).
//!include common/level_set
//!include common/torus

const SLOTS = 16u;
const LEAST_RADIUS = 0.1;
const MOST_RADIUS = 0.5;
// Cells from the surface within which there are markers.
const MARKED = 3.0;

// φ at a place, linear between cells.
fn level_at(x: vec3<f32>) -> f32 {
    let corners = corners_around(x, vec3<f32>(0.5));
    var sum = 0.0;
    for (var k = 0u; k < corner_count(); k++) {
        let w = corner_weights(corners, k);
        sum += w.x * w.y * w.z * level_set[corner_cell(corners, k)];
    }
    return sum;
}

// Number of cells around one, with it.
fn around_count() -> i32 {
    return select(9, 27, axes() == 3u);
}

fn around_step(k: i32) -> vec3<i32> {
    return vec3<i32>(k % 3, k / 3 % 3, k / 9) - vec3<i32>(1, 1, params.grid.z_reach);
}

// Whether a cell is in the box, if the ends of periodic axes are joined.
fn is_there(cell: vec3<i32>) -> bool {
    let size = vec3<i32>(params.grid.size);
    return all(((cell >= vec3<i32>(0)) & (cell < size)) | (params.grid.period > vec3<f32>(0.0)));
}
