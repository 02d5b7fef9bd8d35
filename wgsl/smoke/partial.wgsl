// Diagnostics of a frame of smoke, part 1: block b of 256 sums the cells c with ⌊c/64⌋ mod 256 = b: kinetic energy and
// momentum of air at 20 °C by the cells' faces, the largest speed, the amount of smoke, and the largest error of volume
// in a step in percent.
//!include common/control
//!include common/through
//!include common/diagnostics

//!read coefficient smoke
//!write diagnostics_partial

// kg/m³
const AIR = 1.204;

fn describe(c: u32) -> Diagnostics {
    var sums = nothing();
    if (coefficient[c].w == 0.0) { return sums; }
    let cell = cell_at(c);
    var mean = vec3<f32>(0.0);
    var squares = 0.0;
    var divergence = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let low = through(c, axis);
        let high = through(cell_number(wrap_next(cell + along(axis))), axis);
        mean[axis] = 0.5 * (low + high);
        squares += 0.5 * (low * low + high * high);
        divergence += (high - low) / params.grid.cell;
    }
    let m = AIR * cell_volume();
    sums.momentum = m * mean;
    sums.kinetic_energy = 0.5 * m * squares;
    sums.speed_max = length(mean);
    sums.smoke = cell_volume() * smoke[c].x;
    sums.divergence = 100.0 * control.dt * abs(divergence);
    return sums;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let block = element(global_id) / 64u;
    var sum = nothing();
    for (var c = block * 64u + local; c < params.grid.cell_count; c += DIAGNOSTICS_BLOCKS * 64u) {
        sum = combine(sum, describe(c));
    }
    let total = combine_workgroup(sum, local);
    if (local == 0u && block < DIAGNOSTICS_BLOCKS) { diagnostics_partial[block] = total; }
}
