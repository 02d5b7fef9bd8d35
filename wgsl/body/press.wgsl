// Reaction on a body's particle of the pressures of incompressible solvers: fluid particle i is
// moved by u_i = −2 V_b κ_i/ρ0_i ∇W (common/incompressible), which takes the force m_i u_i/Δt² = −2
// V0_i V_b κ_i ∇W/Δt²; the body gets the opposite force. Particles of boundaries have half of it.
//!include common/control
//!include common/neighbours
//!include common/kernels
//!include common/body_particles
//!include common/worlds

//!read sorted_position sorted_identity kappa
//!write reaction
// V0_i κ_i.
//!carry push: f32

var<private> volume_b: f32;
var<private> share: f32;
var<private> force: vec3<f32>;

fn load(j: u32) -> Neighbour {
    let who = sorted_identity[j];
    return Neighbour(sorted_position[j], j, material_of(who).rest_volume * kappa[j]);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // V_b in place of the neighbour's volume, which is greater than 0 of fluid alone; the offset has the opposite sign.
    let gradient = share * kernel.density_calibration * volume_b * density_gradient(dot(offset, offset));
    force -= select(0.0, neighbour.push, mine && neighbour.position.w > 0.0) * gradient * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let particle = body_particle(element(global_id));
    volume_b = -sorted_position[particle.slot].w;
    share = select(1.0, 2.0, marks_body(sorted_position[particle.slot].w));
    force = vec3<f32>(0.0);
    for_each_candidate(first_cell(sorted_identity[particle.slot]), sorted_position[particle.slot].xyz, particle.exists);
    let per_step = select(0.0, 1.0 / control.dt, control.dt > 0.0);
    if (particle.exists) { reaction[particle.k] = vec4<f32>(per_step * (per_step * force), 0.0); }
}
