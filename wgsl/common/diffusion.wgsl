// The equation of implicit diffusion, (1 − c Σ_n (q_n − q)) of four values in each cell, with c = κ Δt/Δx² of each: the
// neighbours n that a value is linked to are bits of the first word of `diffusion_links`, those of the way k (down and up
// along x, y, z) at 4k, one for each value; the second word has the weights of walls beside it, a byte for each.
//!include common/hat

//!read diffusion_links diffusion_scalars

// c of each value.
fn rates() -> vec4<f32> {
    return diffusion_scalars[0][1];
}

fn ways() -> u32 {
    return 2u * params.world.dimensions;
}

// 1 for values that are linked to their neighbours on a way.
fn linked(links: u32, way: u32) -> vec4<f32> {
    return vec4<f32>((vec4<u32>(links >> (4u * way)) >> vec4<u32>(0u, 1u, 2u, 3u)) & vec4<u32>(1u));
}

fn wall_weights(weights: u32) -> vec4<f32> {
    return vec4<f32>((vec4<u32>(weights) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u));
}

// The diagonal of the equation.
fn diagonal(links: vec2<u32>) -> vec4<f32> {
    let of_one = vec4<u32>(links.x) >> vec4<u32>(0u, 1u, 2u, 3u);
    let count = vec4<f32>(countOneBits(of_one & vec4<u32>(0x00111111u)));
    return 1.0 + rates() * (count + wall_weights(links.y));
}
