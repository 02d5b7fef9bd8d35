// Reaction on a body's particle b of the pair impulses of implicit viscosity, from the velocities that the iterations
// found: F_b = Σ_i c_ib x_ib (x_ib · (v_i − v_b))                                             (Weiler et al. 2018)
//!include common/neighbours
//!include common/viscous
//!include common/body_particles
//!include common/worlds

//!gather viscosity_x
//!write reaction

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_x_at(j));
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
    let own = viscosity_x_at(particle.slot);
    begin_viscous(place.w, own);
    // Impulses become forces.
    strength_i = params.methods.viscosity_implicit.factor * abs(place.w);
    for_each_candidate(first_cell(sorted_identity_at(particle.slot)), place.xyz, particle.exists);
    // It is the opposite of that on the fluid.
    if (particle.exists) { reaction[particle.k] = vec4<f32>(-impulse, 0.0); }
}
