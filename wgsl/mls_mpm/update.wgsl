// Grid to particles (G2P): velocity, its gradient C, and motion of each particle from the nodes around it
//   v_p = Σ w v_i,  C = (4/Δx²) Σ w v_i (x_i − x_p)ᵀ,  x_p += Δt v_p                        (Jiang et al. 2015; Hu et al. 2018)
// from the sorted to the unsorted arrays. The position's w lane carries the density Σ w m_i/Δxᵈ. Particles of bodies stay.
//!include common/control
//!include common/box
//!include common/spline

//!gather node
//!read sorted_position sorted_velocity sorted_identity
//!write position velocity identity affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position[s].xyz;
    identity[s] = sorted_identity[s];
    if (kind_of(sorted_identity[s]) == KIND_BOUNDARY) {
        position[s] = vec4<f32>(x, -sorted_position[s].w);
        velocity[s] = sorted_velocity[s];
        return;
    }
    let cell = cell_of(x);
    // From the cell's centre, in cells: −½ to ½.
    let inside = (x - cell_center(cell)) * params.grid.inverse_cell;
    let flat = params.world.dimensions == 2u;
    // Splines of the three nodes along x, by the place between −½ and ½.
    let left = 0.5 - inside.x;
    let right = 0.5 + inside.x;
    let wx = vec3<f32>(0.5 * left * left, 0.75 - inside.x * inside.x, 0.5 * right * right);
    let ax = wx * (vec3<f32>(-1.0, 0.0, 1.0) - inside.x);
    // Σ w v and mass, and Σ w v times the offset along each axis.
    var all = vec4<f32>(0.0);
    var gx = vec3<f32>(0.0);
    var gy = vec3<f32>(0.0);
    var gz = vec3<f32>(0.0);
    for (var dz = -params.grid.z_reach; dz <= params.grid.z_reach; dz++) {
        let z = f32(dz) - inside.z;
        let wz = select(spline(z), 1.0, flat);
        for (var dy = -1; dy <= 1; dy++) {
            let y = f32(dy) - inside.y;
            let w = wz * spline(y);
            let a = node_at(cell_number(wrap_next(cell + vec3<i32>(-1, dy, dz))));
            let b = node_at(cell_number(wrap_next(cell + vec3<i32>(0, dy, dz))));
            let c = node_at(cell_number(wrap_next(cell + vec3<i32>(1, dy, dz))));
            let row = w * (wx.x * a + wx.y * b + wx.z * c);
            all += row;
            gx += w * (ax.x * a.xyz + ax.y * b.xyz + ax.z * c.xyz);
            gy += y * row.xyz;
            gz += z * row.xyz;
        }
    }
    let v = all.xyz;
    let mass = all.w;
    let scale = 4.0 / params.grid.cell;
    position[s] = vec4<f32>(wrap_position(x + control.dt * v), mass / cell_volume());
    velocity[s] = vec4<f32>(v, 0.0);
    affine[s] = array<vec4<f32>, 3>(
        vec4<f32>(scale * vec3<f32>(gx.x, gy.x, gz.x), 0.0),
        vec4<f32>(scale * vec3<f32>(gx.y, gy.y, gz.y), 0.0),
        vec4<f32>(scale * vec3<f32>(gx.z, gy.z, gz.z), 0.0),
    );
}
