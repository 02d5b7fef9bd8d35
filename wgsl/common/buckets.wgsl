// Each cell has a bucket of fluid; the buckets of boundary particles follow those of all cells, and last comes one for
// removed particles. Grid methods have boundary particles, and their buckets, only of rigid bodies.
//!include common/torus
//!include common/worlds

fn bucket_of(x: vec3<f32>, who: vec2<u32>) -> u32 {
    return first_cell(who) + key_of(x) + select(0u, params.grid.cell_count, kind_of(who) == KIND_BOUNDARY);
}

fn removed_bucket() -> u32 {
    return params.grid.cell_count * select(2u, 1u, params.grid.cell > 0.0 && params.counts.walls == 0u);
}
