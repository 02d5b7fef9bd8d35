// Sums over the fluid of each coarse cell for the correction of κ by a factor 1 + c of the cell: N = Σ V κ²/ρ0 and
// S = Σ ρ0 V |u|², with the displacements u by κ. The energy ½ Σ ρ0 V |u((1 + c) κ)|² of a smooth c is that of S c² and of
// N |∇c|².
//!include common/control
//!include common/pressure
//!include common/pressure_cell

//!read pressure_start pressure_move sorted_position sorted_identity
//!write odd_remainder

var<private> sums: vec2<f32>;

fn add(s: u32) {
    let kappa = pressure_start[s];
    let u = pressure_move[2u * s].xyz;
    let rest_density = material_of(sorted_identity[s]).rest_density;
    sums += relative_volume(sorted_position[s].w) * vec2<f32>(kappa * kappa / rest_density, rest_density * dot(u, u));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    sums = vec2<f32>(0.0);
    for_each_in_cell(c);
    odd_remainder[c] = sums;
}
