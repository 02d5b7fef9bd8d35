// v ← v/(1 + Δt/0.05 s) of the fluid while it settles.
//!include common/control
//!include common/settling

//!read identity
//!write velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active() || !is_settling()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(identity[i]) == KIND_BOUNDARY) { return; }
    velocity[i] = vec4<f32>(velocity[i].xyz / (1.0 + control.dt / CALM), velocity[i].w);
}
