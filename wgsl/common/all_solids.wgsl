// All solids, for passes that have no binding left for those of a block (common/block_solids).
//!include common/worlds

fn solids_near(block: u32) -> u32 {
    return solid_count();
}

fn solid_near(block: u32, k: u32) -> u32 {
    return own_solid(k);
}

fn block_at(x: vec3<f32>) -> u32 {
    return 0u;
}
