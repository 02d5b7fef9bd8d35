// Shared by the passes of projected conjugate gradients for pressure (`wgsl/pressure/`): the least pressures that leave no
// compression, κ ≥ 0, e ≤ 0 and κ e = 0 with e = b − A κ, where A κ is what displacements by κ take from the compression
// (common/incompressible). Weighed by volumes, V A is symmetric and positive, so iterations go along conjugate directions;
// a step that would make κ negative ends at 0 (Bridson, Greif 2006; Narain, Golas, Lin 2010 for such constraints).
//
// Elements of the arrays, in cell order:
//   pressure_state   κ, e, the direction p, A p
//   pressure_search  z = e over the diagonal, the last direction, what the limit at 0 added to κ in the last step, κ or −1
//   pressure_move    two for each particle: its displacement by p, and that by what the limit added
//   pressure_reaction  forces of both on a body's particle, times Δt²; pressure_answer the displacements and turns of bodies
//   pressure_start   κ at the start of the iterations
//   pressure_coarse  what the correction on cells adds to z
//   pressure_scalars α, β, z·V e, and an energy to compare with

// Volume of a particle over that of the first material's, so that sums are of moderate size.
fn relative_volume(volume: f32) -> f32 {
    let first = params.materials[0];
    return abs(volume) * first.rest_density / first.mass;
}

// Whether pressure may act on a particle: it has some, or is compressed.
fn is_pressed(kappa: f32, error: f32) -> bool {
    return kappa > 0.0 || error > 0.0;
}

// A change of κ along which κ stays positive; none where no pressure may act, which κ = −1 says.
fn permitted(change: f32, kappa: f32) -> f32 {
    return select(change, 0.0, kappa < 0.0 || (kappa == 0.0 && change < 0.0));
}
