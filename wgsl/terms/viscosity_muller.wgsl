// f = Σ_j μ_ij V_j (v_j − v_i) ∇²W_viscosity / L (M 14; μ_ij = (μ_i + μ_j)/2), with L the Laplacian
// of a parabola by SPH on the rest lattice, relative to the exact one. At boundary particles μ_ij =
// μ_i times their friction.
// μ_j, calibrated.
//!carry viscosity: f32

var<private> viscosity_i: f32;

fn viscosity_muller_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    if (SEVERAL_MATERIALS && params.sph.mixed_viscosity == 1u) {
        loaded.viscosity = kernel.viscosity_calibration * material_of(sorted_identity_at(j)).viscosity;
    }
    return loaded;
}

fn viscosity_muller_begin(i: u32) {
    viscosity_i = kernel.viscosity_calibration * material_of(sorted_identity_at(i)).viscosity;
}

fn viscosity_muller_force(pair: Pair) -> vec3<f32> {
    let mixed = SEVERAL_MATERIALS && params.sph.mixed_viscosity == 1u;
    let mean = select(viscosity_i, 0.5 * (viscosity_i + pair.neighbour.viscosity), mixed);
    let viscosity = select(mean, viscosity_i * pair.neighbour.velocity.w, pair.wall);
    let drag = pair.volume * viscosity * viscosity_laplacian(pair.r);
    return drag * (pair.neighbour.velocity.xyz - velocity_i.xyz);
}
