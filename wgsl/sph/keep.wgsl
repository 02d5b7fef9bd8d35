// Keeps the iterated pressure in Pa for the next step, whose length may differ, in the slots that
// particles will have then, and adds it to the velocity's w lane: the pressure is the sum over the
// step's loops.
//!include common/control

//!read kappa
//!write warm: array<f32>
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let pressure = select(0.0, kappa[s] / (control.dt * control.dt), control.dt > 0.0);
    warm[s] = pressure;
    sorted_velocity[s].w += pressure;
}
