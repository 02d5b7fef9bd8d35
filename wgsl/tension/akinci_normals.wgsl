// n_i = h Σ_j m_j/ρ_j ∇W_ij over fluid, without a unit and into the fluid (Akinci, Akinci, Teschner 2013, 4), and ρ_i in w.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_identity density
//!write akinci_normal
// m/ρ in m³; 0 of walls.
//!carry fluid_volume: f32

var<private> gradient: vec3<f32>;

fn load(j: u32) -> Neighbour {
    let x = sorted_position_at(j);
    var neighbour = Neighbour(x, j, 0.0);
    if (x.w > 0.0) { neighbour.fluid_volume = material_of(sorted_identity_at(j)).mass / density_at(j); }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let r2 = dot(offset, offset);
    // Only fluid has a positive volume.
    let near = mine && neighbour.position.w > 0.0 && r2 < kernel.support_radius_squared;
    let volume = select(0.0, neighbour.fluid_volume, near);
    gradient += volume * density_gradient(select(kernel.support_radius_squared, r2, near)) * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    gradient = vec3<f32>(0.0);
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (member.exists) { akinci_normal[i] = vec4<f32>(kernel.support_radius * gradient, density_at(i)); }
}
