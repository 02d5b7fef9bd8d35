// Reaction on a body's particle b of the pair impulses of implicit viscosity, from the velocities that the iterations
// found: F_b = Σ_i c_ib x_ib (x_ib · (v_i − v_b))                                             (Weiler et al. 2018)
//!include common/neighbours
//!include common/viscous
//!include common/body_particles

//!gather viscosity_x
//!write reaction

var<private> force: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_x_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let k = body_coupling(neighbour, offset, mine);
    force += k * dot(offset, neighbour.vector.xyz - vector_i) * offset;
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
    force = vec3<f32>(0.0);
    for_each_candidate(place.xyz, particle.exists);
    if (particle.exists) { reaction[particle.k] = vec4<f32>(force, 0.0); }
}
