// Walks the candidates for neighbours of one particle: the 3 × 3 rows of 3 cells around it.
//
// A pass that includes this defines
//   fn load(j: u32) -> Candidate                what it needs of particle j
//   fn visit(candidate: Candidate, mine: bool)  accumulates; must ignore the candidate if not mine
// and calls for_each_candidate once, from every invocation. A candidate need not be a neighbour:
// visit tests the distance. Order is fixed, so sums are reproducible.
//
// There is a second implementation, common/neighbours_subgroup; the host picks one.
//!include common/grid

struct Candidate {
    // x, y, z in m and volume in w.
    position: vec4<f32>,
    // Velocity in m/s and pressure in w.
    velocity: vec4<f32>,
    viscosity: f32,
}

@group(1) @binding(0) var<storage, read> cell_start: array<u32>;

fn visit_range(begin: u32, end: u32) {
    for (var j = begin; j < end; j++) {
        visit(load(j), true);
    }
}

fn for_each_candidate(position: vec3<f32>, enabled: bool) {
    if (!enabled) {
        return;
    }
    let cell = wrap_cell(cell_of(position));
    let last = i32(params.grid_size.x) - 1;
    for (var dz = -params.z_reach; dz <= params.z_reach; dz++) {
        for (var dy = -1; dy <= 1; dy++) {
            let row = row_of(cell.y + dy, cell.z + dz);
            let lo = u32(max(cell.x - 1, 0));
            let hi = u32(min(cell.x + 1, last));
            visit_range(cell_start[row + lo], cell_start[row + hi + 1u]);
            // Across the seam of the torus; grid sizes of at least 3 make these cells distinct.
            if (cell.x == 0 || cell.x == last) {
                let seam = row + u32(select(0, last, cell.x == 0));
                visit_range(cell_start[seam], cell_start[seam + 1u]);
            }
        }
    }
}
