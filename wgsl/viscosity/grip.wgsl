// Resistance of the fluid around a body's particle b to its motion by implicit viscosity, Δt Σ_i c_ib x_ib x_ibᵀ/m_0: xx, yy, zz
// and yz, xz, xy                                                                              (Weiler et al. 2018)
//!include common/neighbours
//!include common/viscous
//!include common/body_particles
//!include common/worlds

//!gather viscosity_x
//!write viscosity_grip

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_x_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    add_block(body_coupling(neighbour, offset, mine), offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let particle = body_particle(element(global_id));
    let place = sorted_position_at(particle.slot);
    begin_viscous(place.w, viscosity_x_at(particle.slot));
    for_each_candidate(first_cell(sorted_identity_at(particle.slot)), place.xyz, particle.exists);
    if (!particle.exists) { return; }
    viscosity_grip[particle.k][0] = vec4<f32>(diagonal, 0.0);
    viscosity_grip[particle.k][1] = vec4<f32>(off_diagonal, 0.0);
}
