// Counts the particles that a program has added. The next step is chosen for their speed as well.
//!include common/control_write

//!read spawn_state spawn_start

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let free = params.counts.capacity - min(control.particle_count, params.counts.capacity);
    let added = min(spawn_start[stage.element_count - 1u], free);
    if (added == 0u) { return; }
    control.particle_count += added;
    control.next_id += added;
    atomicMax(&control.max_speed_bits, spawn_state[2]);
    let signal = bitcast<f32>(atomicLoad(&control.max_signal_bits));
    if (signal > 0.0) {
        atomicStore(&control.max_signal_bits, bitcast<u32>(signal + bitcast<f32>(spawn_state[2])));
    }
}
