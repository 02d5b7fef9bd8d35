// What particles keep of their own velocities in the classic method, α (v_p − Σ w v_iⁿ), before classic_mpm/update adds the grid's: together
//   v_p ← (1 − α) Σ w v_i + α (v_p + Σ w (v_i − v_iⁿ))                                      (Stomakhin et al. 2013)
// The w lane becomes v_p·g (common/fall).
//!include common/control
//!include common/fall
//!include common/box
//!include common/spline

//!gather node_before
//!read sorted_position sorted_identity
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(sorted_identity[i]) == KIND_BOUNDARY) { return; }
    enter(sorted_identity[i]);
    let x = sorted_position[i].xyz;
    let cell = cell_of(x);
    let inside = (x - cell_center(cell)) * params.grid.inverse_cell;
    var before = vec3<f32>(0.0);
    for (var dz = -params.grid.z_reach; dz <= params.grid.z_reach; dz++) {
        for (var dy = -1; dy <= 1; dy++) {
            for (var dx = -1; dx <= 1; dx++) {
                let step = vec3<i32>(dx, dy, dz);
                let w = spline_weight(vec3<f32>(step) - inside);
                before += w * node_before_at(cell_number(wrap_next(cell + step))).xyz;
            }
        }
    }
    let own = sorted_velocity[i];
    sorted_velocity[i] = vec4<f32>(params.methods.classic_mpm.blend * (own.xyz - before), along_gravity(own.xyz));
}
