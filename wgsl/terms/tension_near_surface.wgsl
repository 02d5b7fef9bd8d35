// Surface tension near the surface (cohesion after Tartakovsky, Meakin 2005; area after Akinci, Akinci, Teschner 2013),
// pair forces in N with volumes at rest V0 and q = r/h:
//   F_ij = (χ_i + χ_j)/2 S_ij V0_i V0_j cos(3πq/2) W r_ij/r − Γ_ij V0_i V0_j W (n_i − n_j)
//   F_ib = a_b χ_i S_w V0_i V_b cos(3πq/2) W r_ib/r + κ_b V0_i V_b ∇W
// χ(ℓ) fades from 1 at ℓ ≤ h/2 from the surface to 0 at h, or ends there (tension.weights = "hard"); n is h ν' of tension/normals. The mean of the weights makes the
// tension of a flat surface that of all pairs. Of two materials S_ab = S(σ_a/2 + σ_b/2) − |σ_a − σ_b|/(2kh²) (Antonow).
// With a = 1 and κ = 0 the contact angle is 90°. Below it the potential −κ V0 V_b W makes it θ (Young), of the work σ cos θ
// per area that it takes to draw the fluid off. Above it the area's part of the adhesion grows less first (tension/normals),
// and where it has none, cohesion's: a falls from 1 to 0.
//!include common/cohesion
//!include common/wetting

//!gather tension_gradient
// h ν', χ, σ in N/m and V0 in m³ of fluid; cos θ where the fluid wets, else 0, and a of a wall.
//!carry surface_gradient: vec3<f32>, surface_weight: f32, surface_tension: f32, rest_volume: f32
//!carry wetting: f32, adhesion: f32

// Of particle i: h ν', σ in N/m, V0 in m³ and χ.
var<private> surface_gradient: vec3<f32>;
var<private> surface_tension: f32;
var<private> surface_volume: f32;
var<private> surface_weight: f32;
// S/σ, S_w/σ and Γ/σ in m⁻² (Γ in m⁻² since n has no unit), the share of |σ_a − σ_b|, and κ/(σ cos θ) in m⁻¹.
var<private> surface_cohesion: f32;
var<private> surface_wall: f32;
var<private> surface_area: f32;
var<private> surface_difference: f32;
var<private> surface_wetting: f32;
// Σ F_ij/V0_i in N/m³.
var<private> surface_force: vec3<f32>;

// χ by the distance ℓ from the surface.
fn surface_weight_at(distance: f32) -> f32 {
    let t = clamp(2.0 * distance * kernel.inverse_support_radius - 1.0, 0.0, 1.0);
    let within = select(0.0, 1.0, distance < kernel.support_radius);
    return select(1.0 - t * t * (3.0 - 2.0 * t), within, params.methods.tension_near_surface.hard > 0.0);
}

fn tension_near_surface_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    // Neighbours that stand for walls have slots beyond those of particles.
    let gradient = tension_gradient_at(min(j, params.counts.capacity - 1u));
    loaded.surface_gradient = gradient.xyz;
    if (HAS_WETTING && neighbour.position.w < 0.0) {
        let wetting = wetting_of(sorted_identity_at(j));
        let share = params.methods.tension_near_surface.share;
        loaded.wetting = max(wetting, 0.0);
        loaded.adhesion = 1.0 + min(wetting + 1.0 - share, 0.0) / share;
    }
    loaded.surface_weight = surface_weight_at(gradient.w);
    if (SEVERAL_MATERIALS) {
        let material = material_of(sorted_identity_at(j));
        loaded.surface_tension = material.surface_tension;
        loaded.rest_volume = material.rest_volume;
    }
    return loaded;
}

fn tension_near_surface_begin(i: u32) {
    let gradient = tension_gradient_at(i);
    let material = material_of(sorted_identity_at(i));
    let own = params.methods.tension_near_surface;
    surface_gradient = gradient.xyz;
    surface_tension = material.surface_tension;
    surface_volume = material.rest_volume;
    surface_weight = surface_weight_at(gradient.w);
    surface_cohesion = own.cohesion;
    surface_wall = own.wall;
    surface_area = own.area;
    surface_difference = own.difference;
    surface_wetting = own.wetting;
    surface_force = vec3<f32>(0.0);
}

fn tension_near_surface_visit(pair: Pair) {
    let w = density_kernel(pair.r2);
    let shape = cohesion(pair.r2) * pair.inverse_r;
    var mean = surface_tension;
    var attraction = surface_cohesion * mean;
    var volume = surface_volume;
    if (SEVERAL_MATERIALS) {
        let tension = pair.neighbour.surface_tension;
        volume = pair.neighbour.rest_volume;
        mean = 0.5 * (surface_tension + tension);
        attraction = surface_cohesion * mean - surface_difference * abs(surface_tension - tension);
        // A material without tension coheres with nothing.
        attraction = select(0.0, attraction, min(surface_tension, tension) > 0.0);
    }
    // Lanes without a neighbour have volume 0; neighbours that stand for walls do not cohere.
    let fluid = pair.volume > 0.0 && !pair.wall;
    let wall = pair.volume > 0.0 && pair.wall && !is_volume(pair.neighbour);
    let weight = 0.5 * (surface_weight + pair.neighbour.surface_weight);
    var pull = select(0.0, weight * attraction * volume, fluid) * shape;
    var adhesion = surface_weight * surface_wall * surface_tension * pair.volume * shape;
    if (HAS_WETTING) {
        adhesion *= pair.neighbour.adhesion;
        let kappa = surface_wetting * surface_tension * pair.neighbour.wetting;
        adhesion += kappa * pair.volume * density_gradient(pair.r2);
    }
    pull = select(pull, adhesion, wall);
    let area = select(0.0, surface_area * mean * volume * w, fluid);
    surface_force += pull * pair.offset - area * (surface_gradient - pair.neighbour.surface_gradient);
}

fn tension_near_surface_acceleration(i: u32) -> vec3<f32> {
    return surface_force / material_of(sorted_identity_at(i)).rest_density;
}
