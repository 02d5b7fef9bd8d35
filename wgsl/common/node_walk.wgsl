// Walks over the particles around the nodes of busy cells, for passes over BUSY_CELLS with 64 invocations in a workgroup. The
// eight invocations of a block walk over the block and one cell around it together: each loads every eighth particle into
// workgroup memory, from where all eight visit it, so that memory is read once for eight nodes.
//
// A pass that includes this file defines
//   //!carry velocity: vec4<f32>    what its struct Neighbour has beside position and slot
//   fn load(j: u32) -> Neighbour    loads the data of particle j
//   fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the neighbour if not mine
// and calls for_each_around once, from every invocation, in uniform control flow. Not each is within reach: visit tests the
// distance. The order is fixed, so sums are reproducible.
//
// There is a second implementation, common/node_walk_subgroup; the host picks one.
//!include common/busy
//!include common/neighbour

//!read cell_start

var<workgroup> loaded: array<Neighbour, 64>;
// Whether a block has a node whose particles are asked for.
var<workgroup> is_wanted: array<atomic<u32>, 8>;
// Times that the invocations of each block load, and the most of them.
var<workgroup> block_rounds: array<atomic<u32>, 8>;
var<workgroup> most_rounds: u32;

// Cells around a block: the first of them and the one after the last, which may be one beyond the torus on any axis.
struct Around {
    low: vec3<i32>,
    high: vec3<i32>,
    // Rows of cells, and runs: rows, then on a periodic axis x the cells across its seams.
    rows: u32,
    runs: u32,
}

// Slots of cells along x, and the ends of the torus crossed to get there.
struct Run {
    begin: u32,
    end: u32,
    across: vec3<i32>,
}

fn around(first: vec3<i32>) -> Around {
    let reach = vec3<i32>(1, 1, params.grid.z_reach);
    let low = first - reach;
    let high = min(first + vec3<i32>(block_size()), vec3<i32>(params.grid.size)) + reach;
    let rows = u32((high.y - low.y) * (high.z - low.z));
    let seams = select(0u, 1u, low.x < 0) + select(0u, 1u, high.x > i32(params.grid.size.x));
    return Around(low, high, rows, rows * (1u + select(0u, seams, params.grid.period.x > 0.0)));
}

fn run_of(cells: Around, number: u32) -> Run {
    let size = vec3<i32>(params.grid.size);
    let columns = cells.high.y - cells.low.y;
    let place = i32(number % cells.rows);
    let y = cells.low.y + place % columns;
    let z = cells.low.z + place / columns;
    let row = own_cells() + row_of(size, y, z);
    let across = vec3<i32>(0, end_crossed(y, params.grid.size.y), end_crossed(z, params.grid.size.z));
    if (number < cells.rows) {
        return Run(cell_start[row + u32(max(cells.low.x, 0))], cell_start[row + u32(min(cells.high.x, size.x))], across);
    }
    let below = cells.low.x < 0 && number < 2u * cells.rows;
    let seam = row + u32(select(0, size.x - 1, below));
    return Run(cell_start[seam], cell_start[seam + 1u], vec3<i32>(select(1, -1, below), across.yz));
}

// Visits the particles around the node of a busy cell, that of the invocation of this number.
fn for_each_around(number: u32, cell: vec3<i32>, enabled: bool) {
    let local = number % 64u;
    let lane = local % 8u;
    let block = local / 8u;
    let first = cell - vec3<i32>(inner_cell(lane));
    let cells = around(max(first, vec3<i32>(0)));
    if (lane == 0u) {
        atomicStore(&block_rounds[block], 0u);
        atomicStore(&is_wanted[block], 0u);
    }
    workgroupBarrier(); // all are 0
    if (enabled) { atomicStore(&is_wanted[block], 1u); }
    workgroupBarrier(); // all have said it
    let runs = atomicLoad(&is_wanted[block]) * cells.runs;
    var own = 0u;
    for (var n = lane; n < runs; n += 8u) {
        let run = run_of(cells, n);
        own += (run.end - run.begin + 7u) / 8u;
    }
    atomicAdd(&block_rounds[block], own);
    workgroupBarrier(); // all are complete
    if (local == 0u) {
        var most = 0u;
        for (var k = 0u; k < 8u; k++) { most = max(most, atomicLoad(&block_rounds[k])); }
        most_rounds = most;
    }
    let rounds = workgroupUniformLoad(&most_rounds);
    let center = cell_center(cell);
    var next = 0u;
    var run = Run(0u, 0u, vec3<i32>(0));
    for (var round = 0u; round < rounds; round++) {
        while (run.begin >= run.end && next < runs) {
            run = run_of(cells, next);
            next++;
        }
        let count = select(0u, min(run.end - run.begin, 8u), run.begin < run.end);
        if (lane < count) { loaded[local] = load(run.begin + lane); }
        workgroupBarrier(); // all eight are there
        for (var k = 0u; k < count; k++) {
            let neighbour = loaded[8u * block + k];
            visit(neighbour, center - image(run.across) - neighbour.position.xyz, enabled);
        }
        run.begin += count;
        workgroupBarrier(); // all have visited them
    }
}
