// common/neighbours for subgroups of at least 8 lanes: invocations in the same row of cells, or in
// neighbouring rows at about the same x, walk the union of their ranges together; 8 lanes load one
// neighbour each and broadcast it. One memory access then serves 8 invocations, which dominates the
// cost on software Vulkan. There, a branch skips no work, and a loop that tests before its body
// runs the body once too often: so loops test at their end, and seams are further iterations of the
// same loop, which visits only segments with particles.
//
// A pass that includes this file defines
//   //!carry velocity: vec4<f32>    what its struct Neighbour has beside position and slot
//   fn load(j: u32) -> Neighbour    loads the data of particle j
//   fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the neighbour if not mine
// and calls for_each_candidate or for_each_wall once, from every invocation. Not each is
// within reach: visit tests the distance. The order is fixed, so sums are reproducible.
//!include common/hand_out

//!read cell_start

// Visits the fluid particles of a world around a position; `world` is its first cell.
fn for_each_candidate(world: u32, position: vec3<f32>, enabled: bool) {
    for_each_candidate_from(world, wrap_cell(cell_of(position)), position, enabled);
}

// Visits the boundary particles of a world around a position.
fn for_each_wall(world: u32, position: vec3<f32>, enabled: bool) {
    for_each_candidate_from(params.grid.cell_count + world, wrap_cell(cell_of(position)), position, enabled);
}

// Rows of cells that are walked together.
struct Block {
    // Bucket of the first cell of the grid.
    first: u32,
    // The first row, the number of rows along y, and their total number.
    corner: vec2<i32>,
    columns: i32,
    rows: u32,
    // First and last cell along x, and whether the cells across the seam are those below the first.
    reach: vec2<i32>,
    below: bool,
}

// Slots of cells along x, and the ends of the torus in y and z crossed to get there.
struct Segment {
    begin: u32,
    end: u32,
    across: vec3<i32>,
}

// Segment of a block: the parts of rows within reach, then the cells across the seam of x.
fn segment_of(block: Block, number: u32) -> Segment {
    let size = params.grid.size;
    let last = i32(size.x) - 1;
    let beyond = number >= block.rows;
    let place = i32(number - select(0u, block.rows, beyond));
    let y = block.corner.x + place % block.columns;
    let z = block.corner.y + place / block.columns;
    let across = vec3<i32>(0, end_crossed(y, size.y), end_crossed(z, size.z));
    let row = block.first + row_of(vec3<i32>(size), y, z);
    let seam = select(0, last, block.below);
    let begin = cell_start[row + u32(select(block.reach.x, seam, beyond))];
    let end = cell_start[row + u32(select(block.reach.y, seam, beyond)) + 1u];
    return Segment(begin, end, across);
}

// Visits the particles around a position in `cell` or on its faces, of the buckets from `first` on, that of the first cell.
fn for_each_candidate_from(first: u32, cell: vec3<i32>, position: vec3<f32>, enabled: bool) {
    if (!subgroupAny(enabled)) {
        return;
    }
    let lane = subgroupExclusiveAdd(1u) & 7u;
    let size = vec3<i32>(params.grid.size);
    let last = size.x - 1;
    var pending = enabled;
    // One iteration per row of cells of the subgroup's invocations, together with adjacent rows;
    // nearly always a single one.
    loop {
        // Of worlds one after another.
        var begin = first;
        var here = pending;
        if (SEVERAL_WORLDS) {
            begin = subgroupMin(select(0xffffffffu, first, pending));
            here = pending && first == begin;
        }
        let y = subgroupMin(select(0x7fffffff, cell.y, here));
        let z = subgroupMin(select(0x7fffffff, cell.z, here && cell.y == y));
        let in_row = here && cell.y == y && cell.z == z;
        let low = subgroupMin(select(0x7fffffff, cell.x, in_row));
        let high = subgroupMax(select(-1, cell.x, in_row));
        // Adjacent rows are included, except at the seam and where a row would be visited twice.
        let open = low > 1 && high < last - 1 && cell.x >= low - 1 && cell.x <= high + 1;
        let next_y = open && size.y > 3 && cell.y == y + 1;
        let next_z = open && size.z > 3 && cell.z == z + 1;
        let mine = here && (cell.y == y || next_y) && (cell.z == z || next_z);
        let leftmost = subgroupMin(select(0x7fffffff, cell.x, mine));
        let rightmost = subgroupMax(select(-1, cell.x, mine));
        let columns = select(3, 4, subgroupAny(mine && next_y));
        let layers = select(1 + 2 * params.grid.z_reach, 4, subgroupAny(mine && next_z));
        let rows = u32(columns * layers);
        let lo = max(leftmost - 1, 0);
        let hi = min(rightmost + 1, last);
        // Across the seam of the torus, unless the range reaches there already; so never on both sides.
        let below = leftmost == 0 && hi < last;
        let above = rightmost == last && lo > 0;
        let segments = rows * (1u + select(0u, 1u, below) + select(0u, 1u, above));
        let corner = vec2<i32>(y - 1, z - params.grid.z_reach);
        let block = Block(begin, corner, columns, rows, vec2<i32>(lo, hi), below);
        // Bit mask of the non-empty segments, of at most 18. Each lane checks some of them.
        var filled = 0u;
        var number = lane;
        loop {
            let asked = segment_of(block, min(number, segments - 1u));
            filled |= select(0u, 1u << number, number < segments && asked.begin < asked.end);
            number += 8u;
            if (number >= segments) { break; }
        }
        filled = subgroupOr(filled);
        loop {
            let segment = segment_of(block, min(firstTrailingBit(filled), segments - 1u));
            let center = position - image(segment.across);
            var base = segment.begin;
            loop {
                let j = base + lane;
                var c = load(min(j, max(segment.end, 1u) - 1u));
                // Volume 0 contributes nothing to any sum.
                c.position.w = select(0.0, c.position.w, j < segment.end);
                hand_out(c, center, mine);
                base += 8u;
                if (base >= segment.end) { break; }
            }
            filled &= filled - 1u;
            if (filled == 0u) { break; }
        }
        pending = pending && !mine;
        if (!subgroupAny(pending)) { break; }
    }
}
