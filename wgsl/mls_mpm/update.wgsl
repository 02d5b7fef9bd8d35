// Velocity, its gradient C, and motion of each particle from the nodes around it (HYBRIDS 1.9)
//   v_p = Σ w v_i,  C = (4/Δx²) Σ w v_i (x_i − x_p)ᵀ,  x_p += Δt v_p
// from the sorted to the unsorted arrays. The position's w lane carries the density Σ w m_i/Δxᵈ.
//!include common/control
//!include common/box
//!include common/spline

//!gather node
//!read sorted_position sorted_identity
//!write position velocity identity affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position[s].xyz;
    let cell = cell_of(x);
    // From the cell's centre, in cells: −½ to ½.
    let inside = (x - cell_center(cell)) * params.torus.inverse_cell;
    let flat = params.world.dimensions == 2u;
    var v = vec3<f32>(0.0);
    var gradient = mat3x3<f32>(v, v, v);
    var mass = 0.0;
    for (var dz = -params.torus.z_reach; dz <= params.torus.z_reach; dz++) {
        let wz = select(spline(f32(dz) - inside.z), 1.0, flat);
        for (var dy = -1; dy <= 1; dy++) {
            let wy = wz * spline(f32(dy) - inside.y);
            for (var dx = -1; dx <= 1; dx++) {
                let away = vec3<f32>(vec3<i32>(dx, dy, dz)) - inside;
                let w = wy * spline(away.x);
                let n = node_at(cell_number(wrap_next(cell + vec3<i32>(dx, dy, dz))));
                v += w * n.xyz;
                mass += w * n.w;
                // Row a of the gradient in column a.
                gradient += mat3x3<f32>(w * n.x * away, w * n.y * away, w * n.z * away);
            }
        }
    }
    let scale = 4.0 / params.torus.cell;
    position[s] = vec4<f32>(wrap_position(x + control.dt * v), mass / cell_volume());
    velocity[s] = vec4<f32>(v, 0.0);
    identity[s] = sorted_identity[s];
    affine[s] = array<vec4<f32>, 3>(
        vec4<f32>(scale * gradient[0], 0.0),
        vec4<f32>(scale * gradient[1], 0.0),
        vec4<f32>(scale * gradient[2], 0.0),
    );
}
