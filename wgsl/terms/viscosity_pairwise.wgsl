// Viscosity along the line between two particles, which keeps angular momentum (Monaghan 1992; Hu, Adams 2006):
//   f = Σ_j μ_ij V_j (d + 2) F(r) r_ij (r_ij · (v_j − v_i))/r²,   F = C (1 − q)(2 − q),   q = r/h
// with the harmonic mean μ_ij = 2μ_i μ_j/(μ_i + μ_j), or μ_i times the friction of a boundary particle. Walls without
// particles have one neighbour in the direction of their normal, which drags along them by the Laplacian of a kernel.
// μ_j.
//!carry pairwise_viscosity: f32

var<private> pairwise_viscosity_i: f32;

fn viscosity_pairwise_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    if (SEVERAL_MATERIALS) { loaded.pairwise_viscosity = material_of(sorted_identity_at(j)).viscosity; }
    return loaded;
}

fn viscosity_pairwise_begin(i: u32) {
    pairwise_viscosity_i = material_of(sorted_identity_at(i)).viscosity;
}

fn viscosity_pairwise_force(pair: Pair) -> vec3<f32> {
    let mine = pairwise_viscosity_i;
    let sum = mine + pair.neighbour.pairwise_viscosity;
    let harmonic = 2.0 * mine * pair.neighbour.pairwise_viscosity / max(sum, 1e-30);
    let mean = select(mine, harmonic, SEVERAL_MATERIALS);
    let viscosity = select(mean, mine * pair.neighbour.velocity.w, pair.wall);
    let change = pair.neighbour.velocity.xyz - velocity_i.xyz;
    let q = pair.r * kernel.inverse_support_radius;
    let n = pair.offset * pair.inverse_r;
    let along = params.methods.viscosity_pairwise.factor * max(1.0 - q, 0.0) * (2.0 - q) * dot(n, change) * n;
    let whole = kernel.viscosity_calibration * viscosity_laplacian(pair.r) * change;
    return pair.volume * viscosity * select(along, whole, is_volume(pair.neighbour));
}
