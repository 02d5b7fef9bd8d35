// Particles to grid (P2G) of the classic method: mass and velocity of each node, the centre of a cell, before and after its forces,
//   m_i = Σ w m_p,  m_i v_iⁿ = Σ w m_p v_p,  m_i v_i = m_i v_iⁿ − Δt Σ V0 τ_p ∇w_ip            (Stomakhin et al. 2013)
// and then Δt (g + force fields), by a walk over the 3ᵈ cells around it, in the order of the sort.
//!include common/control
//!include common/node_walk
//!include common/spline_slope
//!include common/force_fields

//!gather point_place point_x point_y point_z
// Δt V0 τ by rows, and the component of the momentum in w (classic_mpm/point). The volume is the mass.
//!carry row_x: vec4<f32>, row_y: vec4<f32>, row_z: vec4<f32>
//!write node node_before

var<private> mass: f32;
var<private> momentum: vec3<f32>;
var<private> impulse: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(point_place_at(j), j, point_x_at(j), point_y_at(j), point_z_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // A mass of 0 is of no particle.
    if (!mine || neighbour.position.w <= 0.0) { return; }
    let s = offset * params.grid.inverse_cell;
    let w = spline_weight(s);
    // By the particle's place it is the opposite of that by the node's.
    let slope = spline_slope(s) * params.grid.inverse_cell.x;
    let x = neighbour.row_x;
    let y = neighbour.row_y;
    let z = neighbour.row_z;
    mass += w * neighbour.position.w;
    momentum += w * vec3<f32>(x.w, y.w, z.w);
    impulse += vec3<f32>(dot(x.xyz, slope), dot(y.xyz, slope), dot(z.xyz, slope));
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
    let share = 1.0 / max(mass, 1e-30);
    let before = select(vec3<f32>(0.0), share * momentum, mass > least);
    let pull = control.dt * (gravity() + field_acceleration(cell_center(cell), before));
    node_before[c] = vec4<f32>(before, mass);
    node[c] = vec4<f32>(select(vec3<f32>(0.0), before + share * impulse + pull, mass > least), mass);
}
