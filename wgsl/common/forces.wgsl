// All forces of a fluid particle in one walk over its neighbours; a pass that includes this defines
//   fn pressure_term(volume: f32, pressure: f32, wall: bool) -> f32
// the factor on −∇W/G in the force density that pressure exerts, for a neighbour of this volume and
// pressure; its own are volume_i and velocity_i.w. G is the gradient that the rest lattice gives of
// a linear field, in place of 1, and L the Laplacian that it gives of a parabola, by the true one.
// Besides,
//   f_viscosity =  Σ_j μ_ij V_j (v_j − v_i) ∇²W_viscosity / L  (M 14; μ_ij = (μ_i + μ_j)/2)
//   f_surface   = −σ ∇²c n/|n| where |n| > l                   (M 19)
//   n = ∇c = Σ_j V_j ∇W, ∇²c = Σ_j V_j ∇²W                     (M 15, 16; into the fluid)
// Boundary particles (Akinci 2012) have p_j = p_i, and μ_ij = μ_i times their friction.
// |n| goes into the acceleration's w lane: it marks the surface (M 23).
//!include common/control
//!include common/neighbour_list
//!include common/kernels

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(3) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(4) var<storage, read> density: array<f32>;
@group(1) @binding(5) var<storage, read_write> acceleration: array<vec4<f32>>;

var<private> velocity_i: vec4<f32>;
var<private> volume_i: f32;
var<private> viscosity_i: f32;
var<private> force: vec3<f32>;
var<private> normal: vec3<f32>;
var<private> laplacian: f32;

fn load(j: u32) -> Candidate {
    var viscosity = 0.0;
    if (params.mixed_viscosity == 1u) {
        viscosity = params.viscosity_calibration * material_of(sorted_identity[j]).viscosity;
    }
    var candidate = moving(sorted_position[j], sorted_velocity[j]);
    candidate.viscosity = viscosity;
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let h2 = params.support_radius_squared;
    let distance2 = dot(offset, offset);
    let near = mine && distance2 < h2;
    // Kernels overflow far beyond their support, and 0 · ∞ is no number.
    let r2 = select(h2, distance2, near);
    let volume = select(0.0, abs(candidate.position.w), near);
    let wall = candidate.position.w < 0.0;
    // The direction of ∇W_spiky is undefined at r = 0, where it is taken as 0.
    let inverse_r = select(inverseSqrt(r2), 0.0, r2 < 1e-12 * h2);
    let r = r2 * inverse_r;
    let other = select(candidate.velocity.w, velocity_i.w, wall);
    let mean = select(viscosity_i, 0.5 * (viscosity_i + candidate.viscosity), params.mixed_viscosity == 1u);
    let viscosity = select(mean, viscosity_i * candidate.velocity.w, wall);
    let drag = volume * viscosity * viscosity_laplacian(r);
    // A candidate that is none has volume 0.
    let pressure = select(0.0, params.gradient_calibration * pressure_term(volume, other, wall), volume > 0.0);
    let push = pressure * pressure_slope(r) * inverse_r;
    force += drag * (candidate.velocity.xyz - velocity_i.xyz) - push * offset;
    normal += (volume * density_gradient(r2)) * offset;
    laplacian += volume * density_laplacian(r2);
}

fn evaluate_forces(element: u32) {
    let member = member_of(element);
    let i = member.slot;
    let x = sorted_position[i];
    let live = member.exists;
    let material = material_of(sorted_identity[i]);
    velocity_i = sorted_velocity[i];
    volume_i = x.w;
    viscosity_i = params.viscosity_calibration * material.viscosity;
    force = vec3<f32>(0.0);
    normal = vec3<f32>(0.0);
    laplacian = 0.0;
    for_each_neighbour(member, x.xyz, live);
    if (live) {
        let steepness = length(normal);
        if (steepness > params.surface_threshold) {
            force -= material.surface_tension * laplacian / steepness * normal;
        }
        acceleration[i] = vec4<f32>(force / density[i], steepness);
    }
}
