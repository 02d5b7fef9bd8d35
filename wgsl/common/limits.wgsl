// Checks at the end of a step: positions and velocities are finite, no particle is further than 2²⁰ cells from the domain's centre,
// where f32 and i32 lose precision, and the largest speed is recorded for the next Δt. Reports the smallest id that failed. A pass
// that includes this file binds `position` and `velocity`.
//!include common/control_write
//!include common/maximum

//!read identity

// Test the bits: compilers may assume that NaN does not occur in arithmetic.
fn finite(v: vec3<f32>) -> bool {
    return all((bitcast<vec3<u32>>(v) & vec3<u32>(0x7f800000u)) != vec3<u32>(0x7f800000u));
}

// Call it from every invocation of the workgroup, in uniform control flow.
fn check_limits(i: u32, local: u32) {
    var speed = 0.0;
    if (has_particle(i)) {
        let x = position[i].xyz;
        let v = velocity[i].xyz;
        var found = 0u;
        if (!finite(x) || !finite(v)) {
            found = FAILURE_NOT_FINITE;
        } else {
            speed = length(v);
            let cells = abs(x * params.grid.inverse_cell);
            if (max(cells.x, max(cells.y, cells.z)) >= f32(RUNAWAY_CELLS)) { found = FAILURE_RUNAWAY; }
        }
        if (found != 0u) {
            atomicOr(&control.pending_failure, found);
            atomicMin(&control.failure_id, identity[i].x);
        }
    }
    let largest = workgroup_maximum(speed, local);
    if (has_maximum(local)) { atomicMax(&control.max_speed_bits, largest); }
}
