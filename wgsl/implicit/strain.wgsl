// What a field of the nodes adds to the particles' stress, Δt² (4/Δx²) V0 δτ of δC = (4/Δx²) Σ w u_i (x_i − x_p)ᵀ, for the nodes'
// sums of it (implicit/gather); in w of the first row what the stiffness of its node is made of (Stomakhin et al. 2013, §8).
//!include common/control
//!include common/box
//!include common/spline
//!include common/tangent

//!gather implicit_u
//!read sorted_position sorted_identity tangent
//!write point_x point_y point_z

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || kind_of(sorted_identity[s]) == KIND_BOUNDARY) { return; }
    let own = tangent_from(tangent[s]);
    if (own.modulus == 0.0) {
        point_x[s] = vec4<f32>(0.0);
        point_y[s] = vec4<f32>(0.0);
        point_z[s] = vec4<f32>(0.0);
        return;
    }
    let x = sorted_position[s].xyz;
    let cell = cell_of(x);
    let inside = (x - cell_center(cell)) * params.grid.inverse_cell;
    let flat = params.world.dimensions == 2u;
    let left = 0.5 - inside.x;
    let right = 0.5 + inside.x;
    let wx = vec3<f32>(0.5 * left * left, 0.75 - inside.x * inside.x, 0.5 * right * right);
    let ax = wx * (vec3<f32>(-1.0, 0.0, 1.0) - inside.x);
    var gx = vec3<f32>(0.0);
    var gy = vec3<f32>(0.0);
    var gz = vec3<f32>(0.0);
    for (var dz = -params.grid.z_reach; dz <= params.grid.z_reach; dz++) {
        let z = f32(dz) - inside.z;
        let wz = select(spline(z), 1.0, flat);
        for (var dy = -1; dy <= 1; dy++) {
            let y = f32(dy) - inside.y;
            let w = wz * spline(y);
            let a = implicit_u_at(cell_number(wrap_next(cell + vec3<i32>(-1, dy, dz)))).xyz;
            let b = implicit_u_at(cell_number(wrap_next(cell + vec3<i32>(0, dy, dz)))).xyz;
            let c = implicit_u_at(cell_number(wrap_next(cell + vec3<i32>(1, dy, dz)))).xyz;
            let row = w * (wx.x * a + wx.y * b + wx.z * c);
            gx += w * (ax.x * a + ax.y * b + ax.z * c);
            gy += y * row;
            gz += z * row;
        }
    }
    let edge = params.grid.cell;
    let factor = 4.0 * control.dt * control.dt / (edge * edge) * material_of(sorted_identity[s]).rest_volume;
    let change = 4.0 / edge * mat3x3<f32>(gx, gy, select(gz, vec3<f32>(0.0), flat));
    let added = factor * stiffened(own, change);
    let node_share = 4.0 / (edge * edge) * factor * own.modulus;
    // Rows of it.
    point_x[s] = vec4<f32>(added[0].x, added[1].x, added[2].x, node_share);
    point_y[s] = vec4<f32>(added[0].y, added[1].y, added[2].y, 0.0);
    point_z[s] = vec4<f32>(added[0].z, added[1].z, added[2].z, 0.0);
}
