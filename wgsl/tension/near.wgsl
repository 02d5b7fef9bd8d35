// Distance ℓ in m of each particle from the nearest one of the surface or in a splash within h, 0 for particles of the
// surface and in splashes themselves, else h. Particles of another material count as well: forces of cohesion act at the interface.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/free_surface

//!gather sorted_position sorted_identity tension_class
//!read levelset_flag
//!write tension_gradient

var<private> material: u32;
var<private> least: f32;

// Kind and material.
fn matter_of(identity: vec2<u32>) -> u32 {
    return identity.y & 0xffffu;
}

fn load(j: u32) -> Candidate {
    var candidate = at_position(sorted_position_at(j));
    candidate.density = select(0.0, 1.0, tension_class_at(min(j, params.counts.capacity - 1u)) >= CLASS_SURFACE);
    if (SEVERAL_MATERIALS) { candidate.slot = matter_of(sorted_identity_at(j)); }
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    // Only fluid has a positive volume.
    let counts = mine && candidate.position.w > 0.0 && (candidate.density > 0.0 || candidate.slot != material);
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
