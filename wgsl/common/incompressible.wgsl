// What PCISPH, IISPH and DFSPH share, written with volumes so that fluids of different density can
// touch: s = ρ/ρ0 is the compression, k = p Δt²/(ρ0 ρ) in m² a pressure that changes places by
//   u_i = −Σ_j V_j (k_i + k_j ρ0_j/ρ0_i) ∇W_ij,   V_j = V_b and k_j = 0 at boundary
// particles (Akinci 2012), in a step, and velocities by u_i/Δt.
// Volumes are those at rest, and the kernel's gradient is divided by the rest lattice's sum like
// the density that it changes.
//!include common/control
//!include common/neighbours
//!include common/kernels

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_identity: array<vec2<u32>>;

// V_j ∇W_ij is this times the offset r_ij; 0 for a candidate that is none.
fn weight(candidate: Candidate, offset: vec3<f32>, mine: bool) -> f32 {
    let volume = select(0.0, abs(candidate.position.w), mine);
    return params.density_calibration * volume * density_gradient(dot(offset, offset));
}

fn is_fluid(i: u32) -> bool {
    return i < control.particle_count && kind_of(sorted_identity[min(i, params.capacity - 1u)]) == KIND_FLUID;
}
