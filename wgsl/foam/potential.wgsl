// What makes foam at a fluid particle (Ihmsen et al. 2012, 2 and §4.1): with x_ij = x_i − x_j, v_ij = v_i − v_j and W = 1 − r/h, the
// trapped air Σ |v_ij| (1 − v̂_ij·x̂_ij) W over fluid, and the unit normal −Σ V ∇W/|Σ V ∇W| out of the fluid, with walls, where
// h |Σ V ∇W| is at least STEEP: in the outermost layer of particles. Both are 0 of particles with less than half of the kinetic
// energy with which births begin.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_velocity
//!write foam_potential
//!carry velocity: vec4<f32>

// h |∇c| is 1.4 at a flat surface, 1.0 in the layer below and less than 0.1 in the next.
const STEEP = 0.5;

var<private> velocity_i: vec3<f32>;
var<private> gradient: vec3<f32>;
var<private> air: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let h2 = kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    // In one place there is no direction.
    let near = mine && distance2 < h2 && distance2 > 1e-12 * h2;
    let r2 = select(h2, distance2, near);
    gradient += select(0.0, abs(neighbour.position.w), near) * pressure_gradient(r2) * offset;
    let inverse_r = inverseSqrt(r2);
    let v = velocity_i - neighbour.velocity.xyz;
    let weight = 1.0 - r2 * inverse_r * kernel.inverse_support_radius;
    air += select(0.0, weight * (length(v) - dot(v, offset) * inverse_r), near && neighbour.position.w > 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    velocity_i = sorted_velocity_at(i).xyz;
    gradient = vec3<f32>(0.0);
    air = 0.0;
    let fast = dot(velocity_i, velocity_i) > params.methods.foam.energy_low;
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists && fast);
    if (!member.exists) { return; }
    let inward = params.methods.foam.gradient * kernel.support_radius * gradient;
    let steepness = length(inward);
    let normal = select(vec3<f32>(0.0), -inward / steepness, fast && steepness >= STEEP);
    foam_potential[i] = vec4<f32>(normal, select(0.0, air, fast));
}
