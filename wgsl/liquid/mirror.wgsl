// Mirror images of cells in solids: the way in cells from a cell's centre to its image beyond the wall, and in w by how much the distance of a
// surface that meets the wall at its contact angle θ is less here than there, the length of the way by cos θ. 0 of cells in the open, and
// UNKNOWN in w if no wall is within DEEPEST, as deep as the blur reaches from beside a wall.
//!include common/control
//!include common/hat
//!include common/no_image
//!include common/busy
//!include common/block_solids
//!include common/nearest_wall

//!read solid_share
//!write mirror

const DEEPEST = 3.0;
// Cells less than half a cell deep, which have a share of liquid of their own, have no image: a surface there would not feel its own motion.
const LEAST_WAY = 0.999;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var image = vec4<f32>(0.0);
    if (solid_share[c] < 1.0) {
        let wall = nearest_wall(cell_center(cell));
        let way = -2.0 * wall.distance / params.grid.cell;
        if (abs(way) > 2.0 * DEEPEST) { image.w = UNKNOWN; }
        else if (way > LEAST_WAY) { image = vec4<f32>(way * wall.normal, way * colliders[wall.solid].wetting); }
    }
    mirror[c] = image;
}
