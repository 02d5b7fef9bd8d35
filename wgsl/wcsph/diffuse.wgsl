// Diffusion of density, δ-SPH (Antuono, Colagrossi, Marrone, Molteni 2010, 5–6), of s = ρ/ρ0 by
//   Ds_i/Dt = D Σ_j V0_j 2 [(s_j − s_i) + ½ (⟨∇s⟩_i + ⟨∇s⟩_j)·r_ij] (−r_ij·∇W_ij)/r² / S,   D = δ c h/2
// with the gradients of wcsph/slope: still water, whose density grows with the depth, has none. Each pair gives to one what it
// takes from the other, so that Σ V0 s is kept. Over fluid of the same material.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_identity density_slope
//!write density
//!carry slope: vec4<f32>, matter: u32

var<private> slope_i: vec4<f32>;
var<private> matter_i: u32;
var<private> rate: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, density_slope_at(j), sorted_identity_at(j).y & 0xffffu);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // In one place there is no direction.
    let distance2 = dot(offset, offset);
    let is_same = mine && neighbour.position.w > 0.0 && neighbour.matter == matter_i && distance2 > 0.0;
    let volume = select(0.0, neighbour.position.w, is_same);
    let jump = neighbour.slope.w - slope_i.w + 0.5 * dot(slope_i.xyz + neighbour.slope.xyz, offset);
    rate -= 2.0 * volume * density_gradient(distance2) * select(0.0, jump, is_same);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    slope_i = density_slope_at(i);
    matter_i = sorted_identity_at(i).y & 0xffffu;
    rate = 0.0;
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    let rest_density = material_of(sorted_identity_at(i)).rest_density;
    let change = control.dt * params.methods.wcsph.diffusion * kernel.density_calibration * rate;
    density[i] += rest_density * change;
}
