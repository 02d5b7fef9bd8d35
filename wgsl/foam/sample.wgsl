// The fluid around each particle of foam: Σ v_j W/Σ W, W the kernel of densities (Ihmsen et al. 2012, 13), and the number of
// fluid particles within h. Walls do not count, or bubbles would gather at them.
//!include common/control
//!include common/kernels
//!include common/neighbours
//!include common/foam

//!gather sorted_position sorted_velocity
//!read foam_state foam_position
//!write foam_carrier
//!carry velocity: vec4<f32>

var<private> velocity_sum: vec3<f32>;
var<private> weight_sum: f32;
var<private> count: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let distance2 = dot(offset, offset);
    let near = mine && neighbour.position.w > 0.0 && distance2 < kernel.support_radius_squared;
    let weight = select(0.0, density_kernel(distance2), near);
    velocity_sum += weight * neighbour.velocity.xyz;
    weight_sum += weight;
    count += select(0.0, 1.0, near);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let end = foam_state[FOAM_END];
    let live = i < min(end, stage.element_count);
    velocity_sum = vec3<f32>(0.0);
    weight_sum = 0.0;
    count = 0.0;
    for_each_candidate(0u, foam_position[min(i, max(end, 1u) - 1u)].xyz, live);
    if (live) {
        let mean = velocity_sum / select(1.0, weight_sum, weight_sum > 0.0);
        foam_carrier[i] = vec4<f32>(mean, count);
    }
}
