// w = K u of implicit viscosity, and each workgroup's part of r·u, u·w and r·r (Chronopoulos, Gear 1989).
//!include common/neighbour_list
//!include common/viscous
//!include common/sums

//!gather viscosity_u
//!read viscosity_r
//!write viscosity_w viscosity_dots

fn load(j: u32) -> Neighbour {
    return viscous_neighbour(j, viscosity_u_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    add_impulse(coupling(neighbour, offset, mine), neighbour, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let at = element(global_id);
    let member = member_of(at);
    let i = member.slot;
    let place = sorted_position_at(i);
    let own = viscosity_u_at(i);
    let u = own.xyz;
    begin_viscous(place.w, own);
    for_each_neighbour(member, place.xyz, member.exists);
    let w = relative_mass(i) * u + impulse;
    let r = viscosity_r[i].xyz;
    var products = vec4<f32>(0.0);
    if (member.exists) {
        viscosity_w[i] = vec4<f32>(w, 0.0);
        products = vec4<f32>(dot(r, u), dot(u, w), dot(r, r), 0.0);
    }
    let sum = workgroup_sum(products, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&viscosity_dots), cluster_group_count())) { viscosity_dots[group] = sum; }
}
