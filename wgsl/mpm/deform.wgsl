// Constitutive models of material points: deformation gradient F ← (1 + Δt ∇v) F, the material's return mapping, and its
// Kirchhoff stress τ = P Fᵀ for the next step. Arrays hold F − 1, and in the w lanes of its rows J − 1 of water, J_p − 1 of
// snow, q and v_c of sand: so what is 0 is not deformed.
//   water  τ = −J p 1 + μ J (∇v + ∇vᵀ),  p = B (J^−γ − 1), not below 0 unless it pulls
//   jelly  fixed corotated: in principal axes τ = 2μ (σ − 1) σ + λ J (J − 1)
//   snow   σ ← clamp(σ, 1 − θc, 1 + θs), then jelly with μ and λ times e^(ξ (1 − J_p)) (Stomakhin et al. 2013)
//   sand   Drucker, Prager; τ = 2μ ln σ + λ tr ln σ (Klár et al. 2016, volume correction of Tampubolon et al. 2017)
// Records the fastest signal, c + |v|, for the next time step.
//!include common/control_write
//!include common/maximum
//!include common/svd
//!include common/series
//!include shared/models

//!read identity affine sorted_deformation
//!write deformation stress velocity

// Bounds of J_p, with which snow hardens at most e⁴-fold.
const LEAST_PLASTIC = 0.6;
const LARGEST_PLASTIC = 20.0;
// Water is not compressed further.
const LEAST_VOLUME = 0.6;
// γ of water.
const GAMMA = 7.0;

// Stress in principal axes, their axes, and the speed of sound.
struct Elastic {
    f: mat3x3<f32>,
    u: mat3x3<f32>,
    tau: vec3<f32>,
    // Energy per rest volume.
    energy: f32,
    signal: f32,
    // Lanes of the deformation's rows.
    state: vec3<f32>,
}

// ln σ: near 1 the driver's logarithm has too few digits.
fn logarithm(sigma: f32) -> f32 {
    let y = (sigma - 1.0) / (sigma + 1.0);
    let z = y * y;
    let near = 2.0 * y * (1.0 + z * (1.0 / 3.0 + z * (0.2 + z / 7.0)));
    return select(log(max(sigma, 1e-6)), near, abs(sigma - 1.0) < 0.1);
}

fn vector_logarithm(sigma: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(logarithm(sigma.x), logarithm(sigma.y), logarithm(sigma.z));
}

// e^x − 1.
fn exponential(x: f32) -> f32 {
    let near = x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)));
    return select(exp(x) - 1.0, near, abs(x) < 0.03);
}

// U diag(σ) Vᵀ.
fn product(u: mat3x3<f32>, sigma: vec3<f32>, v: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(sigma.x * u[0], sigma.y * u[1], sigma.z * u[2]) * transpose(v);
}

fn corotated(material: MaterialParams, hardening: f32, sigma: vec3<f32>) -> vec3<f32> {
    let j = sigma.x * sigma.y * sigma.z;
    return hardening * (2.0 * material.shear * (sigma - 1.0) * sigma + material.lambda * j * (j - 1.0));
}

fn corotated_energy(material: MaterialParams, hardening: f32, sigma: vec3<f32>) -> f32 {
    let j = sigma.x * sigma.y * sigma.z;
    let stretch = sigma - 1.0;
    return hardening * (material.shear * dot(stretch, stretch) + 0.5 * material.lambda * (j - 1.0) * (j - 1.0));
}

fn sound(material: MaterialParams, hardening: f32, sigma: vec3<f32>) -> f32 {
    let modulus = hardening * (material.lambda + 2.0 * material.shear);
    return sqrt(modulus / material.rest_density) * max(1.0, sigma.x);
}

fn jelly(material: MaterialParams, f: mat3x3<f32>) -> Elastic {
    let s = svd(f);
    return Elastic(f, s.u, corotated(material, 1.0, s.sigma), corotated_energy(material, 1.0, s.sigma),
                   sound(material, 1.0, s.sigma), vec3<f32>(0.0));
}

fn snow(material: MaterialParams, f: mat3x3<f32>, plastic: f32) -> Elastic {
    let s = svd(f);
    let sigma = clamp(s.sigma, vec3<f32>(1.0 - material.critical_compression), vec3<f32>(1.0 + material.critical_stretch));
    let ratio = s.sigma.x * s.sigma.y * s.sigma.z / (sigma.x * sigma.y * sigma.z);
    let j_p = clamp((1.0 + plastic) * ratio, LEAST_PLASTIC, LARGEST_PLASTIC);
    let hardening = exp(min(material.hardening * (1.0 - j_p), 4.0));
    return Elastic(product(s.u, sigma, s.v), s.u, corotated(material, hardening, sigma),
                   corotated_energy(material, hardening, sigma), sound(material, hardening, sigma),
                   vec3<f32>(j_p - 1.0, 0.0, 0.0));
}

// α of Drucker and Prager for a friction angle: in 2-D for plane strain.
fn cone(angle: f32) -> f32 {
    let sine = angle * sinc_and_cos(angle).x;
    return select(sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine), sine / sqrt(2.0), params.world.dimensions == 2u);
}

