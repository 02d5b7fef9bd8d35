// Impulse on a body's particle b of velocities a of the fluid around it by implicit viscosity, Δt Σ_i c_ib x_ib (x_ib·(a_i − a_b))/m_0,
// with the velocity a_b that the body's particle has without the answer of its body: v* for a = x, 0 for a = u
//                                                                                             (Weiler et al. 2018)
//!include common/neighbours
//!include common/viscous
//!include common/body_particles
//!include common/worlds

//!gather viscosity_u
//!read own: array<vec4<f32>>
//!write viscosity_reaction

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_u_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    add_impulse(body_coupling(neighbour, offset, mine), neighbour, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let particle = body_particle(element(global_id));
    let place = sorted_position_at(particle.slot);
    begin_viscous(place.w, vec4<f32>(own[particle.slot].xyz, viscosity_u_at(particle.slot).w));
    for_each_candidate(first_cell(sorted_identity_at(particle.slot)), place.xyz, particle.exists);
    // It is the opposite of that on the fluid.
    if (particle.exists) { viscosity_reaction[particle.k] = vec4<f32>(-impulse, 0.0); }
}
