// Reaction on a body's particle b of the terms that act on each nearby fluid particle i (sph/forces), seen from there:
//   F_b = −Σ_i V_i (Σ f_ib + ρ_i Σ a'_ib)                              (Akinci et al. 2012, 10–12)
// with the force density f_ib and the acceleration a'_ib of a term by the pair of i and b alone.
//!include common/neighbours
//!include common/body_particles
//!include common/worlds
//!include common/term
//!terms

//!write reaction

var<private> wall: Neighbour;
var<private> force: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return particle_at(j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // Volumes of boundary particles are negative.
    let fluid = mine && neighbour.position.w > 0.0;
    let i = select(0u, neighbour.slot, fluid);
    velocity_i = neighbour.velocity;
    volume_i = select(1.0, neighbour.position.w, fluid);
    density_i = select(1.0, density_of(i, neighbour.position), fluid);
    let pair = pair_of(wall, -offset, fluid);
    var sum = vec3<f32>(0.0);
    var a = vec3<f32>(0.0);
    //!each TERM_begin(i);
    //!each sum += TERM_force(pair);
    //!each TERM_visit(pair);
    //!each a += TERM_acceleration(i);
    if (fluid) { force -= volume_i * (sum + density_i * a); }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let particle = body_particle(element(global_id));
    wall = particle_at(particle.slot);
    //!each wall = TERM_load(particle.slot, wall);
    force = vec3<f32>(0.0);
    for_each_candidate(first_cell(sorted_identity_at(particle.slot)), wall.position.xyz, particle.exists);
    if (particle.exists) { reaction[particle.k] = vec4<f32>(force, 0.0); }
}
