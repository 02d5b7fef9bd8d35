// Δt² K u of each node: sums of what particles around it have from implicit/strain, Σ w Z_p (x_i − x_p), and in w the diagonal of
// Δt² K, about Σ w² |x_i − x_p|² Δt² (4/Δx²)² V0 times the modulus.
//!include common/control
//!include common/node_walk
//!include common/spline

//!gather point_place point_x point_y point_z
//!carry row_x: vec4<f32>, row_y: vec4<f32>, row_z: vec4<f32>
//!write implicit_q

var<private> force: vec3<f32>;
var<private> stiffness: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(point_place_at(j), j, point_x_at(j), point_y_at(j), point_z_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // A mass of 0 is of no particle.
    let counts = mine && neighbour.position.w > 0.0;
    let w = select(0.0, spline_weight(offset * params.grid.inverse_cell), counts);
    force += w * vec3<f32>(dot(neighbour.row_x.xyz, offset), dot(neighbour.row_y.xyz, offset), dot(neighbour.row_z.xyz, offset));
    stiffness += w * w * dot(offset, offset) * neighbour.row_x.w;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    let cell = busy_cell(number);
    let enabled = in_box(cell);
    for_each_around(number, cell, enabled);
    if (!enabled) { return; }
    implicit_q[cell_number(cell)] = vec4<f32>(force, stiffness);
}
