// A cluster is up to 8 fluid particles in cell order from one row of cells along x;
// row_cluster_start holds the number of clusters before each row. A pass that includes this file
// defines
//   fn visit_range(begin: u32, end: u32)
// and calls for_each_range, which visits first the fluid and then the walls in the cells around a
// cluster.
//!include common/grid

//!gather sorted_position
//!read cell_start row_cluster_start

// First slot and end of the slots of a cluster; empty beyond the last one.
fn slots_of(number: u32) -> vec2<u32> {
    let rows = params.grid.cell_count / params.grid.size.x;
    if (number >= row_cluster_start[rows]) {
        return vec2<u32>(0u);
    }
    // The last row that begins with this cluster or an earlier one.
    var row = 0u;
    var end = rows;
    loop {
        let middle = (row + end) / 2u;
        if (row_cluster_start[middle] <= number) { row = middle; } else { end = middle; }
        if (end - row <= 1u) { break; }
    }
    let first = cell_start[row * params.grid.size.x] + 8u * (number - row_cluster_start[row]);
    return vec2<u32>(first, min(first + 8u, cell_start[(row + 1u) * params.grid.size.x]));
}

fn for_each_range(slots: vec2<u32>) {
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
    // Across the seam of the torus, unless the range reaches there already.
    let below = leftmost == 0 && hi < last;
    let above = rightmost == last && lo > 0;
    let cells = params.grid.cell_count;
    let buckets = select(1u, 2u, params.counts.walls > 0u) * cells;
    let layers = params.grid.z_reach;
    // One loop that tests at its end over the fluid and the walls of all rows: on software Vulkan a
    // test at the start costs an extra iteration, so four nested loops would cost 192 instead of 18.
    let parts = select(1, 3, below || above);
    var first = 0u;
    var step = vec2<i32>(-1, -layers);
    var part = 0;
    loop {
        let row = first + row_of(size, cell.y + step.x, cell.z + step.y);
        let wanted = part == 0 || (part == 1 && below) || (part == 2 && above);
        let head = select(select(lo, last, part == 1), 0, part == 2);
        let tail = select(select(hi, last, part == 1), 0, part == 2);
        let begin = cell_start[row + u32(head)];
        let end = select(begin, cell_start[row + u32(tail) + 1u], wanted);
        visit_range(begin, end);
        part += 1;
        if (part == parts) {
            part = 0;
            step.x += 1;
        }
        if (step.x > 1) { step = vec2<i32>(-1, step.y + 1); }
        if (step.y > layers) {
            step.y = -layers;
            first += cells;
        }
        if (first >= buckets) { break; }
    }
}
