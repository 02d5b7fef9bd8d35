// Shared by PCISPH, IISPH and DFSPH, written with volumes so that fluids of different density can
// touch: the compression is s = ρ/ρ0, and κ = p Δt² in kg/m is a pressure that moves particles in a
// step by
//   u_i = −1/ρ0_i Σ_j V_j (κ_i + κ_j) ∇W_ij,   V_j = V_b and κ_j = 0 at boundary particles
// (Akinci 2012), and changes velocities by u_i/Δt. At particles of bodies κ_j = κ_i: otherwise the
// fluid would come to rest only with its outermost particles too close, bearing twice the pressure
// of others, and two fifths of the buoyancy would be missing. They stand for the fluid's mirror image,
// which has its pressure and comes closer twice as fast: pressures then take from the fluid the work that
// compression does, else it boils. (A mirror image's pressure at walls would keep a column from coming to rest.) Volumes are
// rest volumes, and the kernel's gradient is divided by the rest lattice's sum like the density that it changes.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position

// Part of a compression that IISPH and DFSPH leave for later steps (PCISPH corrects all of it): a
// compression caused by longer steps before is corrected over an equal time. All at once, it would
// need speeds that shorten the next step further, until the fluid bursts.
fn left_for_later(excess: f32) -> f32 {
    return max(excess, 0.0) * (1.0 - control.dt / max(control.longest_dt, control.dt));
}

// 1 at particles of bodies, which stand for the fluid's mirror image, else 0.
fn mirrored(neighbour: Neighbour) -> f32 {
    return select(0.0, 1.0, is_of_body(neighbour));
}

// Whether pressure moves a neighbour: fluid and bodies.
fn moves(neighbour: Neighbour) -> bool {
    // Walls without particles have slots beyond the particles'.
    return neighbour.position.w > 0.0 || (neighbour.slot < params.counts.capacity && is_of_body(neighbour));
}

// V_j ∇W_ij is this times the offset r_ij; 0 beyond the support.
fn weight(neighbour: Neighbour, offset: vec3<f32>, mine: bool) -> f32 {
    let volume = select(0.0, abs(neighbour.position.w), mine);
    return kernel.density_calibration * volume * density_gradient(dot(offset, offset));
}
