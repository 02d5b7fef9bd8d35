// Shift of a fluid particle towards an even distribution in a step Δt (Sun, Colagrossi, Marrone, Zhang 2017, δ⁺-SPH), with the
// largest speed U of the particle and its neighbours and the particle spacing d:
//   δ_i = −Δt U h Σ_j (1 + R (W_ij/W(d))⁴) V_j ∇W_ij,   at most ½ Δt U                                (Sun et al. 2019)
// Within h of the surface only along it, of which ∇ of the volumes' sum (tension/normals) is the normal; none where λ of its matrix
// is below LAMBDA_LOOSE.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

//!gather sorted_position sorted_velocity
//!read tension_normal tension_gradient
//!write shift
//!carry speed: f32

// R, which keeps pairs apart that pressure alone lets touch.
const CLUMPED = 0.2;
const LAMBDA_LOOSE = 0.4;

var<private> sum: vec3<f32>;
var<private> fastest: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, length(sorted_velocity_at(j).xyz));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let distance2 = dot(offset, offset);
    let share = params.methods.shifting.inverse_kernel * density_kernel(distance2);
    let weight = 1.0 + CLUMPED * share * share * share * share;
    let near = mine && distance2 < kernel.support_radius_squared;
    let volume = select(0.0, abs(neighbour.position.w), near);
    fastest = select(fastest, max(fastest, neighbour.speed), near && neighbour.position.w > 0.0);
    sum += weight * volume * density_gradient(distance2) * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let i = member.slot;
    sum = vec3<f32>(0.0);
    fastest = length(sorted_velocity_at(i).xyz);
    for_each_neighbour(member, sorted_position_at(i).xyz, member.exists);
    if (!member.exists) { return; }
    let slope = tension_gradient[i];
    let steepness = length(slope.xyz);
    let normal = select(vec3<f32>(0.0), slope.xyz / steepness, steepness > 0.0);
    let near = slope.w < kernel.support_radius;
    let along = select(sum, sum - dot(sum, normal) * normal, near);
    let way = -control.dt * fastest * params.methods.shifting.reach * along;
    let most = 0.5 * control.dt * fastest;
    let size = length(way);
    let kept = select(1.0, most / size, size > most);
    let loose = tension_normal[i].w < LAMBDA_LOOSE;
    shift[i] = vec4<f32>(select(kept * way, vec3<f32>(0.0), loose), 0.0);
}
