// common/neighbours for subgroups of at least 8 lanes: invocations that lie in the same row of
// cells walk the union of their ranges together; 8 lanes load one candidate each, and broadcasts
// hand it round. A memory access then serves 8 invocations, which is what counts on software
// Vulkan.
//!enable subgroups
//!include common/grid

struct Candidate {
    // x, y, z in m and volume in w.
    position: vec4<f32>,
    // Velocity in m/s and pressure in w.
    velocity: vec4<f32>,
    viscosity: f32,
}

@group(1) @binding(0) var<storage, read> cell_start: array<u32>;

fn hand_out(c: Candidate, mine: bool) {
    visit(Candidate(subgroupBroadcast(c.position, 0u), subgroupBroadcast(c.velocity, 0u), subgroupBroadcast(c.viscosity, 0u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 1u), subgroupBroadcast(c.velocity, 1u), subgroupBroadcast(c.viscosity, 1u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 2u), subgroupBroadcast(c.velocity, 2u), subgroupBroadcast(c.viscosity, 2u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 3u), subgroupBroadcast(c.velocity, 3u), subgroupBroadcast(c.viscosity, 3u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 4u), subgroupBroadcast(c.velocity, 4u), subgroupBroadcast(c.viscosity, 4u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 5u), subgroupBroadcast(c.velocity, 5u), subgroupBroadcast(c.viscosity, 5u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 6u), subgroupBroadcast(c.velocity, 6u), subgroupBroadcast(c.viscosity, 6u)), mine);
    visit(Candidate(subgroupBroadcast(c.position, 7u), subgroupBroadcast(c.velocity, 7u), subgroupBroadcast(c.viscosity, 7u)), mine);
}

fn visit_range(begin: u32, end: u32, lane: u32, mine: bool) {
    for (var base = begin; base < end; base += 8u) {
        let j = base + (lane & 7u);
        var c = load(min(j, end - 1u));
        // Volume 0 contributes nothing to any sum.
        c.position.w = select(0.0, c.position.w, j < end);
        hand_out(c, mine);
    }
}

fn for_each_candidate(position: vec3<f32>, enabled: bool) {
    let lane = subgroupExclusiveAdd(1u);
    let cell = wrap_cell(cell_of(position));
    let last = i32(params.grid_size.x) - 1;
    var pending = enabled;
    // One round for each row of cells in the subgroup; nearly always there is just one.
    while (subgroupAny(pending)) {
        let y = subgroupMin(select(0x7fffffff, cell.y, pending));
        let z = subgroupMin(select(0x7fffffff, cell.z, pending && cell.y == y));
        let mine = pending && cell.y == y && cell.z == z;
        let first = subgroupMin(select(0x7fffffff, cell.x, mine));
        let final_ = subgroupMax(select(-1, cell.x, mine));
        let lo = max(first - 1, 0);
        let hi = min(final_ + 1, last);
        for (var dz = -params.z_reach; dz <= params.z_reach; dz++) {
            for (var dy = -1; dy <= 1; dy++) {
                let row = row_of(y + dy, z + dz);
                visit_range(cell_start[row + u32(lo)], cell_start[row + u32(hi) + 1u], lane, mine);
                // Across the seam of the torus, unless the range reached there by itself.
                if (first == 0 && hi < last) {
                    visit_range(cell_start[row + u32(last)], cell_start[row + u32(last) + 1u], lane, mine);
                }
                if (final_ == last && lo > 0) {
                    visit_range(cell_start[row], cell_start[row + 1u], lane, mine);
                }
            }
        }
        pending = pending && !mine;
    }
}
