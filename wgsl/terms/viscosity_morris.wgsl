// Laminar viscosity (Morris, Fox, Zhu 1997, 21):
//   f = Σ_j (μ_i + μ_j) V_j (v_j − v_i) (−W'_ij r_ij)/(r_ij² + 0.01 h²) / L
// with L the Laplacian of a parabola by SPH on the rest lattice, relative to the exact one, and μ_j = μ_i times the friction of a
// boundary particle. Walls without particles have one neighbour, which drags by the Laplacian of a kernel.
// μ_j.
//!carry morris_viscosity: f32

var<private> morris_viscosity_i: f32;

fn viscosity_morris_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    if (SEVERAL_MATERIALS) { loaded.morris_viscosity = material_of(sorted_identity_at(j)).viscosity; }
    return loaded;
}

fn viscosity_morris_begin(i: u32) {
    morris_viscosity_i = material_of(sorted_identity_at(i)).viscosity;
}

fn viscosity_morris_force(pair: Pair) -> vec3<f32> {
    let mine = morris_viscosity_i;
    let fluid = select(2.0 * mine, mine + pair.neighbour.morris_viscosity, SEVERAL_MATERIALS);
    let viscosity = select(fluid, 2.0 * mine * pair.neighbour.velocity.w, pair.wall);
    let h2 = kernel.support_radius_squared;
    let slope = -pressure_slope(pair.r) * pair.r / (pair.r2 + 0.01 * h2);
    let along = params.methods.viscosity_morris.factor * slope;
    let whole = 0.5 * kernel.viscosity_calibration * viscosity_laplacian(pair.r);
    let drag = pair.volume * viscosity * select(along, whole, is_volume(pair.neighbour));
    return drag * (pair.neighbour.velocity.xyz - velocity_i.xyz);
}
