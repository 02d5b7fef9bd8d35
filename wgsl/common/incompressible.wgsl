// What PCISPH, IISPH and DFSPH share, written with volumes so that fluids of different density can
// touch: s = ρ/ρ0 is the compression, κ = p Δt² in kg/m a pressure that changes places by
//   u_i = −1/ρ0_i Σ_j V_j (κ_i + κ_j) ∇W_ij,   V_j = V_b and κ_j = 0 at boundary particles
// (Akinci 2012), in a step, and velocities by u_i/Δt. At those of bodies κ_j = κ_i: else the fluid would be
// at rest only where its outermost particles bear twice as much as others, nearer than they should be,
// and two fifths of the buoyancy would be missing. (Walls so make a column at rest restless.)
// Volumes are those at rest, and the kernel's gradient is divided by the rest lattice's sum like
// the density that it changes.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;

// What of a compression IISPH and DFSPH do not undo in this step (PCISPH undoes all of it): what longer ones before
// it have compressed is undone in as long a time. At once, it would take speeds that make the next step shorter
// yet, until the fluid bursts.
fn left_for_later(excess: f32) -> f32 {
    return max(excess, 0.0) * (1.0 - control.dt / max(control.longest_dt, control.dt));
}

// V_j ∇W_ij is this times the offset r_ij; 0 for a candidate that is none.
fn weight(candidate: Candidate, offset: vec3<f32>, mine: bool) -> f32 {
    let volume = select(0.0, abs(candidate.position.w), mine);
    return params.kernel.density_calibration * volume * density_gradient(dot(offset, offset));
}
