// The density at the places where the present velocities lead, and the pressure that undoes what is
// too much of it: k_i += δ (s_i* − 1), at least 0 (Solenthaler, Pajarola 2009, 5–8). δ is that of a
// particle in the rest lattice, params.pcisph_factor; neighbours are those at the
// end of the step, as far as they are within a cell at its beginning.
//!include common/incompressible
//!include common/residual

@group(1) @binding(3) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read_write> kappa: array<f32>;
@group(1) @binding(5) var<storage, read_write> residuals: array<vec2<f32>>;

var<private> velocity_i: vec3<f32>;
var<private> sum: f32;

fn load(j: u32) -> Candidate {
    return moving(sorted_position[j], sorted_velocity[j]);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let ahead = offset + control.dt * (velocity_i - candidate.velocity.xyz);
    sum += select(0.0, abs(candidate.position.w), mine) * density_kernel(dot(ahead, ahead));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let slot = min(i, params.capacity - 1u);
    let live = is_fluid(i);
    velocity_i = sorted_velocity[slot].xyz;
    sum = 0.0;
    for_each_candidate(sorted_position[slot].xyz, live);
    var wrong = 0.0;
    // A step of no length changes nothing.
    if (live && control.dt > 0.0) {
        wrong = params.density_calibration * sum - 1.0;
        kappa[i] = max(kappa[i] + params.pcisph_factor * wrong, 0.0);
    }
    leave_residual(wrong, live, i / 64u, local);
}
