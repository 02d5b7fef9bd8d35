// CFL condition: the fastest velocity of faces, and gravity, for the next Δt ≤ min(cfl Δx/v, √(cfl Δx/|g|)): in a step
// nothing moves by more than cfl cells, by its velocity (Bridson 2015) or by what gravity adds, |g| Δt².
//!include common/control_write
//!include common/maximum
//!include common/busy

//!read face

// The limit by an acceleration a is 0.25 cfl √(Δx/a) (time/begin_step).
const SHARE_OF_GRAVITY = 0.0625;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let cell = busy_cell(element(global_id));
    var speed = 0.0;
    if (in_box(cell)) { speed = length(face[cell_number(cell)].xyz); }
    let largest = workgroup_maximum(speed, local);
    if (has_maximum(local)) {
        atomicMax(&control.max_signal_bits, largest);
        atomicMax(&control.max_acceleration_bits, bitcast<u32>(SHARE_OF_GRAVITY * params.time.cfl * length(params.world.gravity)));
    }
}
