// Half of an iteration of Taubin's λ|μ smoothing (1995): x' = x + factor · (mean of the four
// neighbours − x). An iteration shrinks with λ > 0, then inflates with μ < −λ, which preserves
// volume.
//!include common/control
//!include common/surface

//!read surface_control surface_ring surface_position
//!read taubin_factor: array<f32>
//!write surface_smoothed

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= surface_control[0].vertex_count) { return; }
    let ring = surface_ring[i];
    let x = surface_position[i];
    let around = surface_position[ring.x].xyz + surface_position[ring.y].xyz
        + surface_position[ring.z].xyz + surface_position[ring.w].xyz;
    surface_smoothed[i] = vec4<f32>(mix(x.xyz, 0.25 * around, taubin_factor[0]), x.w);
}
