// Expected number of births at a fluid particle in the update (Ihmsen et al. 2012, 4, 7 and 9):
//   Δt I_k (k_ta I_ta + k_wc I_wc),   I = (min(x, high) − min(x, low))/(high − low)
// of the kinetic energy per mass, of trapped air, and of the curvature κ = Σ (1 − n̂_i·n̂_j) W over the particles of the surface
// below the tangent plane, which counts where the particle moves out of the fluid, v̂·n̂ ≥ 0.6.
//!include common/control
//!include common/neighbour_list
//!include common/kernels
//!include common/foam

//!gather sorted_position foam_potential
//!read sorted_velocity foam_state
//!write foam_rate
//!carry normal: vec4<f32>

var<private> normal_i: vec3<f32>;
var<private> curvature: f32;

fn load(j: u32) -> Neighbour {
    // The slots of walls without particles are beyond those of potentials.
    return Neighbour(sorted_position_at(j), j, foam_potential_at(min(j, params.counts.capacity - 1u)));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let distance2 = dot(offset, offset);
    let fluid = mine && neighbour.position.w > 0.0 && distance2 < kernel.support_radius_squared;
    let n = neighbour.normal.xyz;
    let convex = fluid && dot(n, n) > 0.0 && dot(offset, normal_i) > 0.0;
    let weight = 1.0 - sqrt(distance2) * kernel.inverse_support_radius;
    curvature += select(0.0, weight * (1.0 - dot(n, normal_i)), convex);
}

fn share_of(x: f32, low: f32, slope: f32) -> f32 {
    return clamp((x - low) * slope, 0.0, 1.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    let own = foam_potential_at(i);
    let v = sorted_velocity[i].xyz;
    let speed2 = dot(v, v);
    let numbers = params.methods.foam;
    let energy = share_of(0.5 * speed2, numbers.energy_low, numbers.energy_slope);
    normal_i = own.xyz;
    curvature = 0.0;
    let outward = dot(v, normal_i);
    let crest = energy > 0.0 && outward > 0.0 && outward * outward >= 0.36 * speed2;
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists && crest);
    if (!member.exists) { return; }
    let by_air = numbers.air_rate * share_of(own.w, numbers.air_low, numbers.air_slope);
    let by_crest = numbers.crest_rate * share_of(select(0.0, curvature, crest), numbers.crest_low, numbers.crest_slope);
    let room = f32(foam_state[FOAM_SHARE]) / 1024.0;
    foam_rate[i] = room * bitcast<f32>(foam_state[FOAM_STEP]) * energy * (by_air + by_crest);
}
