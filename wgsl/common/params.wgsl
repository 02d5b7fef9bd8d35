// Parameters, which every pass may read and only the host writes.
//!include shared/kinds
//!include shared/limits
//!include shared/params
//!include shared/scene

@group(0) @binding(0) var<uniform> params: Params;

// identity.y packs kind (8 bits), material (8) and body (16).
fn kind_of(identity: vec2<u32>) -> u32 {
    return identity.y & 255u;
}

// Whether there are rigid bodies.
fn has_bodies() -> bool {
    return HAS_BODIES && params.counts.first_body < params.counts.first_wall + params.counts.walls;
}

fn material_of(identity: vec2<u32>) -> MaterialParams {
    let number = select(0u, (identity.y >> 8u) & 255u, SEVERAL_MATERIALS);
    return params.materials[min(number, MAX_MATERIALS - 1u)];
}
