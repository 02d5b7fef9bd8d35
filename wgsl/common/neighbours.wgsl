// Walks over the neighbour candidates of one particle: the 3 × 3 rows of 3 cells around it.
//
// A pass that includes this file defines
//   //!carry velocity: vec4<f32>    what its struct Neighbour has beside position and slot
//   fn load(j: u32) -> Neighbour    loads the data of particle j
//   fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the neighbour if not mine
// and calls for_each_candidate or for_each_wall once, from every invocation. Not each is
// within reach: visit tests the distance. The order is fixed, so sums are reproducible.
//
// There is a second implementation, common/neighbours_subgroup; the host picks one.
//!include common/torus
//!include common/neighbour

//!read cell_start

fn visit_range(begin: u32, end: u32, center: vec3<f32>) {
    for (var j = begin; j < end; j++) {
        let neighbour = load(j);
        visit(neighbour, center - neighbour.position.xyz, true);
    }
}

// Visits the fluid particles of a world around a position; `world` is its first cell.
fn for_each_candidate(world: u32, position: vec3<f32>, enabled: bool) {
    for_each_candidate_from(world, wrap_cell(cell_of(position)), position, enabled);
}

// Visits the boundary particles of a world around a position.
fn for_each_wall(world: u32, position: vec3<f32>, enabled: bool) {
    for_each_candidate_from(params.grid.cell_count + world, wrap_cell(cell_of(position)), position, enabled);
}

// Visits the particles around a position in `cell` or on its faces, of the buckets from `first` on, that of the first cell.
fn for_each_candidate_from(first: u32, cell: vec3<i32>, position: vec3<f32>, enabled: bool) {
    if (!enabled) {
        return;
    }
    let size = params.grid.size;
    let last = i32(size.x) - 1;
    for (var dz = -params.grid.z_reach; dz <= params.grid.z_reach; dz++) {
        for (var dy = -1; dy <= 1; dy++) {
            let y = cell.y + dy;
            let z = cell.z + dz;
            let row = first + row_of(vec3<i32>(size), y, z);
            let across = vec3<i32>(0, end_crossed(y, size.y), end_crossed(z, size.z));
            let lo = u32(max(cell.x - 1, 0));
            let hi = u32(min(cell.x + 1, last));
            visit_range(cell_start[row + lo], cell_start[row + hi + 1u], position - image(across));
            // Across the seam of the torus; grid sizes of at least 3 make these cells distinct.
            if (cell.x == 0 || cell.x == last) {
                let below = cell.x == 0;
                let seam = row + u32(select(0, last, below));
                let seen = vec3<i32>(select(1, -1, below), across.yz);
                visit_range(cell_start[seam], cell_start[seam + 1u], position - image(seen));
            }
        }
    }
}