fn sand(material: MaterialParams, f: mat3x3<f32>, q: f32, extra: f32) -> Elastic {
    let s = svd(f);
    let d = f32(params.world.dimensions);
    // In 2-D the third axis has no strain.
    let in_plane = select(vec3<f32>(1.0), vec3<f32>(1.0, 1.0, 0.0), params.world.dimensions == 2u);
    let strain = vector_logarithm(s.sigma) + extra / d * in_plane;
    let trace = strain.x + strain.y + strain.z;
    let shear = strain - trace / d * in_plane;
    let norm = length(shear);
    let h = material.friction;
    let alpha = cone(h.x + (h.y * q - h.w) * exp(-h.z * q));
    let excess = norm + (d * material.lambda + 2.0 * material.shear) / (2.0 * material.shear) * alpha * trace;
    var elastic = strain;
    var state = vec3<f32>(q, 0.0, 0.0);
    if (trace >= 0.0) {
        elastic = vec3<f32>(0.0);
        state = vec3<f32>(q + length(strain), trace, 0.0);
    } else if (excess > 0.0) {
        elastic = strain - excess / max(norm, 1e-30) * shear;
        state.x = q + excess;
    }
    let grown = vec3<f32>(exponential(elastic.x), exponential(elastic.y), exponential(elastic.z));
    let total = elastic.x + elastic.y + elastic.z;
    let tau = 2.0 * material.shear * elastic + material.lambda * total;
    let energy = material.shear * dot(elastic, elastic) + 0.5 * material.lambda * total * total;
    return Elastic(product(s.u, 1.0 + grown, s.v), s.u, tau, energy, sound(material, 1.0, 1.0 + grown), state);
}

// √(3/2) |dev τ|.
fn von_mises(tau: mat3x3<f32>) -> f32 {
    let mean = (tau[0].x + tau[1].y + tau[2].z) / 3.0;
    let diagonal = vec3<f32>(tau[0].x, tau[1].y, tau[2].z) - mean;
    let off = vec3<f32>(tau[1].z, tau[0].z, tau[0].y);
    return sqrt(1.5 * dot(diagonal, diagonal) + 3.0 * dot(off, off));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let s = element(global_id);
    var signal = 0.0;
    if (has_particle(s)) {
        let material = material_of(identity[s]);
        let rows = affine[s];
        let old = sorted_deformation[s];
        let c = transpose(mat3x3<f32>(rows[0].xyz, rows[1].xyz, rows[2].xyz));
        let h = transpose(mat3x3<f32>(old[0].xyz, old[1].xyz, old[2].xyz));
        // ∇v.
        let change = control.dt * (c + c * h);
        let one = mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
        let f = one + h + change;
        let d = f32(params.world.dimensions);
        var next = transpose(h + change);
        var state = vec3<f32>(0.0);
        var tensor = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
        var energy = 0.0;
        if (!HAS_ELASTIC || material.model == MODEL_WATER) {
            let divergence = c[0].x + c[1].y + c[2].z;
            let grown = old[0].w + control.dt * divergence * (1.0 + old[0].w);
            let excess = clamp(grown, LEAST_VOLUME - 1.0, material.largest_volume - 1.0);
            let j = 1.0 + excess;
            let r = 1.0 / j;
            let r3 = r * r * r;
            let loose = j > 1.0 && material.pulls == 0u;
            let pressure = select(material.stiffness * (r3 * r3 * r - 1.0), 0.0, loose);
            tensor = material.viscosity * j * (c + transpose(c));
            tensor -= j * pressure * one;
            signal = sqrt(GAMMA * material.stiffness / material.rest_density) * r3;
            // −∫ p dJ.
            energy = select(material.stiffness * ((r3 * r3 - 1.0) / (GAMMA - 1.0) + excess), 0.0, loose);
            state.x = excess;
            next = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
        } else {
            var found: Elastic;
            if (!HAS_PLASTIC || material.model == MODEL_JELLY) {
                found = jelly(material, f);
            } else if (material.model == MODEL_SNOW) {
                found = snow(material, f, old[0].w);
            } else {
                found = sand(material, f, old[0].w, old[1].w);
            }
            if (HAS_PLASTIC && material.model != MODEL_JELLY) {
                next = transpose(found.f - one);
            }
            state = found.state;
            signal = found.signal;
            energy = found.energy;
            let u = found.u;
            tensor = mat3x3<f32>(found.tau.x * u[0], found.tau.y * u[1], found.tau.z * u[2]) * transpose(u);
        }
        deformation[s] = array<vec4<f32>, 3>(
            vec4<f32>(next[0], state.x), vec4<f32>(next[1], state.y), vec4<f32>(next[2], state.z));
        stress[s] = array<vec4<f32>, 2>(
            vec4<f32>(tensor[0].x, tensor[1].y, tensor[2].z, von_mises(tensor)),
            vec4<f32>(tensor[1].z, tensor[0].z, tensor[0].y, material.rest_volume * energy));
        let trace = tensor[0].x + tensor[1].y + select(0.0, tensor[2].z, params.world.dimensions == 3u);
        let v = velocity[s].xyz;
        // p = −tr σ/d of the Cauchy stress σ = τ/J.
        let j = select(determinant(one + next), 1.0 + state.x, material.model == MODEL_WATER);
        velocity[s] = vec4<f32>(v, -trace / (d * max(abs(j), 1e-3)));
        let steep = sqrt(dot(c[0], c[0]) + dot(c[1], c[1]) + dot(c[2], c[2]));
        signal = max(signal + length(v), 2.0 * params.time.step_share * params.time.cfl * params.torus.cell * steep);
    }
    let largest = workgroup_maximum(signal, local);
    if (has_maximum(local)) { atomicMax(&control.max_signal_bits, largest); }
}
