// What a field of the nodes, bound to `node`, adds to the particles' stress, Δt² (4/Δx²) V0 δτ of
// δC = (4/Δx²) Σ w u_i (x_i − x_p)ᵀ, for the nodes' sums of it (implicit/gather); in w of the first row what the stiffness of its node is made of (Stomakhin et al. 2013, §8).
//!include common/control
//!include common/from_nodes
//!include common/tangent

//!read sorted_position sorted_identity tangent
//!write point_x point_y point_z

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || kind_of(sorted_identity[s]) == KIND_BOUNDARY) { return; }
    enter(sorted_identity[s]);
    let own = tangent_from(tangent[s]);
    if (own.modulus == 0.0) {
        point_x[s] = vec4<f32>(0.0);
        point_y[s] = vec4<f32>(0.0);
        point_z[s] = vec4<f32>(0.0);
        return;
    }
    let edge = params.grid.cell;
    let factor = 4.0 * control.dt * control.dt / (edge * edge) * material_of(sorted_identity[s]).rest_volume;
    let added = factor * stiffened(own, from_nodes(sorted_position[s].xyz).gradient);
    let node_share = 4.0 / (edge * edge) * factor * own.modulus;
    // Rows of it.
    point_x[s] = vec4<f32>(added[0].x, added[1].x, added[2].x, node_share);
    point_y[s] = vec4<f32>(added[0].y, added[1].y, added[2].y, 0.0);
    point_z[s] = vec4<f32>(added[0].z, added[1].z, added[2].z, 0.0);
}
