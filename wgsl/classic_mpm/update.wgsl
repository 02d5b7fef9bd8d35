// Grid to particles (G2P) of the classic method: velocity, gradient and motion of each particle from the nodes around it,
//   v_p ← Σ w v_i + what it keeps (classic_mpm/keep),  ∇v = Σ v_i ∇wᵀ,  x_p += Δt Σ w v_i               (Stomakhin et al. 2013)
// less what is too far in free fall (common/fall), from the sorted to the unsorted arrays. The position's w lane carries the
// density 1/Σ w Δxᵈ/m_i (mpm/mirror). Particles of bodies stay.
//!include common/control
//!include common/fall
//!include common/box
//!include common/spline_slope

//!gather node
//!read sorted_position sorted_velocity sorted_identity
//!write position velocity identity affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    enter(sorted_identity[i]);
    let x = sorted_position[i].xyz;
    identity[i] = sorted_identity[i];
    if (kind_of(sorted_identity[i]) == KIND_BOUNDARY) {
        position[i] = vec4<f32>(x, -sorted_position[i].w);
        velocity[i] = sorted_velocity[i];
        return;
    }
    let cell = cell_of(x);
    let inside = (x - cell_center(cell)) * params.grid.inverse_cell;
    var all = vec4<f32>(0.0);
    // Columns of ∇v.
    var gx = vec3<f32>(0.0);
    var gy = vec3<f32>(0.0);
    var gz = vec3<f32>(0.0);
    for (var dz = -params.grid.z_reach; dz <= params.grid.z_reach; dz++) {
        for (var dy = -1; dy <= 1; dy++) {
            for (var dx = -1; dx <= 1; dx++) {
                let step = vec3<i32>(dx, dy, dz);
                let s = vec3<f32>(step) - inside;
                let c = cell_number(wrap_next(cell + step));
                let v = node_at(c);
                let w = spline_weight(s);
                // By the particle's place.
                let slope = -spline_slope(s) * params.grid.inverse_cell.x;
                all += w * v;
                gx += slope.x * v.xyz;
                gy += slope.y * v.xyz;
                gz += slope.z * v.xyz;
            }
        }
    }
    let v = all.xyz + sorted_velocity[i].xyz;
    let back = too_far(along_gravity(v) - sorted_velocity[i].w);
    position[i] = vec4<f32>(wrap_position(x + control.dt * all.xyz - back), density_of(all.w));
    velocity[i] = vec4<f32>(v, 0.0);
    affine[i] = array<vec4<f32>, 3>(
        vec4<f32>(gx.x, gy.x, gz.x, 0.0), vec4<f32>(gx.y, gy.y, gz.y, 0.0), vec4<f32>(gx.z, gy.z, gz.z, 0.0));
}
