// Grid to particles (G2P): velocity, its gradient C, and motion of each particle from the nodes around it
//   v_p = Σ w v_i,  C = (4/Δx²) Σ w v_i (x_i − x_p)ᵀ,  x_p += Δt v_p                        (Jiang et al. 2015; Hu et al. 2018)
// less what is too far in free fall (common/fall), from the sorted to the unsorted arrays. The position's w lane carries the
// density 1/Σ w Δxᵈ/m_i (mpm/mirror). Particles of bodies stay.
//!include common/control
//!include common/fall
//!include common/from_nodes

//!read sorted_position sorted_velocity sorted_identity
//!write position velocity identity affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    let x = sorted_position[s].xyz;
    identity[s] = sorted_identity[s];
    if (kind_of(sorted_identity[s]) == KIND_BOUNDARY) {
        position[s] = vec4<f32>(x, -sorted_position[s].w);
        velocity[s] = sorted_velocity[s];
        return;
    }
    let found = from_nodes(x);
    let v = found.all.xyz;
    let c = transpose(found.gradient);
    let back = too_far(along_gravity(v - sorted_velocity[s].xyz));
    position[s] = vec4<f32>(wrap_position(x + control.dt * v - back), density_of(found.all.w));
    velocity[s] = vec4<f32>(v, 0.0);
    affine[s] = array<vec4<f32>, 3>(vec4<f32>(c[0], 0.0), vec4<f32>(c[1], 0.0), vec4<f32>(c[2], 0.0));
}
