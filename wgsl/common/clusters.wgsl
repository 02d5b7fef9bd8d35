// A cluster is up to 8 fluid particles in cell order from one row of cells along x;
// row_cluster_start holds the number of clusters before each row. A pass that includes this file
// defines
//   fn visit_range(begin: u32, end: u32)
// and calls for_each_range, which visits first the fluid and then the walls in the cells around a
// cluster.
//!include common/torus
//!include common/worlds

//!gather sorted_position
//!read cell_start row_cluster_start

// First slot and end of the slots of a cluster, and the first cell of its world; empty beyond the last one.
fn slots_of(number: u32) -> vec3<u32> {
    let rows = params.grid.cell_count / params.grid.size.x;
    if (number >= row_cluster_start[rows]) {
        return vec3<u32>(0u);
    }
    // The last row that begins with this cluster or an earlier one.
    var row = 0u;
    var end = rows;
    loop {
        let middle = (row + end) / 2u;
        if (row_cluster_start[middle] <= number) { row = middle; } else { end = middle; }
        if (end - row <= 1u) { break; }
    }
    let cell = row * params.grid.size.x;
    let first = cell_start[cell] + 8u * (number - row_cluster_start[row]);
    var world = 0u;
    if (SEVERAL_WORLDS) { world = cell - cell % world_cells(); }
    return vec3<u32>(first, min(first + 8u, cell_start[cell + params.grid.size.x]), world);
}

fn for_each_range(slots: vec3<u32>) {
    var cell = vec3<i32>(0);
    var leftmost = 0x7fffffff;
    var rightmost = -1;
    for (var s = slots.x; s < slots.y; s++) {
        cell = wrap_cell(cell_of(sorted_position_at(s).xyz));
        leftmost = min(leftmost, cell.x);
        rightmost = max(rightmost, cell.x);
    }
    if (rightmost < 0) {
        return;
    }
    let size = vec3<i32>(params.grid.size);
    let last = size.x - 1;
    let lo = max(leftmost - 1, 0);
    let hi = min(rightmost + 1, last);
    // One more cell across the seam of the torus, unless the range reaches there already. It cannot
    // be missing on both sides.
    let below = leftmost == 0 && hi < last;
    let above = rightmost == last && lo > 0;
    let seam = select(0, last, below);
    let cells = params.grid.cell_count;
    let layers = params.grid.z_reach;
    let rows = select(3u, 9u, layers > 0);
    let places = select(1u, 2u, params.counts.walls > 0u) * rows;
    // One loop that tests at its end over the fluid and the walls of all rows: on software Vulkan a
    // test at the start costs an extra iteration, so four nested loops would cost 192 instead of 18.
    // One counter takes fewer registers than the coordinates.
    var place = 0u;
    var beyond = false;
    loop {
        let wall = place >= rows;
        let step = place - select(0u, rows, wall);
        let y = cell.y + i32(step % 3u) - 1;
        let z = cell.z + i32(step / 3u) - layers;
        let row = slots.z + select(0u, cells, wall) + row_of(size, y, z);
        let begin = cell_start[row + u32(select(lo, seam, beyond))];
        let end = cell_start[row + u32(select(hi, seam, beyond)) + 1u];
        visit_range(begin, end);
        beyond = (below || above) && !beyond;
        if (!beyond) { place += 1u; }
        if (place >= places) { break; }
    }
}
