// Emitters that emit their next layer in this step, and the slots of its particles: behind the live
// particles, in the order of emitters. New ids are next_id + slot − (live count), set here for
// emit/points: afterwards the particle in slot s has id (next_id − particle_count) + s.
//!include common/control_write
//!include shared/emitter_params

//!read emitters
//!write emitter_layers emission

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let time = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    var slot = control.particle_count;
    for (var e = 0u; e < params.counts.emitters; e++) {
        let emitter = emitters[e];
        let layer = emitter_layers[e];
        let leaves = emitter.start + f32(layer) * emitter.interval;
        let due = control.primed == 1u && leaves <= time && leaves <= emitter.end
            && layer < emitter.max_layers && slot + emitter.point_count <= emitter.max_live
            && slot + emitter.point_count <= params.counts.capacity;
        emission[e] = vec2<u32>(select(0u, 1u, due), slot);
        if (due) {
            emitter_layers[e] = layer + 1u;
            slot += emitter.point_count;
        }
    }
    control.next_id += slot - control.particle_count;
    control.particle_count = slot;
}
