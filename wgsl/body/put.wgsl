// Puts a free body where a program wants it, or away (common/parked). The next step is chosen for its speed, too.
//!include common/control_write

//!read put_body put_state
//!write bodies

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    bodies[min(put_state[0], params.counts.colliders - 1u)] = put_body[0];
    let speed = bitcast<f32>(put_state[1]);
    atomicMax(&control.max_speed_bits, put_state[1]);
    let signal = bitcast<f32>(atomicLoad(&control.max_signal_bits));
    if (signal > 0.0) { atomicStore(&control.max_signal_bits, bitcast<u32>(signal + speed)); }
}
