// Distance ℓ in m of each particle from the nearest one of the surface or in a splash within h, 0 for particles of the
// surface and in splashes themselves, else h. Particles of another material count as well: forces of cohesion act at the interface.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/free_surface

//!gather sorted_position sorted_identity tension_class
//!read levelset_flag
//!write tension_gradient
// 1 at the surface and in splashes, else 0; kind and material.
//!carry at_surface: u32, matter: u32

var<private> material: u32;
var<private> least: f32;

// Kind and material.
fn matter_of(identity: vec2<u32>) -> u32 {
    return identity.y & 0xffffu;
}

fn load(j: u32) -> Neighbour {
    let class_j = tension_class_at(min(j, params.counts.capacity - 1u));
    var neighbour = Neighbour(sorted_position_at(j), j, select(0u, 1u, class_j >= CLASS_SURFACE), 0u);
    if (SEVERAL_MATERIALS) { neighbour.matter = matter_of(sorted_identity_at(j)); }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // Only fluid has a positive volume.
    let counts = mine && neighbour.position.w > 0.0 && (neighbour.at_surface == 1u || neighbour.matter != material);
    least = select(least, min(least, length(offset)), counts);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    material = 0u;
    if (SEVERAL_MATERIALS) { material = matter_of(sorted_identity_at(i)); }
    least = kernel.support_radius;
    let x = sorted_position_at(i).xyz;
    let may_be_near = SEVERAL_MATERIALS || levelset_flag[key_of(x)] == 1u;
    for_each_neighbour(member, x, member.exists && may_be_near);
    if (member.exists) { tension_gradient[i].w = least; }
}
