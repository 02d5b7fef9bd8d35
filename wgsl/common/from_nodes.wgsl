// Grid to particles with quadratic splines: sums of the nodes around a place, of any array of the nodes that is bound to `node`.
//!include common/box
//!include common/spline

//!gather node

struct FromNodes {
    // Σ w node.
    all: vec4<f32>,
    // C = (4/Δx²) Σ w v_i (x_i − x)ᵀ of its first three lanes, in 1/s.
    gradient: mat3x3<f32>,
}

fn from_nodes(x: vec3<f32>) -> FromNodes {
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
    let scale = 4.0 / params.grid.cell;
    return FromNodes(all, mat3x3<f32>(scale * gx, scale * gy, scale * gz));
}
