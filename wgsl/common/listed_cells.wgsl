// Solids whose motion is given: sums over all listed cells (common/solid_sums).
//!include common/busy

fn is_summed(solid: u32) -> bool {
    return solid < params.counts.driven;
}

fn cells_of(solid: u32) -> u32 {
    return select(0u, 8u * busy_blocks[0], is_summed(solid));
}

fn cell_of_solid(k: u32) -> vec3<i32> {
    return listed_cell(k);
}
