// Reaction on a body's particle of viscosity and pressure: the terms viscosity_muller and
// pressure_… on each nearby fluid particle i, with the opposite sign,
//   F_b = −Σ_i V_i (μ_i f_b V_b (v_b − v_i) ∇²W − 2 V_b p_i ∇W/G)      (Akinci 2012, 10–12)
//!include common/control
//!include common/neighbours
//!include common/kernels
//!include common/body_particles

//!read sorted_position sorted_velocity sorted_identity
//!write reaction

var<private> volume_b: f32;
var<private> velocity_b: vec4<f32>;
var<private> force: vec3<f32>;

fn load(j: u32) -> Candidate {
    var candidate = moving(sorted_position[j], sorted_velocity[j]);
    candidate.viscosity = params.kernel.viscosity_calibration * material_of(sorted_identity[j]).viscosity;
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let h2 = params.kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    let near = mine && distance2 < h2 && candidate.position.w > 0.0;
    let r2 = select(h2, distance2, near);
    let inverse_r = select(inverseSqrt(r2), 0.0, r2 < 1e-12 * h2);
    let r = r2 * inverse_r;
    // Of boundary particles it is negative.
    let volume = select(0.0, candidate.position.w, near);
    let drag = volume_b * candidate.viscosity * velocity_b.w * viscosity_laplacian(r);
    let pressure = params.kernel.gradient_calibration * 2.0 * volume_b * candidate.velocity.w;
    let push = pressure * pressure_slope(r) * inverse_r;
    if (near) { force -= volume * (drag * (velocity_b.xyz - candidate.velocity.xyz) + push * offset); }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let particle = body_particle(element(global_id));
    volume_b = -sorted_position[particle.slot].w;
    velocity_b = sorted_velocity[particle.slot];
    force = vec3<f32>(0.0);
    for_each_candidate(sorted_position[particle.slot].xyz, particle.exists);
    if (particle.exists) { reaction[particle.k] = vec4<f32>(force, 0.0); }
}
