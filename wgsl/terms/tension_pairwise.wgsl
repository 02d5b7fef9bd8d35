// Surface tension by cohesion between all particles (Tartakovsky, Meakin 2005), pair forces in N with volumes at rest V0 and
// q = r/h:
//   F_ij = S_ij V0_i V0_j cos(3πq/2) W r_ij/r,   F_ib = (1 + cos θ) S_w V0_i V_b cos(3πq/2) W r_ib/r
// with the contact angle θ of the wall. Of two materials S_ab = S(σ_a/2 + σ_b/2) − |σ_a − σ_b|/(2kh²) (Antonow).
//!include common/cohesion
//!include common/wetting

// σ in N/m and V0 in m³ of fluid; cos θ of a wall.
//!carry pairwise_tension: f32, pairwise_volume: f32, pairwise_wetting: f32

// Of particle i: σ in N/m, V0 in m³.
var<private> pairwise_tension_i: f32;
var<private> pairwise_volume_i: f32;
// Σ F_ij/V0_i in N/m³.
var<private> pairwise_force: vec3<f32>;

fn tension_pairwise_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    // Neighbours that stand for walls have slots beyond those of particles.
    if (HAS_WETTING && neighbour.position.w < 0.0) { loaded.pairwise_wetting = wetting_of(sorted_identity_at(j)); }
    if (SEVERAL_MATERIALS) {
        let material = material_of(sorted_identity_at(j));
        loaded.pairwise_tension = material.surface_tension;
        loaded.pairwise_volume = material.rest_volume;
    }
    return loaded;
}

fn tension_pairwise_begin(i: u32) {
    let material = material_of(sorted_identity_at(i));
    pairwise_tension_i = material.surface_tension;
    pairwise_volume_i = material.rest_volume;
    pairwise_force = vec3<f32>(0.0);
}

fn tension_pairwise_visit(pair: Pair) {
    let own = params.methods.tension_pairwise;
    var strength = pairwise_tension_i;
    var volume = pairwise_volume_i;
    if (SEVERAL_MATERIALS) {
        // σ_a/2 + σ_b/2 − |σ_a − σ_b|/2. A material without tension coheres with nothing.
        strength = min(pairwise_tension_i, pair.neighbour.pairwise_tension);
        volume = pair.neighbour.pairwise_volume;
    }
    let of_fluid = own.cohesion * strength * volume;
    var of_wall = own.wall * pairwise_tension_i * pair.volume;
    if (HAS_WETTING) { of_wall *= 1.0 + pair.neighbour.pairwise_wetting; }
    let acts = pair.volume > 0.0 && !is_volume(pair.neighbour);
    let pull = select(0.0, select(of_fluid, of_wall, pair.wall), acts);
    pairwise_force += pull * cohesion(pair.r2) * pair.inverse_r * pair.offset;
}

fn tension_pairwise_acceleration(i: u32) -> vec3<f32> {
    return pairwise_force / material_of(sorted_identity_at(i)).rest_density;
}
