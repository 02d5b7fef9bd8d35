// Surface tension after Akinci, Akinci, Teschner 2013 (1–3, 6, 7), with q = r/h:
//   F_ij = −K_ij γ (m_i m_j C r_ij/r + m (n_i − n_j)),   F_ib = −β m_i ρ0_i V_b A r_ib/r
//   C = 32/(πh³) {2 (1 − q)³ q³ − 1/64 to q = ½; (1 − q)³ q³ beyond},   A = 0.007/h³ (−4q² + 6q − 2)^¼ from q = ½ on
//   K_ij = (ρ0_i + ρ0_j)/(ρ_i + ρ_j)
// γ = σ/(ρ0 (k_C h² ρ0 + k_a h⁵/V0)) of each material, and m, are means of both particles', which makes all pairs
// antisymmetric; n is that of tension/akinci_normals. β is σ (1 + cos θ)/ρ0² times a number, or named.
//!include common/wetting

//!gather akinci_normal
// n and the density in kg/m³ of fluid, its γ, rest density in kg/m³ and mass in kg; cos θ of a wall.
//!carry akinci_normal: vec4<f32>, akinci_gamma: f32, akinci_rest: f32, akinci_mass: f32, akinci_wetting: f32

// Of particle i.
var<private> akinci_normal_i: vec4<f32>;
var<private> akinci_gamma_i: f32;
var<private> akinci_rest_i: f32;
var<private> akinci_mass_i: f32;
// β (1 + cos θ)⁻¹ ρ0 times 0.007/h³.
var<private> akinci_adhesion_i: f32;
var<private> akinci_sum: vec3<f32>;

// γ of a material in m⁴/(kg s²).
fn akinci_gamma_of(material: MaterialParams) -> f32 {
    let own = params.methods.tension_akinci;
    let rest = material.rest_density;
    return material.surface_tension / (rest * (own.cohesion * rest + own.area));
}

fn tension_akinci_load(j: u32, neighbour: Neighbour) -> Neighbour {
    var loaded = neighbour;
    // Neighbours that stand for walls have slots beyond those of particles.
    loaded.akinci_normal = akinci_normal_at(min(j, params.counts.capacity - 1u));
    if (HAS_WETTING && neighbour.position.w < 0.0) { loaded.akinci_wetting = wetting_of(sorted_identity_at(j)); }
    if (SEVERAL_MATERIALS) {
        let material = material_of(sorted_identity_at(j));
        loaded.akinci_gamma = akinci_gamma_of(material);
        loaded.akinci_rest = material.rest_density;
        loaded.akinci_mass = material.mass;
    }
    return loaded;
}

fn tension_akinci_begin(i: u32) {
    let own = params.methods.tension_akinci;
    let material = material_of(sorted_identity_at(i));
    akinci_normal_i = akinci_normal_at(i);
    akinci_gamma_i = akinci_gamma_of(material);
    akinci_rest_i = material.rest_density;
    akinci_mass_i = material.mass;
    let named = select(0.0, own.named, material.surface_tension > 0.0);
    akinci_adhesion_i = own.adhesion * material.surface_tension / material.rest_density + named * material.rest_density;
    akinci_sum = vec3<f32>(0.0);
}

fn tension_akinci_visit(pair: Pair) {
    let q = pair.r * kernel.inverse_support_radius;
    let direction = pair.inverse_r * pair.offset;
    var gamma = akinci_gamma_i;
    var rest = 2.0 * akinci_rest_i;
    var mass = akinci_mass_i;
    // (m_i + m_j)/(2 m_i).
    var share = 1.0;
    if (SEVERAL_MATERIALS) {
        // A material without tension coheres with nothing.
        let both = min(gamma, pair.neighbour.akinci_gamma) > 0.0;
        gamma = select(0.0, 0.5 * (gamma + pair.neighbour.akinci_gamma), both);
        rest = akinci_rest_i + pair.neighbour.akinci_rest;
        mass = pair.neighbour.akinci_mass;
        share = 0.5 + 0.5 * mass / akinci_mass_i;
    }
    let arch = (1.0 - q) * q;
    let cube = arch * arch * arch;
    let c = params.methods.tension_akinci.shape * select(cube, 2.0 * cube - 0.015625, q <= 0.5);
    let strength = gamma * rest / (akinci_normal_i.w + pair.neighbour.akinci_normal.w);
    let change = akinci_normal_i.xyz - pair.neighbour.akinci_normal.xyz;
    let of_fluid = strength * (mass * c * direction + share * change);
    // A is 0 at both ends of its range.
    let root = sqrt(sqrt(max((6.0 - 4.0 * q) * q - 2.0, 0.0)));
    var adhesion = akinci_adhesion_i * pair.volume * root;
    if (HAS_WETTING) { adhesion *= 1.0 + pair.neighbour.akinci_wetting; }
    // Lanes without a neighbour have volume 0, and no density.
    let acts = pair.volume > 0.0 && !is_volume(pair.neighbour);
    akinci_sum -= select(vec3<f32>(0.0), select(of_fluid, adhesion * direction, pair.wall), acts);
}

fn tension_akinci_acceleration(i: u32) -> vec3<f32> {
    return akinci_sum;
}
