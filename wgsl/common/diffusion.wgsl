// The equation of implicit diffusion, V q − c (Σ_n s_n (q_n − q) − w q) of four values in each cell, with c = κ Δt/Δx² of each.
// `diffusion_links` has of each cell: the shares s of its lower faces, by which its values are linked to the neighbours there,
// and the volume V, in cells; then of three values the sum of their shares and of the weights w of walls, and the sum of bits,
// those of the way k (down and up along x, y, z) at 4k, of the values that are linked there.
//!include common/hat

//!read diffusion_links diffusion_scalars

// c of each value.
fn rates() -> vec4<f32> {
    return diffusion_scalars[0][1];
}

fn ways() -> u32 {
    return 2u * params.world.dimensions;
}

fn links_of(c: u32) -> u32 {
    return u32(diffusion_links[c][1].w);
}

// 1 for values that are linked to their neighbours on a way.
fn linked(links: u32, way: u32) -> vec4<f32> {
    return vec4<f32>((vec4<u32>(links >> (4u * way)) >> vec4<u32>(0u, 1u, 2u, 3u)) & vec4<u32>(1u));
}

// Share of the face between a cell and its neighbour on a way.
fn share_of(c: u32, other: u32, way: u32) -> f32 {
    return diffusion_links[select(c, other, (way & 1u) == 1u)][0][way / 2u];
}

// Sums of shares and of weights of walls of each value.
fn sums_of(c: u32) -> vec4<f32> {
    return vec4<f32>(diffusion_links[c][1].xyz, 0.0);
}

fn volume_of(c: u32) -> f32 {
    return diffusion_links[c][0].w;
}

// The diagonal of the equation.
fn diagonal(c: u32) -> vec4<f32> {
    return volume_of(c) + rates() * sums_of(c);
}
