// Warm start: the pressure of the last step, or a part of it, in this step's order, is where the
// iterations begin, for particles that have an error now.
//!include common/control

@group(1) @binding(0) var<storage, read> order: array<u32>;
@group(1) @binding(1) var<storage, read> warm: array<f32>;
@group(1) @binding(2) var<storage, read_write> kappa: array<f32>;
@group(1) @binding(3) var<storage, read_write> kappa_sum: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s >= control.particle_count) { return; }
    let part = params.loops[0].warm_start;
    kappa[s] = select(0.0, part * warm[order[s]] * control.dt * control.dt, kappa[s] > 0.0);
    kappa_sum[s] = 0.0;
}
