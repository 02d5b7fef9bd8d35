// Particles to grid (P2G): mass and velocity of each node, the centre of a cell, from the particles around it
//   m_i = Σ w m_p,  m_i v_i = Σ w [m_p v_p + (m_p C_p − (4 Δt/Δx²) V0 τ_p)(x_i − x_p)]                       (Hu et al. 2018)
// and then Δt (g + force fields), by a walk over the 3ᵈ cells around it, in the order of the sort: without atomics, always in the same order.
//!include common/control
//!include common/node_walk
//!include common/spline
//!include common/force_fields

//!gather point_place point_x point_y point_z
// Gradient of each component of the momentum, and the component in w (mls_mpm/point). The volume is the mass.
//!carry row_x: vec4<f32>, row_y: vec4<f32>, row_z: vec4<f32>
//!write node

var<private> mass: f32;
var<private> momentum: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(point_place_at(j), j, point_x_at(j), point_y_at(j), point_z_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // A mass of 0 is of no particle.
    let counts = mine && neighbour.position.w > 0.0;
    let w = select(0.0, spline_weight(offset * params.grid.inverse_cell), counts);
    let x = neighbour.row_x;
    let y = neighbour.row_y;
    let z = neighbour.row_z;
    mass += w * neighbour.position.w;
    momentum += w * vec3<f32>(x.w + dot(x.xyz, offset), y.w + dot(y.xyz, offset), z.w + dot(z.xyz, offset));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    let cell = busy_cell(number);
    let enabled = in_box(cell);
    for_each_around(number, cell, enabled);
    if (!enabled) { return; }
    let c = cell_number(cell);
    let least = LEAST_MASS * params.materials[0].rest_density * cell_volume();
    let before = momentum / max(mass, 1e-30);
    let pull = control.dt * (gravity() + field_acceleration(cell_center(cell), before));
    node[c] = vec4<f32>(select(vec3<f32>(0.0), before + pull, mass > least), mass);
}
