// What a method keeps of each particle from step to step is 0 for those that come in, as for emitted ones (emit/clear).
//!include common/control

//!read opening_start
//!write kept: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.opening_points) { return; }
    let width = arrayLength(&kept) / params.counts.capacity;
    for (var number = opening_start[k]; number < opening_start[k + 1u]; number++) {
        let slot = control.particle_count + number;
        if (slot >= params.counts.capacity) { continue; }
        for (var lane = 0u; lane < width; lane++) { kept[width * slot + lane] = 0.0; }
    }
}
