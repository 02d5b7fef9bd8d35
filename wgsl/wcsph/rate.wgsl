// ρ_i += Δt ρ0_i (R_i + D_i) in one walk: the continuity equation as in wcsph/continuity, and diffusion of s = ρ/ρ0 beyond
// what still water has (Fourtakas, Dominguez, Vacondio, Rogers 2019, 13–15):
//   R_i = Σ_j V0_j (v_i − v_j)·∇W_ij / S
//   D_i = D Σ_j V0_j 2 (s_j − s_i − s^H_ij) (−r_ij·∇W_ij)/r² / S,   D = δ c h/2,   s^H_ij = −g·r_ij/c²
// s^H is the difference of s by the hydrostatic pressure ρ0 g·(x_j − x_i) through the equation of state. Theirs,
// (1 + γ s^H)^(1/γ) − 1, differs from it by (γ − 1)/2 s^H of it, which is 1e-3 and less; this one is odd, so that each pair gives to
// one what it takes from the other, and Σ V0 s is kept. D over fluid of the same material.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/worlds

//!gather sorted_position sorted_velocity sorted_identity
//!read order position
//!write density
// In w s − 1 before the step (wcsph/excess), and the kind and material.
//!carry velocity: vec4<f32>, matter: u32

var<private> velocity_i: vec4<f32>;
var<private> matter_i: u32;
var<private> rate: f32;
// 2 D, and g/c².
var<private> strength: f32;
var<private> still: vec3<f32>;

fn load(j: u32) -> Neighbour {
    var matter = matter_i;
    if (SEVERAL_MATERIALS) { matter = sorted_identity_at(j).y & 0xffffu; }
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j), matter);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // In one place there is no direction.
    let distance2 = dot(offset, offset);
    let volume = select(0.0, neighbour.position.w, mine);
    let change = velocity_i - neighbour.velocity;
    let is_same = volume > 0.0 && distance2 > 0.0 && (!SEVERAL_MATERIALS || neighbour.matter == matter_i);
    let jump = select(0.0, dot(still, offset) - change.w, is_same);
    rate += abs(volume) * density_gradient(distance2) * (dot(change.xyz, offset) - strength * jump);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    velocity_i = sorted_velocity_at(i);
    matter_i = sorted_identity_at(i).y & 0xffffu;
    rate = 0.0;
    strength = 2.0 * params.methods.wcsph.diffusion;
    enter(sorted_identity_at(i));
    still = params.methods.wcsph.softness * gravity();
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    let change = material_of(sorted_identity_at(i)).rest_density * kernel.density_calibration * rate;
    density[i] = position[order[i]].w + control.dt * change;
}
