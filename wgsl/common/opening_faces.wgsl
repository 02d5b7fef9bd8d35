// Faces of cells that are parts of open boundaries.
//!include common/openings
//!include common/hat

// Whether a cell's lower face along the axis of an open boundary lies in its plane.
fn is_in_plane(opening: OpeningParams, cell: vec3<i32>) -> bool {
    let axis = opening.axis;
    return abs(face_center(cell, axis)[axis] - opening.low[axis]) < 0.25 * params.grid.cell;
}

// Height above everything, and share of a face that does not count, beyond rounding.
const ENDLESS = 1e30;
const LEAST_SHARE = 0.01;

// Share of a face with this middle that is within an open boundary, below a height against gravity.
fn face_share(opening: OpeningParams, x: vec3<f32>, level: f32) -> f32 {
    let half = 0.5 * params.grid.cell;
    let up = upward();
    var share = 1.0;
    for (var axis = 0u; axis < axes(); axis++) {
        if (axis == opening.axis) { continue; }
        var low = max(x[axis] - half, opening.low[axis]);
        var high = min(x[axis] + half, opening.high[axis]);
        if (up[axis] > 0.9) { high = min(high, level); }
        if (up[axis] < -0.9) { low = max(low, -level); }
        share *= max(0.0, high - low) * params.grid.inverse_cell.x;
    }
    return share;
}

// The cell in front of the face, and the one behind it.
fn cell_inside(opening: OpeningParams, cell: vec3<i32>) -> vec3<i32> {
    return select(wrap_next(cell - along(opening.axis)), cell, opening.inward > 0.0);
}

fn cell_outside(opening: OpeningParams, cell: vec3<i32>) -> vec3<i32> {
    return select(cell, wrap_next(cell - along(opening.axis)), opening.inward > 0.0);
}
