// Class of each particle by the free surface (Marrone et al. 2010): splash where λ < LAMBDA_SPLASH; surface where λ ≤ LAMBDA_INSIDE,
// there is a normal n, and no neighbour of fluid or wall covers the particle, with d = x_j − x_i and h_M = h/2:
//   |d|² ≥ 2 h_M² and |d − h_M n|² < h_M²,   or   |d|² < 2 h_M² and d·n > cos 45° |d|
// and else inside. The two regions meet; in 2-D their union is theirs.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/free_surface

//!gather sorted_position
//!read tension_normal
//!write tension_class

const COS_45 = 0.70710678;

var<private> normal: vec3<f32>;
var<private> covered: bool;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let d = -offset;
    let d2 = dot(d, d);
    let half = 0.5 * kernel.support_radius;
    let from_tip = d - half * normal;
    let far = dot(from_tip, from_tip) < half * half;
    let close = dot(d, normal) > COS_45 * sqrt(d2);
    // Lanes without a neighbour have volume 0.
    let found = mine && neighbour.position.w != 0.0 && d2 < kernel.support_radius_squared;
    covered = covered || (found && select(far, close, d2 < 2.0 * half * half));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let own = tension_normal[i];
    normal = own.xyz;
    covered = false;
    let candidate = own.w <= LAMBDA_INSIDE && dot(normal, normal) > 0.0;
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists && candidate);
    if (!member.exists) { return; }
    let at_surface = select(CLASS_INSIDE, CLASS_SURFACE, candidate && !covered);
    tension_class[i] = select(at_surface, CLASS_SPLASH, own.w < LAMBDA_SPLASH);
}
