// Volume V = m/ρ of each sorted particle, in the w lane of its position; the colour field (M 15)
// sums it. It is 0 for particles other than fluid.
//!include common/control

@group(1) @binding(0) var<storage, read> order: array<u32>;
@group(1) @binding(1) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(3) var<storage, read_write> sorted_position: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s >= control.particle_count) { return; }
    let who = sorted_identity[s];
    let volume = material_of(who).mass / position[order[s]].w;
    sorted_position[s].w = select(0.0, volume, kind_of(who) == KIND_FLUID);
}
